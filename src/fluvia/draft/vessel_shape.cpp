// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/vessel_shape.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/draft/case_text.hpp"
#include "fluvia/geometry/mesh/flat_ends.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/stl.hpp"

namespace fluvia::draft {

namespace {

using geometry::BoundingBox;
using geometry::FlatEnd;
using geometry::Loop;
using geometry::Mesh;
using geometry::TriangleSoup;

// Ends below this part of the largest one's area are taken for flaws and details of the surface.
constexpr double least_share = 0.01;
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

Mesh weld_all(const std::vector<TriangleSoup>& soups, const BoundingBox& box) {
  std::vector<geometry::Patch> patches;
  for (const TriangleSoup& soup : soups) patches.push_back({soup, 0});
  return geometry::weld(patches, weld_share * norm(box.upper - box.lower));
}

/// Holes and flat ends, largest first; those that are small beside the largest are left out.
std::vector<VesselEnd> find_ends(const Mesh& mesh, double unit) {
  std::vector<VesselEnd> ends;
  for (const Loop& loop : geometry::find_defects(mesh).loops)
    ends.push_back({"", unit * loop.centroid, unit * unit * loop.area});
  // Flat ends count only where there are no holes to speak of: an open vessel is open where it is cut.
  double largest = 0;
  for (const VesselEnd& end : ends) largest = std::max(largest, end.area);
  const auto count = [&] {
    return std::count_if(ends.begin(), ends.end(), [&](const auto& e) { return e.area > least_share * largest; });
  };
  if (count() < 2) {
    for (const FlatEnd& end : geometry::find_flat_ends(mesh)) {
      ends.push_back({"", unit * end.centroid, unit * unit * end.area});
      largest = std::max(largest, ends.back().area);
    }
  }
  std::erase_if(ends, [&](const VesselEnd& end) { return end.area <= least_share * largest; });
  return ends;
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

double VesselEnd::diameter() const {
  return 2 * std::sqrt(area / std::numbers::pi);
}

Real3 extent_of(const std::vector<std::filesystem::path>& files) {
  BoundingBox box;
  for (const auto& file : files)
    for (const auto& triangle : geometry::read_stl(file))
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
  std::vector<TriangleSoup> soups;
  BoundingBox box;
  for (const auto& file : request.files) {
    soups.push_back(geometry::read_stl(file));
    for (const auto& triangle : soups.back())
      for (const Real3& corner : triangle) box.add(corner);
  }
  VesselShape shape;
  shape.lower = unit * box.lower;
  shape.upper = unit * box.upper;
  const auto wall =
      static_cast<std::size_t>(std::max_element(soups.begin(), soups.end(),
                                                [](const auto& a, const auto& b) { return area_of(a) < area_of(b); }) -
                               soups.begin());
  const auto add_file = [&](std::size_t i, const std::string& role) {
    Case::Stl stl;
    stl.file = std::filesystem::absolute(request.files[i]);
    stl.unit = unit;
    stl.role = role;
    if (role == "opening") stl.name = plain_stem(request.files[i]);
    shape.files.push_back(stl);
  };
  add_file(wall, "wall");
  for (std::size_t i = 0; i < soups.size(); ++i) {
    if (i == wall) continue;
    add_file(i, "opening");
    shape.ends.push_back({shape.files.back().name, unit * middle_of(soups[i]), unit * unit * area_of(soups[i]), true});
  }
  if (soups.size() == 1) shape.ends = find_ends(weld_all(soups, box), unit);
  std::stable_sort(shape.ends.begin(), shape.ends.end(), [](const auto& a, const auto& b) { return a.area > b.area; });
  if (shape.ends.size() < 2)
    throw_input(fmt::format(
        "{}: {} for fluid to flow through: a vessel needs two or more, holes in the surface or flat ends with a sharp "
        "rim{}. Cut its ends off square; or, for the flow around a body, give --wind",
        names_of(request.files), shape.ends.empty() ? "there is no opening" : "there is only one opening",
        shape.ends.empty() ? ""
                           : fmt::format(" (found: one at ({:.4g}, {:.4g}, {:.4g}) m)", shape.ends[0].center[0],
                                         shape.ends[0].center[1], shape.ends[0].center[2])));
  return shape;
}

}  // namespace fluvia::draft
