// SPDX-License-Identifier: Apache-2.0
// What nodes of a MomentBox keep, for kernels that go through tiles. Between updates these are moments of the
// populations that leave a node; what arrives is rebuilt from those of the nodes that it comes from. Before the first
// step they are the populations that arrive, as they were placed or loaded.
#pragma once
#include "fluvia/cuda/kernels/boundary.hpp"
#include "fluvia/cuda/kernels/passes/pass_record.hpp"
#include "fluvia/cuda/kernels/passes/pass_shape.hpp"
#include "fluvia/cuda/kernels/tile_access.hpp"

namespace fluvia::cuda::kernels {

/// `parity`: there is but one.
template <class Spec, int parity>
struct MomentStorage {
  using Lattice = typename Spec::Lattice;
  using Kept = KeptMoments<Spec>;
  using Word = typename Kept::Word;
  using Box = DenseStorage<Spec, 0>;
  using Stored = typename Spec::Format::Storage;
  using T = typename Spec::Format::Arithmetic;
  using Codec = kernels::Codec<typename Spec::Format>;
  using Node = DenseNode;
  using Populations = typename Box::Populations;
  static constexpr int Q = Lattice::Q;
  const MomentBox& box;

  __device__ __forceinline__ void open_in_tile(Node& node, Uint32 storage_index, Uint32 bit) const {
    nodes().open_in_tile(node, storage_index, bit);
  }
  [[nodiscard]] __device__ __forceinline__ bool is_active(const Node& node) const { return nodes().is_active(node); }

  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    p.links = node.inside && node.block != none ? links(node) : 0;
    p.active = node.inside && (p.links & not_fluid_bit) == 0;
    if (!p.active) return;
    core::unroll<Q>([&](auto i) { p.f[i.i] = arrived<i.i>(node, p.links); });
  }
  /// The population that arrives along c_i at an active node.
  template <int i>
  [[nodiscard]] __device__ __forceinline__ T arrived(const Node& node, Uint32 links) const {
    if (box.placed != 0) return Codec::decode(arriving<i>(node));
    if constexpr (Spec::mirrors)
      if ((links & mirror_bit) != 0 && (mirrored(node) >> i & 1u) != 0) return reflected<i>(node);
    const bool is_cut = (links >> i & 1u) != 0;
    if constexpr (i > 0 && MomentRecord::keeps_returned<Spec>)
      if (is_cut) return *returned<i>(box.returned.source, node);
    T f[Q];
    leaving(is_cut ? element<i, ~0u>(node) : element<i, 0>(node), f);
    return is_cut ? f[core::opposite(i)] : f[i];
  }
  template <int i>
  [[nodiscard]] __device__ __forceinline__ T arrived(const Node& node) const {
    return arrived<i>(node, node.block != none ? links(node) : 0);
  }
  /// Where a population that arrives is placed before the first step: at its own node.
  template <int i>
  __device__ __forceinline__ Stored& arriving(const Node& node) const {
    constexpr bool in_other_copy = i >= Q - Kept::numbers;
    const Uint32 element = own(node);
    return reinterpret_cast<Stored*>(box.nodes.source[i])[in_other_copy ? place(element) * in_word : element];
  }
  /// Keeps the moments of an active node.
  __device__ __forceinline__ void keep(const Node& node, const RoundingArguments& rounding,
                                       const Number<Spec> (&moments)[Kept::numbers]) const {
    Word kept[Kept::words];
    Uint32 random = 0;
    if constexpr (core::rounds<typename Spec::Format>)
      random = rounding_bits(rounding, MomentRecord::in_domain(box, own(node)));
    Kept::encode(moments, random, kept);
    Word* const words = reinterpret_cast<Word*>(box.nodes.target[0]) + place(own(node));
    core::unroll<Kept::words>([&](auto k) { words[k.i * moment_group] = kept[k.i]; });
  }
  /// Keeps what walls return to a node, of populations after a collision beside them.
  __device__ __forceinline__ void keep_returned(const Node& node, Uint32 links, const T (&f)[Q]) const {
    for_each_cut<Q>(links, [&](auto i) { *returned<i.i>(box.returned.target, node) = f[core::opposite(i.i)]; });
  }
  /// Address of number k of all that is kept of a node, in elements of the format: its moments, then what comes back to
  /// it along c_1, c_2, ... as numbers of the arithmetic.
  [[nodiscard]] __device__ __forceinline__ Uint64 kept_number(const Node& node, Uint32 k) const {
    if (k < Kept::numbers) {
      const Uint64 first = place(own(node)) + k / in_word * moment_group;
      return box.nodes.source[0] + (first * in_word + k % in_word) * sizeof(Stored);
    }
    constexpr Uint32 each = sizeof(T) / sizeof(Stored);
    const Uint32 i = 1 + (k - Kept::numbers) / each, part = (k - Kept::numbers) % each;
    const Uint32 row = box.returned.rows[word(node)];
    return MomentRecord::place_of_returned<Spec>(box.returned, box.returned.source, row, i) + part * sizeof(Stored);
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 box_index(const RoundingArguments& rounding, const Node& node,
                                                            Uint32 storage_index, Uint32 bit) const {
    return nodes().box_index(rounding, node, storage_index, bit);
  }

  /// Index by which walls, and forces of single nodes, are found: the node's element of a slot.
  template <int>
  [[nodiscard]] __device__ __forceinline__ Uint32 wall_storage_index(const Node& node) const {
    return own(node);
  }

 private:
  static constexpr Uint64 in_word = sizeof(Word) / sizeof(Stored);  ///< populations that a word has room for

  [[nodiscard]] __device__ __forceinline__ Box nodes() const { return {box.nodes}; }
  [[nodiscard]] __device__ __forceinline__ Uint32 own(const Node& node) const {
    return nodes().template wall_storage_index<0>(node);
  }
  [[nodiscard]] static __device__ __forceinline__ Uint64 place(Uint32 element) {
    return MomentRecord::place<Spec>(element);
  }
  template <int i>
  [[nodiscard]] __device__ __forceinline__ T* returned(Uint64 copy, const Node& node) const {
    return reinterpret_cast<T*>(
        MomentRecord::place_of_returned<Spec>(box.returned, copy, box.returned.rows[word(node)], i));
  }
  [[nodiscard]] __device__ __forceinline__ Uint64 word(const Node& node) const {
    return static_cast<Uint64>(node.block) * segment_nodes + node.lane;
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 links(const Node& node) const { return box.nodes.words[word(node)]; }
  [[nodiscard]] __device__ __forceinline__ Uint32 mirrored(const Node& node) const { return box.mirrored[word(node)]; }
  /// The element of the node that a population comes from, which stays in the node's own place along some axes.
  template <int i, Uint32 stays>
  [[nodiscard]] static __device__ __forceinline__ Uint32 element(const Node& node) {
    constexpr int x = (stays & 1u) != 0 ? 1 : 1 - Lattice::c[i][0], y = (stays & 2u) != 0 ? 1 : 1 - Lattice::c[i][1],
                  z = (stays & 4u) != 0 ? 1 : 1 - Lattice::c[i][2];
    return node.x[x] + (node.y[y] + node.z[z]);
  }
  /// All populations that leave a node.
  __device__ __forceinline__ void leaving(Uint32 element, T (&f)[Q]) const {
    Word kept[Kept::words];
    const Word* const words = reinterpret_cast<const Word*>(box.nodes.source[0]) + place(element);
    core::unroll<Kept::words>([&](auto k) { kept[k.i] = words[k.i * moment_group]; });
    core::CollisionParameters<T> parameters{};
    parameters.omega = static_cast<T>(box.omega);
    for (int axis = 0; axis < 3; ++axis) parameters.force[axis] = static_cast<T>(box.force[axis]);
    rebuild_leaving<Spec>(kept, MomentRecord::in_domain(box, element), parameters, f);
  }
  /// What arrives over planes of symmetry: what left the mirror image of the node beyond them along the mirrored
  /// direction. That image is a neighbour, or this node.
  template <int i>
  [[nodiscard]] __device__ __forceinline__ T reflected(const Node& node) const {
    Uint32 axes = 0;
    core::unroll<Lattice::D>([&](auto axis) {
      constexpr int a = axis.i, c = Lattice::c[i][a];
      const Uint32 at = (a == 0 ? node.x[1] : a == 1 ? node.y[1] / box.nodes.pitch : layer(node));
      if (c > 0 && at == 0) axes |= box.mirrors >> (2 * a) & 1u ? 1u << a : 0u;
      if (c < 0 && at + 1 == box.nodes.size[a]) axes |= box.mirrors >> (2 * a + 1) & 1u ? 1u << a : 0u;
    });
    T result = 0;
    core::unroll<1 << Lattice::D, 1>([&](auto k) {
      constexpr auto over = static_cast<Uint32>(k.i);
      constexpr int image = image_of<Lattice>(i, over);
      if (axes != over) return;
      T f[Q];
      leaving(element<i, over>(node), f);
      result = f[image];
    });
    return result;
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 layer(const Node& node) const {
    return node.z[1] / (box.nodes.pitch * box.nodes.size[1]);
  }
};

template <class Spec, int parity>
__device__ __forceinline__ void open_tile(const MomentStorage<Spec, parity>& storage, Uint32 storage_index,
                                          Surroundings&, DenseNode& node) {
  storage.open_in_tile(node, storage_index, threadIdx.x);
}

template <class Spec, int parity>
__device__ __forceinline__ Uint32 node_storage_index(const MomentStorage<Spec, parity>& storage, const DenseNode& node,
                                                     Uint32) {
  return storage.template wall_storage_index<0>(node);
}

/// The address of what crosses to other parts, as halo_populations.hpp lists it: a number of those that are kept.
template <class Spec, int parity>
__device__ __forceinline__ Uint64 address_of_crossing(const MomentStorage<Spec, parity>& storage, const DenseNode& node,
                                                      Uint32 number) {
  return storage.kept_number(node, number);
}

/// The bits of the population that arrives along c_i, as state.hpp saves it.
template <int i, class Spec, int parity>
__device__ __forceinline__ auto saved_population(const MomentStorage<Spec, parity>& storage, const DenseNode& node) {
  return MomentStorage<Spec, parity>::Codec::encode(storage.template arrived<i>(node));
}

}  // namespace fluvia::cuda::kernels
