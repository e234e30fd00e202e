// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <filesystem>
#include <optional>
#include <vector>

#include "fluvia/case/case.hpp"

namespace fluvia {

/// Where a time lies among increasing times, at least two: on the way to times[next], so far of it.
struct TimePlace {
  std::size_t next;
  double share;  ///< 0 to 1
};
/// Before the first and after the last time it is at these, or, if `periodic`, the times repeat.
TimePlace place_in(const std::vector<double>& times, bool periodic, double time);

/// Values over time, linear in between. Before the first and after the last point the end values hold, or the series
/// repeats.
class TimeSeries {
 public:
  /// Reads a CSV file with two columns, time [s] and value; a first line without digits, but in
  /// brackets, is a header. Throws Error(input) naming the file and line: missing file, wrong columns, numbers that are
  /// not finite, times that do not increase.
  TimeSeries(const std::filesystem::path& file, bool periodic);
  /// From now on it repeats so long after its first time; where it is shorter than that, its first value is added at
  /// the end. A period that is shorter than the series makes no difference.
  void repeat_after(double period);
  [[nodiscard]] double at(double time) const;
  /// The value of the largest magnitude.
  [[nodiscard]] double extreme() const;
  /// Time after which it repeats; none if it does not, or never changes.
  [[nodiscard]] std::optional<double> period() const;
  /// True if it repeats and jumps from its last value to another, its first: by more than a thousandth of its range.
  [[nodiscard]] bool jumps() const;
  /// From its first time to its last.
  [[nodiscard]] double duration() const { return times_.back() - times_.front(); }
  [[nodiscard]] const std::vector<double>& times() const { return times_; }
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  std::vector<double> times_, values_;
  bool periodic_;
};

/// Factor on what a boundary prescribes at a time, of a ramp that takes so long (the same unit): 0 at the start, 1 from
/// `ramp` on, half a cosine in between, so that it begins and ends without a jolt.
double ramp_factor(double time, double ramp);

/// The series of a boundary that has one, before `series_scale`. Throws Error(input), too, if its `series_period` is
/// shorter than it.
TimeSeries read_series(const Case& c, const Case::Boundary& b);

}  // namespace fluvia
