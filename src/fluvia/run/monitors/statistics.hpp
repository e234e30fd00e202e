// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// Mean, deviation and extremes of a signal of any length, and its samples as far as memory may go: at most
/// `most_samples`, each the mean of `stride()` of the values that were added, a power of two.
class SignalStatistics {
 public:
  static constexpr std::size_t most_samples = std::size_t{1} << 16;
  void add(double value);
  [[nodiscard]] std::uint64_t count() const { return count_; }
  [[nodiscard]] double mean() const { return mean_; }
  /// Root mean square of the deviation from the mean.
  [[nodiscard]] double rms() const;
  [[nodiscard]] double minimum() const { return minimum_; }
  [[nodiscard]] double maximum() const { return maximum_; }
  [[nodiscard]] const std::vector<double>& samples() const { return samples_; }
  [[nodiscard]] std::uint64_t stride() const { return stride_; }

 private:
  std::uint64_t count_ = 0, stride_ = 1;
  double mean_ = 0, squares_ = 0, minimum_ = 0, maximum_ = 0;
  double pending_ = 0;  ///< sum of the values that do not make a sample yet
  std::uint64_t pending_count_ = 0;
  std::vector<double> samples_;
};

/// The courses of columns of a monitor file from `monitor.average_from` on, or over the last half of the run.
struct MonitorHistory {
  std::string window;                        ///< which of these two windows
  std::int64_t first_row = 0, last_row = 0;  ///< steps of the first and the last row
  std::int64_t every = 1;                    ///< steps between rows
  std::uint64_t rows = 0;
  std::vector<SignalStatistics> columns;
};

/// Reads the file back, so that a resumed run counts what came before it. Rows that `monitor.every` does not ask for
/// are left out. `wanted`: indices of columns, ascending, without that of the step. `period`: that of what drives the
/// flow [steps], 0 if nothing repeats; otherwise the window is made of whole cycles, three at least. Throws Error:
/// input if the file is no monitor file, resource if it cannot be read.
MonitorHistory read_history(const Case& c, const std::filesystem::path& file, const std::vector<std::size_t>& wanted,
                            std::int64_t last_step, double period = 0);

/// Statistics for summary.json: for each column mean, its standard error (block_average.hpp; null without a plateau),
/// rms, min, max, and frequency, amplitude, fraction of the variance (`share`) of the strongest oscillation with its
/// Strouhal number if the units have references (null where there is none). `names`: of the columns of the history; one
/// that is empty is left out.
nlohmann::json statistics_json(const MonitorHistory& history, const Units& units,
                               const std::vector<std::string>& names);

/// Strouhal number of a frequency [cycles a step]; 0 if the units have no references.
double strouhal_number(const Units& units, double per_step);

/// Statistics of the columns of a file of monitors, with the Strouhal numbers of their frequencies. `columns`: names as
/// in the file's header; `wanted`: indices into them.
nlohmann::json monitor_statistics(const Case& c, const Units& units, const std::filesystem::path& file,
                                  const std::vector<std::string>& columns, const std::vector<std::size_t>& wanted,
                                  std::int64_t last_step);

}  // namespace fluvia
