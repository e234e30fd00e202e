// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <optional>
#include <string>

#include "fluvia/cli/terminal/residual_plot.hpp"
#include "fluvia/run/run.hpp"

namespace fluvia::cli {

/// Shows progress on standard error: one line that renews itself on a terminal, a plain line every 10 s elsewhere. With
/// a plot, a terminal that is high enough shows one of the residual above that line.
class ProgressLine {
 public:
  explicit ProgressLine(bool plot = false);
  ~ProgressLine();
  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;
  void show(const Progress& progress);
  /// Prints a line of its own above the progress line.
  void print(const std::string& line);

 private:
  void clear();
  bool terminal_;
  bool shown_ = false;
  std::optional<ResidualPlot> plot_;
  int lines_above_ = 0;  ///< those of the plot that stand above the line
  std::chrono::steady_clock::time_point last_plain_{};
};

}  // namespace fluvia::cli
