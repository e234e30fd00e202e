// SPDX-License-Identifier: Apache-2.0
// Where links are cut by walls and how far away these are, by blocks of 64 consecutive storage indices of nodes. The
// record of a block is a few words, 32 bits each:
//   mask of the nodes with such links, two words;
//   for each of these nodes WallWords::count words, its WallWords;
//   for those of them with a pair of directions cut on both sides: a byte a pair, the distance along 2 p + 2.
// A wall cuts one direction of a pair, mostly, so a byte a pair in a known position is as little as a byte a link whose
// position has to be counted: 12 bytes a node at walls in D3Q19, some 2.7 a cut link.
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

inline constexpr Uint32 no_walls = 0xffffffffu;

struct WallBlocks {
  const Uint32* first;  ///< [block], the first word of its record, or no_walls
  const Uint32* words;
  const float* supply;  ///< what every one of these links gives to the fluid in a step, in parts of its weight; in
                        ///< memory, so that recorded steps find it
};

/// Words about one node, from the lowest bit on: a byte for each pair of directions (2 p + 1, 2 p + 2), the distance as
/// core::wall_distance takes it along the one that is cut, or along 2 p + 1 if both are; two bits a pair, which are;
/// at the top, in 6 bits, how many nodes with pairs cut on both sides its block has before it.
struct WallWords {
  static constexpr int rank_bit = 26;  ///< where the number begins in the last word
  int pairs;
  FLUVIA_FUNCTION constexpr explicit WallWords(int pairs_) : pairs(pairs_) {}
  [[nodiscard]] FLUVIA_FUNCTION constexpr int count() const { return (10 * pairs + 6 + 31) / 32; }
  /// Bits, counted through all words: where the distance of a pair begins, and the one that says that the link along a
  /// direction is cut.
  [[nodiscard]] FLUVIA_FUNCTION static constexpr int distance_bit(int pair) { return 8 * pair; }
  [[nodiscard]] FLUVIA_FUNCTION constexpr int cut_bit(int direction) const { return 8 * pairs + direction - 1; }
  /// Bit k: the link along direction k is cut.
  template <class Words>
  [[nodiscard]] FLUVIA_FUNCTION constexpr Uint32 cut(const Words& words) const {
    const int word = cut_bit(1) / 32, shift = cut_bit(1) % 32;
    Uint32 bits = words[word] >> shift;
    if (shift + 2 * pairs > 32) bits |= words[word + 1] << (32 - shift);
    return (bits & ((1u << 2 * pairs) - 1)) << 1;
  }
  template <class Words>
  [[nodiscard]] FLUVIA_FUNCTION constexpr Uint32 distance(const Words& words, int pair) const {
    return words[distance_bit(pair) / 32] >> distance_bit(pair) % 32 & 255u;
  }
  template <class Words>
  [[nodiscard]] FLUVIA_FUNCTION constexpr Uint32 rank_among_opposed(const Words& words) const {
    return words[count() - 1] >> rank_bit;
  }
  /// Bit 2 p + 1 is set if both directions of pair p are cut, according to `cut`, of which bit k says so for direction
  /// k.
  [[nodiscard]] FLUVIA_FUNCTION static constexpr Uint32 opposed(Uint32 cut) { return cut & cut >> 1 & 0xaaaaaaaau; }
};

/// The walls of one node.
struct NodeWalls {
  const Uint32* words;           ///< null: the node has none
  const unsigned char* opposed;  ///< distances along 2 p + 2, of all nodes of the block
};

FLUVIA_FUNCTION Uint32 count_bits(Uint64 bits) {
#if defined(__CUDA_ARCH__)
  return static_cast<Uint32>(__popcll(bits));
#else
  return static_cast<Uint32>(__builtin_popcountll(bits));
#endif
}

/// Walls of the node with this storage index; none for no_walls. `count`: WallWords::count.
FLUVIA_FUNCTION NodeWalls find_walls(const WallBlocks& blocks, Uint32 storage_index, Uint32 count) {
  if (storage_index == no_walls) return {nullptr, nullptr};
  const Uint32 first = constant(blocks.first + storage_index / 64);
  if (first == no_walls) return {nullptr, nullptr};
  const Uint32* const record = blocks.words + first;
  const Uint64 mask = static_cast<Uint64>(constant(record + 1)) << 32 | constant(record);
  if ((mask >> storage_index % 64 & 1u) == 0) return {nullptr, nullptr};
  const Uint32 rank = count_bits(mask & ((Uint64{1} << storage_index % 64) - 1)), nodes = count_bits(mask);
  return {record + 2 + rank * count, reinterpret_cast<const unsigned char*>(record + 2 + nodes * count)};
}

}  // namespace fluvia::core
