// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/stl_layers.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/coordinate_check.hpp"
#include "fluvia/geometry/mesh/flat_ends.hpp"
#include "fluvia/geometry/mesh/mesh_layer.hpp"
#include "fluvia/geometry/mesh/parts/defect_reports.hpp"
#include "fluvia/geometry/mesh/parts/lost_parts.hpp"
#include "fluvia/geometry/mesh/parts/overlaps.hpp"
#include "fluvia/geometry/mesh/ray_mesh.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia::geometry {
namespace {

constexpr double farthest = 1e9;  ///< nodes; Embree, in single precision, ends the program at 1e18
using std::numbers::pi;
constexpr std::size_t holes_reported = 1000;

void check_entry(const Case::Stl& stl, std::size_t index) {
  const std::string place = fmt::format("geometry.stl[{}] ({})", index, stl.file.string());
  if (stl.fluid != "inside" && stl.fluid != "outside" && stl.fluid != "both") {
    throw_input(fmt::format("{}: fluid is \"{}\", expected \"inside\", \"outside\" or \"both\"", place, stl.fluid));
  }
  if (stl.role != "wall" && stl.role != "opening") {
    throw_input(fmt::format("{}: role is \"{}\", expected \"wall\" or \"opening\"", place, stl.role));
  }
  if (!(stl.unit > 0) || !std::isfinite(stl.unit)) {
    throw_input(fmt::format("{}: unit is {}, expected a positive length per file unit (0.001 for millimetres in SI)",
                            place, stl.unit));
  }
  if (stl.role == "opening" && stl.fluid == "both") {
    throw_input(place + ": an opening closes a wall with the fluid inside, and is no sheet; remove fluid = \"both\"");
  }
  if (stl.role == "opening" && stl.name.empty()) {
    throw_input(place + ": an opening needs a name, which its boundary refers to");
  }
}

/// The triangles of an STL file, and the step of its coordinates, case units.
TriangleSoup load(const Case& c, std::size_t index, double* step = nullptr) {
  const Case::Stl& stl = c.geometry.stl[index];
  check_entry(stl, index);
  TriangleSoup soup = read_surface(resolve(c.directory, stl.file), stl.part);
  if (step != nullptr) *step = stl.unit * step_of_coordinates(soup);
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

/// A mesh beside the box has no effect on the flow, and was not meant to: most likely its unit is wrong.
void require_inside_box(const std::string& files, const Grid& grid, const BoundingBox& bounds) {
  for (int axis = 0; axis < grid.dimension; ++axis) {
    if (bounds.upper[axis] > 0 && bounds.lower[axis] < grid.size[axis]) continue;
    throw_input(fmt::format(
        "{}: the surface lies outside of the box: from {:.6g} to {:.6g} along {}, where the box reaches from "
        "{:.6g} to {:.6g}; check geometry.stl.unit, translate and domain.origin",
        files, grid.origin[axis] + bounds.lower[axis] * grid.spacing,
        grid.origin[axis] + bounds.upper[axis] * grid.spacing, "xyz"[axis], grid.origin[axis],
        grid.origin[axis] + grid.size[axis] * grid.spacing));
  }
  for (int axis = 0; axis < 3; ++axis) {
    const double reach = std::max(std::abs(bounds.lower[axis]), std::abs(bounds.upper[axis]));
    if (reach <= farthest) continue;
    throw_input(
        fmt::format("{}: the surface reaches {:.3g} nodes beyond the box along {}, expected at most {:.0e}; check "
                    "geometry.stl.unit, units.spacing and the file",
                    files, reach, "xyz"[axis], farthest));
  }
}

/// Welds surfaces, in lattice units. Corners much nearer to each other than nodes count as one where that closes holes.
Mesh weld_and_stitch(const std::vector<Patch>& patches, const BoundingBox& bounds) {
  constexpr double weld_share = 1e-6;  // of the surface's diagonal: coordinates of text files have few digits
  constexpr double stitched = 0.01;    // nodes; the flow does not see what is smaller
  const double tolerance = weld_share * norm(bounds.upper - bounds.lower);
  Mesh mesh = weld(patches, tolerance);
  const std::size_t holes = find_defects(mesh).loops.size();
  if (holes == 0 || tolerance >= stitched) return mesh;
  Mesh joined = weld(patches, stitched);
  return find_defects(joined).loops.size() < holes ? joined : mesh;
}

Group make_group(const Case& c, const Grid& grid, SurfaceNames& names, const std::vector<std::size_t>& members,
                 bool fluid_inside, GeometryReport& report) {
  Group group;
  group.fluid_inside = fluid_inside;
  std::vector<Patch> patches;
  BoundingBox bounds;
  for (const std::size_t index : members) {
    group.files += (group.files.empty() ? "" : ", ") + c.geometry.stl[index].file.string();
    double step = 0;
    Patch patch{load(c, index, &step), names.add(c.geometry.stl[index].name)};
    if (std::string steps = warn_of_steps(c.geometry.stl[index].file.string(), step / grid.spacing); !steps.empty())
      report.warnings.push_back(std::move(steps));
    for (auto& triangle : patch.triangles) {
      for (Real3& corner : triangle) bounds.add(corner = to_lattice(grid, corner));
    }
    patches.push_back(std::move(patch));
  }
  require_inside_box(group.files, grid, bounds);
  group.mesh = weld_and_stitch(patches, bounds);
  if (group.mesh.doubled > 0) {
    report.warnings.push_back(fmt::format(
        "{}: {} triangles lie on another one with the same corners, and were counted once; export the surface once.",
        group.files, group.mesh.doubled));
  }
  if (group.mesh.triangles.empty()) {
    throw_input(group.files + ": all triangles have collapsed to points or lines; is the surface empty?");
  }
  return group;
}

/// Makes `normal` point away from the inside, by testing points on both sides of some of the triangles.
Real3 outward(const Mesh& mesh, const RayMesh& rays, const std::vector<std::size_t>& triangles, const Real3& normal,
              double area) {
  const double step = 0.01 * std::sqrt(std::max(area, 1e-12));
  int votes = 0;
  const std::size_t stride = std::max<std::size_t>(1, triangles.size() / 64);
  for (std::size_t i = 0; i < triangles.size(); i += stride) {
    const MeshTriangle& t = mesh.triangles[triangles[i]];
    const Real3 middle = (1.0 / 3) * (mesh.corner(t, 0) + mesh.corner(t, 1) + mesh.corner(t, 2));
    const bool ahead = rays.inside(middle + step * normal), behind = rays.inside(middle - step * normal);
    votes += static_cast<int>(behind) - static_cast<int>(ahead);
  }
  return votes < 0 ? -1.0 * normal : normal;
}

std::vector<std::size_t> triangles_of(const Mesh& mesh, int surface) {
  std::vector<std::size_t> list;
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    if (mesh.triangles[i].surface == surface) list.push_back(i);
  }
  return list;
}

std::vector<Real3> polygon(const Mesh& mesh, const std::vector<std::uint32_t>& vertices) {
  std::vector<Real3> points;
  for (const std::uint32_t v : vertices) points.push_back(mesh.vertices[v]);
  return points;
}

/// Whether an opening of the case means a hole or a flat end of the surface; it is a disc otherwise.
bool names_part_of_surface(const Case::OpeningInput& opening) {
  return opening.center && !opening.radius && !opening.normal;
}

/// How far, in nodes, a point that means a hole or flat end of this area may lie from its middle.
double reach_of(double area) {
  return 3 * std::sqrt(area / pi) + 2;
}

/// For every hole the index of the opening input that names it, or -1. `closed`: inputs that mean flat ends.
std::vector<int> match_holes(const Case& c, const Grid& grid, const std::vector<Loop>& loops,
                             const std::set<std::size_t>& closed) {
  std::vector<int> owner(loops.size(), -1);
  for (std::size_t i = 0; i < c.openings.size(); ++i) {
    const auto& opening = c.openings[i];
    if (!names_part_of_surface(opening) || closed.contains(i)) continue;
    const Real3 wanted = to_lattice(grid, *opening.center);
    int nearest = -1;
    for (std::size_t k = 0; k < loops.size(); ++k) {
      if (nearest < 0 || norm(loops[k].centroid - wanted) < norm(loops[nearest].centroid - wanted)) {
        nearest = static_cast<int>(k);
      }
    }
    const std::string place =
        fmt::format("openings[{}] ({}): center {}", i, opening.name, format_point(*opening.center));
    if (nearest < 0) {
      throw_input(place +
                  ": the surface has no hole, and no flat end there; give normal and radius too for a disc that closes "
                  "the flow");
    }
    const Loop& loop = loops[nearest];
    const double distance = norm(loop.centroid - wanted), radius = std::sqrt(loop.area / pi);
    if (distance > reach_of(loop.area)) {
      throw_input(fmt::format(
          "{} is {:.6g} away from the nearest hole, which is at {} and has a radius of {:.6g}; "
          "give a point near the middle of the hole",
          place, distance * grid.spacing, format_point(to_case(grid, loop.centroid)), radius * grid.spacing));
    }
    if (owner[nearest] >= 0) {
      throw_input(fmt::format("{} means the hole at {}, which opening \"{}\" has already taken", place,
                              format_point(to_case(grid, loop.centroid)), c.openings[owner[nearest]].name));
    }
    owner[nearest] = static_cast<int>(i);
  }
  return owner;
}

/// Area, middle and rim of a patch that has the role of an opening; the sign of the normal is arbitrary.
SurfaceOpening measure_patch(const Mesh& mesh, const std::string& name, int surface) {
  Mesh part;
  part.vertices = mesh.vertices;
  for (const std::size_t i : triangles_of(mesh, surface)) part.triangles.push_back(mesh.triangles[i]);
  SurfaceOpening opening;
  opening.name = name;
  opening.surface = surface;
  const MeshDefects rim = find_defects(part);
  if (!rim.loops.empty()) {
    opening.normal = rim.loops.front().normal;
    opening.rim = polygon(part, rim.loops.front().vertices);
  }
  for (const MeshTriangle& t : part.triangles) {
    const Real3 a = part.corner(t, 0), b = part.corner(t, 1), c = part.corner(t, 2);
    const Real3 area = 0.5 * cross(b - a, c - a);
    if (norm(opening.normal) == 0 && norm(area) > 0) opening.normal = (1 / norm(area)) * area;
    const double projected = std::abs(dot(area, opening.normal));
    opening.area += projected;
    opening.centroid = opening.centroid + (projected / 3) * (a + b + c);
    for (int i = 0; i < 3; ++i) opening.bounds.add(part.corner(t, i));
  }
  if (opening.area > 0) opening.centroid = (1 / opening.area) * opening.centroid;
  return opening;
}

/// The patch that covers a hole although their rims do not share vertices; null if there is none.
const SurfaceOpening* covering_patch(const Loop& loop, const std::vector<SurfaceOpening>& patches) {
  for (const SurfaceOpening& patch : patches) {
    const double radius = std::sqrt(patch.area / pi);
    if (std::abs(loop.area - patch.area) < 0.2 * patch.area && norm(loop.centroid - patch.centroid) < 0.3 * radius) {
      return &patch;
    }
  }
  return nullptr;
}

/// Turns flat ends of a closed surface that opening inputs name into patches. Returns which inputs these are: those
/// that are near no hole.
std::set<std::size_t> name_flat_ends(const Case& c, const Grid& grid, SurfaceNames& names, Mesh& mesh,
                                     std::vector<SurfaceOpening>& patches) {
  const std::vector<Loop> loops = find_defects(mesh).loops;
  std::vector<std::size_t> wanted;
  for (std::size_t i = 0; i < c.openings.size(); ++i) {
    if (!names_part_of_surface(c.openings[i])) continue;
    const Real3 center = to_lattice(grid, *c.openings[i].center);
    if (std::none_of(loops.begin(), loops.end(),
                     [&](const Loop& loop) { return norm(loop.centroid - center) <= reach_of(loop.area); }))
      wanted.push_back(i);
  }
  std::set<std::size_t> found;
  if (wanted.empty()) return found;
  std::vector<FlatEnd> ends = find_flat_pieces(mesh);
  for (const std::size_t i : wanted) {
    const Real3 center = to_lattice(grid, *c.openings[i].center);
    const auto is_meant = [&](const FlatEnd& end) {
      return norm(end.centroid - center) <= std::sqrt(end.area / pi) + 2;
    };
    // Who names a place may mean a plane piece that nobody would take for an end unasked.
    const auto nearest = std::min_element(ends.begin(), ends.end(), [&](const FlatEnd& a, const FlatEnd& b) {
      const auto rank = [&](const FlatEnd& end) {
        return std::tuple(!is_meant(end), !end.problem.empty(), norm(end.centroid - center));
      };
      return rank(a) < rank(b);
    });
    if (nearest == ends.end() || !is_meant(*nearest)) continue;
    const int surface = names.add(c.openings[i].name);
    for (const std::size_t triangle : nearest->triangles) mesh.triangles[triangle].surface = surface;
    patches.push_back(measure_patch(mesh, c.openings[i].name, surface));
    ends.erase(nearest);
    found.insert(i);
  }
  return found;
}

/// Closes holes without width, where a side of one triangle meets several shorter ones or misses them by digits of the
/// file, and takes them off the list: they let nothing through.
void close_seams(Mesh& mesh, std::vector<Loop>& loops) {
  constexpr double widest = 0.01;  // nodes
  std::erase_if(loops, [&](const Loop& loop) {
    double perimeter = 0;
    for (std::size_t i = 0; i < loop.vertices.size(); ++i)
      perimeter += norm(mesh.vertices[loop.vertices[i]] - mesh.vertices[loop.vertices[(i + 1) % loop.vertices.size()]]);
    if (loop.area > 0.5 * widest * perimeter) return false;
    fill_loop(mesh, loop, surface_id::wall);
    return true;
  });
}

/// Closes all holes; those with the names of opening inputs are added to `openings`. Parts that no node feels leave the
/// mesh for `sheets`.
std::shared_ptr<const RayMesh> close_holes(const Case& c, const Grid& grid, SurfaceNames& names, Group& group,
                                           const std::vector<SurfaceOpening>& patches,
                                           const std::set<std::size_t>& closed_inputs,
                                           std::vector<SurfaceOpening>& openings, std::vector<Sheet>& sheets,
                                           GeometryReport& report) {
  const std::size_t given = group.mesh.triangles.size();
  MeshDefects defects = find_defects(group.mesh);
  close_seams(group.mesh, defects.loops);
  std::vector<int> owner = group.fluid_inside ? match_holes(c, grid, defects.loops, closed_inputs)
                                              : std::vector<int>(defects.loops.size(), -1);
  std::vector<std::size_t> first_triangle;
  for (std::size_t k = 0; k < defects.loops.size(); ++k) {
    const SurfaceOpening* patch = owner[k] < 0 ? covering_patch(defects.loops[k], patches) : nullptr;
    const std::string name = owner[k] >= 0 ? c.openings[owner[k]].name : patch != nullptr ? patch->name : "";
    first_triangle.push_back(fill_loop(group.mesh, defects.loops[k], names.add(name)));
  }
  first_triangle.push_back(group.mesh.triangles.size());
  const std::vector<MeshPart> parts = find_parts(group.mesh);
  const Overlaps overlaps = unite_overlaps(group.mesh, parts);
  report_overlaps(grid, group.files, overlaps, report);
  report_nested(grid, group.files, parts, overlaps.nested_alike, report);
  auto rays = std::make_shared<const RayMesh>(group.mesh);
  MeshInFlow in{group.mesh, parts, *rays, group.fluid_inside, given, {}, group.files};
  for (const SurfaceOpening& patch : patches) in.openings.push_back(patch.surface);
  if (const std::vector<bool> lost = take_lost_parts(in, grid, c.units.system == "si", sheets, report); !lost.empty()) {
    drop_triangles(lost, group.mesh, {defects.loops, owner, first_triangle});
    if (!group.mesh.triangles.empty()) rays = std::make_shared<const RayMesh>(group.mesh);
  }
  ClosedHoles closed;
  for (std::size_t k = 0; k < defects.loops.size(); ++k) {
    const Loop& loop = defects.loops[k];
    std::vector<std::size_t> cap(first_triangle[k + 1] - first_triangle[k]);
    std::iota(cap.begin(), cap.end(), first_triangle[k]);
    const int surface = group.mesh.triangles[cap.front()].surface;
    const bool covered = owner[k] < 0 && surface != surface_id::wall;
    const std::string name = surface == surface_id::wall ? "" : names.list()[surface];
    const bool small = loop.area < 1 && owner[k] < 0;
    const Real3 normal = small ? loop.normal : outward(group.mesh, *rays, cap, loop.normal, loop.area);
    const GeometryReport::Hole hole{to_case(grid, loop.centroid), normal, loop.area * grid.spacing * grid.spacing,
                                    name};
    if (report.holes.size() < holes_reported) report.holes.push_back(hole);
    if (owner[k] >= 0) {
      SurfaceOpening opening{name, surface, loop.centroid, normal, loop.area, polygon(group.mesh, loop.vertices), {}};
      for (const Real3& point : opening.rim) opening.bounds.add(point);
      openings.push_back(std::move(opening));
      continue;
    }
    closed.covered += covered;
    if (!covered) small ? void(++closed.tiny) : closed.unnamed.push_back(hole);
    if (report.defect_positions.size() < defect_positions_shown) report.defect_positions.push_back(hole.position);
  }
  report.hole_count += defects.loops.size();
  report_edges(grid, defects.non_manifold_edges, report);
  report_closed(group.files, group.fluid_inside, c.geometry.allow_defects, defects, closed, report);
  return rays;
}

constexpr std::string_view crosses_no_link =
    "the sheet crosses no link along an axis between two nodes of fluid, so that the flow would pass through it as if "
    "it were not there; check geometry.stl.unit and translate, or choose a smaller spacing";

/// In place of a body that consists of sheets alone: it decides no node.
class SheetLayer final : public Layer {
 public:
  [[nodiscard]] std::uint64_t apply(const Int3&, std::uint64_t fluid) const override { return fluid; }
  [[nodiscard]] Decision decide(const Int3&) const override { return Decision::none; }
  [[nodiscard]] bool may_decide(const Int3&, const Int3&) const override { return false; }
  [[nodiscard]] int surface(const Int3&, const Int3&, const Int3&) const override { return surface_id::wall; }
};

/// Adds the triangles of a group, each turned so that its normal points out of the fluid.
void add_triangles(const Group& group, const RayMesh& rays, SurfaceMesh& to) {
  constexpr double step = 1e-3;    // nodes
  constexpr double nearly = 0.98;  // of the way from the middle of a triangle to its corners
  const auto first = static_cast<std::uint32_t>(to.points.size());
  to.points.insert(to.points.end(), group.mesh.vertices.begin(), group.mesh.vertices.end());
  const std::size_t begin = to.triangles.size(), count = group.mesh.triangles.size();
  to.triangles.resize(begin + count);
  constexpr int within = -1;  // marks what lies within another part, and bounds nothing
#pragma omp parallel for schedule(static)
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(count); ++i) {
    const MeshTriangle& t = group.mesh.triangles[i];
    const Real3 a = group.mesh.corner(t, 0), b = group.mesh.corner(t, 1), c = group.mesh.corner(t, 2);
    const Real3 area = cross(b - a, c - a), middle = (1.0 / 3) * (a + b + c);
    const Real3 away = (norm(area) > 0 ? step / norm(area) : 0.0) * area;
    bool ahead = false, bounds = true;
    if (t.family == 0) {
      ahead = norm(area) > 0 && rays.inside(middle + away);
    } else {  // turned outward already
      bounds = false;
      for (const Real3& place : {middle, nearly * a + (1 - nearly) * middle, nearly * b + (1 - nearly) * middle,
                                 nearly * c + (1 - nearly) * middle})
        bounds = bounds || rays.inside(place + away) != rays.inside(place - away);
    }
    auto& [x, y, z] = t.vertex;
    const bool turned = ahead == group.fluid_inside;
    to.triangles[begin + i] = {{first + x, first + (turned ? z : y), first + (turned ? y : z)},
                               bounds ? t.surface : within};
  }
  std::erase_if(to.triangles, [](const SurfaceTriangle& t) { return t.surface == within; });
}

}  // namespace

bool encloses_fluid(const Case::Stl& stl) {
  return stl.fluid == "inside" || stl.role == "opening";
}

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

BodySurface read_body_surface(const Case& c, const Grid& grid, const std::string& name) {
  std::vector<std::size_t> members;
  for (std::size_t i = 0; i < c.geometry.stl.size(); ++i)
    if (c.geometry.stl[i].name == name) members.push_back(i);
  SurfaceNames names;
  GeometryReport report;
  Group group = make_group(c, grid, names, members, false, report);
  std::vector<Loop> holes = find_defects(group.mesh).loops;
  close_seams(group.mesh, holes);
  if (!holes.empty())
    throw_input(fmt::format("{}: the surface of a [[body]] must be closed, and has {}, the largest around {}; close {}",
                            group.files, holes.size() == 1 ? "a hole" : fmt::format("{} holes", holes.size()),
                            format_point(to_case(grid, holes.front().centroid)), holes.size() == 1 ? "it" : "them"));
  return {std::move(group.mesh), std::move(group.files)};
}

void add_stl_layers(const Case& c, const Grid& grid, SurfaceNames& names, Layers& layers,
                    std::vector<SurfaceOpening>& openings, std::vector<Sheet>& sheets, SurfaceMesh* triangles,
                    GeometryReport& report) {
  std::vector<std::size_t> enclosing;
  bool any_wall = false;
  for (std::size_t i = 0; i < c.geometry.stl.size(); ++i) {
    const Case::Stl& stl = c.geometry.stl[i];
    check_entry(stl, i);
    if (!encloses_fluid(stl)) continue;
    enclosing.push_back(i);
    any_wall = any_wall || stl.role == "wall";
  }
  if (!enclosing.empty() && !any_wall) {
    throw_input(fmt::format("geometry.stl[{}] ({}): an opening patch needs a wall with fluid = \"inside\" to close",
                            enclosing.front(), c.geometry.stl[enclosing.front()].file.string()));
  }
  if (!enclosing.empty()) {
    Group group = make_group(c, grid, names, enclosing, true, report);
    std::vector<SurfaceOpening> patches;
    for (const std::size_t i : enclosing) {
      const Case::Stl& stl = c.geometry.stl[i];
      if (stl.role == "opening") patches.push_back(measure_patch(group.mesh, stl.name, names.find(stl.name)));
    }
    const std::set<std::size_t> flat_ends = name_flat_ends(c, grid, names, group.mesh, patches);
    const auto rays = close_holes(c, grid, names, group, patches, flat_ends, openings, sheets, report);
    for (SurfaceOpening& patch : patches) {
      patch.normal = outward(group.mesh, *rays, triangles_of(group.mesh, patch.surface), patch.normal, patch.area);
      openings.push_back(std::move(patch));
    }
    if (triangles != nullptr) add_triangles(group, *rays, *triangles);
    layers.push_back(make_mesh_layer(group.mesh, rays, grid, true));
  }
  for (std::size_t i = 0; i < c.geometry.stl.size(); ++i) {
    if (encloses_fluid(c.geometry.stl[i])) continue;
    if (c.moves(c.geometry.stl[i].name)) {  // solid where it is at a time, and fluid to the geometry (solver/bodies)
      names.add(c.geometry.stl[i].name);
      continue;
    }
    Group group = make_group(c, grid, names, {i}, false, report);
    if (c.geometry.stl[i].fluid == "both") {
      sheets.push_back({std::move(group.mesh), group.files + ": " + std::string(crosses_no_link)});
      group.mesh = {};
    }
    const auto rays =
        group.mesh.triangles.empty() ? nullptr : close_holes(c, grid, names, group, {}, {}, openings, sheets, report);
    if (group.mesh.triangles.empty()) {
      layers.push_back(std::make_unique<SheetLayer>());
      continue;
    }
    if (triangles != nullptr) add_triangles(group, *rays, *triangles);
    layers.push_back(make_mesh_layer(group.mesh, rays, grid, false));
  }
}

}  // namespace fluvia::geometry
