// SPDX-License-Identifier: Apache-2.0
// Masks of tiles, moved by links: 64 nodes are asked for their neighbours at once.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia {

/// What a tile and all around it have, by tile_around().
template <class Value>
using OfTilesAround = std::array<Value, 27>;

/// Number of the tile at an offset of -1, 0, 1 tiles along the axes.
constexpr std::size_t tile_around(int x, int y, int z) {
  return static_cast<std::size_t>(x + 1 + 3 * (y + 1 + 3 * (z + 1)));
}

/// Where the neighbours of nodes of a tile lie: in tile_around() `tile` the node `bit`.
struct NodeAround {
  std::uint8_t tile, bit;
};

/// Where the nodes of a tile lie, and their neighbours: asked for so often that divisions would be felt.
struct TileGeometry {
  std::array<Int3, nodes_per_tile> local;
  std::array<OfTilesAround<NodeAround>, nodes_per_tile> around;  ///< [bit][tile_around() of the offset in nodes]

  explicit constexpr TileGeometry(int dimension) : local{}, around{} {
    const Int3 shape = tile_shape(dimension);
    for (int bit = 0; bit < nodes_per_tile; ++bit) {
      local[static_cast<std::size_t>(bit)] = tile_local(dimension, bit);
      for (int at = 0; at < 27; ++at) {
        const Int3 offset{at % 3 - 1, at / 3 % 3 - 1, at / 9 - 1};
        Int3 there = tile_local(dimension, bit), tile{};
        for (std::size_t a = 0; a < 3; ++a) {
          there[a] += offset[a];
          tile[a] = there[a] < 0 ? -1 : there[a] >= shape[a] ? 1 : 0;
          there[a] -= tile[a] * shape[a];
        }
        around[static_cast<std::size_t>(bit)][static_cast<std::size_t>(at)] = {
            static_cast<std::uint8_t>(tile_around(tile[0], tile[1], tile[2])),
            static_cast<std::uint8_t>(tile_bit(dimension, there))};
      }
    }
  }
  static const TileGeometry& of(int dimension) {
    static constexpr TileGeometry plane{2}, space{3};
    return dimension == 2 ? plane : space;
  }
};

/// For each offset of -1, 0, 1 nodes along the axes, by tile_around(): the nodes of the tile in the middle whose
/// neighbour there is in the masks.
template <int dimension>
OfTilesAround<std::uint64_t> neighbours_in(const OfTilesAround<std::uint64_t>& masks) {
  constexpr Int3 shape = tile_shape(dimension);
  OfTilesAround<std::uint64_t> all = masks;
  // Axis by axis: what has been moved along x is moved along y, that along z.
  const auto move_along = [&]<std::size_t axis>() {
    constexpr int stride = axis == 0 ? 1 : axis == 1 ? shape[0] : shape[0] * shape[1], nodes = shape[axis];
    constexpr int far = stride * (nodes - 1);
    constexpr std::uint64_t first = [] {  // nodes at the lower end of the axis
      std::uint64_t mask = 0;
      for (int bit = 0; bit < nodes_per_tile; ++bit)
        if (bit / stride % nodes == 0) mask |= std::uint64_t{1} << bit;
      return mask;
    }();
    constexpr std::uint64_t last = first << far;
    constexpr std::size_t step = axis == 0 ? 1 : axis == 1 ? 3 : 9;
    for (std::size_t row = 0; row < 27; ++row) {
      if (row / step % 3 != 0) continue;
      std::uint64_t& before = all[row];
      std::uint64_t& after = all[row + 2 * step];
      const std::uint64_t here = all[row + step], lower = before, upper = after;
      before = (here << stride & ~first) | (lower >> far & first);
      after = (here >> stride & ~last) | (upper << far & last);
    }
  };
  move_along.template operator()<0>();
  move_along.template operator()<1>();
  if constexpr (dimension == 3) move_along.template operator()<2>();
  return all;
}

}  // namespace fluvia
