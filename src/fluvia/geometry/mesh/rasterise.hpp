// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "fluvia/base/vector.hpp"

namespace fluvia::geometry {

/// A point where a line crosses a plane.
struct Point2 {
  double u, v;
};

/// Side of `p` (moved by (e, e^2), e infinitesimal) of the line a-b: +1 or -1. Callers pass a and b in one fixed order.
inline int side(const Point2& a, const Point2& b, const Point2& p) {
  const double value = (b.u - a.u) * (p.v - a.v) - (b.v - a.v) * (p.u - a.u);
  if (value != 0) return value > 0 ? 1 : -1;
  if (a.v != b.v) return a.v > b.v ? 1 : -1;
  return b.u >= a.u ? 1 : -1;
}

/// Calls visit(u, v, position along the axis, step) for every node line along `axis` that a triangle crosses, of
/// size_u x size_v. `vertex` numbers the corners; the lines are those through u + 1/2, v + 1/2. A line along the axis
/// comes in through the triangle where `step` is 1, and leaves where it is -1, if the corners are counter-clockwise
/// seen from outside.
///
/// Edge functions are evaluated from the lower to the higher vertex number, so that two triangles see exactly the same
/// value on a shared edge, and lines through an edge or a vertex are resolved as if moved by an infinitesimal amount: a
/// closed mesh is crossed an even number of times by every line, however its triangles are oriented.
template <class Visit>
void rasterise(const std::array<Real3, 3>& corners, const std::array<std::uint32_t, 3>& vertex, int axis, int size_u,
               int size_v, const Visit& visit) {
  const int axis_u = (axis + 1) % 3, axis_v = (axis + 2) % 3;
  Point2 p[3];
  double height[3];
  for (int i = 0; i < 3; ++i) {
    p[i] = {corners[i][axis_u], corners[i][axis_v]};
    height[i] = corners[i][axis];
  }
  const auto first = [](double low) { return static_cast<int>(std::clamp(std::ceil(low - 0.5), 0.0, 1e9)); };
  const auto last = [](double high, int size) {
    return static_cast<int>(std::clamp(std::floor(high - 0.5), -1.0, size - 1.0));
  };
  const int u0 = first(std::min({p[0].u, p[1].u, p[2].u})), u1 = last(std::max({p[0].u, p[1].u, p[2].u}), size_u);
  const int v0 = first(std::min({p[0].v, p[1].v, p[2].v})), v1 = last(std::max({p[0].v, p[1].v, p[2].v}), size_v);
  if (u0 > u1 || v0 > v1) return;
  int from[3], to[3];
  int flip[3];
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const bool ascending = vertex[i] < vertex[j];
    from[i] = ascending ? i : j;
    to[i] = ascending ? j : i;
    flip[i] = ascending ? 1 : -1;
  }
  const double determinant = (p[1].u - p[0].u) * (p[2].v - p[0].v) - (p[1].v - p[0].v) * (p[2].u - p[0].u);
  const double low = std::min({height[0], height[1], height[2]}), high = std::max({height[0], height[1], height[2]});
  for (int v = v0; v <= v1; ++v) {
    for (int u = u0; u <= u1; ++u) {
      const Point2 q{u + 0.5, v + 0.5};
      const int s = flip[0] * side(p[from[0]], p[to[0]], q);
      if (flip[1] * side(p[from[1]], p[to[1]], q) != s || flip[2] * side(p[from[2]], p[to[2]], q) != s) continue;
      double position = low;
      if (determinant != 0) {
        const double b1 = ((q.u - p[0].u) * (p[2].v - p[0].v) - (q.v - p[0].v) * (p[2].u - p[0].u)) / determinant;
        const double b2 = ((p[1].u - p[0].u) * (q.v - p[0].v) - (p[1].v - p[0].v) * (q.u - p[0].u)) / determinant;
        position = height[0] + b1 * (height[1] - height[0]) + b2 * (height[2] - height[0]);
      }
      visit(u, v, std::clamp(position, low, high), -s);
    }
  }
}

}  // namespace fluvia::geometry
