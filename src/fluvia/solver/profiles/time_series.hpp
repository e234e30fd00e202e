// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "fluvia/case/case.hpp"

namespace fluvia {

/// The interval, among at least two increasing times, in which a time lies: it ends at times[next].
struct TimeInterval {
  std::size_t next;
  double fraction;  ///< how much of the way to times[next] is behind it, 0 to 1
};
/// Finds the interval of `time`. A time before the first or after the last counts as these, or, if `periodic`, times
/// repeat.
TimeInterval interval_at(const std::vector<double>& times, bool periodic, double time);

/// Values over time, linear in between. Before the first and after the last point the end values hold, or the series
/// repeats.
class TimeSeries {
 public:
  /// Reads a CSV file with two columns, time [s] and value; a first line without digits, but in
  /// brackets, is a header. Throws Error(input) naming the file and line: missing file, wrong columns, numbers that are
  /// not finite, times that do not increase.
  TimeSeries(const std::filesystem::path& file, bool periodic);
  /// Multiplies all times and values, to bring them to other units; `time` above 0.
  void scale(double time, double value);
  /// Makes the series repeat so long after its first time; one that is shorter gets its first value once more at
  /// the end. A period that is shorter than the series makes no difference.
  void repeat_after(double period);
  [[nodiscard]] double at(double time) const;
  /// The value of the largest magnitude.
  [[nodiscard]] double extreme() const;
  /// Time after which the series repeats; none if it does not, or never changes.
  [[nodiscard]] std::optional<double> period() const;
  /// True if the series repeats and jumps from its last value to its first: by more than a thousandth of its range.
  [[nodiscard]] bool jumps() const;
  /// Time from its first point to its last.
  [[nodiscard]] double duration() const { return times_.back() - times_.front(); }
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> times_, values_;
  bool periodic_;
};

/// Factor on what a boundary prescribes at a time, for a ramp that takes so long (in the same unit): 0 at the start, 1
/// from `ramp` on, half a cosine in between, so that it begins and ends without a jolt.
double ramp_factor(double time, double ramp);

/// The series of a boundary that has one, in case units (series_units()), before `series_scale`. Throws Error(input) as
/// TimeSeries does, and if its `series_period` is shorter than the series.
TimeSeries read_series(const Case& c, const Case::Boundary& b);

}  // namespace fluvia
