// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/checks/rotations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <unordered_map>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

namespace {

constexpr double negligible = 0.01;  ///< how far a shape may lie beside its axis, in parts of a radius

/// A line, case units; in 2D across the plane.
struct Axis {
  Real3 point{}, direction{};

  Axis(const Case::Boundary& b, int dimension)
      : point(b.rotation_center.value_or(Real3{})), direction((1 / norm(*b.angular_velocity)) * *b.angular_velocity) {
    if (dimension == 2) point[2] = 0;
  }
  [[nodiscard]] double distance(Real3 from, int dimension) const {
    if (dimension == 2) from[2] = 0;
    const Real3 d = from - point;
    return norm(d - dot(d, direction) * direction);
  }
  [[nodiscard]] bool is_along(const Real3& normal) const {
    return std::abs(dot(normal, direction)) >= (1 - 1e-6) * norm(normal);
  }
  /// A point turned about the axis by an angle.
  [[nodiscard]] Real3 turn(const Real3& from, double angle) const {
    const Real3 d = from - point, along = dot(d, direction) * direction, across = d - along;
    return point + along + std::cos(angle) * across + std::sin(angle) * cross(direction, across);
  }
};

/// Whether a box reaches beyond the domain all around the axis: then only its faces across the axis are seen.
bool is_plate(const Case::Shape& box, const Grid& grid, const Axis& axis) {
  for (int a = 0; a < 3; ++a) {
    const double low = grid.origin[a], high = low + grid.size[a] * grid.spacing;
    const bool beyond = box.center[a] - 0.5 * box.size[a] <= low && box.center[a] + 0.5 * box.size[a] >= high;
    if (!beyond && std::abs(axis.direction[a]) < 1 - 1e-6) return false;
  }
  return true;
}

/// Why a shape is not round about an axis; empty if it is.
std::string why_not_round(const Case::Shape& shape, const Grid& grid, const Axis& axis) {
  const int dimension = grid.dimension;
  const auto off_axis = [&](const char* what, const Real3& point) -> std::string {
    const double distance = axis.distance(point, dimension);
    if (distance <= negligible * shape.radius) return {};
    return fmt::format("{} of this {} lies {:.4g} beside it", what, shape.kind, distance);
  };
  if (shape.kind == "sphere") return off_axis("the centre", shape.center);
  if (shape.kind == "cylinder" || shape.kind == "cone" || shape.kind == "capsule") {
    const std::string first = off_axis("an end of the axis", shape.from);
    return first.empty() ? off_axis("an end of the axis", shape.to) : first;
  }
  if (shape.kind == "box") return is_plate(shape, grid, axis) && dimension == 3 ? "" : "a box has edges";
  return axis.is_along(shape.normal) && dimension == 3 ? "" : "the normal of this " + shape.kind + " is not along it";
}

/// Where a link meets a surface, lattice units.
struct Meeting {
  Real3 point, normal;
};

std::vector<Meeting> meetings(const Geometry& geometry, int surface) {
  const NodeMap& nodes = geometry.nodes;
  std::vector<bool> wanted(geometry.surfaces.size(), false);
  wanted[static_cast<std::size_t>(surface)] = true;
  const std::vector<Int3>& velocities = facts_of_lattice(default_lattice(nodes.dimension)).velocities;
  std::vector<Meeting> result;
  for (const CutLink& link : collect_cut_links(geometry, velocities, wanted)) {
    const Int3 x = nodes.node_position(nodes.tiles[link.tile], link.bit), &c = velocities[link.direction];
    const Int3 towards{-c[0], -c[1], -c[2]};
    const double part = geometry.distance_of ? geometry.distance_of(x, towards) : 0.5;
    Meeting meeting{{}, geometry.normal_of ? geometry.normal_of(x, towards) : Real3{}};
    for (int a = 0; a < 3; ++a) meeting.point[a] = x[a] + 0.5 + part * towards[a];
    result.push_back(meeting);
  }
  return result;
}

/// Finds the meeting that is nearest to a point, within a reach of two nodes at most.
class NearestMeeting {
 public:
  explicit NearestMeeting(const std::vector<Meeting>& all) : all_(all) {
    for (std::size_t k = 0; k < all.size(); ++k) cells_[key(cell_of(all[k].point))].push_back(k);
  }
  [[nodiscard]] const Meeting* nearest(const Real3& point, double reach) const {
    const Meeting* found = nullptr;
    double best = reach;
    const Int3 cell = cell_of(point);
    for (int k = 0; k < 125; ++k) {
      const auto here = cells_.find(key({cell[0] + k % 5 - 2, cell[1] + k / 5 % 5 - 2, cell[2] + k / 25 - 2}));
      if (here == cells_.end()) continue;
      for (const std::size_t n : here->second) {
        const double distance = norm(all_[n].point - point);
        if (distance >= best) continue;
        best = distance;
        found = &all_[n];
      }
    }
    return found;
  }

 private:
  static Int3 cell_of(const Real3& p) {
    return {static_cast<int>(std::floor(p[0])), static_cast<int>(std::floor(p[1])), static_cast<int>(std::floor(p[2]))};
  }
  static std::uint64_t key(const Int3& cell) {
    std::uint64_t result = 0;
    for (const int x : cell) result = result << 21 | (static_cast<std::uint64_t>(x + 8) & 0x1fffff);
    return result;
  }
  const std::vector<Meeting>& all_;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> cells_;
};

/// The part of a surface that is not where it turns to; an axis in lattice units.
double part_that_moves(const Geometry& geometry, int surface, const Axis& axis) {
  constexpr double facets = 0.02;  // in parts of the distance from the axis: meshes are not quite round
  constexpr double angles[] = {0.6, 1.57, 2.5, 3.7, 5.1};
  constexpr std::size_t most_points = 5000;
  const NodeMap& nodes = geometry.nodes;
  const std::vector<Meeting> all = meetings(geometry, surface);
  const NearestMeeting finder(all);
  const bool exact = geometry.distance_of && geometry.normal_of;
  std::size_t tried = 0, moved = 0;
  for (std::size_t k = 0; k < all.size(); k += 1 + all.size() / most_points)
    for (const double angle : angles) {
      const Real3 there = axis.turn(all[k].point, angle);
      bool inside = true;
      for (int a = 0; a < nodes.dimension; ++a) inside = inside && there[a] > 1 && there[a] < nodes.size[a] - 1;
      if (!inside) continue;
      ++tried;
      const Meeting* met = finder.nearest(there, exact ? 1.5 : 1.1);
      const double allowed = 0.15 + facets * axis.distance(there, nodes.dimension);
      if (met == nullptr || (exact && std::abs(dot(there - met->point, met->normal)) > allowed)) ++moved;
    }
  return tried == 0 ? 0 : static_cast<double>(moved) / static_cast<double>(tried);
}

/// True if a surface is made by more than shapes.
bool has_other_parts(const Case& c, const std::string& surface) {
  const auto& g = c.geometry;
  const bool is_wall = surface == names::wall;
  return (is_wall && (g.voxels || g.mask || g.generator)) ||
         std::any_of(g.stl.begin(), g.stl.end(),
                     [&](const auto& s) { return s.name == surface || (is_wall && s.name.empty()); });
}

std::string why_not_round(const Case& c, const Case::Boundary& b, const Grid& grid, const Geometry& geometry) {
  const Axis axis(b, grid.dimension);
  const auto face = std::find(names::faces.begin(), names::faces.end(), b.surface);
  if (face != names::faces.end()) {
    Real3 normal{};
    normal[static_cast<std::size_t>(face - names::faces.begin()) / 2] = 1;
    return axis.is_along(normal) ? "" : "a face of the box is round about its normal only";
  }
  for (const Case::Shape& shape : c.geometry.shapes) {
    if (shape.name != b.surface && !(shape.name.empty() && b.surface == names::wall)) continue;
    const std::string why = why_not_round(shape, grid, axis);
    if (!why.empty()) return why;
  }
  if (!has_other_parts(c, b.surface)) return {};
  Axis on_grid = axis;
  on_grid.point = (1 / grid.spacing) * (axis.point - grid.origin);
  if (grid.dimension == 2) on_grid.point[2] = 0.5;
  const auto surface = std::find(geometry.surfaces.begin(), geometry.surfaces.end(), b.surface);
  if (surface == geometry.surfaces.end()) return {};
  constexpr double tolerated = 0.1;  // part of a surface: ends, and what the box cuts off
  const double moves = part_that_moves(geometry, static_cast<int>(surface - geometry.surfaces.begin()), on_grid);
  return moves <= tolerated ? "" : fmt::format("turned about it, {:.0f}% of its wall would lie elsewhere", 100 * moves);
}

}  // namespace

void check_rotations(const Case& c, const Grid& grid, const Geometry& geometry) {
  for (std::size_t i = 0; i < c.boundaries.size(); ++i) {
    const Case::Boundary& b = c.boundaries[i];
    if (!b.angular_velocity || norm(*b.angular_velocity) == 0) continue;
    const std::string why = why_not_round(c, b, grid, geometry);
    if (why.empty()) continue;
    const std::string key = "boundary[" + std::to_string(i) + "].rotation_center";
    throw_input(
        fmt::format("{}: {}: '{}' is not round about this axis: {}; walls keep their place, so only what is "
                    "round may spin: move the centre onto the body's own axis, or let it move, as a [[body]] with "
                    "motion = {{ center = ..., "
                    "angular_velocity = ... }}",
                    c.place(key), key, b.surface, why));
  }
}

}  // namespace fluvia
