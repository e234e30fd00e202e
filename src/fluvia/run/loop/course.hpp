// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "fluvia/run/monitors/statistics.hpp"

namespace fluvia {

/// The last cycle of a quantity in a flow that is driven in cycles, and how it differs from the one before.
struct Cycle {
  double count = 0;     ///< whole cycles that were evaluated
  double systole = 0;   ///< the value farthest on the side of the mean
  double diastole = 0;  ///< the value farthest on the other side
  double change = 0;    ///< largest difference from the same moment of the cycle before, in parts of the scale
  double decay = 1;     ///< change of this cycle over the one of the cycle before; 1 where it is not known
};

/// The course of a quantity over a window of steps, and what may be said of its value from that.
struct Course {
  enum class Kind {
    unknown,      ///< too few rows, or values that are no numbers
    steady,       ///< it has stopped to change, within `steady_share` of its scale
    fluctuating,  ///< it fluctuates about a mean that does not drift
    changing,     ///< neither steady nor fluctuating
  };
  static constexpr double steady_share = 1e-3;
  static constexpr double fewest_rows_per_cycle = 8;  ///< with fewer, what is seen of a cycle is not its shape

  Kind kind = Kind::unknown;
  double value = 0;             ///< mean over the window if it fluctuates, else the last value
  std::optional<double> error;  ///< error of the value, 95%; none if nothing bounds it
  double per_thousand = 0;      ///< change in 1000 steps, over the second half of the window
  double decay = 0;             ///< change in the second half of the window / that in the first
  bool plateau = true;          ///< fluctuating: the error of the mean is known, not only a lower bound
  double periods = 0;           ///< number of periods of a mean over whole periods
  double independent = 0;       ///< number of independent samples that would have the error of another mean
  std::optional<Cycle>
      cycle;  ///< where the value is a mean over cycles of the case, not over such as the signal shows by itself

  [[nodiscard]] bool is_mean() const { return kind == Kind::fluctuating; }
};

/// Judges a signal. `last`: its last value, which may belong to a row that is not in the signal. `scale`, above 0: size
/// of the quantity; changes count as parts of it. `steps`: steps between two values that were added.
///
/// Steady and changing: with d the range (largest less smallest value) in the second half of the window and r its ratio
/// to that in the first half, a change that dies out like r, r^2, ... still has d r / (1 - r) to go; the error is that,
/// or d if that is larger. From r = 0.9 on nothing bounds it, unless d itself is below the part of the scale that
/// counts as steady. Fluctuating: the signal crosses its mean four times, does not die out (r > 1/2), and the means of
/// both halves differ by no more than twice their standard errors or 1% of the scale. Where one oscillation carries
/// more than half of the variance, the mean is that over the last whole periods, at least three, and the error twice
/// the standard error of the means of single periods; else the mean is that of the window, and the error twice its
/// standard error by block averaging (block_average.hpp).
Course judge_course(const SignalStatistics& signal, double last, double scale, double steps);

/// Judges a signal of a flow that is driven in cycles, each `period` samples long: the value is the mean over the last
/// cycle, its error what the means of the last cycles leave open, by the rules of judge_course(). Calls judge_course()
/// where there are fewer than two cycles, and for a signal that does not change in a cycle.
Course judge_cycles(const SignalStatistics& signal, double last, double scale, double steps, double period);

/// Means over the last whole periods, the last first, each `length` samples long, at least 2, of which parts count as
/// parts. The first of the periods may lack less than one sample.
std::vector<double> period_means(std::span<const double> samples, double length);

}  // namespace fluvia
