// SPDX-License-Identifier: Apache-2.0
// What nodes keep in memory between passes of several steps: the populations that leave them, or moments from which
// these are rebuilt (docs/decisions/0050-passes-over-moments.md).
#pragma once
#include "fluvia/core/collision/collide_moments.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/format.hpp"

namespace fluvia::cuda::kernels {

/// Populations. Each is read by the node where it arrives, so that the first stage of a pass is a step.
struct PopulationRecord {
  template <class Lattice>
  static constexpr int numbers = Lattice::Q;
  static constexpr int stages_before = 0;  ///< stages of a pass that take no step
};

/// Moments of the populations that leave. A stage before the first step reads those of its own nodes and rebuilds
/// populations for the next stage, which finds its neighbours' where every later step does: in shared memory.
struct MomentRecord {
  template <class Lattice>
  static constexpr int numbers = core::SecondMoments<Lattice>::count;
  static constexpr int stages_before = 1;
  /// Where the moments of a node begin in a copy, for its element of a box; the next is moment_group further.
  template <class Lattice>
  static __device__ __forceinline__ Uint64 place(Uint32 element) {
    return static_cast<Uint64>(element / moment_group) * (moment_group * numbers<Lattice>)+element % moment_group;
  }
};

/// The moments that a node leaves behind, from the populations that have arrived and what force it has for itself
/// (own_force()).
template <class Spec, class Own>
__device__ __forceinline__ void collide_to_moments(
    const Arithmetic<Spec> (&arrived)[Spec::Lattice::Q], const Physics<Arithmetic<Spec>>& physics, const Own& own,
    Number<Spec> (&moments)[MomentRecord::numbers<typename Spec::Lattice>]) {
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
