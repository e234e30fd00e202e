// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/plane/plane_walls.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia {
namespace {

/// Cosine of the angle between a link and the wall's trace below which the normal says little about where it goes.
constexpr double grazing_link = 0.05;
/// Added to squared distances, so that weights are finite: a wall point dominates within about a tenth of a cell.
constexpr double softening = 1e-3;

double weight_of(const NodeSquare::WallPoint& wall, const Point& place) {
  const double x = place[0] - wall.place[0], y = place[1] - wall.place[1];
  const double squared = x * x + y * y + softening;
  return 1 / (squared * squared);
}

/// Turns the normals of a surface by the straight line that its points lie along.
void turn_along(std::vector<NodeSquare::WallPoint>& points) {
  constexpr double least = 1e-3;  // cells, of points that have a direction
  Point middle{};
  for (const NodeSquare::WallPoint& at : points)
    for (std::size_t d = 0; d < 2; ++d) middle[d] += at.place[d] / static_cast<double>(points.size());
  double xx = 0, xy = 0, yy = 0;
  for (const NodeSquare::WallPoint& at : points) {
    const double x = at.place[0] - middle[0], y = at.place[1] - middle[1];
    xx += x * x, xy += x * y, yy += y * y;
  }
  if (!(xx + yy > least * least)) return;
  const double angle = 0.5 * std::atan2(2 * xy, xx - yy);
  const Point across = {-std::sin(angle), std::cos(angle)};
  for (NodeSquare::WallPoint& at : points) {
    const double along_link = at.normal[0] * across[0] + at.normal[1] * across[1];
    if (std::abs(along_link) < grazing_link) continue;
    const double sign = along_link < 0 ? -1 : 1;
    at.normal = {sign * across[0], sign * across[1]};
  }
}

bool is_opening(const Geometry& geometry, int surface) {
  return std::any_of(geometry.openings.begin(), geometry.openings.end(),
                     [&](const Opening& opening) { return opening.surface == surface; });
}

}  // namespace

bool NodeSquare::all_fluid() const {
  return std::all_of(corners.begin(), corners.end(), [](const Corner& corner) { return corner.fluid; });
}

bool NodeSquare::any_fluid() const {
  return std::any_of(corners.begin(), corners.end(), [](const Corner& corner) { return corner.fluid; });
}

const NodeSquare::Corner& NodeSquare::nearest(const Point& place) const {
  const bool right = place[0] > 0.5 * (corners[0].place[0] + corners[1].place[0]);
  const bool upper = place[1] > 0.5 * (corners[0].place[1] + corners[2].place[1]);
  return corners[(right ? 1u : 0u) + (upper ? 2u : 0u)];
}

const NodeSquare::Corner& NodeSquare::nearest_beyond(const Point& place) const {
  const auto distance = [&](const Corner& corner) {
    return corner.fluid ? std::numeric_limits<double>::infinity()
                        : std::hypot(corner.place[0] - place[0], corner.place[1] - place[1]);
  };
  return *std::min_element(corners.begin(), corners.end(),
                           [&](const Corner& a, const Corner& b) { return distance(a) < distance(b); });
}

double NodeSquare::beyond_wall(const Point& place) const {
  double sum = 0, weights = 0;
  for (const WallPoint& wall : walls) {
    const double weight = weight_of(wall, place);
    sum += weight * (wall.normal[0] * (place[0] - wall.place[0]) + wall.normal[1] * (place[1] - wall.place[1]));
    weights += weight;
  }
  return sum / weights;
}

NodeSquare::Wall NodeSquare::wall_at(const Point& place) const {
  Wall result;
  double weights = 0, sticking = 0;
  for (const WallPoint& wall : walls) {
    const double weight = weight_of(wall, place);
    weights += weight;
    if (!wall.sticks) continue;
    sticking += weight;
    result.velocity = result.velocity + weight * wall.velocity;
  }
  if (sticking > 0) result.velocity = (1 / sticking) * result.velocity;
  if (weights > 0) result.sticking = sticking / weights;
  return result;
}

PlaneWalls::PlaneWalls(const Geometry& geometry, const std::array<int, 2>& axes, int axis, int plane,
                       const WallVelocity& velocity_of, const BodiesInPlane& bodies)
    : geometry_(geometry), axes_(axes), axis_(axis), plane_(plane), velocity_of_(velocity_of), bodies_(bodies) {}

bool PlaneWalls::is_fluid(const Int3& node) const {
  return geometry_.nodes.is_fluid(node) && (bodies_.all == nullptr || !bodies_.all->covers(node));
}

Int3 PlaneWalls::node_at(int column, int row) const {
  Int3 node{};
  node[axis_] = plane_;
  node[axes_[0]] = column;
  node[axes_[1]] = row;
  return node;
}

std::array<int, 2> PlaneWalls::squares(int direction) const {
  const int along = axes_[static_cast<std::size_t>(direction)], count = geometry_.nodes.size[along];
  if (geometry_.nodes.periodic[along]) return {-1, count - 1};
  return {0, std::max(count - 2, 0)};
}

NodeSquare PlaneWalls::square(int column, int row) const {
  const NodeMap& nodes = geometry_.nodes;
  NodeSquare result;
  std::array<std::array<int, 2>, 4> at{};
  for (std::size_t k = 0; k < 4; ++k) {
    at[k] = {column + static_cast<int>(k & 1), row + static_cast<int>(k >> 1)};
    std::array<int, 2> inside{};
    for (std::size_t d = 0; d < 2; ++d) {
      const int count = nodes.size[axes_[d]];
      if (!nodes.periodic[axes_[d]]) at[k][d] = std::clamp(at[k][d], 0, count - 1);
      inside[d] = wrapped(at[k][d], count);
    }
    const Int3 node = node_at(inside[0], inside[1]);
    result.corners[k] = {{at[k][0] + 0.5, at[k][1] + 0.5}, node, is_fluid(node)};
  }
  if (result.all_fluid() || !result.any_fluid()) return result;
  bool interpolated = false;
  std::vector<NodeSquare::WallPoint> of_bodies;
  const auto is_fluid_of_geometry = [&](std::size_t k) { return nodes.is_fluid(result.corners[k].node); };
  for (std::size_t from = 0; from < 4; ++from) {
    if (!result.corners[from].fluid) continue;
    for (std::size_t to = 0; to < 4; ++to) {
      const std::array<int, 2> step = {at[to][0] - at[from][0], at[to][1] - at[from][1]};
      if (result.corners[to].fluid) continue;
      if (const auto wall = wall_between(result.corners[from], step, interpolated))
        (is_fluid_of_geometry(to) ? of_bodies : result.walls).push_back(*wall);
    }
  }
  turn_along(of_bodies);
  result.walls.insert(result.walls.end(), of_bodies.begin(), of_bodies.end());
  if (!interpolated) result.walls.clear();
  return result;
}

std::optional<NodeSquare::WallPoint> PlaneWalls::wall_between(const NodeSquare::Corner& fluid,
                                                              const std::array<int, 2>& step,
                                                              bool& interpolated) const {
  Int3 offset{};
  for (std::size_t d = 0; d < 2; ++d) offset[axes_[d]] = step[d];
  const double length = std::hypot(step[0], step[1]);
  if (bodies_.all != nullptr)
    if (const auto met = bodies_.all->meeting(fluid.node, offset)) {
      interpolated = true;
      return NodeSquare::WallPoint{{fluid.place[0] + met->part * step[0], fluid.place[1] + met->part * step[1]},
                                   {step[0] / length, step[1] / length},
                                   true,
                                   bodies_.velocity_scale * met->velocity};
    }
  const int surface = geometry_.surface_of(fluid.node, offset);
  const bool opening = is_opening(geometry_, surface);
  const double part = geometry_.distance_of ? geometry_.distance_of(fluid.node, offset) : 0.5;
  Real3 on_wall{};
  for (std::size_t k = 0; k < 3; ++k) on_wall[k] = fluid.node[k] + 0.5 + part * offset[k];
  std::optional<Real3> velocity;
  if (!opening) velocity = velocity_of_ ? velocity_of_(surface, on_wall) : Real3{};
  NodeSquare::WallPoint wall{
      {}, {step[0] / length, step[1] / length}, velocity.has_value(), velocity.value_or(Real3{})};
  // Faces of the box, openings and walls without friction are half-way between nodes.
  const bool between = geometry_.distance_of && surface >= surface_id::wall && wall.sticks;
  if (!between && length > 1) return {};
  const double along = between ? part : 0.5;
  wall.place = {fluid.place[0] + along * step[0], fluid.place[1] + along * step[1]};
  if (!between) return wall;
  interpolated = true;
  if (!geometry_.normal_of) return wall;
  const Real3 normal = geometry_.normal_of(fluid.node, offset);
  const Point trace = {normal[axes_[0]], normal[axes_[1]]};
  const double size = std::hypot(trace[0], trace[1]);
  if (size > grazing_link && (trace[0] * step[0] + trace[1] * step[1]) > grazing_link * size * length)
    wall.normal = {trace[0] / size, trace[1] / size};
  return wall;
}

}  // namespace fluvia
