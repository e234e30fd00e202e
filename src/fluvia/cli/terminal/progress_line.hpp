// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <string>

#include "fluvia/run/run.hpp"

namespace fluvia::cli {

/// Shows progress on standard error: one line that renews itself on a terminal, a plain line every 10 s elsewhere.
class ProgressLine {
 public:
  ProgressLine();
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
  std::chrono::steady_clock::time_point last_plain_{};
};

}  // namespace fluvia::cli
