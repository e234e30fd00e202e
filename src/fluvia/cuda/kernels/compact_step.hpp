// SPDX-License-Identifier: Apache-2.0
// Compact addressing for time steps: a group of threads takes a tile; a thread takes one node, or in 16 bits two
// neighbours along x.
#pragma once
#include "fluvia/cuda/kernels/compact.hpp"
#include "fluvia/cuda/kernels/scalars/carry.hpp"
#include "fluvia/cuda/kernels/thread_nodes.hpp"

namespace fluvia::cuda::kernels {

/// Surroundings with what threads that take two nodes need besides. Kernels of one node do not pay for it with their
/// first-level cache.
struct PairSurroundings : Surroundings {
  /// The fluid nodes of a tile that is not full, in their order, then nodes_per_tile.
  unsigned char bits[nodes_per_tile];
};

/// Two nodes of a tile, CompactStep::bit_of.
struct CompactPair {
  const PairSurroundings* around;  ///< null: no nodes
  Uint32 tile;                     ///< storage index of the tile
};

/// A step with 64 threads for each tile.
template <class Spec, int parity, int width = step_nodes<Spec>>
struct CompactStep : CompactStorage<Spec, parity> {
  using Base = CompactStorage<Spec, parity>;
  using Surroundings = kernels::Surroundings;
  static constexpr Uint32 groups = Spec::threads / nodes_per_tile;  ///< groups of a block
  using ThreadGroup = kernels::ThreadGroup<nodes_per_tile, groups>;

  /// Opens the thread's node; all threads of the group must call it.
  __device__ __forceinline__ void open(CompactNode& node, Uint32 storage_index, Surroundings& around) const {
    Base::template surround<ThreadGroup>(storage_index, around);
    Base::open(node, around, ThreadGroup::lane());
    node.tile = !numbers_all_nodes<Spec> && (around.flags & tile_is_inner) != 0 ? none : storage_index;
  }
  /// The thread's node as a bit of the tile.
  static __device__ __forceinline__ Uint32 bit_of(const CompactNode&, Uint32) { return ThreadGroup::lane(); }
  /// Sets a node to none.
  static __device__ __forceinline__ void close(CompactNode& node) { node = {nullptr, 0, 0}; }
  /// Index by which walls between this node and others, and its own force, are found: 64 times the tile's, and the
  /// node's bit.
  template <int>
  __device__ __forceinline__ Uint32 wall_storage_index(const CompactNode& node) const {
    return node.tile == none ? core::no_walls : node.tile * nodes_per_tile + ThreadGroup::lane();
  }
};

/// A step with 32 threads for each tile. Where a tile and all around it are full, addresses need no ranks, no masks and
/// no table of addresses. In tiles that are not full threads take fluid nodes in their order, so that nothing is done
/// for a second node where none has one.
template <class Spec, int parity>
struct CompactStep<Spec, parity, 2> {
  using Base = CompactStorage<Spec, parity>;
  using Lattice = typename Base::Lattice;
  using Streaming = typename Base::Streaming;
  using Codec = typename Base::Codec;
  using StepCodec = typename Base::StepCodec;
  using Halo = typename Base::Halo;
  using Node = CompactPair;
  using Surroundings = PairSurroundings;
  static constexpr Uint32 groups = Spec::threads / (nodes_per_tile / 2);  ///< groups of a block
  using ThreadGroup = kernels::ThreadGroup<nodes_per_tile / 2, groups>;
  static constexpr bool in_place = Streaming::copies == 1;
  using Populations = PairPopulations<typename Base::Populations, Codec, false>;
  const CompactTiles& geometry;

  /// Opens the thread's pair of nodes; all threads of the group must call it.
  __device__ __forceinline__ void open(Node& pair, Uint32 storage_index, Surroundings& around) const {
    const Base single{geometry};
    Uint32 entries[Base::template halo_rounds<ThreadGroup>];
    single.template read_halo<ThreadGroup>(entries);
    single.template find_tiles<ThreadGroup>(storage_index, around);
    ThreadGroup::wait();
    pair.around = &around;
    pair.tile = storage_index;
    if (is_inner(pair)) return;
    single.template find_addresses<ThreadGroup>(entries, around);
    if (!is_full(pair)) order_bits(around);
    ThreadGroup::wait();
  }
  /// Sets a pair to no nodes.
  static __device__ __forceinline__ void close(Node& pair) { pair = {nullptr, 0}; }
  __device__ __forceinline__ void load(const Node& pair, Populations& p) const {
    if (is_inner(pair)) {
      load_inner(pair, p);
      return;
    }
    Uint16 stored[2][Lattice::Q] = {};  // else values that are not read would be kept from round to round
    core::unroll<2>([&](auto k) {
      const CompactNode node = single_node(pair, k.i);
      p.of[k.i].active = node.own != 0;
      if (p.of[k.i].active) Base{geometry}.fetch(node, stored[k.i]);
    });
    core::unroll<2>([&](auto which) {
      constexpr int k = which.i;
      core::unroll<Lattice::Q>([&](auto i) { p.template put_one<i.i, k>(stored[k][i.i]); });
    });
    p.arrive();
  }
  __device__ __forceinline__ void store(const Node& pair, const Populations& p) const {
    const Base single{geometry};
    if constexpr (stores_in_node<Lattice, Streaming>(parity)) {
      if (!is_full(pair)) return store_singly(pair, p);
      const Uint64 own = tile_address(*pair.around, 13) + ThreadGroup::lane() * 4 + single.to_target();
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr int slot = Streaming::write_to(parity, i.i).slot;
        store_pair<StepCodec, 0>(own + slot * slot_bytes, 0, p.of[0].f[i.i], p.of[1].f[i.i]);
      });
    } else {
      if (!is_inner(pair)) return store_singly(pair, p);
      const Rows rows(pair);
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr core::Access access = Streaming::write_to(parity, i.i);
        constexpr Offset<Lattice> d(access, i.i);
        const Uint64 to_slot = access.slot * slot_bytes + single.to_target();
        store_pair<StepCodec, d.x>(rows.row(d.y, d.z) + to_slot, rows.beside(d.x, d.y, d.z) + to_slot, p.of[0].f[i.i],
                                   p.of[1].f[i.i]);
      });
    }
  }
  /// Walls of one node of the pair.
  template <int k>
  __device__ __forceinline__ Uint32 wall_storage_index(const Node& pair) const {
    return !numbers_all_nodes<Spec> && is_inner(pair) ? core::no_walls : pair.tile * nodes_per_tile + bit_of(pair, k);
  }
  /// The bit of the tile that is the thread's node k; nodes_per_tile if there is none.
  static __device__ __forceinline__ Uint32 bit_of(const Node& pair, Uint32 k) {
    return is_full(pair) ? 2 * ThreadGroup::lane() + k
                         : pair.around->bits[ThreadGroup::lane() + ThreadGroup::threads * k];
  }

 private:
  static constexpr int width = Halo::tile_width;
  static constexpr Uint64 slot_bytes = nodes_per_tile * 2;

  /// True if the tile and all tiles around it are full.
  static __device__ __forceinline__ bool is_inner(const Node& pair) {
    return pair.around != nullptr && (pair.around->flags & tile_is_inner) != 0;
  }
  static __device__ __forceinline__ bool is_full(const Node& pair) {
    return pair.around != nullptr && (pair.around->flags & tile_count_bits) == nodes_per_tile;
  }
  /// Fills in PairSurroundings::bits; all threads of the group must call it, after all have found their tiles.
  static __device__ __forceinline__ void order_bits(Surroundings& around) {
    const Uint64 mask = around.tiles[13].mask;
    const auto count = static_cast<Uint32>(__popcll(mask));
    core::unroll<2>([&](auto k) {
      const Uint32 bit = 2 * ThreadGroup::lane() + k.i, last = ThreadGroup::lane() + ThreadGroup::threads * k.i;
      const Uint64 from_bit = mask >> bit;
      if ((from_bit & 1u) != 0)
        around.bits[count - static_cast<Uint32>(__popcll(from_bit))] = static_cast<unsigned char>(bit);
      if (last >= count) around.bits[last] = nodes_per_tile;
    });
  }
  /// One node of a pair of a tile that is not inner. It is found anew where it is used, which costs less than to keep
  /// it.
  __device__ __forceinline__ CompactNode single_node(const Node& pair, Uint32 k) const {
    CompactNode node{nullptr, 0, 0};
    const Uint32 bit = pair.around != nullptr ? bit_of(pair, k) : nodes_per_tile;
    if (bit < nodes_per_tile) Base{geometry}.open(node, *pair.around, bit);
    return node;
  }
  __device__ __forceinline__ void store_singly(const Node& pair, const Populations& p) const {
    core::unroll<2>([&](auto k) { Base{geometry}.store(single_node(pair, k.i), p.of[k.i]); });
  }

  static __device__ __forceinline__ Uint64 tile_address(const Surroundings& around, Uint32 tile) {
    return NodeAddress::of_slot(around.tiles[tile].first, 0);
  }

  /// Addresses of slot 0 of the neighbours of a pair of an inner tile.
  class Rows {
   public:
    __device__ __forceinline__ explicit Rows(const Node& pair) {
      const Uint32 lane = ThreadGroup::lane(), x = 2 * (lane % (width / 2)), y = lane / (width / 2) % width,
                   z = 2 * lane / (width * width);
      core::unroll<9>([&](auto k) {
        constexpr int dy = k.i % 3 - 1, dz = k.i / 3 - 1;
        if constexpr (Lattice::D == 3 || dz == 0) {
          Uint32 tile = 0, bit = 0;
          step(y, dy, 3, width, tile, bit);
          if constexpr (Lattice::D == 3)
            step(z, dz, 9, width * width, tile, bit);
          else
            tile += 9;
          row_[k.i] = tile_address(*pair.around, tile + 1) + 2 * (bit + x);
          core::unroll<2>([&](auto side) {
            Uint32 beside_tile = tile, beside_bit = bit;
            step(x, side.i == 0 ? -1 : 2, 1, 1, beside_tile, beside_bit);
            beside_[side.i][k.i] = tile_address(*pair.around, beside_tile) + 2 * beside_bit;
          });
        }
      });
    }
    [[nodiscard]] __device__ __forceinline__ Uint64 row(int dy, int dz) const { return row_[4 + dy + 3 * dz]; }
    [[nodiscard]] __device__ __forceinline__ Uint64 beside(int dx, int dy, int dz) const {
      return beside_[dx > 0 ? 1 : 0][4 + dy + 3 * dz];
    }

   private:
    /// Adds what a step from `at` along one axis does to the index of the tile around and to the bit in it.
    static __device__ __forceinline__ void step(Uint32 at, int by, Uint32 tile_stride, Uint32 bit_stride, Uint32& tile,
                                                Uint32& bit) {
      const int to = static_cast<int>(at) + by;
      tile += (to < 0 ? 0 : to >= width ? 2 : 1) * tile_stride;
      bit += (static_cast<Uint32>(to) & (width - 1)) * bit_stride;
    }
    Uint64 row_[9], beside_[2][9];
  };

  __device__ __forceinline__ void load_inner(const Node& pair, Populations& p) const {
    const Rows rows(pair);
    Uint32 row[Lattice::Q];
    Uint16 beside[Lattice::Q];
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr core::Access access = Streaming::read_from(parity, i.i);
      constexpr Offset<Lattice> d(access, i.i);
      fetch_pair<d.x, in_place>(rows.row(d.y, d.z) + access.slot * slot_bytes,
                                rows.beside(d.x, d.y, d.z) + access.slot * slot_bytes, row[i.i], beside[i.i]);
    });
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr Offset<Lattice> d(Streaming::read_from(parity, i.i), i.i);
      p.template put<i.i, d.x>(row[i.i], beside[i.i]);
    });
    p.arrive();
    p.of[0].active = p.of[1].active = true;
  }
};

}  // namespace fluvia::cuda::kernels
