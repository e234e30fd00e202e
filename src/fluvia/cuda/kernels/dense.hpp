// SPDX-License-Identifier: Apache-2.0
// Dense addressing: one thread, one node of the box.
#pragma once
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/format.hpp"

namespace fluvia::cuda::kernels {

/// A node of the box, and offsets to its neighbours along each axis (wrapped).
struct DenseNode {
  bool active;     ///< fluid, inside of the box
  Uint32 links;    ///< bit i: the link towards x - c_i is cut
  Uint32 record;   ///< first boundary record, or `none`
  Uint32 x[3], y[3], z[3];

  __device__ __forceinline__ void open(const DenseBox& box, Uint32 ix, Uint32 iy, Uint32 iz, bool has_boundaries) {
    active = ix < box.size[0] && iy < box.size[1] && iz < box.size[2];
    links = 0;
    record = none;
    if (!active) return;
    const Uint32 row = iy + box.size[1] * iz;
    const Uint32 block = box.segments[static_cast<Uint64>(row) * box.row_words + ix / segment_nodes];
    if (block != none) {
      const Uint32* words = box.words + static_cast<Uint64>(block) * 2 * segment_nodes + ix % segment_nodes;
      links = words[0];
      if ((links & not_fluid_bit) != 0) active = false;
      if (has_boundaries && (links & has_record_bit) != 0) record = words[segment_nodes];
    }
    around(x, ix, box.size[0], 1);
    around(y, iy, box.size[1], box.size[0]);
    around(z, iz, box.size[2], box.size[0] * box.size[1]);
  }

 private:
  static __device__ __forceinline__ void around(Uint32 (&offset)[3], Uint32 i, Uint32 n, Uint32 stride) {
    offset[0] = (i == 0 ? n - 1 : i - 1) * stride;
    offset[1] = i * stride;
    offset[2] = (i + 1 == n ? 0 : i + 1) * stride;
  }
};

/// Populations of one parity in a dense box.
template <class Spec, int parity>
struct DenseStorage {
  using Lattice = typename Spec::Lattice;
  using Streaming = typename Spec::Streaming;
  using Stored = typename Spec::Format::Storage;
  using T = typename Spec::Format::Arithmetic;
  using Codec = kernels::Codec<typename Spec::Format>;
  using Node = DenseNode;
  struct Populations {
    T f[Lattice::Q];
  };
  DenseBox box;
  const Stored* source;
  Stored* target;

  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    if (!node.active) return;
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      p.f[direction] = Codec::decode(source[read_element<direction>(node)]);
    });
  }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    if (!node.active) return;
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      constexpr core::Access regular = Streaming::write_to(parity, direction);
      constexpr core::Access cut = Streaming::write_cut(parity, direction);
      const Uint64 at = choose<regular, cut, direction>(node, node.links >> core::opposite(direction) & 1u);
      target[at] = Codec::encode(p.f[direction]);
    });
  }
  /// Where the arriving population of direction i is.
  template <int i>
  __device__ __forceinline__ Uint64 read_element(const Node& node) const {
    constexpr core::Access regular = Streaming::read_from(parity, i), cut = Streaming::read_cut(parity, i);
    return choose<regular, cut, i>(node, node.links >> i & 1u);
  }
  /// The node at `bit` of a tile of the box.
  __device__ __forceinline__ Node at(Uint32 place, Uint32 bit) const {
    constexpr Uint32 wx = Lattice::D == 3 ? 4 : 8, wy = wx, wz = Lattice::D == 3 ? 4 : 1;
    const Uint32 tx = place % box.tiles[0], ty = place / box.tiles[0] % box.tiles[1],
                 tz = place / box.tiles[0] / box.tiles[1];
    Node node;
    node.open(box, tx * wx + bit % wx, ty * wy + bit / wx % wy, tz * wz + bit / (wx * wy), Spec::boundaries);
    return node;
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 places() const { return box.tiles[0] * box.tiles[1] * box.tiles[2]; }

 private:
  template <core::Access access, int i>
  __device__ __forceinline__ Uint64 element(const Node& node) const {
    constexpr int dx = access.side * Lattice::c[i][0], dy = access.side * Lattice::c[i][1],
                  dz = access.side * Lattice::c[i][2];
    return static_cast<Uint64>(access.slot) * box.stride + (node.x[1 + dx] + node.y[1 + dy] + node.z[1 + dz]);
  }
  template <core::Access regular, core::Access cut, int i>
  __device__ __forceinline__ Uint64 choose(const Node& node, Uint32 is_cut) const {
    if constexpr (regular == cut) return element<regular, i>(node);
    return is_cut ? element<cut, i>(node) : element<regular, i>(node);
  }
};

}  // namespace fluvia::cuda::kernels
