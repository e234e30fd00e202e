// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/face_ranks.hpp"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <tuple>

namespace fluvia {

std::array<int, 6> face_ranks(const Int3& size, std::span<const core::ConditionFacts* const> conditions) {
  const auto key = [&](int face) {
    return std::tuple(-size[face / 2], std::string_view(conditions[static_cast<std::size_t>(face)]->name), face);
  };
  std::array<int, 6> order{}, ranks{};
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) { return key(a) < key(b); });
  for (int k = 0; k < 6; ++k) ranks[static_cast<std::size_t>(order[static_cast<std::size_t>(k)])] = k;
  return ranks;
}

}  // namespace fluvia
