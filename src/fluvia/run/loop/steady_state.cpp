// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/loop/steady_state.hpp"

#include <algorithm>
#include <cmath>

namespace fluvia {

void SteadyState::add(std::int64_t step, double value) {
  samples_.emplace_back(step, value);
  while (samples_.size() > 2 && step - samples_[1].first >= window_) samples_.pop_front();
  residual_ = std::numeric_limits<double>::infinity();
  if (step - samples_.front().first < window_) return;
  double low = value, high = value;
  for (const auto& sample : samples_) {
    low = std::min(low, sample.second);
    high = std::max(high, sample.second);
  }
  residual_ = (high - low) / std::max(std::abs(value), std::numeric_limits<double>::min());
}

std::vector<double> SteadyState::state() const {
  std::vector<double> state;
  for (const auto& [step, value] : samples_) {
    state.push_back(static_cast<double>(step));
    state.push_back(value);
  }
  return state;
}

void SteadyState::restore(const std::vector<double>& state) {
  samples_.clear();
  for (std::size_t k = 0; k + 1 < state.size(); k += 2) add(static_cast<std::int64_t>(state[k]), state[k + 1]);
}

}  // namespace fluvia
