// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/column_parity.hpp"

#include <algorithm>
#include <cmath>

namespace fluvia::geometry {
namespace {

struct Point2 {
  double u, v;
};

/// Side of `p` (moved by (e, e^2), e infinitesimal) of the line a-b: +1 or -1. Callers pass a and b in one fixed order.
int side(const Point2& a, const Point2& b, const Point2& p) {
  const double value = (b.u - a.u) * (p.v - a.v) - (b.v - a.v) * (p.u - a.u);
  if (value != 0) return value > 0 ? 1 : -1;
  if (a.v != b.v) return a.v > b.v ? 1 : -1;
  return b.u >= a.u ? 1 : -1;
}

/// Calls visit(u, v, position along the axis) for every node line that a triangle crosses.
template <class Visit>
void rasterise(const Mesh& mesh, const MeshTriangle& triangle, int axis, int size_u, int size_v, const Visit& visit) {
  const int axis_u = (axis + 1) % 3, axis_v = (axis + 2) % 3;
  Point2 p[3];
  double height[3];
  for (int i = 0; i < 3; ++i) {
    const Real3& corner = mesh.corner(triangle, i);
    p[i] = {corner[axis_u], corner[axis_v]};
    height[i] = corner[axis];
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
    const bool ascending = triangle.vertex[i] < triangle.vertex[j];
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
      visit(u, v, std::clamp(position, low, high));
    }
  }
}

}  // namespace

ColumnParity::ColumnParity(const Mesh& mesh, const Int3& size, int axis)
    : size_u_(size[(axis + 1) % 3]), size_v_(size[(axis + 2) % 3]) {
  offsets_.assign(static_cast<std::size_t>(size_u_) * size_v_ + 1, 0);
  const auto index = [this](int u, int v) { return static_cast<std::size_t>(v) * size_u_ + u; };
  for (const MeshTriangle& t : mesh.triangles) {
    rasterise(mesh, t, axis, size_u_, size_v_, [&](int u, int v, double) { ++offsets_[index(u, v) + 1]; });
  }
  for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  crossings_.resize(offsets_.back());
  // Fill from the front; afterwards offsets_[i] is the end of line i, so shift back by one.
  for (const MeshTriangle& t : mesh.triangles) {
    rasterise(mesh, t, axis, size_u_, size_v_, [&](int u, int v, double position) {
      crossings_[offsets_[index(u, v)]++] = static_cast<float>(position);
    });
  }
  for (std::size_t i = offsets_.size() - 1; i > 0; --i) offsets_[i] = offsets_[i - 1];
  offsets_[0] = 0;
  for (std::size_t i = 0; i + 1 < offsets_.size(); ++i) {
    std::sort(crossings_.begin() + static_cast<std::ptrdiff_t>(offsets_[i]),
              crossings_.begin() + static_cast<std::ptrdiff_t>(offsets_[i + 1]));
  }
}

ColumnParity::Votes ColumnParity::votes(int u, int v, int first, int count) const {
  const std::size_t line = static_cast<std::size_t>(v) * size_u_ + u;
  const std::uint64_t begin = offsets_[line], end = offsets_[line + 1];
  if (begin == end) return {0, true};
  const float* const data = crossings_.data();
  // Crossings exactly at a node count as before the node.
  const float* place = std::upper_bound(data + begin, data + end, static_cast<float>(first) + 0.5f);
  bool inside = (place - (data + begin)) % 2 == 1;
  std::uint32_t bits = 0;
  for (int i = 0; i < count; ++i) {
    const float centre = static_cast<float>(first + i) + 0.5f;
    for (; place != data + end && *place <= centre; ++place) inside = !inside;
    if (inside) bits |= 1u << i;
  }
  return {bits, (end - begin) % 2 == 0};
}

}  // namespace fluvia::geometry
