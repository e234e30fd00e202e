// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

/// Fluid nodes in tiles that a map does not have. A map of one level of refinement has its own tiles only; the fluid
/// that other levels compute around them, in nodes of this one, tells where walls go on and where the flow does.
class FluidBeside {
 public:
  /// Fluid nodes of a tile that the map has not.
  struct Tile {
    Int3 position;
    std::uint64_t mask;
  };

  FluidBeside() = default;
  explicit FluidBeside(std::vector<Tile> tiles) : tiles_(std::move(tiles)) {
    std::sort(tiles_.begin(), tiles_.end(), [](const Tile& a, const Tile& b) { return a.position < b.position; });
  }

  [[nodiscard]] const std::vector<Tile>& tiles() const { return tiles_; }
  /// Whether there is fluid at a node of the box of a map of this dimension.
  [[nodiscard]] bool contains(int dimension, const Int3& node) const {
    const Int3 shape = tile_shape(dimension);
    Int3 tile{}, local{};
    for (std::size_t a = 0; a < 3; ++a) {
      tile[a] = node[a] / shape[a];
      local[a] = node[a] % shape[a];
    }
    const auto found = std::lower_bound(tiles_.begin(), tiles_.end(), tile,
                                        [](const Tile& t, const Int3& position) { return t.position < position; });
    return found != tiles_.end() && found->position == tile && (found->mask >> tile_bit(dimension, local) & 1) != 0;
  }

 private:
  std::vector<Tile> tiles_;  ///< by position
};

}  // namespace fluvia
