// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <deque>
#include <limits>
#include <utility>
#include <vector>

namespace fluvia {

/// Relative change of a quantity over a sliding window of steps.
class SteadyState {
 public:
  SteadyState(double tolerance, std::int64_t window) : tolerance_(tolerance), window_(window) {}
  /// Adds a sample; steps must increase.
  void add(std::int64_t step, double value);
  /// (max - min) / |latest| over the window; infinite until the window is full.
  [[nodiscard]] double residual() const { return residual_; }
  [[nodiscard]] bool reached() const { return residual_ <= tolerance_; }
  /// Samples as step, value, step, value, ... for checkpoints.
  [[nodiscard]] std::vector<double> state() const;
  void restore(const std::vector<double>& state);

 private:
  double tolerance_;
  std::int64_t window_;
  std::deque<std::pair<std::int64_t, double>> samples_;
  double residual_ = std::numeric_limits<double>::infinity();
};

}  // namespace fluvia
