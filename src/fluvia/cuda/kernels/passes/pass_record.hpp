// SPDX-License-Identifier: Apache-2.0
// What nodes keep in memory between passes of several steps: the populations that leave them, or moments from which
// these are rebuilt (docs/decisions/0050-passes-over-moments.md).
#pragma once
#include "fluvia/core/collision/collide_moments.hpp"

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
};

}  // namespace fluvia::cuda::kernels
