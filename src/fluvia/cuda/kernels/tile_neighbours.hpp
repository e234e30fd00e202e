// SPDX-License-Identifier: Apache-2.0
// The tiles that a lattice's velocities reach from a tile.
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::cuda::kernels {

/// True if some velocity leads from a corner, edge or face of a tile into the tile at (x,y,z), not itself.
template <class Lattice>
constexpr bool reaches_tile(int x, int y, int z) {
  if (x == 0 && y == 0 && z == 0) return false;
  for (int i = 0; i < Lattice::Q; ++i)
    if ((x == 0 || Lattice::c[i][0] == x) && (y == 0 || Lattice::c[i][1] == y) && (z == 0 || Lattice::c[i][2] == z))
      return true;
  return false;
}

/// Number of neighbouring tiles of a lattice: 8 of D2Q9, 18 of D3Q19, 26 of D3Q27.
template <class Lattice>
constexpr int tile_neighbour_count() {
  int count = 0;
  for (int k = 0; k < 27; ++k) count += reaches_tile<Lattice>(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1) ? 1 : 0;
  return count;
}

/// Set of neighbouring tiles: bit 1 + x + 3 * (1 + y) + 9 * (1 + z) for the tile at (x,y,z); indices of neighbours are
/// stored in the order of the bits.
template <class Lattice>
constexpr core::Uint32 tile_neighbour_bits() {
  core::Uint32 bits = 0;
  for (int k = 0; k < 27; ++k)
    if (reaches_tile<Lattice>(k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1)) bits |= 1u << k;
  return bits;
}

}  // namespace fluvia::cuda::kernels
