// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/parts/lost_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/layers/layer.hpp"
#include "fluvia/geometry/mesh/rasterise.hpp"

namespace fluvia::geometry {
namespace {

constexpr double small_length = 2, small_area = 4;  // nodes; what is smaller is a speck, of which there is a warning
constexpr int sampled_triangles = 16;
constexpr int quick_lines = 64;

/// The part of a bounding box that lies in the box of nodes; empty (lower > upper) if they do not meet.
BoundingBox clipped(const BoundingBox& bounds, const Grid& grid) {
  BoundingBox box;
  for (int axis = 0; axis < 3; ++axis) {
    box.lower[axis] = std::max(bounds.lower[axis], 0.0);
    box.upper[axis] = std::min(bounds.upper[axis], static_cast<double>(grid.size[axis]));
  }
  return box;
}

/// Whether a node of every `stride`-th line along x lies in a closed part.
bool has_node_on_lines(const Mesh& mesh, const MeshPart& part, const Grid& grid, int stride) {
  struct Crossing {
    std::int64_t line;
    double position;
  };
  std::vector<Crossing> crossings;
  const Int3& size = grid.size;
  const int size_y = (size[1] + stride - 1) / stride, size_z = (size[2] + stride - 1) / stride;
  for (const std::uint32_t t : part.triangles) {
    std::array<Real3, 3> corners = mesh.corners(mesh.triangles[t]);
    for (Real3& corner : corners)
      for (const int axis : {1, 2}) corner[axis] = (corner[axis] - 0.5) / stride + 0.5;
    rasterise(corners, mesh.triangles[t].vertex, 0, size_y, size_z, [&](int y, int z, double position, int) {
      crossings.push_back({static_cast<std::int64_t>(z) * size_y + y, static_cast<float>(position)});
    });
  }
  std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
    return a.line != b.line ? a.line < b.line : a.position < b.position;
  });
  bool inside = false;
  for (std::size_t i = 0; i + 1 < crossings.size(); ++i) {
    inside = !inside;
    if (crossings[i].line != crossings[i + 1].line) {
      inside = false;
      continue;
    }
    if (!inside) continue;
    // Nodes lie at whole numbers and a half. As in columns, what is crossed at a node is crossed before it.
    const double first = std::max(std::ceil(crossings[i].position - 0.5), 0.0);
    const double last = std::min(std::ceil(crossings[i + 1].position - 0.5) - 1, size[0] - 1.0);
    if (first <= last) return true;
  }
  return false;
}

bool has_node(const Mesh& mesh, const MeshPart& part, const Grid& grid) {
  const int stride = std::max(grid.size[1], grid.size[2]) / quick_lines;
  if (stride > 1 && has_node_on_lines(mesh, part, grid, stride)) return true;
  return has_node_on_lines(mesh, part, grid, 1);
}

/// How often the two sides of some triangles of a part are alike, and how often there is fluid outside of it.
struct Sides {
  int sampled = 0, alike = 0, in_fluid = 0;
};

Sides look_at_sides(const MeshInFlow& in, const MeshPart& part) {
  constexpr double step = 0.01;  // nodes
  Sides sides;
  const std::size_t stride = 1 + part.triangles.size() / sampled_triangles;
  for (std::size_t k = 0; k < part.triangles.size(); k += stride) {
    const auto [a, b, c] = in.mesh.corners(in.mesh.triangles[part.triangles[k]]);
    const Real3 area = cross(b - a, c - a), middle = (1.0 / 3) * (a + b + c);
    if (!(norm(area) > 0)) continue;
    const Real3 away = ((part.turned[k] ? -step : step) / norm(area)) * area;
    const bool outside = in.rays.inside(middle + away), inside = in.rays.inside(middle - away);
    ++sides.sampled;
    sides.alike += outside == inside;
    sides.in_fluid += outside == in.fluid_inside;
  }
  return sides;
}

/// Whether hardly anything of a part lies in the box, and the rest beyond a periodic face: an image of it lies there.
bool is_image(const MeshPart& part, const BoundingBox& box, const Grid& grid) {
  for (int axis = 0; axis < 3; ++axis) {
    const bool beyond = part.bounds.lower[axis] < 0 || part.bounds.upper[axis] > grid.size[axis];
    if (grid.periodic[axis] && beyond && box.upper[axis] - box.lower[axis] < 1) return true;
  }
  return false;
}

bool closes_the_flow(const MeshInFlow& in, const MeshPart& part) {
  const MeshTriangle& t = in.mesh.triangles[part.triangles.front()];
  return std::find(in.openings.begin(), in.openings.end(), t.surface) != in.openings.end();
}

bool is_lost(const MeshInFlow& in, const MeshPart& part, const Grid& grid) {
  const bool fills_hole = part.triangles.front() >= in.given;
  if (fills_hole || in.mesh.triangles[part.triangles.front()].family != 0 || closes_the_flow(in, part)) return false;
  if (part.closed && has_node(in.mesh, part, grid)) return false;
  const Sides sides = look_at_sides(in, part);
  // What is so thin that a step leads through it has alike sides, too.
  return 2 * sides.in_fluid > sides.sampled && (part.closed || 2 * sides.alike > sides.sampled);
}

/// Why a part that crosses no link is refused.
std::string describe(const MeshInFlow& in, const MeshPart& part, const BoundingBox& box, const Grid& grid, bool si) {
  const double thickness = part.closed ? 2 * part.volume / part.area : 0;  // of a plate
  const Real3 middle = to_case(grid, 0.5 * (box.lower + box.upper)), size = grid.spacing * (box.upper - box.lower);
  const char* const unit = si ? " m" : "";
  const bool is_sheet = thickness < 1e-3;
  const std::string what =
      is_sheet ? "has no thickness" : fmt::format("is {:.2g} nodes thick and has no node inside", thickness);
  const std::string finer =
      si ? fmt::format("choose a spacing of at most {:.3g} m", thickness * grid.spacing)
         : fmt::format("take {:.3g} times as many nodes along each axis", std::ceil(10 / thickness) / 10);
  return fmt::format(
      "{}: the {} around {} ({:.3g} x {:.3g} x {:.3g}{}) {} and crosses no link along an axis, so that the flow would "
      "pass through it as if it were not there; make it at least one node ({:.3g}{}) thick{}, or {}",
      in.files, is_sheet ? "sheet" : "solid", format_point(middle), size[0], size[1], size[2], unit, what, grid.spacing,
      unit, is_sheet ? ", as a closed surface" : "", is_sheet ? "the spacing smaller" : finer);
}

/// Some triangles of a mesh, with the vertices that they have, in the same order.
Mesh part_of(const Mesh& mesh, const std::vector<std::uint32_t>& triangles, std::size_t given) {
  Mesh part;
  std::vector<std::uint32_t> used;
  for (const std::uint32_t t : triangles) {
    if (t >= given) continue;
    part.triangles.push_back(mesh.triangles[t]);
    used.insert(used.end(), part.triangles.back().vertex.begin(), part.triangles.back().vertex.end());
  }
  std::sort(used.begin(), used.end());
  used.erase(std::unique(used.begin(), used.end()), used.end());
  for (const std::uint32_t v : used) part.vertices.push_back(mesh.vertices[v]);
  for (MeshTriangle& t : part.triangles)
    for (std::uint32_t& v : t.vertex)
      v = static_cast<std::uint32_t>(std::lower_bound(used.begin(), used.end(), v) - used.begin());
  return part;
}

}  // namespace

std::vector<bool> take_lost_parts(const MeshInFlow& in, const Grid& grid, bool si, std::vector<Sheet>& sheets,
                                  GeometryReport& report) {
  struct Lost {
    const MeshPart& part;
    BoundingBox box;
  };
  std::vector<Lost> large, specks;
  // Pieces that hardly meet are more often a body whose triangles miss each other than sheets, and it would fill with
  // fluid: who means sheets says so.
  const auto was_open = [&](const MeshPart& part) {
    const auto fills_hole = [&](std::uint32_t t) { return t >= in.given; };
    return !part.closed || std::any_of(part.triangles.begin(), part.triangles.end(), fills_hole);
  };
  const auto nearly_meet = [&](const Lost& a, const Lost& b) {
    bool meet = was_open(a.part) && was_open(b.part);
    for (int axis = 0; axis < 3; ++axis)
      meet = meet && a.box.lower[axis] < b.box.upper[axis] + 1 && b.box.lower[axis] < a.box.upper[axis] + 1;
    return meet;
  };
  bool any_seen = false;
  for (const MeshPart& part : in.parts) {
    BoundingBox box = clipped(part.bounds, grid);
    if (grid.dimension == 2) box.lower[2] = 0, box.upper[2] = 1;
    const Real3 size = box.upper - box.lower;
    const bool in_box = size[0] >= 0 && size[1] >= 0 && size[2] >= 0;
    if (!in_box || is_image(part, box, grid) || !is_lost(in, part, grid)) {
      any_seen = any_seen || in_box;
      continue;
    }
    const bool is_large = std::max({size[0], size[1], size[2]}) >= small_length && part.area >= small_area;
    (is_large ? large : specks).push_back({part, box});
  }
  if (large.empty() && !any_seen) std::swap(large, specks);
  if (!specks.empty())
    report.warnings.push_back(fmt::format(
        "{}: {} parts of the surface are smaller than {} nodes and have no node inside, so that the flow does not feel "
        "them; where they matter, choose a smaller spacing.",
        in.files, specks.size(), small_length));
  for (std::size_t k = 1; k < large.size(); ++k)
    if (std::any_of(large.begin(), large.begin() + static_cast<std::ptrdiff_t>(k),
                    [&](const Lost& other) { return nearly_meet(large[k], other); }))
      report.refusals.push_back(
          {0.5 * (large[k].box.lower + large[k].box.upper),
           fmt::format(
               "{}: pieces of the surface that are open lie less than a node from each other, around {}: a body "
               "between them would fill with fluid; close the surface, or, if they are sheets with fluid on "
               "both sides, set geometry.stl.fluid = \"both\"",
               in.files, format_point(to_case(grid, 0.5 * (large[k].box.lower + large[k].box.upper))))});
  std::vector<bool> taken(large.empty() ? 0 : in.mesh.triangles.size(), false);
  for (const auto& [part, box] : large) {
    sheets.push_back({part_of(in.mesh, part.triangles, in.given), describe(in, part, box, grid, si)});
    for (const std::uint32_t t : part.triangles) taken[t] = true;
  }
  return taken;
}

void drop_triangles(const std::vector<bool>& dropped, Mesh& mesh, FilledHoles holes) {
  std::vector<std::size_t> before;  // [triangle], how many stay before it
  std::size_t kept = 0;
  for (const bool drop : dropped) {
    before.push_back(kept);
    if (!drop) mesh.triangles[kept++] = mesh.triangles[before.size() - 1];
  }
  before.push_back(kept);
  mesh.triangles.resize(kept);
  std::size_t k = 0;
  for (std::size_t hole = 0; hole < holes.loops.size(); ++hole) {
    const std::size_t first = holes.first_triangle[hole];
    if (dropped[first]) continue;
    if (k != hole) holes.loops[k] = std::move(holes.loops[hole]);
    holes.owner[k] = holes.owner[hole];
    holes.first_triangle[k++] = before[first];
  }
  holes.loops.resize(k);
  holes.owner.resize(k);
  holes.first_triangle.resize(k + 1);
  holes.first_triangle[k] = kept;
}

}  // namespace fluvia::geometry
