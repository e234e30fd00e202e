// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// Divides triangles until no edge is longer than `longest`; triangles that share an edge divide it alike.
class TriangleDivider {
 public:
  TriangleDivider(std::vector<Real3>& points, double longest) : points_(points), longest_(longest) {}

  /// Calls visit(corners) for the parts of a triangle; new corners are appended to the points.
  template <class Visitor>
  void divide(const std::array<std::uint32_t, 3>& t, Visitor&& visit) {
    // The longest edge first, so that the parts keep their shape.
    int edge = -1;
    double length = longest_;
    for (int i = 0; i < 3; ++i) {
      const double l = norm(points_[t[(i + 1) % 3]] - points_[t[i]]);
      if (l > length * (1 + 1e-12)) {
        length = l;
        edge = i;
      }
    }
    if (edge < 0) return visit(t);
    const std::uint32_t a = t[edge], b = t[(edge + 1) % 3], c = t[(edge + 2) % 3], m = middle_of(a, b);
    divide({a, m, c}, visit);
    divide({m, b, c}, visit);
  }

 private:
  std::uint32_t middle_of(std::uint32_t a, std::uint32_t b) {
    const std::uint64_t key = static_cast<std::uint64_t>(std::min(a, b)) << 32 | std::max(a, b);
    const auto [place, is_new] = middles_.emplace(key, static_cast<std::uint32_t>(points_.size()));
    if (is_new) points_.push_back(0.5 * (points_[a] + points_[b]));
    return place->second;
  }
  std::vector<Real3>& points_;
  double longest_;
  std::unordered_map<std::uint64_t, std::uint32_t> middles_;
};

}  // namespace fluvia
