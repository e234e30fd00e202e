// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/vessel_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <set>

#include "fluvia/base/error.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/draft/case_text.hpp"
#include "fluvia/draft/choices.hpp"
#include "fluvia/geometry/mesh/flat_ends.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia::draft {

namespace {

using geometry::BoundingBox;
using geometry::FlatEnd;
using geometry::Loop;
using geometry::Mesh;
using geometry::TriangleSoup;

// Ends below this part of the largest one's area are taken for flaws and details of the surface.
constexpr double least_share = 0.01;
// A disc with a sharp rim is no accident, and small branches have small ends.
constexpr double least_share_of_discs = 5e-4;
constexpr double least_share_to_tell = 1e-4;
constexpr double weld_share = 1e-6;

double area_of(const TriangleSoup& soup) {
  double area = 0;
  for (const auto& [a, b, c] : soup) area += 0.5 * norm(cross(b - a, c - a));
  return area;
}

Real3 middle_of(const TriangleSoup& soup) {
  Real3 sum{};
  double area = 0;
  for (const auto& [a, b, c] : soup) {
    const double part = 0.5 * norm(cross(b - a, c - a));
    sum = sum + (part / 3) * (a + b + c);
    area += part;
  }
  return area > 0 ? (1 / area) * sum : soup.front()[0];
}

/// A file, or a part of one.
struct Piece {
  std::filesystem::path file;
  std::string part;
  TriangleSoup triangles;
};

/// Whether a surface looks one way all over, as a patch across a flow does and a wall around one does not.
bool is_flat(const TriangleSoup& soup) {
  constexpr double nearly = 0.9;
  Real3 sum{};
  for (const auto& [a, b, c] : soup) sum = sum + 0.5 * cross(b - a, c - a);
  return norm(sum) > nearly * area_of(soup);
}

/// The files of a request. One file whose parts are walls and flat patches with names, such as the solids of an STL, is
/// taken apart.
std::vector<Piece> pieces_of(const DraftRequest& request) {
  std::vector<Piece> pieces;
  if (request.files.size() > 1) {
    for (const auto& file : request.files) pieces.push_back({file, "", geometry::read_surface(file)});
    return pieces;
  }
  const std::filesystem::path& file = request.files.front();
  std::vector<geometry::SurfacePart> parts = geometry::read_surface_parts(file);
  const auto is_patch = [](const geometry::SurfacePart& part) { return is_flat(part.triangles); };
  const auto patches = static_cast<std::size_t>(std::count_if(parts.begin(), parts.end(), is_patch));
  const bool named = std::none_of(parts.begin(), parts.end(), [](const auto& part) { return part.name.empty(); });
  if (named && patches > 0 && patches < parts.size()) {
    for (geometry::SurfacePart& part : parts) pieces.push_back({file, part.name, std::move(part.triangles)});
  } else {
    pieces.push_back({file, "", {}});
    TriangleSoup& all = pieces.front().triangles;
    for (const auto& part : parts) all.insert(all.end(), part.triangles.begin(), part.triangles.end());
  }
  return pieces;
}

Mesh weld_whole(const TriangleSoup& soup, const BoundingBox& box) {
  const geometry::Patch patch{soup, 0};
  return geometry::weld({&patch, 1}, weld_share * norm(box.upper - box.lower));
}

/// Everything that may be an opening, largest first, each with the reason why it is not taken unless somebody asks for
/// it.
std::vector<LeftOut> find_candidates(const Mesh& mesh, const std::vector<Loop>& loops, double unit) {
  std::vector<LeftOut> found;
  const auto by_area = [](const LeftOut& a, const LeftOut& b) { return a.end.area > b.end.area; };
  double largest_hole = 0;
  for (const Loop& loop : loops) {
    found.push_back({{"", unit * loop.centroid, unit * unit * loop.area}, ""});
    largest_hole = std::max(largest_hole, found.back().end.area);
  }
  std::size_t holes = 0;
  for (const LeftOut& hole : found) holes += hole.end.area > least_share * largest_hole ? 1 : 0;
  double largest = largest_hole;
  const bool voxels = geometry::is_made_of_voxels(mesh);
  std::vector<bool> discs(found.size(), false);
  for (const FlatEnd& end : geometry::find_flat_pieces(mesh)) {
    // Flat ends count only where there are no holes to speak of: an open vessel is open where it is cut.
    const std::string why = !end.problem.empty() ? end.problem
                            : holes >= 2         ? "it is flat, but this vessel is open at holes"
                            : voxels             ? "the surface is made of voxels, and may have it as a step"
                                                 : "";
    if (why.empty()) largest = std::max(largest, unit * unit * end.area);
    found.push_back({{"", unit * end.centroid, unit * unit * end.area}, why});
    discs.push_back(end.disc);
  }
  for (std::size_t k = 0; k < found.size(); ++k) {
    const double least = (discs[k] ? least_share_of_discs : least_share) * largest;
    if (found[k].why.empty() && found[k].end.area <= least)
      found[k].why =
          fmt::format("its area is {}% of the largest opening's", format_short(100 * found[k].end.area / largest, 2));
  }
  std::erase_if(found, [&](const LeftOut& one) { return !(one.end.area > least_share_to_tell * largest); });
  std::stable_sort(found.begin(), found.end(), by_area);
  return found;
}

std::string list_of(const std::vector<LeftOut>& candidates, double unit) {
  std::string list;
  for (const LeftOut& one : candidates)
    list += fmt::format("\n  {} wide, at {}{}", show_length(one.end.diameter()),
                        show_in_file(one.end.center, unit, one.end.diameter()), one.why.empty() ? "" : ": " + one.why);
  return list;
}

/// Takes the candidates that the request names, or those against which nothing speaks.
void choose_ends(const DraftRequest& request, double unit, std::vector<LeftOut> candidates, VesselShape& shape) {
  const auto fail = [&](const std::string& what) {
    throw Error(ExitCode::usage, fmt::format("{}; what may be an opening:{}", what, list_of(candidates, unit)));
  };
  if (request.ends) {
    const auto wanted = static_cast<std::size_t>(*request.ends);
    if (candidates.size() < wanted)
      fail(fmt::format("--ends: {} are wanted, but {} are there", wanted, candidates.size()));
    for (std::size_t k = 0; k < candidates.size(); ++k)
      candidates[k].why = k < wanted ? "" : "it is smaller than those wanted";
  }
  if (!request.end_points.empty()) {
    std::vector<bool> taken(candidates.size(), false);
    for (const Real3& point : request.end_points) {
      const auto distance = [&](const LeftOut& one) { return norm(one.end.center - unit * point); };
      const auto nearest = std::min_element(candidates.begin(), candidates.end(),
                                            [&](const auto& a, const auto& b) { return distance(a) < distance(b); });
      if (nearest == candidates.end() || distance(*nearest) > nearest->end.diameter())
        fail(fmt::format("--end: there is no opening within its width of {}",
                         show_in_file(unit * point, unit, unit * std::max(1e-9, norm(point)))));
      taken[static_cast<std::size_t>(nearest - candidates.begin())] = true;
    }
    for (std::size_t k = 0; k < candidates.size(); ++k) candidates[k].why = taken[k] ? "" : "no --end names it";
  }
  for (LeftOut& one : candidates)
    if (one.why.empty())
      shape.ends.push_back(std::move(one.end));
    else
      shape.left_out.push_back(std::move(one));
}

std::string names_of(const std::vector<std::filesystem::path>& files) {
  std::vector<std::string> names;
  for (const auto& file : files) names.push_back(file.string());
  return join(names);
}

std::string size_text(const Real3& extent, double unit, const char* shown, double shown_unit) {
  const double factor = unit / shown_unit;
  return fmt::format("{} x {} x {} {}", format_short(factor * extent[0], 3), format_short(factor * extent[1], 3),
                     format_short(factor * extent[2], 3), shown);
}

}  // namespace

std::string show_in_file(const Real3& point, double unit, double length) {
  return show_point((1 / unit) * point, length / unit) + ' ' + length_unit_name(unit);
}

double VesselEnd::diameter() const {
  return 2 * std::sqrt(area / std::numbers::pi);
}

Real3 extent_of(const std::vector<std::filesystem::path>& files) {
  BoundingBox box;
  for (const auto& file : files)
    for (const auto& triangle : geometry::read_surface(file))
      for (const Real3& corner : triangle) box.add(corner);
  return box.upper - box.lower;
}

void require_unit(const DraftRequest& request) {
  if (request.unit) return;
  const Real3 extent = extent_of(request.files);
  throw Error(
      ExitCode::usage,
      fmt::format("--unit is missing: {} does not say in which unit its coordinates are. It would be\n"
                  "  --unit mm   {}\n  --unit cm   {}\n  --unit m    {}\n  --unit um   {}",
                  names_of(request.files), size_text(extent, 1e-3, "mm", 1e-3), size_text(extent, 1e-2, "cm", 1e-2),
                  size_text(extent, 1, "m", 1), size_text(extent, 1e-6, "um", 1e-6)));
}

VesselShape read_vessel(const DraftRequest& request) {
  require_unit(request);
  const double unit = *request.unit;
  const std::vector<Piece> pieces = pieces_of(request);
  BoundingBox box;
  for (const Piece& piece : pieces)
    for (const auto& triangle : piece.triangles)
      for (const Real3& corner : triangle) box.add(corner);
  VesselShape shape;
  shape.lower = unit * box.lower;
  shape.upper = unit * box.upper;
  // Of files the largest is the wall, of the parts of one all that are not flat.
  const auto largest = std::max_element(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) {
    return area_of(a.triangles) < area_of(b.triangles);
  });
  const auto is_wall = [&](const Piece& piece) {
    return &piece == &*largest || (!piece.part.empty() && !is_flat(piece.triangles));
  };
  std::set<std::string> taken(names::faces.begin(), names::faces.end());
  taken.insert(names::wall);
  const auto add = [&](const Piece& piece, const std::string& role) {
    Case::Stl stl;
    stl.file = std::filesystem::absolute(piece.file);
    stl.part = piece.part;
    stl.unit = unit;
    stl.role = role;
    if (role == "opening")
      stl.name =
          unique_name(plain_stem(piece.part.empty() ? piece.file : std::filesystem::path(piece.part + ".part")), taken);
    shape.files.push_back(stl);
  };
  for (const Piece& piece : pieces)
    if (is_wall(piece)) add(piece, "wall");
  for (const Piece& piece : pieces) {
    if (is_wall(piece)) continue;
    add(piece, "opening");
    shape.ends.push_back(
        {shape.files.back().name, unit * middle_of(piece.triangles), unit * unit * area_of(piece.triangles), true});
  }
  TriangleSoup all;
  for (const Piece& piece : pieces) all.insert(all.end(), piece.triangles.begin(), piece.triangles.end());
  const Mesh mesh = weld_whole(all, box);
  const std::vector<Loop> loops = geometry::find_defects(mesh).loops;
  if (pieces.size() == 1) choose_ends(request, unit, find_candidates(mesh, loops, unit), shape);
  for (const Loop& loop : loops) {
    // The rims of a wall and of a patch that lies in it may differ a little.
    const auto is_it = [&](const VesselEnd& end) {
      return norm(end.center - unit * loop.centroid) <= (end.patch ? 0.25 * end.diameter() : 0);
    };
    if (std::none_of(shape.ends.begin(), shape.ends.end(), is_it)) shape.closed.push_back(unit * unit * loop.area);
  }
  std::stable_sort(shape.ends.begin(), shape.ends.end(), [](const auto& a, const auto& b) { return a.area > b.area; });
  if (shape.ends.size() < 2) {
    std::vector<LeftOut> all;
    for (const VesselEnd& end : shape.ends) all.push_back({end, "taken"});
    all.insert(all.end(), shape.left_out.begin(), shape.left_out.end());
    throw_input(fmt::format(
        "{}: {} for fluid to flow through: a vessel needs two or more, holes in the surface or flat ends with a sharp "
        "rim. Cut its ends off square{}; or, for the flow around a body, give --wind{}{}",
        names_of(request.files), shape.ends.empty() ? "there is no opening" : "there is only one opening",
        shape.left_out.empty() ? "" : ", or say which of these it has by --ends N or --end X Y Z",
        all.empty() ? "" : ". What may be an opening:", list_of(all, unit)));
  }
  return shape;
}

}  // namespace fluvia::draft
