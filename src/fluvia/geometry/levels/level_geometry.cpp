// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/layers/layer.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/geometry/levels/regions.hpp"
#include "fluvia/geometry/map/link_search.hpp"

namespace fluvia {

namespace {

/// Lets links towards tiles of other levels, over planes of symmetry, too, end at a surface of their own.
void add_level_surface(const LevelMap& map, int level, Geometry& geometry) {
  geometry.level_surface = static_cast<int>(geometry.surfaces.size());
  geometry.surfaces.emplace_back("other levels");
  const Grid grid = map.grid(level);
  geometry.surface_of = [map, level, grid, mirrors = geometry.nodes.mirrors, within = std::move(geometry.surface_of),
                         other = geometry.level_surface](const Int3& node, const Int3& offset) {
    const Int3 shape = tile_shape(grid.dimension);
    Int3 tile{};
    for (int a = 0; a < 3; ++a) {
      int there = node[a] + offset[a];
      if (there < 0 || there >= grid.size[a]) {
        const bool mirrored = mirrors[static_cast<std::size_t>(2 * a + (there < 0 ? 0 : 1))];
        if (!grid.periodic[a] && !mirrored) return within(node, offset);
        there = mirrored ? node[a] : wrapped(there, grid.size[a]);
      }
      tile[a] = there / shape[a];
    }
    return map.owns(level, tile) ? within(node, offset) : other;
  };
}

/// Whether a node of a level is so near to tiles of others that populations which cross an interface, or their slopes,
/// come from it.
bool is_near_interface(const LevelMap& map, int level, const Grid& grid, const Int3& node) {
  constexpr int reach = 2;
  const Int3 shape = tile_shape(grid.dimension);
  const int depth = grid.dimension == 3 ? reach : 0;
  for (int z = -depth; z <= depth; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        Int3 there{node[0] + x, node[1] + y, node[2] + z};
        bool inside = true;
        for (int a = 0; a < 3; ++a) {
          if (grid.periodic[a]) there[a] = (there[a] % grid.size[a] + grid.size[a]) % grid.size[a];
          inside = inside && there[a] >= 0 && there[a] < grid.size[a];
        }
        if (inside && !map.owns(level, {there[0] / shape[0], there[1] / shape[1], there[2] / shape[2]})) return true;
      }
  return false;
}

}  // namespace

namespace {

void refuse_sheets(const Geometry& geometry) {
  if (geometry.nodes.barred)
    throw_input(
        fmt::format("refine: '{}' is a sheet, a surface with fluid on both sides, with which levels are not possible "
                    "yet; make it at "
                    "least one node of the coarsest level thick, closed, or remove [[refine]]",
                    geometry.report.sheets.empty() ? "wall" : geometry.report.sheets.front().surface));
}

}  // namespace

namespace {

/// The geometry of level 0 within some tiles.
Geometry part_of_coarsest(const Geometry& coarsest, const std::function<bool(const Int3& tile)>& tiles) {
  Geometry geometry = coarsest;
  const NodeMap& all = coarsest.nodes;
  geometry.nodes = NodeMap::build(
      all.dimension, all.size, all.periodic,
      [&](const Int3& position) {
        const std::uint32_t tile = tiles(position) ? all.tile_at(position) : empty_tile;
        return tile == empty_tile ? 0 : all.tiles[tile].mask;
      },
      communicator_of_one(),
      [] {
        return std::string(
            "; regions of [[refine]] take all of it: leave some to the coarsest level, or use a finer "
            "units.spacing instead");
      });
  geometry.nodes.mirrors = all.mirrors;
  return geometry;
}

/// The geometry of a level, whose messages say that they are of it.
Geometry built(const Case& c, const LevelMap& map, int level, const std::function<bool(const Int3&)>& owns) {
  try {
    return build_geometry(c, map.grid(level), communicator_of_one(), owns);
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("refine: on level {}: {}", level, error.what()));
  }
}

}  // namespace

Geometry build_level_geometry(const Case& c, const LevelMap& map, int level, const Geometry& coarsest) {
  refuse_sheets(coarsest);
  const auto owns = [&](const Int3& tile) { return map.owns(level, tile); };
  if (level > 0) {
    Geometry geometry = built(c, map, level, owns);
    refuse_sheets(geometry);
    add_level_surface(map, level, geometry);
    return geometry;
  }
  Geometry geometry = part_of_coarsest(coarsest, owns);
  add_level_surface(map, level, geometry);
  return geometry;
}

Geometry build_seen_geometry(const Case& c, const LevelMap& map, int level, const Geometry& coarsest,
                             const std::function<bool(const Int3& tile)>& tiles) {
  if (level == 0) return part_of_coarsest(coarsest, tiles);
  Geometry geometry = build_geometry(c, map.grid(level), communicator_of_one(), tiles);
  const double finer = std::exp2(level), area = std::pow(finer, geometry.nodes.dimension - 1);
  for (Opening opening : coarsest.openings) {
    for (Real3* const at : {&opening.centroid, &opening.whole_centroid}) *at = finer * *at;
    for (double* const of : {&opening.area, &opening.whole_area}) *of *= area;
    opening.parabola = [finer, profile = std::move(opening.parabola)](const Real3& point) {
      return profile((1 / finer) * point);
    };
    geometry.openings.push_back(std::move(opening));
  }
  return geometry;
}

std::vector<std::vector<bool>> check_level_conditions(const Case& c, const LevelMap& map,
                                                      const std::vector<const Geometry*>& of_level) {
  std::vector<std::vector<bool>> met;
  for (int level = 0; level <= map.finest(); ++level) {
    const Geometry& geometry = *of_level[static_cast<std::size_t>(level)];
    const NodeMap& nodes = geometry.nodes;
    const std::vector<const core::ConditionFacts*> facts = geometry::conditions_of(c, geometry);
    std::vector<bool>& meets = met.emplace_back(facts.size(), false);
    if (std::none_of(facts.begin(), facts.end(), [](const auto* f) { return f->acts; })) continue;
    const Grid grid = map.grid(level);
    const auto refuse = [&](const Int3& node, int surface) {
      const auto s = static_cast<std::size_t>(surface);
      const bool opening = facts[s]->is_opening && level > 0;
      throw_input(fmt::format(
          "refine: at {} the surface '{}' of type '{}' {}",
          geometry::format_point(geometry::to_case(grid, geometry::node_centre(node))), geometry.surfaces[s],
          facts[s]->name,
          opening ? fmt::format("meets level {}; openings must lie on the coarsest level yet: keep regions of "
                                "[[refine]] three of its nodes away from it",
                                level)
                  : fmt::format("comes too near to where level {} ends; only walls at rest and planes of symmetry may "
                                "meet two levels yet: let regions of [[refine]] take in all of it, or keep them three "
                                "nodes of the coarser level away from it",
                                level)));
    };
    const std::vector<Int3> offsets = neighbour_offsets(nodes.dimension, nodes.dimension);
    LinkSearch search(nodes, offsets);
    for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t)
      search.visit_tile(t, [&](const NodeWithCuts& node) {
        node.for_each_cut([&](std::size_t k) {
          const int surface = geometry.surface_of(node.node, offsets[k]);
          const core::ConditionFacts& condition = *facts[static_cast<std::size_t>(surface)];
          if (!condition.acts) return;
          if ((condition.is_opening && level > 0) || is_near_interface(map, level, grid, node.node))
            refuse(node.node, surface);
          meets[static_cast<std::size_t>(surface)] = true;
        });
      });
  }
  return met;
}

}  // namespace fluvia
