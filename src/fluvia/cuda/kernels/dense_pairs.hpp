// SPDX-License-Identifier: Apache-2.0
// Dense addressing for 16 bits: one thread for each two neighbours along x. Rows start at even elements.
#pragma once
#include "fluvia/cuda/kernels/dense.hpp"
#include "fluvia/cuda/kernels/thread_nodes.hpp"

namespace fluvia::cuda::kernels {

/// Nodes x and x + 1 of the box, x even; and parts of the elements of what surrounds them (wrapped).
struct DensePair {
  bool inside[2];  ///< whether they lie in the box
  Uint32 block;    ///< block of the words of their segment, or `none`
  Uint32 x[4], y[3], z[3];
};

template <class Spec, int parity>
struct DenseStorage<Spec, parity, 2> {
  using Base = DenseStorage<Spec, parity>;
  using Lattice = typename Base::Lattice;
  using Streaming = typename Base::Streaming;
  using Codec = typename Base::Codec;
  using StepCodec = typename Base::StepCodec;
  using Node = DensePair;
  using Populations = PairPopulations<typename Base::Populations, Codec, Streaming::copies == 1>;
  const DenseBox& box;

  __device__ __forceinline__ void open(Node& pair, Uint32 column, Uint32 iy, Uint32 iz) const {
    const Uint32 ix = 2 * column;
    pair.inside[0] = ix < box.size[0] && iy < box.size[1] && iz < box.size[2];
    pair.inside[1] = pair.inside[0] && ix + 1 < box.size[0];
    if (!pair.inside[0]) return;
    pair.block = Base{box}.segment(ix, iy, iz);
    pair.x[0] = ix == 0 ? box.size[0] - 1 : ix - 1;
    pair.x[1] = ix;
    pair.x[2] = ix + 1 < box.size[0] ? ix + 1 : 0;  // neighbour of a last single node
    pair.x[3] = ix + 2 < box.size[0] ? ix + 2 : ix + 2 - box.size[0];
    Base::around(pair.y, iy, box.size[1], box.pitch);
    Base::around(pair.z, iz, box.size[2], box.pitch * box.size[1]);
  }

  __device__ __forceinline__ void load(const Node& pair, Populations& p) const {
    constexpr bool in_place = Streaming::copies == 1;
    core::unroll<2>([&](auto k) {
      p.of[k.i].active = pair.inside[k.i];
      p.of[k.i].links = 0;
    });
    if (!pair.inside[0]) return;
    // All directions are loaded as if no link were cut: these loads need not wait for the words. Populations loaded for
    // cut links are not used.
    // cut links is not used.
    if (pair.inside[1]) {
      Uint32 row[Lattice::Q];
      Uint16 beside[Lattice::Q];
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr core::Access access = Streaming::read_from(parity, i.i);
        constexpr Offset<Lattice> d(access, i.i);
        fetch_pair<d.x, in_place>(address(box.source, access.slot, pair, 1, d.y, d.z),
                                  address(box.source, access.slot, pair, d.x < 0 ? 0 : 3, d.y, d.z), row[i.i],
                                  beside[i.i]);
      });
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr Offset<Lattice> d(Streaming::read_from(parity, i.i), i.i);
        p.template put<i.i, d.x>(row[i.i], beside[i.i]);
      });
    } else {
      Uint16 stored[Lattice::Q];
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr core::Access access = Streaming::read_from(parity, i.i);
        read_global(single<access, i.i, 0>(box.source, pair), stored[i.i]);
      });
      core::unroll<Lattice::Q>([&](auto i) { p.template put<i.i, 0>(stored[i.i], 0); });
    }
    if (pair.block != none) load_cut(pair, p);
    p.arrive();
  }
  __device__ __forceinline__ void store(const Node& pair, const Populations& p) const {
    constexpr bool in_node = stores_in_node<Lattice, Streaming>(parity);
    if (p.of[0].active && p.of[1].active && (in_node || (p.of[0].links | p.of[1].links) == 0)) {
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr core::Access access = Streaming::write_to(parity, i.i);
        constexpr Offset<Lattice> d(access, i.i);
        store_pair<StepCodec, d.x>(address(box.target, access.slot, pair, 1, d.y, d.z),
                                   address(box.target, access.slot, pair, d.x < 0 ? 0 : 3, d.y, d.z), p.of[0].f[i.i],
                                   p.of[1].f[i.i]);
      });
      return;
    }
    core::unroll<2>([&](auto which) {
      constexpr int k = which.i;
      if (!p.of[k].active) return;
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr core::Access regular = Streaming::write_to(parity, i.i), cut = Streaming::write_cut(parity, i.i);
        const bool is_cut = (p.of[k].links >> core::opposite(i.i) & 1u) != 0;
        write_global(is_cut ? single<cut, i.i, k>(box.target, pair) : single<regular, i.i, k>(box.target, pair),
                     StepCodec::encode(p.of[k].f[i.i]));
      });
    });
  }
  /// Walls of one node of the pair.
  template <int k>
  __device__ __forceinline__ Uint32 wall_storage_index(const Node& pair) const {
    return pair.x[1 + k] + (pair.y[1] + pair.z[1]);
  }

 private:
  /// Replaces populations that came over cut links by those that bounced back.
  __device__ __forceinline__ void load_cut(const Node& pair, Populations& p) const {
    core::unroll<2>([&](auto which) {
      constexpr int k = which.i;
      if (!pair.inside[k]) return;
      const Uint32 links = box.words[static_cast<Uint64>(pair.block) * segment_nodes + pair.x[1] % segment_nodes + k];
      p.of[k].links = links;
      p.of[k].active = (links & not_fluid_bit) == 0;
      if (p.of[k].active && links != 0)
        core::unroll<Lattice::Q>([&](auto i) {
          constexpr core::Access regular = Streaming::read_from(parity, i.i), cut = Streaming::read_cut(parity, i.i);
          if constexpr (!(regular == cut))
            if ((links >> i.i & 1u) != 0) {
              Uint16 bounced;
              read_global(single<cut, i.i, k>(box.source, pair), bounced);
              p.template put_one<i.i, k>(bounced);
            }
        });
    });
  }
  /// Address of an element; `x` is an index of Node::x.
  static __device__ __forceinline__ Uint64 address(const Uint64 (&slots)[max_slots], int slot, const Node& pair, int x,
                                                   int dy, int dz) {
    return slots[slot] + static_cast<Uint64>(pair.x[x] + (pair.y[1 + dy] + pair.z[1 + dz])) * 2;
  }
  template <core::Access access, int i, int k>
  static __device__ __forceinline__ Uint64 single(const Uint64 (&slots)[max_slots], const Node& pair) {
    constexpr Offset<Lattice> d(access, i);
    return address(slots, access.slot, pair, 1 + k + d.x, d.y, d.z);
  }
};

}  // namespace fluvia::cuda::kernels
