// SPDX-License-Identifier: Apache-2.0
// Compact addressing: one block of threads, one tile of which only the fluid nodes have storage.
#pragma once
#include "fluvia/core/streaming/access.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/format.hpp"
#include "fluvia/cuda/kernels/tile_neighbours.hpp"

namespace fluvia::cuda::kernels {

/// Tiles around one tile, [1 + x + 3 * (1 + y) + 9 * (1 + z)].
using Surroundings = Tile[27];

/// A node of a tile, and the steps to its neighbours along each axis.
struct CompactNode {
  const Tile* around;  ///< Surroundings of the node's tile
  bool active;         ///< fluid
  bool interior;       ///< every node of the surroundings is fluid
  Uint32 place, bit;
  /// For a step of -1, 0, +1 along each axis: the local coordinate (as a part of the bit) and the tile (as a part of
  /// the index into the surroundings) that it leads to.
  Uint32 local[3][3], tile[3][3];

  [[nodiscard]] __device__ __forceinline__ const Tile& own() const { return around[13]; }
};

template <class Spec, int parity>
struct CompactStorage {
  using Lattice = typename Spec::Lattice;
  using Streaming = typename Spec::Streaming;
  using Stored = typename Spec::Format::Storage;
  using T = typename Spec::Format::Arithmetic;
  using Codec = kernels::Codec<typename Spec::Format>;
  using Node = CompactNode;
  struct Populations {
    T f[Lattice::Q];
    bool active;  ///< fluid
  };
  CompactTiles geometry;
  const Stored* source;
  Stored* target;

  /// Copies the records of the tiles around `place`: thread k < 27 that of place k. True if this thread's tile is full
  /// or not reached.
  __device__ __forceinline__ bool surround(Uint32 place, Tile* around, Uint32 k) const {
    constexpr Uint32 reached = tile_neighbour_bits<Lattice>();
    constexpr int count = tile_neighbour_count<Lattice>();
    if (k != 13 && (reached >> k & 1u) == 0) return true;
    const Uint32 id =
        k == 13 ? place : geometry.neighbours[static_cast<Uint64>(place) * count + __popc(reached & ((1u << k) - 1))];
    Tile tile{0, 0, 0};
    if (id != none) tile = read_tile(id);
    around[k] = tile;
    return ~tile.mask == 0;
  }
  /// `around` must be complete.
  __device__ __forceinline__ void open(Node& node, Uint32 place, Uint32 bit, const Tile* around, bool interior) const {
    constexpr Uint32 width[3] = {Lattice::D == 3 ? 4u : 8u, Lattice::D == 3 ? 4u : 8u, Lattice::D == 3 ? 4u : 1u};
    constexpr Uint32 stride[3] = {1, width[0], width[0] * width[1]};
    constexpr Uint32 tile_stride[3] = {1, 3, 9};
    node.around = around;
    node.interior = interior;
    node.place = place;
    node.bit = bit;
    node.active = (around[13].mask >> bit & 1u) != 0;
    const Uint32 flags = around[13].flags;
    core::unroll<3>([&](auto a) {
      constexpr int axis = a.i;
      const Uint32 l = bit / stride[axis] % width[axis];
      Uint32 below = l == 0 ? width[axis] - 1 : l - 1, above = l + 1 == width[axis] ? 0 : l + 1;
      bool leaves_below = l == 0, leaves_above = l + 1 == width[axis];
      if constexpr (Spec::cut_tiles) {  // the box ends inside of a tile along a periodic axis
        if (l == 0 && (flags & tile_at_first(axis)) != 0) below = geometry.last_local[axis];
        if (l == geometry.last_local[axis] && (flags & tile_at_last(axis)) != 0) {
          above = 0;
          leaves_above = true;
        }
      }
      node.local[axis][0] = below * stride[axis];
      node.local[axis][1] = l * stride[axis];
      node.local[axis][2] = above * stride[axis];
      node.tile[axis][0] = (leaves_below ? 0 : 1) * tile_stride[axis];
      node.tile[axis][1] = tile_stride[axis];
      node.tile[axis][2] = (leaves_above ? 2 : 1) * tile_stride[axis];
    });
  }

  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    p.active = node.active;
    if (!node.active) return;
    if (node.interior) {
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr int direction = i.i;
        constexpr core::Access regular = Streaming::read_from(parity, direction);
        p.f[direction] = Codec::decode(source[interior_element<regular, direction>(node)]);
      });
    } else {
      const Own own = own_place(node);
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr int direction = i.i;
        constexpr core::Access regular = Streaming::read_from(parity, direction);
        constexpr core::Access cut = Streaming::read_cut(parity, direction);
        p.f[direction] = Codec::decode(source[element<regular, cut, direction, -1>(node, own)]);
      });
    }
  }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    if (!node.active) return;
    if (node.interior) {
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr int direction = i.i;
        constexpr core::Access regular = Streaming::write_to(parity, direction);
        target[interior_element<regular, direction>(node)] = Codec::encode(p.f[direction]);
      });
    } else {
      const Own own = own_place(node);
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr int direction = i.i;
        constexpr core::Access regular = Streaming::write_to(parity, direction);
        constexpr core::Access cut = Streaming::write_cut(parity, direction);
        target[element<regular, cut, direction, +1>(node, own)] = Codec::encode(p.f[direction]);
      });
    }
  }
  __device__ __forceinline__ bool is_active(const Node& node) const { return node.active; }
  /// Where the arriving population of direction i is.
  template <int i>
  __device__ __forceinline__ Uint64 read_element(const Node& node) const {
    constexpr core::Access regular = Streaming::read_from(parity, i), cut = Streaming::read_cut(parity, i);
    return element<regular, cut, i, -1>(node, own_place(node));
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 places() const { return geometry.count; }

 private:
  struct Own {
    Uint64 first;  ///< element of slot 0
    Uint32 count;
  };
  __device__ __forceinline__ Tile read_tile(Uint32 id) const {
    // One load of 16 bytes.
    const uint4 words = reinterpret_cast<const uint4*>(geometry.tiles)[id];
    return {static_cast<Uint64>(words.y) << 32 | words.x, words.z, words.w};
  }
  static __device__ __forceinline__ Uint32 rank(Uint64 mask, Uint32 bit) {
    return static_cast<Uint32>(__popcll(mask & ((Uint64{1} << bit) - 1)));
  }
  static __device__ __forceinline__ Own own_place(const Node& node) {
    const Tile& t = node.own();
    return {static_cast<Uint64>(t.base) * Lattice::Q + rank(t.mask, node.bit), t.flags & tile_count_bits};
  }
  template <core::Access access, int i>
  static __device__ __forceinline__ void step(const Node& node, Uint32& bit, Uint32& tile) {
    constexpr int x = 1 + access.side * Lattice::c[i][0], y = 1 + access.side * Lattice::c[i][1],
                  z = 1 + access.side * Lattice::c[i][2];
    bit = node.local[0][x] + node.local[1][y] + node.local[2][z];
    tile = node.tile[0][x] + node.tile[1][y] + node.tile[2][z];
  }
  template <core::Access access, int i>
  static __device__ __forceinline__ Uint64 interior_element(const Node& node) {
    Uint32 bit, tile;
    step<access, i>(node, bit, tile);
    return static_cast<Uint64>(node.around[tile].base) * Lattice::Q + (access.slot * nodes_per_tile + bit);
  }
  /// `link` is the side of the node whose absence cuts the link.
  template <core::Access regular, core::Access cut, int i, int link>
  static __device__ __forceinline__ Uint64 element(const Node& node, const Own& own) {
    static_assert(cut.side == 0, "compact tiles have no storage in solid nodes");
    const Uint64 at_cut = own.first + static_cast<Uint64>(cut.slot * own.count);
    if constexpr (regular == cut) {
      return at_cut;
    } else {
      static_assert(regular.side == link, "a streaming that leaves the node does so along the link");
      Uint32 bit, tile;
      step<regular, i>(node, bit, tile);
      const Tile& there = node.around[tile];
      if ((there.mask >> bit & 1u) == 0) return at_cut;
      return static_cast<Uint64>(there.base) * Lattice::Q +
             (regular.slot * (there.flags & tile_count_bits) + rank(there.mask, bit));
    }
  }
};

}  // namespace fluvia::cuda::kernels
