// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <vector>

namespace fluvia {

/// Values over time, linear in between. Before the first and after the last point the end values hold, or the series
/// repeats.
class TimeSeries {
 public:
  /// Reads a CSV file with two columns, time [s] and value; a first line without digits, but in
  /// brackets, is a header. Throws Error(input) naming the file and line: missing file, wrong columns, numbers that are
  /// not finite, times that do not increase.
  TimeSeries(const std::filesystem::path& file, bool periodic);
  [[nodiscard]] double at(double time) const;
  /// The value of the largest magnitude.
  [[nodiscard]] double extreme() const;

 private:
  std::vector<double> times_, values_;
  bool periodic_;
};

}  // namespace fluvia
