// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/walls/body_mesh.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "fluvia/geometry/mesh/stl_layers.hpp"
#include "fluvia/output/walls/triangle_divider.hpp"
#include "fluvia/solver/bodies/body_shape.hpp"

namespace fluvia {
namespace {

constexpr double longest_patch = 1;  // nodes, along an edge

int pieces_of(double length) {
  return std::max(1, static_cast<int>(std::ceil(length / longest_patch - 1e-9)));
}

/// Collects the patches of a body at rest.
class Collector {
 public:
  Collector(const BodyShape& shape, int number, bool is_exact) : shape_(shape), number_(number), is_exact_(is_exact) {}

  std::uint32_t add_point(const Real3& point) {
    mesh_.points.push_back(point);
    return static_cast<std::uint32_t>(mesh_.points.size() - 1);
  }

  /// Adds a patch, of which two corners beside each other may be the same, turned as those of walls are: their normals
  /// lead out of the fluid. Patches with no fluid on either side, or on both, are no part of the surface.
  void add(std::array<std::uint32_t, 4> rim) {
    constexpr double beside = 1e-3;  // nodes
    for (std::size_t k = 0; k < 4 && rim[3] != WallMesh::no_point; ++k)
      if (rim[k] == rim[(k + 1) % 4]) {
        std::rotate(rim.begin(), rim.begin() + static_cast<std::ptrdiff_t>((k + 1) % 4), rim.end());
        rim[3] = WallMesh::no_point;
      }
    const bool is_triangle = rim[3] == WallMesh::no_point;
    Real3 middle{};
    for (std::size_t k = 0; k < (is_triangle ? 3 : 4); ++k) middle = middle + mesh_.points[rim[k]];
    middle = (is_triangle ? 1.0 / 3 : 0.25) * middle;
    const auto corner = [&](std::size_t k) { return mesh_.points[rim[k]]; };
    const Real3 area = is_triangle ? cross(corner(1) - corner(0), corner(2) - corner(0))
                                   : cross(corner(2) - corner(0), corner(3) - corner(1));
    if (!(norm(area) > 0)) return;
    Real3 normal = (1 / norm(area)) * area;
    // The middle of a patch on something round lies within it.
    if (is_exact_)
      if (const double depth = shape_.distance(middle - beside * normal); std::abs(depth) < 0.5 * longest_patch) {
        const double ahead = shape_.distance(middle + beside * normal);
        middle = middle - (0.5 * (depth + ahead)) * ((ahead > depth ? 1.0 : -1.0) * normal);
      }
    const bool fluid_ahead = shape_.distance(middle + beside * normal) > 0,
               fluid_behind = shape_.distance(middle - beside * normal) > 0;
    if (fluid_ahead == fluid_behind) return;
    if (fluid_ahead) {
      normal = -1.0 * normal;
      std::reverse(rim.begin(), rim.begin() + (is_triangle ? 3 : 4));
    }
    mesh_.patches.push_back({{{}, middle, normal, number_}, rim});
  }

  WallMesh take() { return std::move(mesh_); }
  WallMesh& mesh() { return mesh_; }

 private:
  const BodyShape& shape_;
  int number_;
  bool is_exact_;  ///< whether distances are those from the surface
  WallMesh mesh_;
};

/// Adds a parallelogram in quads.
void add_side(Collector& to, const Real3& from, const Real3& along, const Real3& across) {
  const int columns = pieces_of(norm(along)), rows = pieces_of(norm(across));
  std::vector<std::uint32_t> points;
  for (int row = 0; row <= rows; ++row)
    for (int column = 0; column <= columns; ++column)
      points.push_back(to.add_point(from + (static_cast<double>(column) / columns) * along +
                                    (static_cast<double>(row) / rows) * across));
  const auto at = [&](int column, int row) { return points[static_cast<std::size_t>(row * (columns + 1) + column)]; };
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      to.add({at(column, row), at(column + 1, row), at(column + 1, row + 1), at(column, row + 1)});
}

void add_box(Collector& to, const Real3& low, const Real3& high) {
  const Real3 size = high - low;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    Real3 along{}, across{}, up{};
    up[axis] = size[axis];
    along[(axis + 1) % 3] = size[(axis + 1) % 3];
    across[(axis + 2) % 3] = size[(axis + 2) % 3];
    add_side(to, low, along, across);
    add_side(to, low + up, along, across);
  }
}

/// A place of the line that turns about an axis: along it, and away from it.
struct Profile {
  double along, radius;
};

/// Adds what a line sweeps that turns about an axis.
void add_turned(Collector& to, const Real3& from, const Real3& direction, const std::vector<Profile>& line) {
  double widest = 0;
  for (const Profile& at : line) widest = std::max(widest, at.radius);
  const int around = std::max(8, pieces_of(2 * std::numbers::pi * widest));
  std::size_t least = 0;
  for (std::size_t a = 1; a < 3; ++a)
    if (std::abs(direction[a]) < std::abs(direction[least])) least = a;
  Real3 beside{};
  beside[least] = 1;
  const Real3 raw = cross(direction, beside), u = (1 / norm(raw)) * raw, v = cross(direction, u);
  std::vector<std::vector<std::uint32_t>> rings;
  for (const Profile& at : line) {
    std::vector<std::uint32_t>& ring = rings.emplace_back();
    const Real3 middle = from + at.along * direction;
    if (at.radius <= 0) {
      ring.assign(static_cast<std::size_t>(around), to.add_point(middle));
      continue;
    }
    for (int k = 0; k < around; ++k) {
      const double angle = 2 * std::numbers::pi * k / around;
      ring.push_back(to.add_point(middle + (at.radius * std::cos(angle)) * u + (at.radius * std::sin(angle)) * v));
    }
  }
  for (std::size_t r = 0; r + 1 < rings.size(); ++r)
    for (std::size_t k = 0; k < static_cast<std::size_t>(around); ++k) {
      const std::size_t next = (k + 1) % static_cast<std::size_t>(around);
      to.add({rings[r][k], rings[r][next], rings[r + 1][next], rings[r + 1][k]});
    }
}

/// Adds places on the way to a place, which it has last, to a line that has a place already.
void go_to(std::vector<Profile>& line, const Profile& end) {
  const Profile from = line.back();
  const int pieces = pieces_of(std::hypot(end.along - from.along, end.radius - from.radius));
  for (int k = 1; k <= pieces; ++k) {
    const double part = static_cast<double>(k) / pieces;
    line.push_back({from.along + part * (end.along - from.along), from.radius + part * (end.radius - from.radius)});
  }
}

/// Adds a quarter of a circle to a line, from the axis to the greatest radius, or back.
void go_round(std::vector<Profile>& line, double middle, double radius, bool outward) {
  const int pieces = std::max(2, pieces_of(0.5 * std::numbers::pi * radius));
  for (int k = 0; k <= pieces; ++k) {
    const double angle = 0.5 * std::numbers::pi * k / pieces;
    if (outward)
      line.push_back({middle - radius * std::cos(angle), k == 0 ? 0 : radius * std::sin(angle)});
    else
      line.push_back({middle + radius * std::sin(angle), k == pieces ? 0 : radius * std::cos(angle)});
  }
}

void add_shape(Collector& to, const Case::Shape& shape, const Grid& grid) {
  if (shape.kind == "box")
    return add_box(to, geometry::to_lattice(grid, shape.center - 0.5 * shape.size),
                   geometry::to_lattice(grid, shape.center + 0.5 * shape.size));
  const double radius = shape.radius / grid.spacing;
  std::vector<Profile> line;
  if (shape.kind == "sphere") {
    go_round(line, 0, radius, true);
    line.pop_back();
    go_round(line, 0, radius, false);
    return add_turned(to, geometry::to_lattice(grid, shape.center), {0, 0, 1}, line);
  }
  const Real3 from = geometry::to_lattice(grid, shape.from), whole = geometry::to_lattice(grid, shape.to) - from;
  const double length = norm(whole);
  if (shape.kind == "capsule") {
    go_round(line, 0, radius, true);
    go_to(line, {length, radius});
    line.pop_back();
    go_round(line, length, radius, false);
  } else {
    const double end = shape.kind == "cone" ? shape.end_radius / grid.spacing : radius;
    line.push_back({0, 0});
    go_to(line, {0, radius});
    go_to(line, {length, end});
    go_to(line, {length, 0});
  }
  add_turned(to, from, (1 / length) * whole, line);
}

void add_files(Collector& to, const Case& c, const Grid& grid, const std::string& surface) {
  constexpr double longest_edge = 2;
  const geometry::BodySurface closed = geometry::read_body_surface(c, grid, surface);
  to.mesh().points = closed.mesh.vertices;
  TriangleDivider divider(to.mesh().points, longest_edge);
  for (const geometry::MeshTriangle& triangle : closed.mesh.triangles)
    divider.divide(triangle.vertex, [&](const std::array<std::uint32_t, 3>& part) {
      to.add({part[0], part[1], part[2], WallMesh::no_point});
    });
}

/// The node of fluid that no body covers, next to a place of a surface and not behind it; false if there is none.
bool find_node_beside(const Geometry& geometry, const MovingBodies& bodies, WallPlace& place) {
  constexpr int reach = 2;
  constexpr double behind = 0.3;
  double nearest = reach * reach;
  bool found = false;
  Int3 first;
  for (std::size_t a = 0; a < 3; ++a) first[a] = static_cast<int>(std::floor(place.point[a])) - reach;
  for (int k = 0; k < 125; ++k) {
    const Int3 node{first[0] + k % 5, first[1] + k / 5 % 5, first[2] + k / 25};
    const Real3 d = geometry::node_centre(node) - place.point;
    if (dot(d, d) >= nearest || dot(d, place.normal) > behind) continue;
    const NodeMap::Landing at = geometry.nodes.land(node);
    if (!at.inside || !geometry.nodes.is_fluid(at.node) || bodies.covers(at.node)) continue;
    nearest = dot(d, d);
    place.node = node;
    found = true;
  }
  return found;
}

}  // namespace

WallMesh make_body_mesh(const Case& c, const Grid& grid, const std::string& surface, int number) {
  const BodyShape shape = make_body_shape(c, grid, surface);
  const bool is_of_files = std::any_of(c.geometry.stl.begin(), c.geometry.stl.end(),
                                       [&](const Case::Stl& stl) { return stl.name == surface; });
  Collector collector(shape, number, !is_of_files);
  if (is_of_files) {
    add_files(collector, c, grid, surface);
  } else {
    for (const Case::Shape& part : c.geometry.shapes)
      if (part.name == surface) add_shape(collector, part, grid);
  }
  return collector.take();
}

WallMesh place_body_mesh(const WallMesh& at_rest, const Geometry& geometry, const MovingBodies& bodies, int body,
                         std::vector<bool>& has_fluid) {
  WallMesh mesh = at_rest;
  const Pose& pose = bodies.pose(body);
  const Real3& center = bodies.center(body);
  for (Real3& point : mesh.points) point = pose.in_box(point - center);
  has_fluid.clear();
  for (WallMesh::Patch& patch : mesh.patches) {
    patch.point = pose.in_box(patch.point - center);
    patch.normal = pose.turned(patch.normal);
    has_fluid.push_back(find_node_beside(geometry, bodies, patch));
  }
  return mesh;
}

}  // namespace fluvia
