// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/levels/level_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/layers/layer.hpp"
#include "fluvia/geometry/map/link_search.hpp"

namespace fluvia {

namespace {

constexpr int largest_box = 1 << 20;  ///< nodes along an axis, as in NodeMap

/// Tiles of a level that are to be refined, while it is found out which.
class Marks {
 public:
  Marks(const LevelMap& map, int level)
      : grid_(map.grid(level)),
        count_(map.tiles(level)),
        marked_(static_cast<std::size_t>(count_[0]) * count_[1] * count_[2]) {}

  [[nodiscard]] bool at(const Int3& tile) const { return marked_[index(tile)]; }
  /// Marks the tiles that a box touches, whose corners are given in nodes of the level from the corner of the box.
  /// Returns whether there are any.
  bool add_box(const Real3& lower, const Real3& upper) {
    constexpr double rounding = 1e-6;
    const Int3 shape = tile_shape(grid_.dimension);
    Int3 first{0, 0, 0}, last{0, 0, 0};
    for (int a = 0; a < grid_.dimension; ++a) {
      if (upper[a] <= rounding || lower[a] >= grid_.size[a] - rounding) return false;
      first[a] = std::max(0, static_cast<int>(std::floor((lower[a] + rounding) / shape[a])));
      last[a] = std::min(count_[a] - 1, static_cast<int>(std::ceil((upper[a] - rounding) / shape[a])) - 1);
    }
    add(first, last);
    return true;
  }
  /// Marks tiles first ... last, beyond periodic faces on the other side.
  void add(const Int3& first, const Int3& last) {
    Int3 t{};
    for (t[2] = first[2]; t[2] <= last[2]; ++t[2])
      for (t[1] = first[1]; t[1] <= last[1]; ++t[1])
        for (t[0] = first[0]; t[0] <= last[0]; ++t[0]) {
          Int3 there = t;
          bool inside = true;
          for (int a = 0; a < 3; ++a) {
            if (grid_.periodic[a]) there[a] = (t[a] % count_[a] + count_[a]) % count_[a];
            inside = inside && there[a] >= 0 && there[a] < count_[a];
          }
          if (inside) marked_[index(there)] = true;
        }
  }
  template <class Visit>
  void for_each(const Visit& visit) const {
    Int3 t{};
    for (t[2] = 0; t[2] < count_[2]; ++t[2])
      for (t[1] = 0; t[1] < count_[1]; ++t[1])
        for (t[0] = 0; t[0] < count_[0]; ++t[0])
          if (marked_[index(t)]) visit(t);
  }
  /// Tiles between two interfaces, one more where a tile is cut off by a periodic face.
  [[nodiscard]] Int3 margin() const {
    constexpr int tiles_between = 2;
    const Int3 shape = tile_shape(grid_.dimension);
    Int3 margin{0, 0, 0};
    for (int a = 0; a < grid_.dimension; ++a)
      margin[a] = tiles_between + (grid_.periodic[a] && grid_.size[a] % shape[a] != 0 ? 1 : 0);
    return margin;
  }

 private:
  [[nodiscard]] std::size_t index(const Int3& t) const {
    return static_cast<std::size_t>(t[0]) +
           static_cast<std::size_t>(count_[0]) *
               (static_cast<std::size_t>(t[1]) + static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(t[2]));
  }
  Grid grid_;
  Int3 count_;
  std::vector<bool> marked_;
};

/// Fluid nodes of level 0 beside a surface.
std::vector<Int3> nodes_at(const Geometry& geometry, int surface) {
  const std::vector<Int3> offsets = neighbour_offsets(geometry.nodes.dimension, 2);
  std::vector<std::vector<Int3>> found(link_slices);
  for_each_node_with_cuts(
      geometry.nodes, offsets, TileRange{0, geometry.nodes.tiles.size()}, [&](int slice, const NodeWithCuts& node) {
        bool beside = false;
        node.for_each_cut(
            [&](std::size_t k) { beside = beside || geometry.surface_of(node.node, offsets[k]) == surface; });
        if (beside) found[static_cast<std::size_t>(slice)].push_back(node.node);
      });
  std::vector<Int3> all;
  for (const auto& slice : found) all.insert(all.end(), slice.begin(), slice.end());
  return all;
}

/// Marks what a region of a case asks for among the tiles of the level before its own.
void mark_region(const Case& c, std::size_t entry, const Grid& grid, const Geometry& coarsest, Marks& marks) {
  const Case::Refine& region = c.refine[entry];
  const double scale = std::exp2(region.level - 1);
  const std::string key = fmt::format("refine[{}]", entry);
  if (region.box) {
    const auto& [lower, upper] = *region.box;
    if (marks.add_box(scale * geometry::to_lattice(grid, lower), scale * geometry::to_lattice(grid, upper))) return;
    const Real3 end = geometry::to_case(grid, {1.0 * grid.size[0], 1.0 * grid.size[1], 1.0 * grid.size[2]});
    throw_input(fmt::format("{}: {}.box: from {} to {} lies outside of the domain, which reaches from {} to {}",
                            c.place(key), key, geometry::format_point(lower), geometry::format_point(upper),
                            geometry::format_point(grid.origin), geometry::format_point(end)));
  }
  const auto surface = std::find(coarsest.surfaces.begin(), coarsest.surfaces.end(), region.around);
  if (surface == coarsest.surfaces.end())
    throw_input(fmt::format("{}: {}.around: there is no surface '{}'; the case has {}{}", c.place(key), key,
                            region.around, join(coarsest.surfaces), did_you_mean(region.around, coarsest.surfaces)));
  const double reach = region.distance / grid.spacing + 1;
  const std::vector<Int3> nodes = nodes_at(coarsest, static_cast<int>(surface - coarsest.surfaces.begin()));
  if (nodes.empty())
    throw_input(fmt::format("{}: {}.around: no fluid touches the surface '{}'", c.place(key), key, region.around));
  for (const Int3& n : nodes)
    marks.add_box({scale * (n[0] + 0.5 - reach), scale * (n[1] + 0.5 - reach), scale * (n[2] + 0.5 - reach)},
                  {scale * (n[0] + 0.5 + reach), scale * (n[1] + 0.5 + reach), scale * (n[2] + 0.5 + reach)});
}

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

void LevelMap::refine(int level, const Int3& tile) {
  while (finest() <= level) {
    const Int3 count = tiles(finest());
    refined_.emplace_back(static_cast<std::size_t>(count[0]) * count[1] * count[2], std::uint8_t{0});
  }
  refined_[static_cast<std::size_t>(level)][index(level, tile)] = 1;
}

LevelMap make_level_map(const Case& c, const Grid& grid, const Geometry& coarsest) {
  LevelMap map(grid);
  int finest = 0;
  for (const Case::Refine& region : c.refine) finest = std::max(finest, region.level);
  if (finest > most_levels)
    throw_input(fmt::format("refine.level: '{}' is finer than the finest possible, {}", finest, most_levels));
  for (int a = 0; a < grid.dimension; ++a)
    if (grid.size[a] > largest_box >> finest)
      throw_input(
          fmt::format("refine: level {} has {} nodes along {}, more than {}; use fewer levels or a coarser spacing",
                      finest, static_cast<double>(grid.size[a]) * std::exp2(finest), "xyz"[a], largest_box));
  std::vector<Marks> marks;  // [level], from the finest on
  for (int level = finest - 1; level >= 0; --level) {
    Marks own(map, level);
    for (std::size_t k = 0; k < c.refine.size(); ++k)
      if (c.refine[k].level == level + 1) mark_region(c, k, grid, coarsest, own);
    if (!marks.empty()) {
      const Int3 margin = marks.back().margin();
      marks.back().for_each([&](const Int3& t) {
        const auto half = [](int x) { return x >= 0 ? x / 2 : -1 - (-1 - x) / 2; };
        Int3 first{0, 0, 0}, last{0, 0, 0};
        for (int a = 0; a < grid.dimension; ++a) {
          first[a] = half(t[a] - margin[a]);
          last[a] = half(t[a] + margin[a]);
        }
        own.add(first, last);
      });
    }
    marks.push_back(std::move(own));
  }
  for (int level = 0; level < finest; ++level)
    marks[static_cast<std::size_t>(finest - 1 - level)].for_each([&](const Int3& tile) { map.refine(level, tile); });
  return map;
}

}  // namespace fluvia
