// SPDX-License-Identifier: Apache-2.0
// What is fluid around the nodes of a tile, found once for the tile instead of once for each of their links.
#pragma once
#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

/// True if a tile and all around it are full, beyond the ends of periodic axes as well, and no sheet crosses its links,
/// so that none of them is cut; most tiles of a dense domain are.
bool is_surrounded(const NodeMap& nodes, const NodeMap::Tile& tile);

/// Which nodes of a tile and next to it are fluid.
class TileWindow {
 public:
  explicit TileWindow(const NodeMap& nodes);

  /// Loads the window of a tile. Returns false, without knowing the nodes, if the tile is surrounded.
  bool load(const NodeMap::Tile& tile);
  /// Whether a node is fluid, by its local coordinates in the tile, from -1 to one past its last.
  [[nodiscard]] bool is_fluid(const Int3& local) const {
    return flags_[local[0] + 1 + extent_[0] * (local[1] + 1 + extent_[1] * (local[2] + halo_[2]))] != 0;
  }

 private:
  void load_tile_by_tile(const Int3& position);
  void load_node_by_node(const Int3& position);

  const NodeMap& nodes_;
  Int3 shape_, halo_, extent_{};
  Bool3 cut_{};  ///< [axis], periodic and ending inside of a tile
  std::vector<std::uint8_t> flags_;
};

}  // namespace fluvia
