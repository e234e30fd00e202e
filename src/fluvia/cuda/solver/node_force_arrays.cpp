// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/node_force_arrays.hpp"

#include <algorithm>
#include <bit>

#include "fluvia/cuda/kernels/arguments.hpp"

namespace fluvia::cuda {

NodeForceArrays::NodeForceArrays(const AccelerationField& field, const NodeMap& nodes,
                                 std::span<const std::uint32_t> tiles, std::uint64_t storage_indices,
                                 const std::function<std::uint64_t(const Int3&)>& storage_index) {
  constexpr std::uint64_t lanes = kernels::nodes_per_tile;
  struct Found {
    std::uint64_t storage_index;
    Real3 force;
  };
  // Formulas take their time, lists do not.
  constexpr std::size_t tiles_of_slice = 256;
  const std::size_t slices = (tiles.size() + tiles_of_slice - 1) / tiles_of_slice;
  std::vector<std::vector<Found>> found(slices);
#pragma omp parallel for schedule(dynamic)
  for (std::size_t s = 0; s < slices; ++s)
    for (std::size_t k = s * tiles_of_slice; k < std::min(tiles.size(), (s + 1) * tiles_of_slice); ++k) {
      const NodeMap::Tile& tile = nodes.tiles[tiles[k]];
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1) {
        const Int3 node = nodes.node_position(tile, std::countr_zero(rest));
        const Real3 force = field.at(node);
        if (norm(force) != 0) found[s].push_back({storage_index(node), force});
      }
    }
  numbers.assign((storage_indices + lanes - 1) / lanes, kernels::none);
  for (std::vector<Found>& of_slice : found) {
    for (const Found& each : of_slice) {
      std::uint32_t& number = numbers[each.storage_index / lanes];
      if (number == kernels::none) {
        number = static_cast<std::uint32_t>(values.size() / (3 * lanes));
        values.resize(values.size() + 3 * lanes);
      }
      double* const value = values.data() + std::uint64_t{number} * 3 * lanes + each.storage_index % lanes;
      for (int axis = 0; axis < 3; ++axis) value[axis * lanes] = each.force[axis];
    }
    of_slice = {};
  }
}

}  // namespace fluvia::cuda
