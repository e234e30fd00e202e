// SPDX-License-Identifier: Apache-2.0
// Dense addressing: one thread for each node of the box; in steps of 16 bits for each two, dense_pairs.hpp.
#pragma once
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/leaving.hpp"
#include "fluvia/cuda/kernels/rounding.hpp"

namespace fluvia::cuda::kernels {

/// A node of the box, and the parts of the elements of its neighbours along each axis (wrapped).
struct DenseNode {
  bool inside;   ///< whether it lies in the box
  Uint32 block;  ///< block of the words of the node's segment, or `none`
  Uint32 lane;   ///< number of the node in its segment
  Uint32 x[3], y[3], z[3];
};

/// Populations in a dense box in steps of one parity; each thread has `width` nodes.
template <class Spec, int parity, int width = 1>
struct DenseStorage {
  using Lattice = typename Spec::Lattice;
  using Streaming = typename Spec::Streaming;
  using Stored = typename Spec::Format::Storage;
  using T = typename Spec::Format::Arithmetic;
  using Codec = kernels::Codec<typename Spec::Format>;
  using StepCodec = kernels::StepCodec<Spec>;
  using Node = DenseNode;
  struct Populations {
    T f[Lattice::Q];
    Uint32 links;  ///< bit i: the link towards x - c_i is cut
    bool active;   ///< whether the node is fluid
  };
  const DenseBox& box;

  __device__ __forceinline__ void open(Node& node, Uint32 ix, Uint32 iy, Uint32 iz) const {
    node.inside = ix < box.size[0] && iy < box.size[1] && iz < box.size[2];
    if (!node.inside) return;
    node.lane = ix % segment_nodes;
    node.block = segment(ix, iy, iz);
    around(node.x, ix, box.size[0], 1);
    around(node.y, iy, box.size[1], box.pitch);
    around(node.z, iz, box.size[2], box.pitch * box.size[1]);
  }
  /// Entry of DenseBox::segments for the segment of a node.
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
  __device__ __forceinline__ void open_in_tile(Node& node, Uint32 storage_index, Uint32 bit) const {
    constexpr Uint32 wx = Lattice::D == 3 ? 4 : 8, wy = wx, wz = Lattice::D == 3 ? 4 : 1;
    const Uint32 tx = storage_index % box.tiles[0], ty = storage_index / box.tiles[0] % box.tiles[1],
                 tz = storage_index / box.tiles[0] / box.tiles[1];
    open(node, tx * wx + bit % wx, ty * wy + bit / wx % wy, tz * wz + bit / (wx * wy));
  }

  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    p.active = node.inside;
    p.links = 0;
    if (!node.inside) return;
    // All directions are loaded as if no link were cut: these loads need not wait for the words. Populations loaded for
    // cut links are not used.
    // cut links is not used.
    Stored stored[Lattice::Q];
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      constexpr core::Access regular = Streaming::read_from(parity, direction);
      stored[direction] = at<regular, direction>(box.source, node);
    });
    if (node.block != none) {
      p.links = links(node);
      p.active = (p.links & not_fluid_bit) == 0;
      if (p.active && p.links != 0)
        core::unroll<Lattice::Q>([&](auto i) {
          constexpr int direction = i.i;
          constexpr core::Access regular = Streaming::read_from(parity, direction);
          constexpr core::Access cut = Streaming::read_cut(parity, direction);
          if constexpr (!(regular == cut))
            if ((p.links >> direction & 1u) != 0) stored[direction] = at<cut, direction>(box.source, node);
        });
    }
    core::unroll<Lattice::Q>([&](auto i) { p.f[i.i] = Codec::decode(stored[i.i]); });
  }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    if (!p.active) return;
    if (p.links == 0) {
      core::unroll<Lattice::Q>([&](auto i) {
        constexpr int direction = i.i;
        constexpr core::Access regular = Streaming::write_to(parity, direction);
        at<regular, direction>(box.target, node) = StepCodec::encode(p.f[direction]);
      });
      return;
    }
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      constexpr core::Access regular = Streaming::write_to(parity, direction);
      constexpr core::Access cut = Streaming::write_cut(parity, direction);
      const bool is_cut = (p.links >> core::opposite(direction) & 1u) != 0;
      (is_cut ? at<cut, direction>(box.target, node) : at<regular, direction>(box.target, node)) =
          StepCodec::encode(p.f[direction]);
    });
  }
  /// Index by which walls between this node and others are found: its element of a slot.
  template <int>
  __device__ __forceinline__ Uint32 wall_storage_index(const Node& node) const {
    return node.x[1] + (node.y[1] + node.z[1]);
  }
  /// True if the node is fluid.
  __device__ __forceinline__ bool is_active(const Node& node) const {
    return node.inside && (node.block == none || (links(node) & not_fluid_bit) == 0);
  }
  /// Where the arriving population of direction i is.
  template <int i>
  __device__ __forceinline__ Stored& arriving(const Node& node) const {
    constexpr core::Access regular = Streaming::read_from(parity, i), cut = Streaming::read_cut(parity, i);
    const bool is_cut = node.block != none && (links(node) >> i & 1u) != 0;
    return is_cut ? at<cut, i>(box.source, node) : at<regular, i>(box.source, node);
  }
  /// Where the arriving population of direction i is, if there is no fluid where it comes from.
  template <int i>
  __device__ __forceinline__ Stored& arriving_over_cut(const Node& node) const {
    return at<Streaming::read_cut(parity, i), i>(box.source, node);
  }
  /// Where what the node has sent along c_i is, if there is fluid: where the node at x + c_i will read it.
  template <int i>
  __device__ __forceinline__ Stored& leaving(const Node& node) const {
    return at<from_origin(Streaming::read_from(parity, i)), i>(box.source, node);
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 tile_count() const {
    return box.tiles[0] * box.tiles[1] * box.tiles[2];
  }
  /// core::box_index of the node at `bit` of a tile.
  [[nodiscard]] __device__ __forceinline__ Uint32 box_index(const RoundingArguments& rounding, const Node&,
                                                            Uint32 storage_index, Uint32 bit) const {
    constexpr Uint32 wx = Lattice::D == 3 ? 4 : 8, wz = Lattice::D == 3 ? 4 : 1;
    return rounding.first + core::box_index(storage_index % box.tiles[0] * wx + bit % wx,
                                            storage_index / box.tiles[0] % box.tiles[1] * wx + bit / wx % wx,
                                            storage_index / box.tiles[0] / box.tiles[1] * wz + bit / (wx * wx),
                                            box.size[0], box.size[1]);
  }

 private:
  __device__ __forceinline__ Uint32 links(const Node& node) const {
    return box.words[static_cast<Uint64>(node.block) * segment_nodes + node.lane];
  }
  template <core::Access access, int i>
  static __device__ __forceinline__ Stored& at(const Uint64 (&slots)[max_slots], const Node& node) {
    constexpr int dx = access.side * Lattice::c[i][0], dy = access.side * Lattice::c[i][1],
                  dz = access.side * Lattice::c[i][2];
    return reinterpret_cast<Stored*>(slots[access.slot])[node.x[1 + dx] + (node.y[1 + dy] + node.z[1 + dz])];
  }
};

}  // namespace fluvia::cuda::kernels
