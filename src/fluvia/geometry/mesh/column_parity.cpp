// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/column_parity.hpp"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "fluvia/geometry/mesh/rasterise.hpp"

namespace fluvia::geometry {
namespace {

/// Calls visit(u, v, position along the axis, step) for every node line that a triangle of a mesh crosses.
template <class Visit>
void cross_lines(const Mesh& mesh, const MeshTriangle& triangle, int axis, int size_u, int size_v, const Visit& visit) {
  rasterise(mesh.corners(triangle), triangle.vertex, axis, size_u, size_v, visit);
}

}  // namespace

ColumnParity::ColumnParity(const Mesh& mesh, const Int3& size, int axis)
    : size_u_(size[(axis + 1) % 3]), size_v_(size[(axis + 2) % 3]) {
  offsets_.assign(static_cast<std::size_t>(size_u_) * size_v_ + 1, 0);
  const auto index = [this](int u, int v) { return static_cast<std::size_t>(v) * size_u_ + u; };
  for (const MeshTriangle& t : mesh.triangles) {
    cross_lines(mesh, t, axis, size_u_, size_v_, [&](int u, int v, double, int) { ++offsets_[index(u, v) + 1]; });
  }
  for (std::size_t i = 1; i < offsets_.size(); ++i) offsets_[i] += offsets_[i - 1];
  crossings_.resize(offsets_.back());
  const bool winds = has_families(mesh);
  if (winds) steps_.resize(offsets_.back());
  // Fill from the front; afterwards offsets_[i] is the end of line i, so shift back by one.
  for (const MeshTriangle& t : mesh.triangles) {
    cross_lines(mesh, t, axis, size_u_, size_v_, [&](int u, int v, double position, int step) {
      const std::uint64_t place = offsets_[index(u, v)]++;
      crossings_[place] = static_cast<float>(position);
      if (winds) steps_[place] = step * static_cast<std::int32_t>(t.family);
    });
  }
  for (std::size_t i = offsets_.size() - 1; i > 0; --i) offsets_[i] = offsets_[i - 1];
  offsets_[0] = 0;
  for (std::size_t i = 0; i + 1 < offsets_.size(); ++i) sort_line(offsets_[i], offsets_[i + 1]);
}

void ColumnParity::sort_line(std::uint64_t begin, std::uint64_t end) {
  const auto from = static_cast<std::ptrdiff_t>(begin), to = static_cast<std::ptrdiff_t>(end);
  if (steps_.empty()) {
    std::sort(crossings_.begin() + from, crossings_.begin() + to);
    return;
  }
  std::vector<std::pair<float, std::int32_t>> line;
  for (std::uint64_t i = begin; i < end; ++i) line.emplace_back(crossings_[i], steps_[i]);
  std::sort(line.begin(), line.end());
  for (std::uint64_t i = begin; i < end; ++i) std::tie(crossings_[i], steps_[i]) = line[i - begin];
}

void ColumnParity::cross(InsideCount& count, std::uint64_t crossing) const {
  const std::int32_t step = steps_.empty() ? 0 : steps_[crossing];
  count.cross(static_cast<std::uint32_t>(std::abs(step)), step < 0 ? -1 : 1);
}

InsideCount ColumnParity::count_at(int u, int v, int node) const {
  const std::size_t line = static_cast<std::size_t>(v) * size_u_ + u;
  InsideCount count;
  for (std::uint64_t i = offsets_[line]; i < offsets_[line + 1]; ++i) {
    if (crossings_[i] > static_cast<float>(node) + 0.5f) break;
    cross(count, i);
  }
  return count;
}

ColumnParity::Votes ColumnParity::votes(int u, int v, int first, int count) const {
  const std::size_t line = static_cast<std::size_t>(v) * size_u_ + u;
  const std::uint64_t begin = offsets_[line], end = offsets_[line + 1];
  if (begin == end) return {0, true};
  const bool reliable = (end - begin) % 2 == 0;
  const float* const data = crossings_.data();
  // Crossings exactly at a node count as before the node.
  const float* place = std::upper_bound(data + begin, data + end, static_cast<float>(first) + 0.5f);
  bool inside = (place - (data + begin)) % 2 == 1;
  std::uint32_t bits = 0;
  if (!steps_.empty()) {
    InsideCount windings;
    std::uint64_t next = begin;
    for (int i = 0; i < count; ++i) {
      for (; next != end && crossings_[next] <= static_cast<float>(first + i) + 0.5f; ++next) cross(windings, next);
      if (windings.inside()) bits |= 1u << i;
    }
    return {bits, reliable};
  }
  for (int i = 0; i < count; ++i) {
    const float centre = static_cast<float>(first + i) + 0.5f;
    for (; place != data + end && *place <= centre; ++place) inside = !inside;
    if (inside) bits |= 1u << i;
  }
  return {bits, reliable};
}

}  // namespace fluvia::geometry
