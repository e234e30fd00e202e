// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/solver/node_records.hpp"

namespace fluvia::cuda {

/// Arrays behind kernels::Boundaries.
struct BoundaryArrays {
  std::vector<kernels::BoundaryRecord> records;
  std::vector<std::uint32_t> links;  ///< of records: changing_links()
  std::vector<kernels::BoundaryTile> tiles;
  std::vector<std::uint32_t> first_records;
  core::ConditionSet conditions = 0;  ///< of all records
  std::uint64_t memory = 0;           ///< numbers that conditions keep from step to step
  FitTables fits;                     ///< the points are those of its records
};
/// Of `records`, node_records() of the setup with `fits`, plane_fits(), those of nodes that `takes` says, or all;
/// conditions, memory and coefficients are those of all. `place_of` gives the place of a canonical tile.
BoundaryArrays make_boundary_arrays(const BoundarySetup& setup, std::vector<NodeRecord> records, FitTables fits,
                                    const std::function<std::uint32_t(std::uint64_t)>& place_of,
                                    const std::function<bool(std::uint32_t tile, int bit)>& takes = nullptr);

}  // namespace fluvia::cuda
