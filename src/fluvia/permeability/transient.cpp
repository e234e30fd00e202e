// SPDX-License-Identifier: Apache-2.0
#include "fluvia/permeability/transient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace fluvia {

double Transient::remaining() const {
  constexpr std::size_t fewest = 20;
  constexpr double slowest = 0.95;  // a decay slower than this cannot be told from none
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
