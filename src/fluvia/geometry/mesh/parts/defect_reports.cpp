// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/parts/defect_reports.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/layers/layer.hpp"

namespace fluvia::geometry {
namespace {

constexpr std::size_t holes_in_message = 8;

void refuse_holes(const std::string& files, bool fluid_inside, const std::vector<GeometryReport::Hole>& unnamed) {
  std::string list;
  for (std::size_t i = 0; i < std::min(unnamed.size(), holes_in_message); ++i) {
    list += fmt::format("\n  center {}, area {:.6g}, normal {}", format_point(unnamed[i].position), unnamed[i].area,
                        format_point(unnamed[i].normal));
  }
  if (unnamed.size() > holes_in_message) list += fmt::format("\n  and {} more", unnamed.size() - holes_in_message);
  throw_input(
      fmt::format("{}: the surface has {} hole{} that no opening names:{}\n  add [[opening]] with a name and this "
                  "center for each, or set geometry.allow_defects = true to close them as walls{}",
                  files, unnamed.size(), unnamed.size() == 1 ? "" : "s", list,
                  fluid_inside ? "" : ", or fluid = \"both\" if the surface is a sheet with fluid on both sides"));
}

}  // namespace

void report_closed(const std::string& files, bool fluid_inside, bool allow_defects, const MeshDefects& defects,
                   const ClosedHoles& closed, GeometryReport& report) {
  if (!closed.unnamed.empty() && !allow_defects) refuse_holes(files, fluid_inside, closed.unnamed);
  const auto warn = [&](std::size_t count, const char* text) {
    if (count > 0) report.warnings.push_back(fmt::format("{}: {} {}", files, count, text));
  };
  warn(closed.unnamed.size(),
       "holes that no opening names were closed as walls; name them in [[opening]] if the fluid flows through them.");
  warn(closed.tiny, "gaps smaller than one node were closed; repair the surface if the wall must be exact there.");
  warn(
      closed.covered,
      "rims of the wall and of opening patches do not share vertices and were closed with the patches; export wall and "
      "patches from one mesh to avoid this.");
  warn(defects.non_manifold_edges.size(),
       "edges belong to more than two triangles; look at the slices (fluvia geometry --png), and repair the surface if "
       "they are wrong.");
}

void report_edges(const Grid& grid, const std::vector<Real3>& edges, GeometryReport& report) {
  report.non_manifold_edges += edges.size();
  for (const Real3& edge : edges) {
    if (report.defect_positions.size() >= defect_positions_shown) break;
    report.defect_positions.push_back(to_case(grid, edge));
  }
}

void report_nested(const Grid& grid, const std::string& files, const std::vector<MeshPart>& parts,
                   const std::vector<std::uint32_t>& nested, GeometryReport& report) {
  if (nested.empty()) return;
  const BoundingBox& box = parts[nested.front()].bounds;
  report.warnings.push_back(
      fmt::format("{}: {} closed {} inside another one, for example around {}, and {} the same way: taken for a hole "
                  "in it, so that "
                  "only the space between them is inside; if they are bodies that overlap, remove the inner one.",
                  files, nested.size(), nested.size() == 1 ? "surface lies" : "surfaces lie",
                  format_point(to_case(grid, 0.5 * (box.lower + box.upper))), nested.size() == 1 ? "faces" : "face"));
}

void report_overlaps(const Grid& grid, const std::string& files, const Overlaps& overlaps, GeometryReport& report) {
  if (overlaps.pairs == 0) return;
  report.overlaps += overlaps.pairs;
  for (const Real3& position : overlaps.positions)
    if (report.overlap_positions.size() < defect_positions_shown)
      report.overlap_positions.push_back(to_case(grid, position));
  const std::string where = format_point(to_case(grid, overlaps.positions.front()));
  if (overlaps.united > 0)
    report.warnings.push_back(fmt::format(
        "{}: {} closed surfaces overlap, for example at {}, and were united: what lies in any of them is inside; unite "
        "them in the program that made them if that is not what you mean.",
        files, overlaps.united, where));
  if (overlaps.not_orientable > 0)
    report.warnings.push_back(fmt::format(
        "{}: {} surfaces that overlap others, for example at {}, have no outside (their triangles cannot be turned to "
        "one side), so that they cancel where they overlap; repair them, or unite them in the program that made them.",
        files, overlaps.not_orientable, where));
}

}  // namespace fluvia::geometry
