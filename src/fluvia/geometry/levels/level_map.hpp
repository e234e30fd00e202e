// SPDX-License-Identifier: Apache-2.0
// Which parts of a box are computed on which level of refinement. Level l has 2^l nodes along an edge of each cell of
// the coarsest level 0; a tile of a level is four (2D) or eight (3D) tiles of the next finer one, and belongs to one
// level as a whole.
#pragma once
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

inline constexpr int most_levels = 6;  ///< finer than the coarsest

class LevelMap {
 public:
  /// `coarsest`: the box of level 0.
  explicit LevelMap(const Grid& coarsest);

  /// Number of the finest level; 0 if nothing is refined.
  [[nodiscard]] int finest() const { return static_cast<int>(refined_.size()); }
  /// The box with the spacing of a level.
  [[nodiscard]] Grid grid(int level) const;
  /// Tiles of the box of a level.
  [[nodiscard]] const Int3& tiles(int level) const { return tiles_[static_cast<std::size_t>(level)]; }
  /// Whether a tile of a level, inside the box, belongs to finer levels.
  [[nodiscard]] bool is_refined(int level, const Int3& tile) const {
    return level < finest() && refined_[static_cast<std::size_t>(level)][index(level, tile)] != 0;
  }
  /// Whether the nodes of a tile of a level, inside the box, are computed on this level.
  [[nodiscard]] bool owns(int level, const Int3& tile) const {
    return (level == 0 || is_refined(level - 1, parent(tile))) && !is_refined(level, tile);
  }
  /// The tile, or the node, of the next coarser level around one of a level.
  [[nodiscard]] Int3 parent(const Int3& of) const {
    return {of[0] / 2, of[1] / 2, coarsest_.dimension == 3 ? of[2] / 2 : of[2]};
  }
  /// The level that computes the flow at a node of level 0, in its lowest corner.
  [[nodiscard]] int level_at(const Int3& node) const;
  /// Gives a tile of a level, and so all around it, to finer levels. Levels are refined in ascending order.
  void refine(int level, const Int3& tile);

 private:
  [[nodiscard]] std::size_t index(int level, const Int3& tile) const {
    const Int3& count = tiles(level);
    return static_cast<std::size_t>(tile[0]) +
           static_cast<std::size_t>(count[0]) *
               (static_cast<std::size_t>(tile[1]) +
                static_cast<std::size_t>(count[1]) * static_cast<std::size_t>(tile[2]));
  }

  Grid coarsest_;
  std::array<Int3, most_levels + 1> tiles_;         ///< [level]
  std::vector<std::vector<std::uint8_t>> refined_;  ///< [level][tile]
};

/// The levels that a case asks for ([[refine]]): tiles that a region touches, and around each level so much of the next
/// coarser one that two of its tiles lie between interfaces. `coarsest`: the geometry of level 0 everywhere, which says
/// where surfaces are. Throws Error(input) where a region lies outside of the box, or a level is too fine.
LevelMap make_level_map(const Case& c, const Grid& grid, const Geometry& coarsest);

/// How many nodes of a grid lie along the edge of one of the coarsest level of a case, by the spacing of both.
int nodes_in_coarsest(const Case& c, const Grid& grid);
/// The grid of the same box whose nodes are so many times as wide.
Grid coarser_grid(Grid grid, int times);

/// What each level has, the coarsest first, taking all that lies in a fluid node of level 0 for fluid.
std::vector<GeometryReport::Level> describe_levels(const LevelMap& map, const NodeMap& nodes);

/// The geometry of the nodes that a level computes. `coarsest`: that of level 0 everywhere. Its openings are those of
/// `coarsest` as a whole, in nodes of the level, whether the level meets them or not. Throws Error(input) for what
/// levels cannot have yet, with its place.
Geometry build_level_geometry(const Case& c, const LevelMap& map, int level, const Geometry& coarsest);

/// The geometry of a level within some of its tiles, whatever level computes their nodes, with the openings of
/// `coarsest`, that of level 0 everywhere.
Geometry build_seen_geometry(const Case& c, const LevelMap& map, int level, const Geometry& coarsest,
                             const std::function<bool(const Int3& tile)>& tiles);

/// Throws Error(input) where a condition that acts (an opening, a slippery wall) comes too near to an interface; faces
/// of the box that are openings may be divided by interfaces that lead straight away. `of_level`: the geometries that
/// levels compute. Returns, for each level, which surfaces with such conditions it meets.
std::vector<std::vector<bool>> check_level_conditions(const Case& c, const LevelMap& map,
                                                      const std::vector<const Geometry*>& of_level);

}  // namespace fluvia
