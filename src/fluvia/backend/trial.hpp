// SPDX-License-Identifier: Apache-2.0
// A short measured trial of the schemes that the model finds promising, before a run's solver is made.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/backend/trial_memory.hpp"
#include "fluvia/solver/plan/trial_candidates.hpp"

namespace fluvia {

/// The result of a trial: the scheme and the steps a pass that a case leaves open.
struct Trial {
  std::vector<TrialRow> rows;  ///< the candidates that were tried, the model's choice first; empty: the model decides
  std::size_t chosen = 0;
  std::string reason;  ///< one line for the plan
  std::string note;    ///< about the trial: where it is kept, that a run makes it, or why none; empty: none is needed
  bool was_lost = false;  ///< the solver was made, but is not kept; the note says why

  /// Writes the choice into the case, where it was open.
  void settle(Case& c) const;
};

/// What make_trial() may do if no result is kept for a case: nothing; measure where a run of the case is long enough;
/// or measure in any case, and forget what was kept.
enum class TrialMode { remembered, allowed, anew };

/// Function that gives the million node updates a second of a candidate; it may stop early once the candidate is known
/// to be slower than `enough`. None if the candidate does not run: memory, or a GPU, does not suffice.
using MeasureCandidate = std::function<std::optional<double>(const TrialCandidate& candidate, double enough)>;

/// Asked before each measurement; true ends a trial.
using TrialStop = std::function<bool()>;

/// Tries candidates and returns the results in their order; 0 MFLUPS for those that do not run. The first candidate and
/// the one that would replace it are measured twice: the better result counts for the first, the worse for the other.
/// Returns nothing if it was stopped.
std::vector<TrialRow> run_trial(const std::vector<TrialCandidate>& candidates, const MeasureCandidate& measure,
                                const TrialStop& stop = {});
/// Index of the first row, or of the fastest if that is clearly faster: by more than chance makes it.
std::size_t choose_row(const std::vector<TrialRow>& rows);

/// Time that measuring took, by the clock on the wall and on all processors together.
struct ProcessorTime {
  double seconds = 0, of_processors = 0;
  /// Fraction of the time of so many processors that this program had; 1 if nothing was measured on them.
  [[nodiscard]] double share(int threads) const {
    return threads == 0 || seconds == 0 ? 1 : of_processors / (threads * seconds);
  }
  /// Whether other programs took so much of the time that times say more about them than about this one.
  [[nodiscard]] bool is_shared(int threads) const { return share(threads) < 0.75; }
};

/// Seconds that a run and its trial would take on a fast machine of this kind.
struct TrialCost {
  double run = 0, trial = 0;
  [[nodiscard]] bool is_worth_it() const { return run >= 30 * trial; }
};
TrialCost expected_cost(const Problem& problem, const Plan& plan, const std::vector<TrialCandidate>& candidates);

/// The result of a trial: that of an earlier one, or measured with `measure` (empty: on the device of the case, with
/// solvers of the case itself, at rest, one after the other) and kept. Numerics::trial must allow it. The model decides
/// for domains in parts, for domains that are too small to be measured well, for more threads than processors, and
/// after trials that were stopped, that took too much of the run, or during which other programs took the processors.
/// Throws what plan_case() does.
Trial make_trial(const Problem& problem, TrialMode mode, const TrialMemory& memory = TrialMemory(),
                 MeasureCandidate measure = {}, const TrialStop& stop = {});

}  // namespace fluvia
