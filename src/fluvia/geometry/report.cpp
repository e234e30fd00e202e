// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/layers/layer.hpp"

namespace fluvia {
namespace {

using geometry::format_point;
using geometry::to_case;

constexpr std::size_t most_holes = 20;

double percent(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

class Text {
 public:
  template <class... Arguments>
  void line(const char* label, fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(text_), "{:<20}", label);
    fmt::format_to(std::back_inserter(text_), format, std::forward<Arguments>(arguments)...);
    text_ += '\n';
  }
  [[nodiscard]] std::string take() { return std::move(text_); }

 private:
  std::string text_;
};

void add_positions(Text& text, const char* label, const std::vector<Real3>& positions) {
  for (std::size_t i = 0; i < positions.size(); ++i) text.line(i == 0 ? label : "", "{}", format_point(positions[i]));
}

void add_openings(Text& text, const Geometry& g, const Grid& grid, const char* unit) {
  const double area_scale = grid.dimension == 3 ? grid.spacing * grid.spacing : grid.spacing;
  for (const Opening& opening : g.openings) {
    text.line("opening", "{}: {} {:.6g} {}{}, centre {}, outward normal {}", opening.name,
              grid.dimension == 3 ? "area" : "width", opening.area * area_scale, unit,
              grid.dimension == 3 && *unit != '\0' ? "2" : "", format_point(to_case(grid, opening.centroid)),
              format_point(opening.normal));
  }
}

void add_defects(Text& text, const GeometryReport& r) {
  text.line("holes", "{}", r.hole_count);
  for (std::size_t i = 0; i < std::min(r.holes.size(), most_holes); ++i) {
    const auto& hole = r.holes[i];
    text.line("", "at {}, area {:.6g}, normal {}, {}", format_point(hole.position), hole.area,
              format_point(hole.normal), hole.opening.empty() ? "closed as a wall" : "opening " + hole.opening);
  }
  if (r.hole_count > most_holes) text.line("", "and {} more", r.hole_count - most_holes);
  text.line("non-manifold edges", "{}", r.non_manifold_edges);
  add_positions(text, "defects at", r.defect_positions);
  text.line("overlaps", "{}", r.overlaps);
  add_positions(text, "overlaps at", r.overlap_positions);
}

}  // namespace

std::string format_report(const Geometry& g, const Case& c, const Grid& grid) {
  const GeometryReport& r = g.report;
  const char* const unit = c.units.system == "si" ? "m" : "";
  Text text;
  text.line("box", "{} x {} x {} nodes, spacing {:.6g} {}", grid.size[0], grid.size[1], grid.size[2], grid.spacing,
            unit);
  text.line("corner", "{} {}", format_point(grid.origin), unit);
  text.line("fluid nodes", "{} of {}", r.fluid_nodes, r.box_nodes);
  for (std::size_t l = 0; l < r.levels.size(); ++l)
    text.line(l == 0 ? "levels" : "", "{}: spacing {:.6g} {}, about {:.3g} fluid nodes", l, r.levels[l].spacing, unit,
              r.levels[l].nodes);
  text.line("porosity", "{:.6g}", r.porosity);
  text.line("tile porosity", "{:.6g} ({} tiles)", r.tile_porosity, g.nodes.tiles.size());
  text.line("boundary nodes", "{} ({:.3g}% of the fluid)", r.boundary_nodes, percent(r.boundary_nodes, r.fluid_nodes));
  text.line("components", "{}, dropped {} with {} nodes", r.fluid_components, r.dropped_components, r.dropped_nodes);
  add_openings(text, g, grid, unit);
  if (!c.geometry.stl.empty()) add_defects(text, r);
  for (std::size_t i = 0; i < r.wall_links.size(); ++i) {
    const auto& links = r.wall_links[i];
    text.line(i == 0 ? "walls" : "", "{}: {} cut links where the surface is, {} half-way{}", links.surface,
              links.interpolated, links.half_way + links.lost,
              links.lost == 0 ? "" : fmt::format(" ({} not found)", links.lost));
  }
  if (r.wall_links.empty()) text.line("walls", "half-way");
  for (const GeometryReport::Sheet& sheet : r.sheets) text.line("sheet", "{}", sheet.line());
  text.line("narrower than 4", "{} nodes ({:.3g}%)", r.narrow_nodes, percent(r.narrow_nodes, r.fluid_nodes));
  add_positions(text, "for example at", r.narrow_examples);
  if (r.gap_nodes > 0)
    text.line("gaps", "{} of these nodes lie between walls that face each other; narrowest {:.3g} nodes, at {}",
              r.gap_nodes, r.narrowest_gap, format_point(r.narrowest_gap_at));
  if (r.narrowest_way > 0)
    text.line("narrowest way", "{} nodes, where {} has to pass", r.narrowest_way, r.narrowest_way_of);
  for (const std::string& warning : r.warnings) text.line("warning", "{}", warning);
  return text.take();
}

void throw_refusals(const Geometry& geometry, const std::function<bool(const Int3& tile)>& counts) {
  const NodeMap& nodes = geometry.nodes;
  const Int3 shape = tile_shape(nodes.dimension);
  for (const GeometryReport::Refusal& refusal : geometry.report.refusals) {
    Int3 tile{};
    for (std::size_t a = 0; a < 3; ++a)
      tile[a] = std::clamp(static_cast<int>(std::floor(refusal.at[a])), 0, nodes.size[a] - 1) / shape[a];
    if (counts(tile)) throw_input(refusal.message);
  }
}

}  // namespace fluvia
