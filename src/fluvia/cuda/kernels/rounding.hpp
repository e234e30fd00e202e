// SPDX-License-Identifier: Apache-2.0
// Stochastic rounding on a GPU. A step dithers a node's populations after the collision, where the node is known, and
// its storage truncates them, by hardware where there is any. Spec::stochastic says so; without it nothing here leaves
// a trace in a kernel.
#pragma once
#include "fluvia/core/format/random_bits.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/format.hpp"
#include "fluvia/cuda/kernels/thread_nodes.hpp"

namespace fluvia::cuda::kernels {

/// Codec by which a step stores populations: rounded to the nearest value, or, dithered before, towards zero.
template <class Spec, bool stochastic = Spec::stochastic>
struct StepCodec : Codec<typename Spec::Format> {};

template <class Spec>
struct StepCodec<Spec, true> : TruncatingCodec<typename Spec::Format> {};

/// core::node_bits of a node of the box in the step that runs.
__device__ __forceinline__ Uint32 rounding_bits(const RoundingArguments& rounding, Uint32 box_index) {
  return core::node_bits(box_index, {core::constant(&rounding.key->first), core::constant(&rounding.key->second)});
}

/// core::box_index of node `bit` of a compact tile.
template <class Lattice>
__device__ __forceinline__ Uint32 index_in_tile(const RoundingArguments& rounding, Uint32 tile, Uint32 bit) {
  constexpr Uint32 width = Lattice::D == 3 ? 4 : 8;
  return core::constant(rounding.first_nodes + tile) +
         core::box_index(bit % width, bit / width % width, bit / (width * width), rounding.row, rounding.rows);
}

/// Dithers all populations of a node, which may be NaN in some only if that at rest is not finite.
template <class Format, int count>
__device__ __forceinline__ void dither_node(float (&f)[count], Uint32 node_bits) {
  using Codec = TruncatingCodec<Format>;
  const auto random = [&](auto i) {
    constexpr Uint32 multiplier = core::direction_multiplier(i.i);
    return core::direction_bits<Format::random_bits>(node_bits, multiplier);
  };
  f[0] = Codec::dither(f[0], random(core::Index<0>{}));
  core::unroll<count, 1>([&](auto i) { f[i.i] = Codec::dither_number(f[i.i], random(i)); });
}

/// A collision whose results will be truncated. What is random is found only when it is needed, so that it takes no
/// register meanwhile.
template <class Spec, class Collision, class Index>
struct DitheredCollision {
  Collision collision;
  const RoundingArguments& rounding;
  Index index_of;  ///< (node, k) -> core::box_index of the thread's k-th node, which is fluid

  template <class Node, class Populations>
  __device__ __forceinline__ void collide(const Node& node, Populations& p) const {
    collision.collide(node, p);
    if constexpr (nodes_of<Populations> == 1)
      dither(node, 0, p);
    else
      core::unroll<2>([&](auto k) { dither(node, k.i, p.of[k.i]); });
  }

 private:
  template <class Node, class Populations>
  __device__ __forceinline__ void dither(const Node& node, Uint32 k, Populations& p) const {
    if (p.active) dither_node<typename Spec::Format>(p.f, rounding_bits(rounding, index_of(node, k)));
  }
};

/// The work of a step between loading and storing: the collision, and rounding if it is stochastic.
template <class Spec, class Collision, class Index>
__device__ __forceinline__ auto rounded(const Collision& collision, const RoundingArguments& rounding,
                                        const Index& index_of) {
  if constexpr (Spec::stochastic)
    return DitheredCollision<Spec, Collision, Index>{collision, rounding, index_of};
  else
    return collision;
}

}  // namespace fluvia::cuda::kernels
