// SPDX-License-Identifier: Apache-2.0
// Random bits to round with: functions of a node of the box, a time step and a direction, and of nothing else. So they
// are the same for every scheme, device and number of threads, and after a restart.
#pragma once
#include "fluvia/core/config.hpp"

namespace fluvia::core {

/// Words that a time step contributes to random bits, found once for all of its nodes.
struct StepKey {
  Uint32 first, second;
};

/// Key of the step that leads from time `step` to the next: the output function of SplitMix64 (Steele, Lea & Flood,
/// OOPSLA 2014, with the constants of Stafford's variant 13), in halves.
FLUVIA_FUNCTION constexpr StepKey step_key(Uint64 step) {
  Uint64 x = (step + 1) * 0x9e3779b97f4a7c15ull;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
  x = (x ^ x >> 27) * 0x94d049bb133111ebull;
  x ^= x >> 31;
  return {static_cast<Uint32>(x), static_cast<Uint32>(x >> 32)};
}

/// Number of a node of a box whose rows have so many nodes and whose planes have so many rows, modulo 2^32.
FLUVIA_FUNCTION constexpr Uint32 box_index(Uint32 x, Uint32 y, Uint32 z, Uint32 row, Uint32 rows) {
  return x + row * (y + rows * z);
}

/// 32 random bits of a node in a step: the mixer `lowbias32` of Wellons' hash prospector (public domain), between whose
/// rounds the second half of the key comes in, so that no step repeats the pattern of another at shifted nodes.
FLUVIA_FUNCTION constexpr Uint32 node_bits(Uint32 node, StepKey key) {
  Uint32 x = node ^ key.first;
  x = (x ^ x >> 16) * 0x7feb352du + key.second;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}

/// Number by which direction i multiplies a node's bits, so that the upper bits of the products are its own: a
/// congruential generator of modulus 2^32 that the node's bits start, jumped to its i-th number. Multiplier of Steele &
/// Vigna, Softw. Pract. Exper. 52 (2022) 443, table of LCGs with m = 2^32: its lattices are good in 2 to 8 dimensions.
FLUVIA_FUNCTION constexpr Uint32 direction_multiplier(int i) {
  Uint32 product = 1;
  for (int k = 0; k <= i; ++k) product *= 0xadb4a92du;
  return product;
}
/// Boundary kernels of a GPU round the populations that they complete in a step of their own, by the bits of directions
/// that no lattice has.
inline constexpr int completed_directions = 32;

/// `count` random bits, at most 16, of a direction.
template <int count>
FLUVIA_FUNCTION constexpr Uint32 direction_bits(Uint32 node_bits, Uint32 multiplier) {
  return node_bits * multiplier >> (32 - count);
}

}  // namespace fluvia::core
