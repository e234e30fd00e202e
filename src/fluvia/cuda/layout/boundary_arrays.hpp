// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <functional>
#include <vector>

#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/solver/links/node_records.hpp"

namespace fluvia::cuda {

/// Arrays behind kernels::Boundaries.
struct BoundaryArrays {
  std::vector<kernels::BoundaryRecord> records;
  std::vector<std::uint32_t> links;  ///< [record], link: changing_links()
  std::vector<kernels::BoundaryTile> tiles;
  std::vector<std::uint32_t> first_records;
  core::ConditionSet conditions = 0;  ///< boundary conditions of all records
  FitTables fits;                     ///< with the points of its records
};
/// Arrays of boundaries on a GPU, from `records`, node_records() of the setup, and `fits`, plane_fits(): the records of
/// nodes that `takes` accepts, or all; boundary conditions and coefficients are those of all. `storage_index_of` gives
/// the storage index of a canonical tile.
BoundaryArrays make_boundary_arrays(const BoundarySetup& setup, std::vector<NodeRecord> records, FitTables fits,
                                    const std::function<std::uint32_t(std::uint64_t)>& storage_index_of,
                                    const std::function<bool(std::uint32_t tile, int bit)>& takes = nullptr);

/// Calls body(node, first record) for every node with records, where storage indices of tiles are those in a box of
/// tiles.
template <class Body>
void for_each_first_record(const BoundaryArrays& boundaries, const Int3& tiles_in_box, int dimension, Body&& body) {
  const Int3 shape = tile_shape(dimension);
  const auto across = static_cast<std::uint32_t>(tiles_in_box[0]), down = static_cast<std::uint32_t>(tiles_in_box[1]);
  for (const kernels::BoundaryTile& tile : boundaries.tiles) {
    const std::uint32_t t[3] = {tile.storage_index % across, tile.storage_index / across % down,
                                tile.storage_index / across / down};
    std::uint32_t record = tile.first;
    for (std::uint64_t bits = tile.mask; bits != 0; bits &= bits - 1, ++record) {
      const int bit = std::countr_zero(bits);
      const int local[3] = {bit % shape[0], bit / shape[0] % shape[1], bit / (shape[0] * shape[1])};
      Int3 node;
      for (int axis = 0; axis < 3; ++axis) node[axis] = static_cast<int>(t[axis]) * shape[axis] + local[axis];
      body(node, boundaries.first_records[record]);
    }
  }
}

}  // namespace fluvia::cuda
