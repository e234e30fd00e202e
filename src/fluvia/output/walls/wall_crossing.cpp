// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/walls/wall_crossing.hpp"

#include <algorithm>
#include <cmath>

namespace fluvia {

namespace {
/// Cosine of the angle between a line and a wall's normal below which they are too parallel to say where they meet.
constexpr double grazing = 0.1;
}  // namespace

Real3 on_grid(const Grid& grid, const Real3& point) {
  Real3 place = (1 / grid.spacing) * (point - grid.origin);
  if (grid.dimension == 2) place[2] = 0.5;
  return place;
}

Int3 node_of(const Real3& place) {
  return {static_cast<int>(std::floor(place[0])), static_cast<int>(std::floor(place[1])),
          static_cast<int>(std::floor(place[2]))};
}

bool is_fluid_inside(const NodeMap& nodes, const Int3& node) {
  for (int axis = 0; axis < 3; ++axis)
    if (node[axis] < 0 || node[axis] >= nodes.size[axis]) return false;
  return nodes.is_fluid(node);
}

Int3 step_between(const Int3& a, const Int3& b) {
  return {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
}

std::optional<WallCrossing> find_wall_crossing(const Geometry& geometry, const StraightLine& line, double inside,
                                               double outside) {
  const NodeMap& nodes = geometry.nodes;
  const int sign = outside > inside ? 1 : -1;
  constexpr int halvings = 50;
  for (int k = 0; k < halvings; ++k) {
    const double middle = 0.5 * (inside + outside);
    (is_fluid_inside(nodes, node_of(line.at(middle))) ? inside : outside) = middle;
  }
  const Int3 node = node_of(line.at(inside)), there = node_of(line.at(outside)), step = step_between(node, there);
  const auto is_far = [](int s) { return s < -1 || s > 1; };
  if (step == Int3{} || std::any_of(step.begin(), step.end(), is_far)) return {};
  if (nodes.is_fluid(there) || nodes.is_mirrored_fluid(there))
    return {};  // the fluid goes on beyond the face of the box
  const int surface = geometry.surface_of(node, step);
  if (std::any_of(geometry.openings.begin(), geometry.openings.end(),
                  [&](const Opening& opening) { return opening.surface == surface; }))
    return {};
  WallCrossing crossing{outside, outside, sign, {node, {}, {}, surface}};
  if (geometry.distance_of) {
    const double part = geometry.distance_of(node, step);
    WallPlace& place = crossing.place;
    for (int axis = 0; axis < 3; ++axis) place.point[axis] = node[axis] + 0.5 + part * step[axis];
    Neighbourhood neighbourhood;
    place.normal = wall_normal(geometry, place, step, neighbourhood);
    const double across = dot(place.normal, line.direction);
    if (sign * across > grazing) {
      const double wall = dot(place.normal, place.point - line.from) / across;
      if (std::abs(wall - crossing.end) < WallCrossing::most_between) crossing.wall = wall;
    }
  }
  crossing.place.point = line.at(crossing.wall);
  return crossing;
}

}  // namespace fluvia
