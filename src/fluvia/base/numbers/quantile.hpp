// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

namespace fluvia {

/// The number that a part of them (0 to 1) does not exceed. `sorted`: in ascending order, not empty.
template <class T>
double quantile(const std::vector<T>& sorted, double part) {
  return static_cast<double>(sorted[static_cast<std::size_t>(part * static_cast<double>(sorted.size() - 1))]);
}

}  // namespace fluvia
