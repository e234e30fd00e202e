// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/geometry_json.hpp"

#include <cmath>

#include "fluvia/geometry/layers/layer.hpp"

namespace fluvia {

using Json = nlohmann::json;

Json geometry_json(const Geometry& geometry, const Grid& grid) {
  const NodeMap& nodes = geometry.nodes;
  Json openings = Json::array();
  for (const Opening& opening : geometry.openings) {
    Json centre = Json::array();
    for (std::size_t i = 0; i < 3; ++i) centre.push_back(grid.origin[i] + opening.centroid[i] * grid.spacing);
    const double size = nodes.dimension == 3 ? grid.spacing * grid.spacing : grid.spacing;
    openings.push_back(
        {{"name", opening.name}, {"centre", centre}, {"normal", opening.normal}, {"area", opening.area * size}});
  }
  return {{"dimension", nodes.dimension},
          {"nodes", nodes.size},
          {"periodic", nodes.periodic},
          {"origin", grid.origin},
          {"spacing", grid.spacing},
          {"box_nodes", nodes.box_nodes()},
          {"fluid_nodes", nodes.fluid_nodes},
          {"porosity", nodes.porosity()},
          {"tile_porosity", nodes.tile_porosity()},
          {"boundary_nodes", geometry.report.boundary_nodes},
          {"openings", openings}};
}

Json geometry_report_json(const Geometry& geometry, const Grid& grid, bool si) {
  const GeometryReport& r = geometry.report;
  Json json = geometry_json(geometry, grid);
  json["unit"] = si ? "m" : "lattice";
  json["surfaces"] = geometry.surfaces;
  json["volume"] = geometry.nodes.node_volume() * static_cast<double>(geometry.nodes.fluid_nodes) *
                   std::pow(grid.spacing, grid.dimension);
  json["components"] = {
      {"fluid", r.fluid_components}, {"dropped", r.dropped_components}, {"dropped_nodes", r.dropped_nodes}};
  Json levels = Json::array();
  for (const GeometryReport::Level& level : r.levels)
    levels.push_back({{"spacing", level.spacing}, {"nodes", level.nodes}});
  if (!levels.empty()) json["levels"] = levels;
  Json holes = Json::array();
  for (const GeometryReport::Hole& hole : r.holes)
    holes.push_back(
        {{"centre", hole.position}, {"normal", hole.normal}, {"area", hole.area}, {"opening", hole.opening}});
  json["holes"] = holes;
  json["hole_count"] = r.hole_count;
  json["non_manifold_edges"] = r.non_manifold_edges;
  json["defects_at"] = r.defect_positions;
  json["overlaps"] = r.overlaps;
  json["overlaps_at"] = r.overlap_positions;
  Json walls = Json::array();
  for (const GeometryReport::WallLinks& links : r.wall_links)
    walls.push_back({{"surface", links.surface},
                     {"interpolated", links.interpolated},
                     {"half_way", links.half_way + links.lost},
                     {"not_found", links.lost}});
  json["walls"] = walls;
  Json sheets = Json::array();
  for (const GeometryReport::Sheet& sheet : r.sheets)
    sheets.push_back({{"surface", sheet.surface}, {"links", sheet.links}});
  json["sheets"] = sheets;
  json["narrow"] = {{"nodes", r.narrow_nodes}, {"examples", r.narrow_examples}};
  json["gaps"] = {{"nodes", r.gap_nodes}, {"narrowest", nullptr}, {"at", nullptr}};
  if (r.gap_nodes > 0) {
    json["gaps"]["narrowest"] = r.narrowest_gap;
    json["gaps"]["at"] = r.narrowest_gap_at;
  }
  json["warnings"] = r.warnings;
  return json;
}

}  // namespace fluvia
