// SPDX-License-Identifier: Apache-2.0
// Dense addressing: a thread takes one node of the box, or two neighbours along x. Rows start at even elements.
#pragma once
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/rounding.hpp"

namespace fluvia::cuda::kernels {

/// Nodes x, ..., x + width - 1 of the box, x a multiple of `width`; and parts of the elements of what surrounds them
/// (wrapped).
template <int width>
struct DenseNodes {
  bool inside[width];  ///< of the box
  Uint32 block;        ///< of the words of their segment, or `none`
  Uint32 x[width + 2], y[3], z[3];
};
using DenseNode = DenseNodes<1>;

/// Populations of one parity in a dense box.
template <class Spec, int parity, int width = 1>
struct DenseStorage {
  using Lattice = typename Spec::Lattice;
  using Streaming = typename Spec::Streaming;
  using Stored = typename Spec::Format::Storage;
  using T = typename Spec::Format::Arithmetic;
  using Codec = kernels::Codec<typename Spec::Format>;
  using StepCodec = kernels::StepCodec<Spec>;
  using Node = DenseNodes<width>;
  static constexpr bool in_place = Streaming::copies == 1;
  struct Single {
    T f[Lattice::Q];
    Uint32 links;  ///< bit i: the link towards x - c_i is cut
    bool active;   ///< fluid
  };
  using Populations = ThreadPopulations<Single, Codec, width, in_place>;
  const DenseBox& box;

  __device__ __forceinline__ void open(Node& node, Uint32 column, Uint32 iy, Uint32 iz) const {
    const Uint32 ix = width * column, n = box.size[0];
    node.inside[0] = ix < n && iy < box.size[1] && iz < box.size[2];
    if constexpr (width > 1) node.inside[1] = node.inside[0] && ix + 1 < n;
    if (!node.inside[0]) return;
    node.block = segment(ix, iy, iz);
    node.x[0] = ix == 0 ? n - 1 : ix - 1;
    node.x[1] = ix;
    core::unroll<width>([&](auto k) {  // of a last single node: its neighbour
      const Uint32 right = ix + 1 + k.i;
      node.x[2 + k.i] = right < n ? right : right - n;
    });
    around(node.y, iy, box.size[1], box.pitch);
    around(node.z, iz, box.size[2], box.pitch * box.size[1]);
  }
  /// DenseBox::segments of the segment of a node.
  [[nodiscard]] __device__ __forceinline__ Uint32 segment(Uint32 ix, Uint32 iy, Uint32 iz) const {
    return box.segments[static_cast<Uint64>(iy + box.size[1] * iz) * box.row_words + ix / segment_nodes];
  }
  /// Parts of the elements of a node's neighbours along one axis, wrapped.
  static __device__ __forceinline__ void around(Uint32 (&offset)[3], Uint32 i, Uint32 n, Uint32 stride) {
    offset[0] = (i == 0 ? n - 1 : i - 1) * stride;
    offset[1] = i * stride;
    offset[2] = (i + 1 == n ? 0 : i + 1) * stride;
  }
  /// The node at `bit` of a tile of the box.
  __device__ __forceinline__ void open_in_tile(Node& node, Uint32 place, Uint32 bit) const {
    constexpr Uint32 wx = Lattice::D == 3 ? 4 : 8, wy = wx, wz = Lattice::D == 3 ? 4 : 1;
    const Uint32 tx = place % box.tiles[0], ty = place / box.tiles[0] % box.tiles[1],
                 tz = place / box.tiles[0] / box.tiles[1];
    open(node, tx * wx + bit % wx, ty * wy + bit / wx % wy, tz * wz + bit / (wx * wy));
  }

  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    core::unroll<width>([&](auto k) {
      node_of<k.i>(p).active = node.inside[k.i];
      node_of<k.i>(p).links = 0;
    });
    if (!node.inside[0]) return;
    // As if no link were cut: these loads need not wait for the words. What they bring for cut links is not used.
    if (node.inside[width - 1])
      fetch<width>(node, p);
    else
      fetch<1>(node, p);
    if (node.block != none) load_cut(node, p);
    p.arrive();
  }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    bool whole = true;
    Uint32 cut = 0;
    core::unroll<width>([&](auto k) {
      whole = whole && node_of<k.i>(p).active;
      cut |= node_of<k.i>(p).links;
    });
    if (whole && (stores_in_node<Lattice, Streaming>(parity) || cut == 0))
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr core::Access access = Streaming::write_to(parity, i.i);
        constexpr Offset<Lattice> d(access, i.i);
        store_row<StepCodec, i.i, d.x>(row<width>(box.target, access.slot, node, d),
                                       beside(box.target, access.slot, node, d), p);
      });
    else
      core::unroll<width>([&](auto k) {
        if (node_of<k.i>(p).active) store_singly<k.i>(node, node_of<k.i>(p));
      });
  }
  /// Walls between a node of the thread and others; their places are elements of a slot.
  template <int k>
  __device__ __forceinline__ Uint32 wall_place(const Node& node) const {
    return node.x[1 + k] + (node.y[1] + node.z[1]);
  }

  // Of single nodes:

  /// True if the node is fluid.
  __device__ __forceinline__ bool is_active(const Node& node) const {
    return node.inside[0] && (node.block == none || (links<0>(node) & not_fluid_bit) == 0);
  }
  /// Where the arriving population of direction i is.
  template <int i>
  __device__ __forceinline__ Stored& arriving(const Node& node) const {
    const bool is_cut = node.block != none && (links<0>(node) >> i & 1u) != 0;
    return is_cut ? arriving_over_cut<i>(node) : at<Streaming::read_from(parity, i), i>(node);
  }
  /// The same if there is no fluid where it comes from.
  template <int i>
  __device__ __forceinline__ Stored& arriving_over_cut(const Node& node) const {
    return at<Streaming::read_cut(parity, i), i>(node);
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 places() const { return box.tiles[0] * box.tiles[1] * box.tiles[2]; }
  /// core::box_index of the node at `bit` of a tile.
  [[nodiscard]] __device__ __forceinline__ Uint32 box_index(const RoundingArguments& rounding, const Node&,
                                                            Uint32 place, Uint32 bit) const {
    constexpr Uint32 wx = Lattice::D == 3 ? 4 : 8, wz = Lattice::D == 3 ? 4 : 1;
    return rounding.first + core::box_index(place % box.tiles[0] * wx + bit % wx,
                                            place / box.tiles[0] % box.tiles[1] * wx + bit / wx % wx,
                                            place / box.tiles[0] / box.tiles[1] * wz + bit / (wx * wx), box.size[0],
                                            box.size[1]);
  }

 private:
  template <int k>
  __device__ __forceinline__ Uint32 links(const Node& node) const {
    return box.words[static_cast<Uint64>(node.block) * segment_nodes + node.x[1] % segment_nodes + k];
  }
  template <int nodes>
  __device__ __forceinline__ void fetch(const Node& node, Populations& p) const {
    typename Row<Stored, nodes>::Type there[Lattice::Q];
    Stored next[Lattice::Q] = {};
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr core::Access access = Streaming::read_from(parity, i.i);
      constexpr Offset<Lattice> d(access, i.i);
      fetch_row<nodes, d.x, in_place>(row<nodes>(box.source, access.slot, node, d),
                                      beside(box.source, access.slot, node, d), there[i.i], next[i.i]);
    });
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int x = nodes == 1 ? 0 : Offset<Lattice>(Streaming::read_from(parity, i.i), i.i).x;
      p.template put<i.i, x>(there[i.i], next[i.i]);
    });
  }
  /// Replaces what came over cut links by what bounced back.
  __device__ __forceinline__ void load_cut(const Node& node, Populations& p) const {
    core::unroll<width>([&](auto which) {
      constexpr int k = which.i;
      if (!node.inside[k]) return;
      auto& one = node_of<k>(p);
      one.links = links<k>(node);
      one.active = (one.links & not_fluid_bit) == 0;
      if (one.active && one.links != 0)
        core::unroll<Lattice::Q>([&](auto i) {
          constexpr core::Access regular = Streaming::read_from(parity, i.i), cut = Streaming::read_cut(parity, i.i);
          if constexpr (!(regular == cut))
            if ((one.links >> i.i & 1u) != 0) {
              Stored bounced;
              read_value<width>(single<cut, i.i, k>(box.source, node), bounced);
              p.template put_one<i.i, k>(bounced);
            }
        });
    });
  }
  template <int k>
  __device__ __forceinline__ void store_singly(const Node& node, const Single& one) const {
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr core::Access regular = Streaming::write_to(parity, i.i), cut = Streaming::write_cut(parity, i.i);
      const bool is_cut = (one.links >> core::opposite(i.i) & 1u) != 0;
      const Uint64 to = is_cut ? single<cut, i.i, k>(box.target, node) : single<regular, i.i, k>(box.target, node);
      write_value<width>(to, StepCodec::encode(one.f[i.i]));
    });
  }
  /// Address of an element; `x` is an index of Node::x.
  static __device__ __forceinline__ Uint64 address(const Uint64 (&slots)[max_slots], int slot, const Node& node, int x,
                                                   const Offset<Lattice>& d) {
    return slots[slot] + static_cast<Uint64>(node.x[x] + (node.y[1 + d.y] + node.z[1 + d.z])) * sizeof(Stored);
  }
  /// Those that fetch_row() and store_row() ask for.
  template <int nodes>
  static __device__ __forceinline__ Uint64 row(const Uint64 (&slots)[max_slots], int slot, const Node& node,
                                               const Offset<Lattice>& d) {
    return address(slots, slot, node, nodes == 1 ? 1 + d.x : 1, d);
  }
  static __device__ __forceinline__ Uint64 beside(const Uint64 (&slots)[max_slots], int slot, const Node& node,
                                                  const Offset<Lattice>& d) {
    return address(slots, slot, node, d.x < 0 ? 0 : width + 1, d);
  }
  template <core::Access access, int i, int k>
  static __device__ __forceinline__ Uint64 single(const Uint64 (&slots)[max_slots], const Node& node) {
    constexpr Offset<Lattice> d(access, i);
    return address(slots, access.slot, node, 1 + k + d.x, d);
  }
  template <core::Access access, int i>
  __device__ __forceinline__ Stored& at(const Node& node) const {
    return *reinterpret_cast<Stored*>(single<access, i, 0>(box.source, node));
  }
};

}  // namespace fluvia::cuda::kernels
