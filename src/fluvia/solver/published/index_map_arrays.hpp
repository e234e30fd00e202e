// SPDX-License-Identifier: Apache-2.0
// The arrays behind core::IndexTables, for schemes on index maps; every backend has the same.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "fluvia/core/published/index_tables.hpp"
#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

/// Where ghost cells or ghost buffers are behind the populations of stored nodes.
struct Ghosts {
  std::uint64_t first = 0, size = 0;            ///< the first element, and elements of one copy
  int copies = 0;                               ///< 2: steps alternate between them
  std::array<std::uint64_t, 8> cells_across{};  ///< ghost cells of all blocks, by the set of axes (bits) between blocks

  [[nodiscard]] std::uint64_t cells() const {
    std::uint64_t sum = 0;
    for (const std::uint64_t count : cells_across) sum += count;
    return sum;
  }

  /// Sets where the step after so many updates reads and writes ghosts.
  void locate(core::IndexTables& tables, std::int64_t updates) const {
    const auto turn = [&](std::int64_t k) { return copies == 2 ? static_cast<std::uint64_t>(k % 2) * size : 0; };
    tables.read_ghosts = first + turn(updates);
    tables.write_ghosts = first + turn(updates + 1);
  }
};

/// Sizes of an index map.
struct IndexMapCount {
  std::uint64_t visited = 0, stored = 0;  ///< nodes that a step visits, nodes that have storage
  std::uint64_t bytes = 0;                ///< bytes of the arrays
  std::uint64_t elements = 0;             ///< elements of one copy of the populations, with ghosts
  int nodes_of_tile = 0;                  ///< 0 if there are no tiles
  Ghosts ghosts{};
};

struct IndexMapArrays {
  core::Addressing addressing{};
  int edge = 0;  ///< nodes along an edge of the scheme's tiles; 0 if it has none
  IndexMapCount count;
  std::vector<unsigned char> types;
  std::vector<std::uint32_t> index, tiles, buffers;

  [[nodiscard]] std::uint64_t bytes() const {
    return types.size() + (index.size() + tiles.size() + buffers.size()) * sizeof(std::uint32_t);
  }
  /// What core's index maps take, with the addresses of these arrays, for the step after `updates` ones.
  [[nodiscard]] core::IndexTables tables(const NodeMap& nodes, std::int64_t updates = 0) const;
};

/// Sizes of the index map of a scheme, found without making arrays over nodes. `velocities`: the lattice's, with that
/// at rest. `edge`: nodes along an edge of the scheme's tiles, 0 if it has none.
IndexMapCount count_index_map(const NodeMap& nodes, const Scheme& scheme, const std::vector<Int3>& velocities,
                              int edge);

/// The arrays of the index map of a scheme. Throws Error(resource) if a step visits more nodes than 32 bits can number.
IndexMapArrays make_index_map_arrays(const NodeMap& nodes, const Scheme& scheme, const std::vector<Int3>& velocities,
                                     int edge);

/// True if kernels know tiles of 64 nodes by their number among those with fluid, false if by their number in the box.
bool numbers_fluid_tiles(const IndexMapArrays& layout);

/// core::box_index of each stored node; empty where the number of a stored node tells it.
std::vector<std::uint32_t> nodes_of_stored(const IndexMapArrays& layout, const NodeMap& nodes);

/// Number of a fluid node among those that a step visits.
std::uint64_t visit_number(const IndexMapArrays& layout, const NodeMap& nodes, const Int3& node);
/// Number of a fluid node among those stored.
std::uint64_t stored_node_of(const IndexMapArrays& layout, const NodeMap& nodes, const Int3& node);

}  // namespace fluvia
