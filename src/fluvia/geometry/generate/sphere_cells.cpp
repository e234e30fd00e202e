// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/generate/sphere_cells.hpp"

#include <algorithm>
#include <cmath>

namespace fluvia::geometry {
namespace {

/// Longest link that is looked at, nodes: one along a diagonal.
constexpr double longest_link = 1.75;
constexpr double fewest_cells = 3;  ///< along a periodic axis, for neighbours on both sides

}  // namespace

// Not inline: elsewhere the compiler might round products and sums otherwise.
[[gnu::noinline]] SphereRow row_of_sphere(const Sphere& sphere, int y, int z) {
  const double radius = sphere.radius, dz = z + 0.5 - sphere.centre[2];
  if (z < first_node(sphere.centre[2] - radius) || z > last_node(sphere.centre[2] + radius)) return {};
  const double ry = std::sqrt(std::max(0.0, radius * radius - dz * dz));
  if (y < first_node(sphere.centre[1] - ry) || y > last_node(sphere.centre[1] + ry)) return {};
  const double dy = y + 0.5 - sphere.centre[1], square = ry * ry - dy * dy;
  if (square < 0) return {};
  const double rx = std::sqrt(square);
  return {first_node(sphere.centre[0] - rx), last_node(sphere.centre[0] + rx)};
}

SphereCells::SphereCells(const std::vector<Sphere>& spheres, const Grid& grid)
    : size_(grid.size), periodic_(grid.periodic), dimension_(grid.dimension) {
  double radius = 0;
  for (const Sphere& sphere : spheres) radius = std::max(radius, sphere.radius);
  // A link that starts in a cell meets spheres of this cell and of those around it only.
  const double edge = radius + longest_link;
  for (int axis = 0; axis < dimension_; ++axis) cells_[axis] = std::max(1, static_cast<int>(size_[axis] / edge));
  const auto cell = [&](const Sphere& sphere) {
    std::uint64_t index = 0;
    for (int axis = 2; axis >= 0; --axis) {
      index = index * cells_[axis] + (axis < dimension_ ? cell_of(sphere.centre[axis], axis) : 0);
    }
    return index;
  };
  begin_.assign(static_cast<std::size_t>(cells_[0]) * cells_[1] * cells_[2] + 1, 0);
  for (const Sphere& sphere : spheres) ++begin_[cell(sphere) + 1];
  for (std::size_t i = 1; i < begin_.size(); ++i) begin_[i] += begin_[i - 1];
  spheres_.resize(spheres.size());
  std::vector<std::uint64_t> next(begin_.begin(), begin_.end() - 1);
  for (const Sphere& sphere : spheres) spheres_[next[cell(sphere)]++] = sphere;
}

int SphereCells::cell_of(double position, int axis) const {
  // Centres beyond a face count to the outermost cell: still no farther from a link than the cells around its own.
  return static_cast<int>(std::clamp(std::floor(position / size_[axis] * cells_[axis]), 0.0, cells_[axis] - 1.0));
}

template <class Visit>
void SphereCells::visit_around(const Real3& point, const Visit& visit) const {
  int low[3] = {0, 0, 0}, high[3] = {0, 0, 0};
  for (int axis = 0; axis < dimension_; ++axis) {
    const int own = cell_of(point[axis], axis);
    const bool all = cells_[axis] < fewest_cells;
    low[axis] = all ? 0 : own - 1;
    high[axis] = all ? cells_[axis] - 1 : own + 1;
  }
  for (int z = low[2]; z <= high[2]; ++z) {
    for (int y = low[1]; y <= high[1]; ++y) {
      for (int x = low[0]; x <= high[0]; ++x) {
        Int3 cell{x, y, z};
        bool there = true;
        for (int axis = 0; axis < 3; ++axis) {
          if (cell[axis] >= 0 && cell[axis] < cells_[axis]) continue;
          there = there && periodic_[axis];
          cell[axis] = wrapped(cell[axis], cells_[axis]);
        }
        if (!there) continue;
        const std::size_t index =
            cell[0] + static_cast<std::size_t>(cells_[0]) * (cell[1] + static_cast<std::size_t>(cells_[1]) * cell[2]);
        for (std::uint64_t i = begin_[index]; i < begin_[index + 1]; ++i)
          if (visit(spheres_[i])) return;
      }
    }
  }
}

bool SphereCells::covers(const Int3& node) const {
  const Real3 centre = node_centre(node);
  bool found = false;
  visit_around(centre, [&](const Sphere& sphere) {
    // Images of the node beside the sphere: two along an axis where it is as wide as the box.
    int shifts[3][3], counts[3] = {0, 0, 0};
    for (int axis = 0; axis < 3; ++axis) {
      const bool wraps = axis < dimension_ && periodic_[axis];
      for (const int shift : {0, -size_[axis], size_[axis]})
        if ((shift == 0 || wraps) && std::abs(centre[axis] + shift - sphere.centre[axis]) <= sphere.radius + 0.5)
          shifts[axis][counts[axis]++] = shift;
      if (counts[axis] == 0) return false;
    }
    for (int k = 0; k < counts[2]; ++k)
      for (int j = 0; j < counts[1]; ++j) {
        const SphereRow row = row_of_sphere(sphere, node[1] + shifts[1][j], node[2] + shifts[2][k]);
        for (int i = 0; i < counts[0]; ++i) {
          const int x = node[0] + shifts[0][i];
          found = found || (x >= row.first && x <= row.last);
        }
      }
    return found;
  });
  return found;
}

std::optional<SphereCells::Entry> SphereCells::first(const Link& link) const {
  // Where a link meets a plane of symmetry, the mirror image of its second half is followed back from there: a straight
  // link from the mirror image of its node.
  Real3 start = node_centre(link.node);
  const Real3 along = link_vector(link.last_offset());
  for (int axis = 0; axis < 3; ++axis)
    if (link.reflected[axis]) start[axis] += link.offset[axis];
  const double square = dot(along, along);
  double best = 2;
  Real3 normal{};
  const auto visit = [&](const Sphere& sphere) {
    Real3 from = start - sphere.centre;
    for (int axis = 0; axis < 3; ++axis) {
      if (axis >= dimension_) {
        from[axis] = 0;
      } else if (periodic_[axis]) {
        // The image nearest to the far end, which lies in a sphere: mostly the sphere found.
        const double end = from[axis] + along[axis];
        if (std::abs(end) > 0.49 * size_[axis]) from[axis] -= size_[axis] * std::round(end / size_[axis]);
      }
    }
    // Solves |from + part along| = radius.
    const double half = dot(from, along), rest = dot(from, from) - sphere.radius * sphere.radius;
    const double root = half * half - square * rest;
    if (root < 0) return;
    const double leave = (-half + std::sqrt(root)) / square;
    const double enter = std::max(0.0, (-half - std::sqrt(root)) / square);
    if (leave < 0 || enter >= best || enter > 1 + 1e-9) return;
    best = enter;
    const Real3 outward = from + enter * along;
    const double length = norm(outward);
    if (length > 0) normal = (-1 / length) * outward;
  };
  visit_around(start, [&](const Sphere& sphere) {
    visit(sphere);
    return false;
  });
  if (best > 1.5) return std::nullopt;
  return Entry{std::min(best, 1.0), normal};
}

}  // namespace fluvia::geometry
