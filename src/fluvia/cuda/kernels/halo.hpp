// SPDX-License-Identifier: Apache-2.0
// A tile with a halo of one node: which tile each of its nodes belongs to. For the host and the device.
#pragma once
#include "fluvia/core/config.hpp"

namespace fluvia::cuda::kernels {

/// Nodes of a tile and its halo, by index x + width * (y + width * z); in 2D there is no halo along z.
template <int dimension>
struct Halo {
  static constexpr int tile_width = dimension == 3 ? 4 : 8;
  static constexpr int width = tile_width + 2, count = width * width * (dimension == 3 ? width : 1);

  static FLUVIA_FUNCTION constexpr int distance(int x, int y, int z) { return x + width * (y + width * z); }
  /// Index of a node of the tile.
  static FLUVIA_FUNCTION constexpr int index_of(int bit) {
    return distance(bit % tile_width + 1, bit / tile_width % tile_width + 1,
                    dimension == 3 ? bit / (tile_width * tile_width) + 1 : 0);
  }
  /// Tile around the tile, 1 + x + 3 * (1 + y) + 9 * (1 + z), and bit in it of the node with an index, as
  /// tile + 32 * bit. `first` and `last`: bit a tells that the tile is the first or the last of a periodic axis a;
  /// there the box ends behind the local coordinate `last_local[a]`.
  static FLUVIA_FUNCTION constexpr int entry(int index, unsigned first = 0, unsigned last = 0,
                                             const core::Uint32* last_local = nullptr) {
    const int at[3] = {index % width, index / width % width, index / (width * width)};
    int tile = dimension == 3 ? 0 : 9, bit = 0;
    for (int axis = 0, tile_stride = 1, bit_stride = 1; axis < dimension; ++axis) {
      int local = at[axis] - 1, side = 1;
      if (local < 0) {
        side = 0;
        local = (first >> axis & 1u) != 0 ? static_cast<int>(last_local[axis]) : tile_width - 1;
      } else if (local == tile_width || ((last >> axis & 1u) != 0 && local == static_cast<int>(last_local[axis]) + 1)) {
        side = 2;
        local = 0;
      }
      tile += side * tile_stride;
      bit += local * bit_stride;
      tile_stride *= 3;
      bit_stride *= tile_width;
    }
    return tile + 32 * bit;
  }
};

}  // namespace fluvia::cuda::kernels
