// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <string>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/geometry/layers/layer.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/geometry/map/link_search.hpp"

namespace fluvia {

namespace {

/// Lets links towards tiles of other levels end at a surface of their own.
void add_level_surface(const LevelMap& map, int level, Geometry& geometry) {
  geometry.level_surface = static_cast<int>(geometry.surfaces.size());
  geometry.surfaces.emplace_back("other levels");
  const Grid grid = map.grid(level);
  geometry.surface_of = [map, level, grid, within = std::move(geometry.surface_of), other = geometry.level_surface](
                            const Int3& node, const Int3& offset) {
    const Int3 shape = tile_shape(grid.dimension);
    Int3 tile{};
    for (int a = 0; a < 3; ++a) {
      int there = node[a] + offset[a];
      if (there < 0 || there >= grid.size[a]) {
        if (!grid.periodic[a]) return within(node, offset);
        there = wrapped(there, grid.size[a]);
      }
      tile[a] = there / shape[a];
    }
    return map.owns(level, tile) ? within(node, offset) : other;
  };
}

/// The conditions of surfaces, by their numbers.
std::vector<const core::ConditionFacts*> conditions_of(const Case& c, const Geometry& geometry) {
  std::vector<const core::ConditionFacts*> facts(geometry.surfaces.size(), &core::boundary_facts(0));
  for (const Case::Boundary& b : c.boundaries) {
    const auto found = std::find(geometry.surfaces.begin(), geometry.surfaces.end(), b.surface);
    if (found != geometry.surfaces.end())
      facts[static_cast<std::size_t>(found - geometry.surfaces.begin())] = &facts_of_boundary(b.type);
  }
  return facts;
}

/// Whether a node of level 0 is so near to refined tiles that populations which cross an interface, or their slopes,
/// come from it.
bool is_near_interface(const LevelMap& map, const Grid& grid, const Int3& node) {
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
        if (inside && map.is_refined(0, {there[0] / shape[0], there[1] / shape[1], there[2] / shape[2]})) return true;
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

Geometry build_level_geometry(const Case& c, const LevelMap& map, int level, const Geometry& coarsest) {
  refuse_sheets(coarsest);
  const auto owns = [&](const Int3& tile) { return map.owns(level, tile); };
  if (level > 0) {
    Geometry geometry = build_geometry(c, map.grid(level), communicator_of_one(), owns);
    refuse_sheets(geometry);
    add_level_surface(map, level, geometry);
    return geometry;
  }
  Geometry geometry = coarsest;
  const NodeMap& all = coarsest.nodes;
  geometry.nodes = NodeMap::build(
      all.dimension, all.size, all.periodic,
      [&](const Int3& position) {
        const std::uint32_t tile = owns(position) ? all.tile_at(position) : empty_tile;
        return tile == empty_tile ? 0 : all.tiles[tile].mask;
      },
      communicator_of_one(),
      [] {
        return std::string(
            "; regions of [[refine]] take all of it: leave some to the coarsest level, or use a finer "
            "units.spacing instead");
      });
  geometry.nodes.mirrors = all.mirrors;
  add_level_surface(map, level, geometry);
  return geometry;
}

void check_level_conditions(const Case& c, const LevelMap& map, const std::vector<const Geometry*>& of_level) {
  for (int level = 0; level <= map.finest(); ++level) {
    const Geometry& geometry = *of_level[static_cast<std::size_t>(level)];
    const NodeMap& nodes = geometry.nodes;
    const std::vector<const core::ConditionFacts*> facts = conditions_of(c, geometry);
    if (std::none_of(facts.begin(), facts.end(), [](const auto* f) { return f->acts || f->mirrors_on_faces; }))
      continue;
    const Grid grid = map.grid(level);
    const auto refuse = [&](const Int3& node, int surface) {
      const auto s = static_cast<std::size_t>(surface);
      throw_input(fmt::format(
          "refine: at {} the surface '{}' of type '{}' {}; only walls at rest may meet finer levels yet: keep regions "
          "of "
          "[[refine]] three nodes of the coarsest level away from it",
          geometry::format_point(geometry::to_case(grid, geometry::node_centre(node))), geometry.surfaces[s],
          facts[s]->name, level > 0 ? fmt::format("meets level {}", level) : "comes too near to a finer level"));
    };
    const auto is_forbidden = [&](const Int3& node) { return level > 0 || is_near_interface(map, grid, node); };
    const std::vector<Int3> offsets = neighbour_offsets(nodes.dimension, nodes.dimension);
    LinkSearch search(nodes, offsets);
    for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t) {
      search.visit_tile(t, [&](const NodeWithCuts& node) {
        node.for_each_cut([&](std::size_t k) {
          const int surface = geometry.surface_of(node.node, offsets[k]);
          if (facts[static_cast<std::size_t>(surface)]->acts && is_forbidden(node.node)) refuse(node.node, surface);
        });
      });
      for (int face = 0; face < 6; ++face) {
        if (!of_level.front()->nodes.mirrors[static_cast<std::size_t>(face)]) continue;
        for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1) {
          const Int3 node = nodes.node_position(nodes.tiles[t], std::countr_zero(rest));
          const int axis = face / 2, plane = face % 2 == 0 ? 0 : nodes.size[axis] - 1;
          if (node[axis] == plane && is_forbidden(node)) refuse(node, face);
        }
      }
    }
  }
}

}  // namespace fluvia
