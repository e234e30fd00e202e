// SPDX-License-Identifier: Apache-2.0
// Where links are cut by walls and how far away these are, by blocks of 64 consecutive places of a storage. The record
// of a block is a few words, 32 bits each:
//   mask of the places with such links, two words;
//   for each of these places a word with bit k for a cut link along direction k;
//   for each of these places 16 bits: at which byte of the record its distances begin;
//   the distances as core::wall_distance takes them, a byte each, those of a place in the order of directions.
// That is 6 bytes a node at walls and one a cut link.
#pragma once
#include "fluvia/core/addressing/sites.hpp"

namespace fluvia::core {

inline constexpr Uint32 no_walls = 0xffffffffu;

struct WallBlocks {
  const Uint32* first;  ///< per block: the first word of its record, or no_walls
  const Uint32* words;
  Uint32 first_place;   ///< that places of this part of a domain are counted from
  const float* supply;  ///< what every one of these links gives to the fluid in a step, in parts of its weight; in
                        ///< memory, so that recorded steps find it
};

/// Walls of one node.
struct NodeWalls {
  Uint32 cut;  ///< bit k: the link along direction k
  const unsigned char* distances;
};

FLUVIA_FUNCTION Uint32 count_bits(Uint64 bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<Uint32>(__popcll(bits));
#else
  return static_cast<Uint32>(__builtin_popcountll(bits));
#endif
}

/// Walls of the node at a place.
FLUVIA_FUNCTION NodeWalls find_walls(const WallBlocks& blocks, Uint32 place) {
  place += blocks.first_place;
  const Uint32 first = constant(blocks.first + place / 64);
  if (first == no_walls) return {0, nullptr};
  const Uint32* const record = blocks.words + first;
  const Uint64 mask = static_cast<Uint64>(constant(record + 1)) << 32 | constant(record);
  if ((mask >> place % 64 & 1u) == 0) return {0, nullptr};
  const Uint32 rank = count_bits(mask & ((Uint64{1} << place % 64) - 1)), nodes = count_bits(mask);
  const auto* const starts = reinterpret_cast<const Uint16*>(record + 2 + nodes);
  return {constant(record + 2 + rank), reinterpret_cast<const unsigned char*>(record) + constant(starts + rank)};
}

}  // namespace fluvia::core
