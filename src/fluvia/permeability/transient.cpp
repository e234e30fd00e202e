// SPDX-License-Identifier: Apache-2.0
#include "fluvia/permeability/transient.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

namespace fluvia {

void Transient::add(double value) {
  values_.push_back(value);
  estimates_.push_back(estimate());
}

double Transient::remaining() const {
  if (estimates_.empty()) return std::numeric_limits<double>::infinity();
  const auto lag = static_cast<std::ptrdiff_t>(values_.size() / 5);
  return *std::max_element(estimates_.end() - lag - 1, estimates_.end());
}

double Transient::estimate() const {
  constexpr std::size_t fewest = 20;
  constexpr double slowest = 0.95;  // factor of decay; a slower decay cannot be told from none
  const std::size_t count = values_.size(), lag = count / 5;
  const double latest = count > 0 ? values_.back() : 0;
  if (count < fewest || latest == 0 || !std::isfinite(latest)) return std::numeric_limits<double>::infinity();
  const auto range = [&](std::size_t end) {
    const auto [low, high] = std::minmax_element(values_.end() - end - lag - 1, values_.end() - end);
    return *high - *low;
  };
  const double now = range(0), before = range(lag);
  const double decay = before > 0 ? std::min(now / before, slowest) : 0;
  return now * std::max(decay / (1 - decay), 1.0) / std::abs(latest);
}

}  // namespace fluvia
