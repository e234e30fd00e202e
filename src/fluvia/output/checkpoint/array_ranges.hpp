// SPDX-License-Identifier: Apache-2.0
// The arrays of a flow in pieces of some MiB, for whoever reads or writes all of them.
#pragma once
#include <algorithm>
#include <cstdint>

#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// Calls `visit(first_tile, tile_count)` for consecutive ranges of tiles, of about 2^18 nodes each.
template <class Visit>
void for_tile_ranges(const NodeMap& nodes, const Visit& visit) {
  constexpr std::uint64_t buffer_nodes = 1u << 18, step = buffer_nodes / nodes_per_tile;
  const std::uint64_t tiles = nodes.tiles.size();
  for (std::uint64_t first = 0; first < tiles; first += step) visit(first, std::min(step, tiles - first));
}

/// Calls `visit(range, entries)` for all numbers of an array, component by component, in canonical order.
template <class Visit>
void for_each_range(const FlowState& state, std::size_t array, const Visit& visit) {
  const NodeArray& row = state.arrays()[array];
  const NodeMap& nodes = state.geometry().nodes;
  for (int component = 0; component < row.components; ++component)
    for_tile_ranges(nodes, [&](std::uint64_t first_tile, std::uint64_t tile_count) {
      const EntryRange entries = row.entries(nodes, first_tile, tile_count);
      if (entries.count > 0) visit(ArrayRange{array, component, first_tile, tile_count}, entries);
    });
}

}  // namespace fluvia
