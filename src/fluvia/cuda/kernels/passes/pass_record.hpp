// SPDX-License-Identifier: Apache-2.0
// What nodes keep in memory between passes of several steps: the populations that leave them, or moments from which
// these are rebuilt (docs/decisions/0050-passes-over-moments.md).
#pragma once
#include "fluvia/core/boundary/interpolated_wall.hpp"
#include "fluvia/core/collision/collide_moments.hpp"
#include "fluvia/core/format/moment_words.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/format.hpp"

namespace fluvia::cuda::kernels {

/// Calls visit(Index<i>) for the links of a node that are cut, by the bits of its word.
template <int Q, class Visitor>
__device__ __forceinline__ void for_each_cut(Uint32 links, Visitor&& visit) {
  core::unroll<Q, 1>([&](auto i) {
    if ((links >> i.i & 1u) != 0) visit(i);
  });
}

/// Populations. Each is read by the node where it arrives, so that the first stage of a pass is a step.
struct PopulationRecord {
  template <class Spec>
  using Word = typename Spec::Format::Storage;
  template <class Spec>
  static constexpr int words = Spec::Lattice::Q;  ///< of a node
  static constexpr int stages_before = 0;         ///< stages of a pass that take no step
  /// Populations that walls return are kept as all others are.
  template <class Spec>
  static constexpr bool keeps_returned = false;
};

/// What memory keeps of the moments of a node: each is a number of the format.
template <class Spec, bool rounds = core::rounds<typename Spec::Format>>
struct KeptMoments {
  using Lattice = typename Spec::Lattice;
  using Word = typename Spec::Format::Storage;
  static constexpr int numbers = core::SecondMoments<Lattice>::count, words = numbers;

  static __device__ __forceinline__ void encode(const Number<Spec> (&moments)[numbers], Uint32, Word (&kept)[words]) {
    core::unroll<numbers>([&](auto k) { kept[k.i] = Spec::Format::encode(moments[k.i].value); });
  }
  static __device__ __forceinline__ void decode(const Word (&kept)[words], Number<Spec> (&moments)[numbers]) {
    core::unroll<numbers>([&](auto k) { moments[k.i] = Spec::Format::decode(kept[k.i]); });
  }
  /// What is rebuilt is as exact as what is kept.
  static __device__ __forceinline__ void round(const Word (&)[words], Uint32, const Number<Spec> (&)[numbers],
                                               Number<Spec> (&)[Lattice::Q]) {}
};

/// In 16 bits two moments share a word, and populations that are rebuilt are rounded.
template <class Spec>
struct KeptMoments<Spec, true> : core::MomentWords<typename Spec::Lattice> {
  using Lattice = typename Spec::Lattice;
  using Words = core::MomentWords<Lattice>;
  using Word = Uint32;
  static constexpr int numbers = core::SecondMoments<Lattice>::count, words = Words::count;

  /// `node`: its element of the box.
  static __device__ __forceinline__ void round(const Word (&kept)[words], Uint32 node,
                                               const Number<Spec> (&moments)[numbers], Number<Spec> (&f)[Lattice::Q]) {
    Words::round(moments, Words::bits_of(kept, node), f);
  }
};

/// Moments of the populations that leave. A stage before the first step reads those of its own nodes and rebuilds
/// populations for the next stage, which finds its neighbours' where every later step does: in shared memory.
struct MomentRecord {
  template <class Spec>
  using Word = typename KeptMoments<Spec>::Word;
  template <class Spec>
  static constexpr int words = KeptMoments<Spec>::words;
  static constexpr int stages_before = 1;
  /// What walls between the nodes return is kept besides.
  template <class Spec>
  static constexpr bool keeps_returned = Spec::walls != core::WallRule::half_way;
  const MomentBox& box;
  const ReturnedPopulations& returned = box.returned;

  /// The element that a node of a part would have in the whole domain, by which what is random is found.
  [[nodiscard]] static __device__ __forceinline__ Uint32 in_domain(const MomentBox& box, Uint32 element) {
    return element + (element < box.wrapped_from ? box.first : box.first_wrapped);
  }
  /// Address of what comes back along c_i in this row, from `source` or to `target`.
  template <class Spec>
  [[nodiscard]] static __device__ __forceinline__ Uint64 place_of_returned(const ReturnedPopulations& returned,
                                                                           Uint64 copy, Uint32 row, Uint32 i) {
    return copy + (static_cast<Uint64>(i - 1) * returned.count + row) * sizeof(Arithmetic<Spec>);
  }
  /// The word of a copy where a node begins, for its element of a box; its next is moment_group further.
  template <class Spec>
  static __device__ __forceinline__ Uint64 place(Uint32 element) {
    return static_cast<Uint64>(element / moment_group) * (moment_group * words<Spec>)+element % moment_group;
  }
};

/// The populations that leave a node, from what memory keeps of it. `node`: its element of the box, asked for where
/// populations are rounded.
template <class Spec>
__device__ __forceinline__ void rebuild_leaving(
    const typename KeptMoments<Spec>::Word (&kept)[KeptMoments<Spec>::words], Uint32 node,
    const core::CollisionParameters<Arithmetic<Spec>>& parameters, Arithmetic<Spec> (&leaving)[Spec::Lattice::Q]) {
  using Kept = KeptMoments<Spec>;
  Number<Spec> moments[Kept::numbers], f[Spec::Lattice::Q];
  Kept::decode(kept, moments);
  core::rebuild_after<typename Spec::Collision, typename Spec::Lattice, typename Spec::Equilibrium, Spec::force>(
      moments, core::contracted(parameters), f);
  Kept::round(kept, node, moments, f);
  from_numbers<Spec>(f, leaving);
}

/// The moments that a node leaves behind, from the populations that have arrived and what force it has for itself
/// (own_force()).
template <class Spec, class Own>
__device__ __forceinline__ void collide_to_moments(const Arithmetic<Spec> (&arrived)[Spec::Lattice::Q],
                                                   const Physics<Arithmetic<Spec>>& physics, const Own& own,
                                                   Number<Spec> (&moments)[KeptMoments<Spec>::numbers]) {
  using Lattice = typename Spec::Lattice;
  using Equilibrium = typename Spec::Equilibrium;
  Number<Spec> f[Lattice::Q];
  to_numbers<Spec>(arrived, f);
  const auto parameters = core::contracted(physics.parameters);
  own.template kick<Lattice, Equilibrium>(f, parameters.force, Number<Spec>(1));
  core::SecondMoments<Lattice>::find(f, moments);
  core::collide_moments<Lattice, Equilibrium, Spec::force, typename Spec::Viscosity>(moments, parameters);
}

}  // namespace fluvia::cuda::kernels
