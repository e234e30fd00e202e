// SPDX-License-Identifier: Apache-2.0
// A short measured trial of what the model finds promising, before a run's solver is made.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/backend/trial_memory.hpp"
#include "fluvia/solver/plan/trial_candidates.hpp"

namespace fluvia {

/// What a trial says about the scheme and the steps a pass that a case leaves open.
struct Trial {
  std::vector<TrialRow> rows;  ///< what was tried, the model's choice first; empty: the model decides
  std::size_t chosen = 0;
  std::string reason;  ///< one line for the plan
  std::string note;    ///< about the trial: where it is remembered, that a run makes it, or why none; empty: no matter
  bool was_lost = false;  ///< it was made, but is not remembered; the note says why

  /// Writes the choice into the case, where it was open.
  void settle(Case& c) const;
};

/// What make_trial() may do if nothing is remembered of a case: nothing, measure where a run of the case is long
/// enough; or measure in any case, and forget what was remembered.
enum class TrialMode { remembered, allowed, anew };

/// Million node updates a second of a candidate; may stop early once it is known to be slower than `enough`. Nothing if
/// it does not run: memory, or a GPU, does not suffice.
using MeasureCandidate = std::function<std::optional<double>(const TrialCandidate& candidate, double enough)>;

/// Asked before each measurement; true ends a trial.
using TrialStop = std::function<bool()>;

/// What a trial of these finds, in their order; 0 MFLUPS for what does not run. The first and what would take its place
/// are measured twice: the better counts of the first, the worse of the other. Nothing if it was stopped.
std::vector<TrialRow> run_trial(const std::vector<TrialCandidate>& candidates, const MeasureCandidate& measure,
                                const TrialStop& stop = {});
/// The first, or the fastest if that is clearly faster: by more than what chance does.
std::size_t choose_row(const std::vector<TrialRow>& rows);

/// What measuring took, by the clock on the wall and of all processors together.
struct ProcessorTime {
  double seconds = 0, of_processors = 0;
  /// Fraction of the time of so many processors that this program had; 1 if nothing was measured on them.
  [[nodiscard]] double share(int threads) const {
    return threads == 0 || seconds == 0 ? 1 : of_processors / (threads * seconds);
  }
  /// Whether other programs took so much of the time that times say more about them than about this one.
  [[nodiscard]] bool is_shared(int threads) const { return share(threads) < 0.75; }
};

/// What a run and its trial would take on a fast machine of this kind, seconds.
struct TrialCost {
  double run = 0, trial = 0;
  [[nodiscard]] bool is_worth_it() const { return run >= 30 * trial; }
};
TrialCost expected_cost(const Problem& problem, const Plan& plan, const std::vector<TrialCandidate>& candidates);

/// From the memory of earlier trials, or measured with `measure` (empty: on the device of the case, with solvers of
/// the case itself, at rest, one after the other) and kept there. Numerics::trial allows it at all; domains in parts
/// keep what the model says, and so do domains that are too small to be measured well, more threads than processors,
/// and trials that were stopped, that took too much of the run, or that other programs took the processors from. Throws
/// what plan_case() does.
Trial make_trial(const Problem& problem, TrialMode mode, const TrialMemory& memory = TrialMemory(),
                 MeasureCandidate measure = {}, const TrialStop& stop = {});

}  // namespace fluvia
