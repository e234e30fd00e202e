// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/stl_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh_layer.hpp"
#include "fluvia/geometry/ray_mesh.hpp"
#include "fluvia/geometry/stl.hpp"

namespace fluvia::geometry {
namespace {

/// Vertices closer than this share of the surface's diagonal are one: coordinates of text files have few digits.
constexpr double weld_share = 1e-6;
constexpr std::size_t positions_shown = 20, holes_reported = 1000, holes_in_message = 8;

bool encloses_fluid(const Case::Stl& stl) { return stl.fluid == "inside" || stl.role == "opening"; }

void check_entry(const Case::Stl& stl, std::size_t index) {
  const std::string place = fmt::format("geometry.stl[{}] ({})", index, stl.file.string());
  if (stl.fluid != "inside" && stl.fluid != "outside") {
    throw_input(fmt::format("{}: fluid is \"{}\", expected \"inside\" or \"outside\"", place, stl.fluid));
  }
  if (stl.role != "wall" && stl.role != "opening") {
    throw_input(fmt::format("{}: role is \"{}\", expected \"wall\" or \"opening\"", place, stl.role));
  }
  if (!(stl.unit > 0) || !std::isfinite(stl.unit)) {
    throw_input(fmt::format("{}: unit is {}, expected a positive length per file unit (0.001 for millimetres in SI)",
                            place, stl.unit));
  }
  if (stl.role == "opening" && stl.name.empty()) {
    throw_input(place + ": an opening needs a name, which its boundary refers to");
  }
}

/// Triangles in case units.
TriangleSoup load(const Case& c, std::size_t index) {
  const Case::Stl& stl = c.geometry.stl[index];
  check_entry(stl, index);
  TriangleSoup soup = read_stl(resolve(c.directory, stl.file));
  for (auto& triangle : soup) {
    for (Real3& corner : triangle) corner = stl.unit * corner + stl.translate;
  }
  return soup;
}

/// Surfaces that form one closed mesh, on the way to a layer.
struct Group {
  std::string files;  ///< for messages
  Mesh mesh;          ///< lattice units
  bool fluid_inside = true;
};

Group make_group(const Case& c, const Grid& grid, SurfaceNames& names, const std::vector<std::size_t>& members,
                 bool fluid_inside) {
  Group group;
  group.fluid_inside = fluid_inside;
  std::vector<Patch> patches;
  BoundingBox bounds;
  for (const std::size_t index : members) {
    group.files += (group.files.empty() ? "" : ", ") + c.geometry.stl[index].file.string();
    Patch patch{load(c, index), names.add(c.geometry.stl[index].name)};
    for (auto& triangle : patch.triangles) {
      for (Real3& corner : triangle) bounds.add(corner = to_lattice(grid, corner));
    }
    patches.push_back(std::move(patch));
  }
  group.mesh = weld(patches, weld_share * norm(bounds.upper - bounds.lower));
  if (group.mesh.triangles.empty()) {
    throw_input(group.files + ": all triangles have collapsed to points or lines; is the surface empty?");
  }
  return group;
}

/// Makes `normal` point away from the inside, by testing points on both sides of some triangles.
Real3 outward(const Mesh& mesh, const RayMesh& rays, std::size_t first, std::size_t last, const Real3& normal,
              double area, int surface) {
  const double step = 0.01 * std::sqrt(std::max(area, 1e-12));
  int votes = 0;
  const std::size_t stride = std::max<std::size_t>(1, (last - first) / 64);
  for (std::size_t i = first; i < last; i += stride) {
    const MeshTriangle& t = mesh.triangles[i];
    if (t.surface != surface) continue;
    const Real3 middle = (1.0 / 3) * (mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2));
    const bool ahead = rays.inside(middle + step * normal), behind = rays.inside(middle - step * normal);
    votes += static_cast<int>(behind) - static_cast<int>(ahead);
  }
  return votes < 0 ? -1.0 * normal : normal;
}

std::vector<Real3> polygon(const Mesh& mesh, const std::vector<std::uint32_t>& vertices) {
  std::vector<Real3> points;
  for (const std::uint32_t v : vertices) points.push_back(mesh.vertices[v]);
  return points;
}

/// For every hole the index of the opening input that names it, or -1.
std::vector<int> match_holes(const Case& c, const Grid& grid, const std::vector<Loop>& loops) {
  std::vector<int> owner(loops.size(), -1);
  for (std::size_t i = 0; i < c.openings.size(); ++i) {
    const auto& opening = c.openings[i];
    if (!opening.center || opening.radius || opening.normal) continue;
    const Real3 wanted = to_lattice(grid, *opening.center);
    int nearest = -1;
    for (std::size_t k = 0; k < loops.size(); ++k) {
      if (nearest < 0 || norm(loops[k].centroid - wanted) < norm(loops[nearest].centroid - wanted)) {
        nearest = static_cast<int>(k);
      }
    }
    const std::string place = fmt::format("openings[{}] ({}): center {}", i, opening.name, format_point(*opening.center));
    if (nearest < 0) {
      throw_input(place + ": the surface has no hole; give normal and radius too for a disc that closes the flow");
    }
    const Loop& loop = loops[nearest];
    const double distance = norm(loop.centroid - wanted), radius = std::sqrt(loop.area / 3.14159265358979);
    if (distance > 3 * radius + 2) {
      throw_input(fmt::format("{} is {:.6g} away from the nearest hole, which is at {} and has a radius of {:.6g}; "
                              "give a point near the middle of the hole",
                              place, distance * grid.spacing, format_point(to_case(grid, loop.centroid)),
                              radius * grid.spacing));
    }
    if (owner[nearest] >= 0) {
      throw_input(fmt::format("{} means the hole at {}, which opening \"{}\" has already taken", place,
                              format_point(to_case(grid, loop.centroid)), c.openings[owner[nearest]].name));
    }
    owner[nearest] = static_cast<int>(i);
  }
  return owner;
}

void refuse_holes(const Group& group, const std::vector<GeometryReport::Hole>& unnamed) {
  std::string list;
  for (std::size_t i = 0; i < std::min(unnamed.size(), holes_in_message); ++i) {
    list += fmt::format("\n  center {}, area {:.6g}, normal {}", format_point(unnamed[i].position), unnamed[i].area,
                        format_point(unnamed[i].normal));
  }
  if (unnamed.size() > holes_in_message) list += fmt::format("\n  and {} more", unnamed.size() - holes_in_message);
  throw_input(fmt::format("{}: the surface has {} hole{} that no opening names:{}\nAdd [[openings]] with a name and this "
                          "center for each, or set geometry.allow_defects = true to close them as walls",
                          group.files, unnamed.size(), unnamed.size() == 1 ? "" : "s", list));
}

void report_edges(const Grid& grid, const std::vector<Real3>& edges, GeometryReport& report) {
  report.non_manifold_edges += edges.size();
  for (const Real3& edge : edges) {
    if (report.defect_positions.size() >= positions_shown) break;
    report.defect_positions.push_back(to_case(grid, edge));
  }
}

/// Closes all holes; what it closed with the names of openings goes to `openings`.
std::shared_ptr<const RayMesh> close_holes(const Case& c, const Grid& grid, SurfaceNames& names, Group& group,
                                           std::vector<SurfaceOpening>& openings, GeometryReport& report) {
  const MeshDefects defects = find_defects(group.mesh);
  const std::vector<int> owner =
      group.fluid_inside ? match_holes(c, grid, defects.loops) : std::vector<int>(defects.loops.size(), -1);
  struct Cap {
    std::size_t first, last, hole;
  };
  std::vector<Cap> caps;
  std::size_t tiny = 0;
  for (std::size_t k = 0; k < defects.loops.size(); ++k) {
    const std::string name = owner[k] < 0 ? "" : c.openings[owner[k]].name;
    const std::size_t first = fill_loop(group.mesh, defects.loops[k], names.add(name));
    caps.push_back({first, group.mesh.triangles.size(), k});
  }
  auto rays = std::make_shared<const RayMesh>(group.mesh);
  std::vector<GeometryReport::Hole> unnamed;
  for (const Cap& cap : caps) {
    const Loop& loop = defects.loops[cap.hole];
    const int surface = group.mesh.triangles[cap.first].surface;
    const bool named = owner[cap.hole] >= 0, small = loop.area < 1;
    const Real3 normal =
        small && !named ? loop.normal : outward(group.mesh, *rays, cap.first, cap.last, loop.normal, loop.area, surface);
    const std::string name = named ? c.openings[owner[cap.hole]].name : "";
    const GeometryReport::Hole hole{to_case(grid, loop.centroid), normal, loop.area * grid.spacing * grid.spacing, name};
    if (report.holes.size() < holes_reported) report.holes.push_back(hole);
    if (named) {
      SurfaceOpening opening{name, surface, loop.centroid, normal, loop.area, polygon(group.mesh, loop.vertices), {}};
      for (const Real3& point : opening.rim) opening.bounds.add(point);
      openings.push_back(std::move(opening));
    } else if (small) {
      ++tiny;
    } else {
      unnamed.push_back(hole);
    }
    if (!named && report.defect_positions.size() < positions_shown) report.defect_positions.push_back(hole.position);
  }
  report.hole_count += defects.loops.size();
  report_edges(grid, defects.non_manifold_edges, report);
  if (!unnamed.empty() && !c.geometry.allow_defects) refuse_holes(group, unnamed);
  if (!unnamed.empty()) {
    report.warnings.push_back(fmt::format("{}: {} holes that no opening names were closed as walls; name them in "
                                          "[[openings]] if the fluid flows through them.",
                                          group.files, unnamed.size()));
  }
  if (tiny > 0) {
    report.warnings.push_back(fmt::format("{}: {} gaps smaller than one node were closed; repair the surface if the "
                                          "wall must be exact there.",
                                          group.files, tiny));
  }
  if (!defects.non_manifold_edges.empty()) {
    report.warnings.push_back(fmt::format("{}: {} edges belong to more than two triangles; look at the slices "
                                          "(fluvia geometry --png), and repair the surface if they are wrong.",
                                          group.files, defects.non_manifold_edges.size()));
  }
  return rays;
}

/// Area, middle and rim of the patches that have the role of an opening.
void measure_patch(const Group& group, const RayMesh& rays, const std::string& name, int surface,
                   std::vector<SurfaceOpening>& openings) {
  Mesh part;
  part.vertices = group.mesh.vertices;
  for (const MeshTriangle& t : group.mesh.triangles) {
    if (t.surface == surface) part.triangles.push_back(t);
  }
  if (part.triangles.empty()) return;
  const MeshDefects rim = find_defects(part);
  SurfaceOpening opening;
  opening.name = name;
  opening.surface = surface;
  if (!rim.loops.empty()) {
    opening.normal = rim.loops.front().normal;
    opening.rim = polygon(part, rim.loops.front().vertices);
  }
  double total = 0;
  for (const MeshTriangle& t : part.triangles) {
    const Real3 a = part.corner(t, 0), b = part.corner(t, 1), c = part.corner(t, 2);
    const Real3 area = 0.5 * cross(b - a, c - a);
    if (rim.loops.empty()) opening.normal = norm(opening.normal) > 0 ? opening.normal : (1 / norm(area)) * area;
    const double projected = std::abs(dot(area, opening.normal));
    total += projected;
    opening.centroid = opening.centroid + (projected / 3) * (a + b + c);
    for (int i = 0; i < 3; ++i) opening.bounds.add(part.corner(t, i));
  }
  if (total > 0) opening.centroid = (1 / total) * opening.centroid;
  opening.area = total;
  opening.normal =
      outward(group.mesh, rays, 0, group.mesh.triangles.size(), opening.normal, opening.area, surface);
  openings.push_back(std::move(opening));
}

}  // namespace

std::optional<BoundingBox> stl_bounds(const Case& c) {
  if (c.geometry.stl.empty()) return std::nullopt;
  const bool any_inside = std::any_of(c.geometry.stl.begin(), c.geometry.stl.end(), encloses_fluid);
  BoundingBox bounds;
  for (std::size_t i = 0; i < c.geometry.stl.size(); ++i) {
    if (any_inside && !encloses_fluid(c.geometry.stl[i])) continue;
    for (const auto& triangle : load(c, i)) {
      for (const Real3& corner : triangle) bounds.add(corner);
    }
  }
  return bounds;
}

void add_stl_layers(const Case& c, const Grid& grid, SurfaceNames& names, Layers& layers,
                    std::vector<SurfaceOpening>& openings, GeometryReport& report) {
  std::vector<std::size_t> enclosing;
  bool any_wall = false;
  for (std::size_t i = 0; i < c.geometry.stl.size(); ++i) {
    const Case::Stl& stl = c.geometry.stl[i];
    if (!encloses_fluid(stl)) continue;
    enclosing.push_back(i);
    any_wall = any_wall || stl.role == "wall";
  }
  if (!enclosing.empty() && !any_wall) {
    throw_input(fmt::format("geometry.stl[{}] ({}): an opening patch needs a wall with fluid = \"inside\" to close",
                            enclosing.front(), c.geometry.stl[enclosing.front()].file.string()));
  }
  if (!enclosing.empty()) {
    Group group = make_group(c, grid, names, enclosing, true);
    const auto rays = close_holes(c, grid, names, group, openings, report);
    for (const std::size_t i : enclosing) {
      const Case::Stl& stl = c.geometry.stl[i];
      if (stl.role == "opening") measure_patch(group, *rays, stl.name, names.find(stl.name), openings);
    }
    layers.push_back(make_mesh_layer(group.mesh, rays, grid, true));
  }
  for (std::size_t i = 0; i < c.geometry.stl.size(); ++i) {
    if (encloses_fluid(c.geometry.stl[i])) continue;
    Group group = make_group(c, grid, names, {i}, false);
    const auto rays = close_holes(c, grid, names, group, openings, report);
    layers.push_back(make_mesh_layer(group.mesh, rays, grid, false));
  }
}

}  // namespace fluvia::geometry
