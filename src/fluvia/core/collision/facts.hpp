// SPDX-License-Identifier: Apache-2.0
// What the program asks about a collision besides its result: how kernels are tuned for it, and what is said about a
// case before and after a run. So tuning and findings need not know collisions by their names.
#pragma once

namespace fluvia::core {

/// How much a collision computes, and so how many registers a GPU's thread needs and whether a step waits for memory or
/// for instructions.
enum class Work {
  least,   ///< what one relaxation time takes
  little,  ///< hardly more: steps still wait for memory
  much     ///< steps may wait for instructions
};

/// What relaxes the parts of populations that are odd under c -> -c. Where half-way walls lie depends on it
/// (docs/walls.md).
enum class OddRates {
  omega,  ///< the rate of the stress
  magic,  ///< the rate that follows from numerics.magic
  given,  ///< rates that numerics.mrt_rates gives
  one,    ///< they become those of the equilibrium, as where nothing but the stress is kept
  own     ///< rates of the collision's own, which no key changes and no finding judges
};

struct CollisionFacts {
  Work work = Work::much;
  OddRates odd_rates = OddRates::own;
  /// Whether it is among the first to become unstable where the grid resolves little (docs/stability.md).
  bool gives_way_early = false;
};

}  // namespace fluvia::core
