// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/layers/layer.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/geometry/levels/regions.hpp"
#include "fluvia/geometry/map/link_search.hpp"

namespace fluvia {

namespace {

/// Lets links towards fluid of other levels, over planes of symmetry, too, end at a surface of their own. Where there
/// is none, in nodes of this level, walls of this level go on as if it were everywhere.
void add_level_surface(const Grid& grid, Geometry& geometry) {
  geometry.level_surface = static_cast<int>(geometry.surfaces.size());
  geometry.surfaces.emplace_back("other levels");
  geometry.surface_of = [grid, beside = geometry.beside, mirrors = geometry.nodes.mirrors,
                         within = std::move(geometry.surface_of),
                         other = geometry.level_surface](const Int3& node, const Int3& offset) {
    Int3 there{};
    for (int a = 0; a < 3; ++a) {
      there[a] = node[a] + offset[a];
      if (there[a] >= 0 && there[a] < grid.size[a]) continue;
      const bool mirrored = mirrors[static_cast<std::size_t>(2 * a + (there[a] < 0 ? 0 : 1))];
      if (!grid.periodic[a] && !mirrored) return within(node, offset);
      there[a] = mirrored ? node[a] : wrapped(there[a], grid.size[a]);
    }
    return beside.contains(grid.dimension, there) ? other : within(node, offset);
  };
}

/// The openings of the coarsest level in nodes of another.
std::vector<Opening> openings_of_level(const std::vector<Opening>& coarsest, int level, int dimension) {
  const double finer = std::exp2(level), area = std::pow(finer, dimension - 1);
  std::vector<Opening> openings;
  for (Opening opening : coarsest) {
    for (Real3* const at : {&opening.centroid, &opening.whole_centroid}) *at = finer * *at;
    for (double* const of : {&opening.area, &opening.whole_area}) *of *= area;
    opening.parabola = [finer, profile = std::move(opening.parabola)](const Real3& point) {
      return profile((1 / finer) * point);
    };
    openings.push_back(std::move(opening));
  }
  return openings;
}

/// How near to an interface a node is from which populations that cross it, or their slopes, come.
constexpr int reach_of_interfaces = 2;

/// Whether a place in the box, in nodes of a level, belongs to it; beyond periodic faces on the other side. None
/// outside of the box.
std::optional<bool> is_owned(const LevelMap& map, int level, const Grid& grid, Int3 there) {
  const Int3 shape = tile_shape(grid.dimension);
  for (int a = 0; a < 3; ++a) {
    if (grid.periodic[a]) there[a] = (there[a] % grid.size[a] + grid.size[a]) % grid.size[a];
    if (there[a] < 0 || there[a] >= grid.size[a]) return std::nullopt;
  }
  return map.owns(level, {there[0] / shape[0], there[1] / shape[1], there[2] / shape[2]});
}

/// Whether a node of a level is so near to tiles of others that populations which cross an interface, or their slopes,
/// come from it.
bool is_near_interface(const LevelMap& map, int level, const Grid& grid, const Int3& node) {
  constexpr int reach = reach_of_interfaces;
  const int depth = grid.dimension == 3 ? reach : 0;
  for (int z = -depth; z <= depth; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x)
        if (!is_owned(map, level, grid, {node[0] + x, node[1] + y, node[2] + z}).value_or(true)) return true;
  return false;
}

/// Whether interfaces near a node beside a face of the box lead straight away from it: a level goes on behind the face
/// as it begins there.
bool leads_straight_away(const LevelMap& map, int level, const Grid& grid, const Int3& node, int face) {
  constexpr int reach = reach_of_interfaces;
  const int axis = face / 2, inwards = face % 2 == 0 ? 1 : -1, depth = grid.dimension == 3 ? reach : 0;
  for (int z = -depth; z <= depth; ++z)
    for (int y = -reach; y <= reach; ++y)
      for (int x = -reach; x <= reach; ++x) {
        Int3 there{node[0] + x, node[1] + y, node[2] + z};
        there[axis] = node[axis];
        const std::optional<bool> beside = is_owned(map, level, grid, there);
        for (int k = 1; k <= reach; ++k) {
          there[axis] += inwards;
          if (is_owned(map, level, grid, there) != beside) return false;
        }
      }
  return true;
}

/// Whether what a coarse cell says of fluid and solid is what all of its children say.
bool is_told_alike(const Geometry& coarse, const Geometry& fine, const Int3& cell) {
  const int dimension = coarse.nodes.dimension;
  const auto is_fluid = [&](const Geometry& geometry, const Int3& node) {
    return geometry.nodes.is_fluid(node) || geometry.beside.contains(dimension, node);
  };
  for (int k = 0; k < 1 << dimension; ++k) {
    Int3 child = cell;
    for (int a = 0; a < dimension; ++a) child[a] = 2 * cell[a] + (k >> a & 1);
    if (is_fluid(fine, child) != is_fluid(coarse, cell)) return false;
  }
  return true;
}

/// Calls visit(cell) for the cells of a level in the box that touch one.
template <class Visit>
void for_each_around(const Grid& grid, const Int3& cell, const Visit& visit) {
  const int depth = grid.dimension == 3 ? 1 : 0;
  for (int z = -depth; z <= depth; ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x) {
        Int3 there{cell[0] + x, cell[1] + y, cell[2] + z};
        bool inside = true;
        for (int a = 0; a < 3; ++a) {
          if (grid.periodic[a]) there[a] = wrapped(there[a], grid.size[a]);
          inside = inside && there[a] >= 0 && there[a] < grid.size[a];
        }
        if (inside) visit(there);
      }
}

/// Whether walls around a cell of a level lie at the same places on the next finer one, where the two meet.
bool walls_agree(const LevelMap& map, int level, const Geometry& coarse, const Geometry& fine, const Int3& cell) {
  const Grid grid = map.grid(level);
  const Int3 shape = tile_shape(grid.dimension);
  const auto is_refined = [&](const Int3& c) {
    return map.is_refined(level, {c[0] / shape[0], c[1] / shape[1], c[2] / shape[2]});
  };
  bool agree = true;
  for_each_around(grid, cell, [&](const Int3& near) {
    bool touches_coarse = false, touches_fine = false;
    for_each_around(grid, near, [&](const Int3& c) { (is_refined(c) ? touches_fine : touches_coarse) = true; });
    if (touches_coarse && touches_fine) agree = agree && is_told_alike(coarse, fine, near);
  });
  return agree;
}

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
  std::vector<FluidBeside::Tile> others;
  for (std::uint64_t t = 0; t < all.tiles.size(); ++t)
    if (!tiles(all.tiles[t].position)) others.push_back({all.tiles[t].position, all.tiles[t].mask});
  geometry.beside = FluidBeside(std::move(others));
  if (all.barred) {
    std::vector<BarredLinks::Node> barred;
    for (const NodeMap::Tile& tile : geometry.nodes.tiles)
      for (const BarredLinks::Node& node : all.barred->of_tile(all.directory_index(tile.position)))
        barred.push_back(node);
    if (!barred.empty())
      geometry.nodes.barred = std::make_shared<const BarredLinks>(all.dimension, all.tiles_in_box, std::move(barred));
  }
  return geometry;
}

/// Throws Error(input) where a sheet comes too near to where a level ends: populations that cross are followed past
/// walls between fluid and solid alone.
void keep_sheets_from_interfaces(const LevelMap& map, int level, const Geometry& geometry) {
  const NodeMap& nodes = geometry.nodes;
  if (!nodes.barred) return;
  const Grid grid = map.grid(level);
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (const BarredLinks::Node& barred : nodes.barred->of_tile(nodes.directory_index(tile.position))) {
      const Int3 node = nodes.node_position(tile, barred.bit);
      if (is_near_interface(map, level, grid, node))
        throw_input(fmt::format(
            "refine: at {} the surface '{}', a sheet with fluid on both sides, comes too near to where level {} ends: "
            "let regions of [[refine]] take in all of it (around = \"{}\" with a distance), or keep them three nodes "
            "of the coarser level away from it",
            geometry::format_point(geometry::to_case(grid, geometry::node_centre(node))),
            geometry.surfaces[barred.surface], level, geometry.surfaces[barred.surface]));
    }
}

/// Errors of `action` say that they are of a level.
template <class Action>
auto on_level(int level, const Action& action) {
  try {
    return action();
  } catch (const Error& error) {
    throw Error(error.code(), fmt::format("refine: on level {}: {}", level, error.what()));
  }
}

}  // namespace

Geometry build_level_geometry(const Case& c, const LevelMap& map, int level, const Geometry& coarsest) {
  const auto owns = [&](const Int3& tile) { return map.owns(level, tile); };
  const auto build = [&] { return build_geometry(c, map.grid(level), communicator_of_one(), owns); };
  Geometry geometry = level > 0 ? on_level(level, build) : part_of_coarsest(coarsest, owns);
  on_level(level, [&] { throw_refusals(geometry, owns); });
  keep_sheets_from_interfaces(map, level, geometry);
  if (level > 0) {
    geometry.level = level;
    geometry.openings = openings_of_level(coarsest.openings, level, geometry.nodes.dimension);
  }
  add_level_surface(map.grid(level), geometry);
  return geometry;
}

Geometry build_seen_geometry(const Case& c, const LevelMap& map, int level, const Geometry& coarsest,
                             const std::function<bool(const Int3& tile)>& tiles) {
  if (level == 0) return part_of_coarsest(coarsest, tiles);
  Geometry geometry = build_geometry(c, map.grid(level), communicator_of_one(), tiles);
  geometry.level = level;
  geometry.openings = openings_of_level(coarsest.openings, level, geometry.nodes.dimension);
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
    // Whether a node is beside a wall that slides, and that this and other levels have at the same place.
    const auto slides_alike = [&](const Int3& node, const core::ConditionFacts& condition) {
      const auto of = [&](int l) -> const Geometry& { return *of_level[static_cast<std::size_t>(l)]; };
      return condition.slides != core::Slides::never &&
             (level == map.finest() || walls_agree(map, level, geometry, of(level + 1), node)) &&
             (level == 0 || walls_agree(map, level - 1, of(level - 1), geometry, map.parent(node)));
    };
    const auto refuse = [&](const Int3& node, int surface) {
      const auto s = static_cast<std::size_t>(surface);
      throw_input(fmt::format(
          "refine: at {} the surface '{}' of type '{}' comes too near to where level {} ends; {}: let regions of "
          "[[refine]] take in all of it, or keep them three nodes of the coarser level away from it",
          geometry::format_point(geometry::to_case(grid, geometry::node_centre(node))), geometry.surfaces[s],
          facts[s]->name, level,
          facts[s]->is_opening ? "of openings only faces of the box may meet two levels, divided by what leads "
                                 "straight away from them"
                               : "walls along which the fluid slides may meet two levels only where these have them "
                                 "at the same place: planes across an axis, a whole number of nodes of the coarser "
                                 "level from the corner of the box"));
    };
    const std::vector<Int3> offsets = neighbour_offsets(nodes.dimension, nodes.dimension);
    LinkSearch search(nodes, offsets);
    for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t)
      search.visit_tile(t, [&](const NodeWithCuts& node) {
        node.for_each_cut([&](std::size_t k) {
          const int surface = geometry.surface_of(node.node, offsets[k]);
          const core::ConditionFacts& condition = *facts[static_cast<std::size_t>(surface)];
          if (!condition.acts) return;
          const bool may_meet = condition.is_opening && surface < surface_id::wall;
          if (!geometry::may_cross_interfaces(condition) && is_near_interface(map, level, grid, node.node) &&
              !slides_alike(node.node, condition) &&
              !(may_meet && leads_straight_away(map, level, grid, node.node, surface)))
            refuse(node.node, surface);
          meets[static_cast<std::size_t>(surface)] = true;
        });
      });
  }
  return met;
}

}  // namespace fluvia
