// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

/// The tiles of a scheme, core::Tiles: those that hold fluid, or all, numbered in the order of the box of tiles.
struct TileMap {
  Int3 shape, in_box;
  Bool3 periodic;
  std::vector<std::uint32_t> index;  ///< number of each tile of the box; core::no_index if it is empty
  std::vector<std::uint32_t> tiles;  ///< index, in the box of tiles, of each numbered tile

  TileMap(const NodeMap& nodes, int edge, bool keep_empty);

  [[nodiscard]] std::uint64_t nodes_of_tile() const {
    return static_cast<std::uint64_t>(shape[0]) * shape[1] * shape[2];
  }
  /// Index, in the box of tiles, of the tile with this node.
  [[nodiscard]] std::uint64_t index_at(const Int3& x) const {
    return index_in_box({x[0] / shape[0], x[1] / shape[1], x[2] / shape[2]});
  }
  /// Number of the stored node at x, whose tile is numbered.
  [[nodiscard]] std::uint64_t stored_node(const Int3& x) const {
    const Int3 l = {x[0] % shape[0], x[1] % shape[1], x[2] % shape[2]};
    return index[index_at(x)] * nodes_of_tile() +
           static_cast<std::uint64_t>(l[0] + shape[0] * (l[1] + shape[1] * l[2]));
  }
  /// Number of the tile next to a numbered one, `step` along the axes of a set; core::no_index if there is none, or if
  /// it is the same along one of them.
  [[nodiscard]] std::uint32_t neighbour(std::uint32_t tile, const Int3& step, unsigned axes) const;

 private:
  [[nodiscard]] std::uint64_t index_in_box(const Int3& t) const {
    return t[0] + static_cast<std::uint64_t>(in_box[0]) * (t[1] + static_cast<std::uint64_t>(in_box[1]) * t[2]);
  }
};

/// Numbers of ghosts that belong to one block, core::GhostCells.
struct GhostCellCount {
  std::uint64_t values = 0;
  std::array<std::uint64_t, 8> cells{};  ///< by the axes that they lie across, as bits
};
GhostCellCount count_ghost_cells(const TileMap& map, const std::vector<Int3>& velocities);

/// Numbers of ghost buffers for each tile, core::GhostBuffers. Only buffers that some tile reads have a number.
struct GhostBufferMap {
  std::vector<std::uint32_t> indices;
  std::uint64_t buffers = 0;  ///< how many
};
GhostBufferMap map_ghost_buffers(const TileMap& map, const std::vector<Int3>& velocities);

}  // namespace fluvia
