// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "fluvia/geometry/mesh/mesh.hpp"

namespace fluvia::geometry {

/// A side of a triangle, from the lower to the higher vertex number.
struct TriangleSide {
  std::uint32_t a, b;
  std::uint32_t triangle;
  bool ascending;  ///< whether the triangle runs through it from a to b

  [[nodiscard]] bool same_edge(const TriangleSide& o) const { return a == o.a && b == o.b; }
};

/// The sides of all triangles, those along the same edge one after the other.
inline std::vector<TriangleSide> sorted_sides(const Mesh& mesh) {
  std::vector<TriangleSide> sides;
  sides.reserve(3 * mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
    for (int i = 0; i < 3; ++i) {
      const std::uint32_t a = mesh.triangles[t].vertex[i], b = mesh.triangles[t].vertex[(i + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), static_cast<std::uint32_t>(t), a < b});
    }
  std::sort(sides.begin(), sides.end(), [](const TriangleSide& x, const TriangleSide& y) {
    return x.a != y.a ? x.a < y.a : x.b != y.b ? x.b < y.b : x.triangle < y.triangle;
  });
  return sides;
}

/// Calls visit(first, end) for the sides along each edge.
template <class Visit>
void for_each_edge(const std::vector<TriangleSide>& sides, const Visit& visit) {
  for (std::size_t i = 0; i < sides.size();) {
    std::size_t end = i + 1;
    while (end < sides.size() && sides[end].same_edge(sides[i])) ++end;
    visit(sides.data() + i, sides.data() + end);
    i = end;
  }
}

/// Sets that are joined, two at a time.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }
  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) { parent_[std::max(find(i), find(j))] = std::min(find(i), find(j)); }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace fluvia::geometry
