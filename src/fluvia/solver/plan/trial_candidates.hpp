// SPDX-License-Identifier: Apache-2.0
// The candidates that a short measured trial compares before a run, and the situation from which the model finds them.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fluvia/model/choice.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// The situation that decides which scheme suits a case; device, lattice, collision, viscosity, format, threads and
/// parts of the plan must be known. The result holds references to all of it. `device_memory`: free bytes of a GPU.
model::Situation situation_of(const Case& c, const NodeMap& nodes, const Plan& plan, std::uint64_t device_memory);

/// A scheme, steps in a pass, and the fraction of the roofline of single steps that is expected of both.
struct TrialCandidate {
  std::string scheme;
  int steps_per_pass = 1;
  double fraction = 0;

  friend bool operator==(const TrialCandidate&, const TrialCandidate&) = default;
};

/// At most so many candidates are worth the time of a trial, and only those from which this part of the best is
/// expected.
inline constexpr std::size_t most_candidates = 3;
inline constexpr double candidate_fraction = 0.7;

/// What may be fastest of the schemes and steps per pass that the case leaves open: first what `plan` says, which is
/// the model's choice, then others, the most promising first. All give the flow the same bits; so there is but one on a
/// GPU in 16 bits, where passes round less often than steps. There is one for a domain in parts, which was not measured
/// as such, and for domains that exceed the memory.
std::vector<TrialCandidate> trial_candidates(const Case& c, const NodeMap& nodes, const Plan& plan,
                                             std::uint64_t device_memory);

}  // namespace fluvia
