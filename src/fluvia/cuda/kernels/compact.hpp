// SPDX-License-Identifier: Apache-2.0
// Compact addressing: tiles of which only the fluid nodes have storage; a group of threads for each tile, one thread
// for each node.
#pragma once
#include "fluvia/core/streaming/access.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/halo.hpp"
#include "fluvia/cuda/kernels/leaving.hpp"
#include "fluvia/cuda/kernels/rounding.hpp"
#include "fluvia/cuda/kernels/thread_group.hpp"
#include "fluvia/cuda/kernels/tile_neighbours.hpp"

namespace fluvia::cuda::kernels {

/// Where the populations of one node are: slot k at first + k * stride, bytes. 0 where there is no fluid. Addresses
/// have at most 54 bits.
struct NodeAddress {
  static constexpr int stride_shift = 54;
  static __device__ __forceinline__ Uint64 pack(Uint64 first, Uint32 stride) {
    return first | static_cast<Uint64>(stride) << stride_shift;
  }
  static __device__ __forceinline__ Uint32 stride(Uint64 packed) { return static_cast<Uint32>(packed >> stride_shift); }
  static __device__ __forceinline__ bool is_fluid(Uint64 packed) { return static_cast<Uint32>(packed >> 32) != 0; }
  static __device__ __forceinline__ Uint64 of_slot(Uint64 packed, Uint32 slot) {
    return (packed & ((Uint64{1} << stride_shift) - 1)) + static_cast<Uint64>(slot) * stride(packed);
  }
};

/// A tile and the nodes next to it, in shared memory. Ranks among set bits are found once for each of these nodes
/// instead of once per direction of every node, and a step in any direction is a constant distance in `addresses`.
struct Surroundings {
  struct TileAddress {
    Uint64 mask;
    Uint64 first;  ///< NodeAddress of the tile's first node
  };
  TileAddress tiles[27];             ///< [1 + x + 3 * (1 + y) + 9 * (1 + z)]
  Uint32 flags;                      ///< Tile::flags of the tile
  Uint64 addresses[Halo<3>::count];  ///< NodeAddress, by the index of the Halo
};

struct CompactNode {
  const Uint64* address;  ///< entry of this node in Surroundings::addresses
  Uint64 own;             ///< NodeAddress of this node, or 0 if it is not fluid
  Uint32 tile;            ///< storage index of the node's tile, in time steps; `none` if no walls are near
};

template <class Spec, int parity>
struct CompactStorage {
  using Lattice = typename Spec::Lattice;
  using Streaming = typename Spec::Streaming;
  using Stored = typename Spec::Format::Storage;
  using T = typename Spec::Format::Arithmetic;
  using Codec = kernels::Codec<typename Spec::Format>;
  using StepCodec = kernels::StepCodec<Spec>;
  using Node = CompactNode;
  using Halo = kernels::Halo<Lattice::D>;
  static constexpr Uint32 bytes = sizeof(Stored);
  struct Populations {
    T f[Lattice::Q];
    bool active;  ///< whether the node is fluid
  };
  const CompactTiles& geometry;

  /// Finds the tiles around the one at `storage_index`; all threads of the group must call it.
  template <class ThreadGroup>
  __device__ __forceinline__ void find_tiles(Uint32 storage_index, Surroundings& around) const {
    const Uint32 lane = ThreadGroup::lane();
    if (lane < 27) {
      const Tile tile = neighbour(storage_index, lane);
      const Uint64 first = geometry.source + static_cast<Uint64>(tile.base) * (Lattice::Q * bytes);
      around.tiles[lane] = {tile.mask, NodeAddress::pack(first, (tile.flags & tile_count_bits) * bytes)};
      if (lane == 13) around.flags = tile.flags;
    }
  }
  /// Which node each index of the Halo stands for, as Halo::entry; known before the tiles are, unless a box ends inside
  /// of a tile.
  template <class ThreadGroup, int rounds>
  __device__ __forceinline__ void read_halo(Uint32 (&entries)[rounds]) const {
    core::unroll<rounds>([&](auto k) {
      const Uint32 at = ThreadGroup::lane() + k.i * ThreadGroup::threads;
      entries[k.i] = at < Halo::count ? geometry.halo[at] : 0;
    });
  }
  /// Fills in the addresses; all threads of the group must call it, after all have found their tiles.
  template <class ThreadGroup, int rounds>
  __device__ __forceinline__ void find_addresses(const Uint32 (&entries)[rounds], Surroundings& around) const {
    core::unroll<rounds>([&](auto k) {
      const Uint32 at = ThreadGroup::lane() + k.i * ThreadGroup::threads;
      Uint32 entry = entries[k.i];
      if constexpr (Spec::cut_tiles) entry = at < Halo::count ? cut_entry(at, around.flags) : 0;
      const Uint32 bit = entry >> 5;
      const Surroundings::TileAddress tile = around.tiles[entry & 31u];
      // One shift gives both the node and, by what is left from it on, its rank: the tile's nodes less those.
      const Uint64 from_bit = tile.mask >> bit;
      const Uint32 offset = NodeAddress::stride(tile.first) - static_cast<Uint32>(__popcll(from_bit)) * bytes;
      if (at < Halo::count) around.addresses[at] = (static_cast<Uint32>(from_bit) & 1u) != 0 ? tile.first + offset : 0;
    });
  }
  template <class ThreadGroup>
  static constexpr int halo_rounds = (Halo::count + ThreadGroup::threads - 1) / ThreadGroup::threads;

  /// Fills in what surrounds the tile at `storage_index`; all threads of the group must call it.
  template <class ThreadGroup>
  __device__ __forceinline__ void surround(Uint32 storage_index, Surroundings& around) const {
    Uint32 entries[halo_rounds<ThreadGroup>];
    read_halo<ThreadGroup>(entries);
    find_tiles<ThreadGroup>(storage_index, around);
    ThreadGroup::wait();
    find_addresses<ThreadGroup>(entries, around);
    ThreadGroup::wait();
  }
  /// The node at `bit` of the tile.
  __device__ __forceinline__ void open(Node& node, const Surroundings& around, Uint32 bit) const {
    node.address = around.addresses + Halo::index_of(static_cast<int>(bit));
    node.own = *node.address;
    // Behind the end of the box is the halo, whose nodes belong to other parts.
    if (Spec::cut_tiles && (around.tiles[13].mask >> bit & 1u) == 0) node.own = 0;
  }

  /// Asks for the populations that arrive at a node.
  __device__ __forceinline__ void fetch(const Node& node, Stored (&stored)[Lattice::Q]) const {
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      constexpr core::Access regular = Streaming::read_from(parity, direction);
      constexpr core::Access cut = Streaming::read_cut(parity, direction);
      read_global(address<regular, cut, direction>(node, node.own, 0), stored[direction]);
    });
  }
  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    p.active = node.own != 0;
    if (!p.active) return;
    Stored stored[Lattice::Q];
    fetch(node, stored);
    core::unroll<Lattice::Q>([&](auto i) { p.f[i.i] = Codec::decode(stored[i.i]); });
  }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    if (!p.active) return;
    const Uint64 shift = to_target();
    const Uint64 own = node.own + shift;
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      constexpr core::Access regular = Streaming::write_to(parity, direction);
      constexpr core::Access cut = Streaming::write_cut(parity, direction);
      write_global(address<regular, cut, direction>(node, own, shift), StepCodec::encode(p.f[direction]));
    });
  }
  /// Bytes from where the step reads to where it writes; addresses are those where it reads.
  [[nodiscard]] __device__ __forceinline__ Uint64 to_target() const {
    return Streaming::copies == 1 ? 0 : geometry.target - geometry.source;
  }
  [[nodiscard]] __device__ __forceinline__ bool is_active(const Node& node) const { return node.own != 0; }
  /// Where the arriving population of direction i is.
  template <int i>
  __device__ __forceinline__ Stored& arriving(const Node& node) const {
    constexpr core::Access regular = Streaming::read_from(parity, i), cut = Streaming::read_cut(parity, i);
    return *reinterpret_cast<Stored*>(address<regular, cut, i>(node, node.own, 0));
  }
  /// Where the arriving population of direction i is, if there is no fluid where it comes from.
  template <int i>
  __device__ __forceinline__ Stored& arriving_over_cut(const Node& node) const {
    constexpr core::Access cut = Streaming::read_cut(parity, i);
    return *reinterpret_cast<Stored*>(address<cut, cut, i>(node, node.own, 0));
  }
  /// Where what the node has sent along c_i is, if there is fluid: where the node at x + c_i will read it.
  template <int i>
  __device__ __forceinline__ Stored& leaving(const Node& node) const {
    constexpr core::Access there = from_origin(Streaming::read_from(parity, i));
    return *reinterpret_cast<Stored*>(address<there, core::Access{0, there.slot}, i>(node, node.own, 0));
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 tile_count() const { return geometry.count; }
  /// core::box_index of the node at `bit` of a tile.
  [[nodiscard]] __device__ __forceinline__ Uint32 box_index(const RoundingArguments& rounding, const Node&,
                                                            Uint32 storage_index, Uint32 bit) const {
    return index_in_tile<Lattice>(rounding, storage_index, bit);
  }

 private:
  [[nodiscard]] __device__ __forceinline__ Uint32 cut_entry(Uint32 at, Uint32 flags) const {
    Uint32 first = 0, last = 0;
    for (int axis = 0; axis < Lattice::D; ++axis) {
      first |= (flags & tile_at_first(axis)) != 0 ? 1u << axis : 0u;
      last |= (flags & tile_at_last(axis)) != 0 ? 1u << axis : 0u;
    }
    return static_cast<Uint32>(Halo::entry(static_cast<int>(at), first, last, geometry.last_local));
  }
  /// Record of the tile around `storage_index` with index k, empty if the lattice does not reach it.
  __device__ __forceinline__ Tile neighbour(Uint32 storage_index, Uint32 k) const {
    constexpr Uint32 reached = tile_neighbour_bits<Lattice>();
    constexpr int count = tile_neighbour_count<Lattice>();
    Uint32 id = storage_index;
    if (k != 13) {
      if ((reached >> k & 1u) == 0) return {0, 0, 0};
      id = geometry.neighbours[static_cast<Uint64>(storage_index) * count + __popc(reached & ((1u << k) - 1))];
      if (id == none) return {0, 0, 0};
    }
    const uint4 words = reinterpret_cast<const uint4*>(geometry.tiles)[id];  // one load of 16 bytes
    return {static_cast<Uint64>(words.y) << 32 | words.x, words.z, words.w};
  }
  template <core::Access regular, core::Access cut, int i>
  static __device__ __forceinline__ Uint64 address(const Node& node, Uint64 own, Uint64 shift) {
    static_assert(cut.side == 0, "compact tiles have no storage in solid nodes");
    if constexpr (regular == cut) {
      return NodeAddress::of_slot(own, cut.slot);
    } else {
      constexpr int distance = regular.side * Halo::distance(Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]);
      const Uint64 there = node.address[distance];
      const bool fluid = NodeAddress::is_fluid(there);
      return NodeAddress::of_slot(fluid ? there + shift : own, fluid ? regular.slot : cut.slot);
    }
  }
};

}  // namespace fluvia::cuda::kernels
