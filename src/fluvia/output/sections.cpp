// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/sections.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <span>
#include <utility>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/output/levels/flow_view.hpp"

namespace fluvia {

namespace {

/// A square grid in a plane, with squares as wide as a node.
class PlaneGrid {
 public:
  PlaneGrid(const Case::Plane& plane, const Grid& grid) : plane_(plane), grid_(grid) {
    const Real3 normal = (1 / norm(plane.normal)) * plane.normal;
    // The axes of the box that lie most in the plane, so that a plane across an axis has those of the box.
    int across = 0;
    for (int axis = 1; axis < grid.dimension; ++axis)
      if (std::abs(normal[axis]) > std::abs(normal[across])) across = axis;
    Real3 first{};
    first[(across + 1) % grid.dimension] = 1;
    along_[0] = unit(first - dot(first, normal) * normal);
    if (grid.dimension == 3) along_[1] = cross(normal, along_[0]);
    center_ = plane.center;
    if (grid.dimension == 2) center_[2] = grid.origin[2] + 0.5 * grid.spacing;
    constexpr double parallel = 1 - 1e-12;
    for (int axis = 0; std::abs(normal[across]) > parallel && axis < grid.dimension; ++axis) {
      if (axis == across) continue;
      const double node = std::floor((center_[axis] - grid.origin[axis]) / grid.spacing);
      center_[axis] = grid.origin[axis] + (node + 0.5) * grid.spacing;
    }
    double diagonal = 0;
    for (int axis = 0; axis < grid.dimension; ++axis) diagonal += std::pow(grid.size[axis], 2);
    reach_ = static_cast<int>(std::sqrt(diagonal)) + 1;
    if (plane.radius > 0) reach_ = std::min(reach_, static_cast<int>(plane.radius / grid.spacing) + 1);
  }
  /// Unit vectors along the sides of its squares; one in 2D.
  [[nodiscard]] std::span<const Real3> along() const {
    return std::span(along_).first(static_cast<std::size_t>(grid_.dimension - 1));
  }
  [[nodiscard]] int reach(int direction) const { return direction < grid_.dimension - 1 ? reach_ : 0; }
  [[nodiscard]] Real3 point(int i, int j) const {
    return center_ + (i * grid_.spacing) * along_[0] + (j * grid_.spacing) * along_[1];
  }
  [[nodiscard]] bool counts(const NodeMap& nodes, const Real3& point) const {
    if (plane_.radius > 0) {
      Real3 from = point - plane_.center;
      if (grid_.dimension == 2) from[2] = 0;
      if (norm(from) > plane_.radius) return false;
    }
    return is_in_fluid(nodes, grid_, point);
  }

 private:
  static Real3 unit(const Real3& a) { return (1 / norm(a)) * a; }
  const Case::Plane& plane_;
  const Grid& grid_;
  std::array<Real3, 2> along_{};
  Real3 center_{};
  int reach_ = 0;
};

std::vector<Real3> all_points(const PlaneGrid& plane, const NodeMap& nodes) {
  std::vector<Real3> points;
  for (int j = -plane.reach(1); j <= plane.reach(1); ++j)
    for (int i = -plane.reach(0); i <= plane.reach(0); ++i)
      if (const Real3 point = plane.point(i, j); plane.counts(nodes, point)) points.push_back(point);
  return points;
}

/// Points that hang together with the centre, in the order of all_points().
std::vector<Real3> connected_points(const PlaneGrid& plane, const NodeMap& nodes) {
  using Place = std::array<int, 2>;  // j, i
  std::set<Place> found;
  std::vector<Place> open;
  const auto visit = [&](const Place& place) {
    if (std::abs(place[0]) > plane.reach(1) || std::abs(place[1]) > plane.reach(0)) return;
    if (plane.counts(nodes, plane.point(place[1], place[0])) && found.insert(place).second) open.push_back(place);
  };
  visit({0, 0});
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    for (const int step : {-1, 1}) {
      visit({place[0] + step, place[1]});
      visit({place[0], place[1] + step});
    }
  }
  std::vector<Real3> points;
  points.reserve(found.size());
  for (const Place& place : found) points.push_back(plane.point(place[1], place[0]));
  return points;
}

/// Headings of a field's components, "velocity_x [m/s]".
std::string header_of(const Field& field) {
  std::string text;
  for (int k = 0; k < field.components; ++k)
    text += fmt::format(",{}{} [{}]", field.name, field.components == 1 ? "" : std::string("_") + "xyz"[k], field.unit);
  return text;
}

void write_points(const std::vector<Real3>& points, const std::vector<std::vector<double>>& numbers,
                  const std::vector<Field>& fields, bool si, bool with_distance, const std::filesystem::path& path) {
  const char* length = si ? "m" : "lattice";
  std::string text = with_distance ? fmt::format("distance [{}],", length) : "";
  text += fmt::format("x [{0}],y [{0}],z [{0}]", length);
  for (const Field& field : fields) text += header_of(field);
  text += '\n';
  for (std::size_t point = 0; point < points.size(); ++point) {
    if (with_distance) text += format_real(norm(points[point] - points[0])) + ",";
    text += fmt::format("{},{},{}", format_real(points[point][0]), format_real(points[point][1]),
                        format_real(points[point][2]));
    for (std::size_t f = 0; f < fields.size(); ++f) {
      const auto depth = static_cast<std::size_t>(fields[f].components);
      for (std::size_t k = 0; k < depth; ++k)  // values computed in single precision
        text += "," + format_short(numbers[f][point * depth + k], 8);
    }
    text += '\n';
  }
  write_file(path, text);
}

}  // namespace

std::vector<Real3> points_of(const Case::Line& line, const Grid& grid) {
  Real3 from = line.from, to = line.to;
  if (grid.dimension == 2) from[2] = to[2] = grid.origin[2] + 0.5 * grid.spacing;
  const double length = norm(to - from);
  const int count =
      line.points > 0 ? line.points : static_cast<int>(std::min(1e6, std::ceil(length / grid.spacing))) + 1;
  std::vector<Real3> points;
  points.reserve(static_cast<std::size_t>(count));
  for (int k = 0; k < count; ++k)
    points.push_back(from + (static_cast<double>(k) / std::max(1, count - 1)) * (to - from));
  return points;
}

std::vector<Real3> points_of(const Case::Plane& plane, const Grid& grid, const NodeMap& nodes) {
  const PlaneGrid squares(plane, grid);
  return plane.connected ? connected_points(squares, nodes) : all_points(squares, nodes);
}

std::vector<PlaneStrip> strips_of(const Case::Plane& plane, const Grid& grid, const Geometry& geometry) {
  std::vector<PlaneStrip> strips;
  if (!geometry.distance_of) return strips;
  const PlaneGrid squares(plane, grid);
  const Real3 normal = (1 / norm(plane.normal)) * plane.normal;
  for (const Real3& point : points_of(plane, grid, geometry.nodes))
    for (const Real3& along : squares.along())
      for (const double side : {-1.0, 1.0}) {
        const StraightLine line{on_grid(grid, point), side * along};
        if (is_fluid_inside(geometry.nodes, node_of(line.at(1)))) continue;
        const auto crossing = find_wall_crossing(geometry, line, 0, 1);
        if (!crossing) continue;
        const Real3& wall = crossing->place.normal;
        const double across = dot(wall, normal), part = dot(wall, along);
        const double in_plane = dot(wall, wall) - across * across;
        constexpr double least = 1e-6;
        if (in_plane > least) strips.push_back({crossing->place, part * part / in_plane * (crossing->wall - 0.5)});
      }
  return strips;
}

void check_section(const Case::Line& line, const Grid& grid, const NodeMap& nodes, const std::string& place) {
  const std::vector<Real3> points = points_of(line, grid);
  if (std::none_of(points.begin(), points.end(), [&](const Real3& x) { return is_in_fluid(nodes, grid, x); }))
    throw_input(fmt::format("{}: line '{}': no point of it is in the fluid; move it", place, line.name));
}

void check_section(const Case::Plane& plane, const Grid& grid, const NodeMap& nodes, const std::string& place) {
  if (!points_of(plane, grid, nodes).empty()) return;
  throw_input(fmt::format("{}: plane '{}': {}; move it", place, plane.name,
                          plane.connected ? "its centre is not in the fluid" : "no point of it is in the fluid"));
}

std::vector<std::filesystem::path> write_sections(const OutputContext& output, const Case::Output& wanted,
                                                  const WallVelocities& velocities, const std::filesystem::path& folder,
                                                  const std::string& suffix, const std::vector<Field>& extra) {
  std::vector<std::filesystem::path> files;
  const auto add = [&](const char* kind, const std::string& name) {
    files.push_back(folder / (std::string(kind) + "-" + name + suffix + ".csv"));
    return files.back();
  };
  for (const Case::Line& line : wanted.lines)
    read_finest(output, region_of(line, output.grid), extra,
                [&](const OutputContext& finest, const std::vector<Field>& others) {
                  const std::vector<Field> fields = select_fields(wanted.fields, finest, others);
                  const LineValues::Table table = LineValues(finest, velocities(finest)).evaluate(line, fields);
                  write_points(table.points, table.values, fields, finest.units.si, true, add("line", line.name));
                });
  for (const Case::Plane& plane : wanted.planes)
    read_finest(output, region_of(plane, output.grid), extra,
                [&](const OutputContext& finest, const std::vector<Field>& others) {
                  const std::vector<Field> fields = select_fields(wanted.fields, finest, others);
                  const NodeMap& nodes = finest.state.geometry().nodes;
                  const PointValues values(nodes, finest.grid, points_of(plane, finest.grid, nodes));
                  write_points(values.points(), values.evaluate(finest, fields), fields, finest.units.si, false,
                               add("plane", plane.name));
                });
  return files;
}

}  // namespace fluvia
