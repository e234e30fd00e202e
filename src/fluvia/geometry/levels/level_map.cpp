// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/levels/level_map.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/levels/level_marks.hpp"
#include "fluvia/geometry/levels/regions.hpp"

namespace fluvia {

namespace {

constexpr int largest_box = 1 << 20;  ///< nodes along an axis, as in NodeMap

}  // namespace

LevelMap::LevelMap(const Grid& coarsest) : coarsest_(coarsest) {
  const Int3 shape = tile_shape(coarsest_.dimension);
  for (int level = 0; level <= most_levels; ++level)
    for (int a = 0; a < 3; ++a) {
      // Of levels that a box is too large for nothing is asked.
      const std::int64_t nodes = std::int64_t{coarsest_.size[a]} << (a < coarsest_.dimension ? level : 0);
      tiles_[static_cast<std::size_t>(level)][a] = static_cast<int>((nodes + shape[a] - 1) / shape[a]);
    }
}

Grid LevelMap::grid(int level) const {
  Grid grid = coarsest_;
  for (int a = 0; a < grid.dimension; ++a) grid.size[a] <<= level;
  grid.spacing = coarsest_.spacing / (1 << level);
  // In 2D nodes of all levels lie in one plane.
  if (grid.dimension == 2) grid.origin[2] += 0.5 * (coarsest_.spacing - grid.spacing);
  return grid;
}

int LevelMap::level_at(const Int3& node) const {
  const Int3 shape = tile_shape(coarsest_.dimension);
  Int3 there = node;
  for (int level = 0;; ++level) {
    if (!is_refined(level, {there[0] / shape[0], there[1] / shape[1], there[2] / shape[2]})) return level;
    for (int a = 0; a < coarsest_.dimension; ++a) there[a] *= 2;
  }
}

void LevelMap::refine(int level, const Int3& tile) {
  while (finest() <= level) {
    const Int3 count = tiles(finest());
    refined_.emplace_back(static_cast<std::size_t>(count[0]) * count[1] * count[2], std::uint8_t{0});
  }
  refined_[static_cast<std::size_t>(level)][index(level, tile)] = 1;
}

LevelMap make_level_map(const Case& c, const Grid& grid, const Geometry& coarsest) {
  LevelMap map(grid);
  const int finest = c.finest_level();
  if (finest > most_levels)
    throw_input(fmt::format("refine.level: '{}' is finer than the finest possible, {}", finest, most_levels));
  for (int a = 0; a < grid.dimension; ++a)
    if (grid.size[a] > largest_box >> finest)
      throw_input(
          fmt::format("refine: level {} has {} nodes along {}, more than {}; use fewer levels or a coarser spacing",
                      finest, static_cast<double>(grid.size[a]) * std::exp2(finest), "xyz"[a], largest_box));
  const geometry::Regions regions(c, map, coarsest);
  std::vector<geometry::Marks> marks;  // [level], from the finest on
  for (int level = finest - 1; level >= 0; --level) {
    geometry::Marks own(map, level);
    regions.mark(level, own);
    if (!marks.empty()) marks.back().mark_around(own);
    regions.take_in_openings(level, own);
    marks.push_back(std::move(own));
  }
  for (int level = 0; level < finest; ++level)
    marks[static_cast<std::size_t>(finest - 1 - level)].for_each([&](const Int3& tile) { map.refine(level, tile); });
  return map;
}

int nodes_in_coarsest(const Case& c, const Grid& grid) {
  return c.refine.empty() ? 1 : static_cast<int>(std::lround(make_grid(c).spacing / grid.spacing));
}

Grid coarser_grid(Grid grid, int times) {
  for (int a = 0; a < grid.dimension; ++a) grid.size[a] /= times;
  grid.spacing *= times;
  return grid;
}

std::vector<GeometryReport::Level> describe_levels(const LevelMap& map, const NodeMap& nodes) {
  std::vector<GeometryReport::Level> levels(static_cast<std::size_t>(map.finest()) + 1);
  for (int level = 0; level <= map.finest(); ++level)
    levels[static_cast<std::size_t>(level)].spacing = map.grid(level).spacing;
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1) {
      const int level = map.level_at(nodes.node_position(tile, std::countr_zero(rest)));
      levels[static_cast<std::size_t>(level)].nodes += std::exp2(level * nodes.dimension);
    }
  return levels;
}

}  // namespace fluvia
