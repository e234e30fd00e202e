// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "fluvia/geometry/layers/layer.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia::geometry {

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
  /// Marks the tiles that cubes around nodes of the coarsest level touch, from their middles to `reach`; `scale`: nodes
  /// of the level in one of those.
  void add_around(const std::vector<Int3>& nodes, double reach, double scale) {
    const Real3 half{reach, reach, reach};
    for (const Int3& n : nodes) add_box(scale * (node_centre(n) - half), scale * (node_centre(n) + half));
  }
  /// Marks the tiles in which a layer turns a node solid. Returns whether there are any.
  bool add_solid_of(const Layer& layer) {
    bool any = false;
    Int3 t{0, 0, 0};
    for (t[2] = 0; t[2] < count_[2]; ++t[2])
      for (t[1] = 0; t[1] < count_[1]; ++t[1])
        for (t[0] = 0; t[0] < count_[0]; ++t[0]) {
          const Int3 shape = tile_shape(grid_.dimension);
          Int3 low{0, 0, 0}, high{0, 0, 0};
          for (int a = 0; a < grid_.dimension; ++a) {
            low[a] = t[a] * shape[a];
            high[a] = low[a] + shape[a] - 1;
          }
          if (!layer.may_decide(low, high) || (~layer.apply(t, ~std::uint64_t{0}) & nodes_in_box(t)) == 0) continue;
          marked_[index(t)] = any = true;
        }
    return any;
  }
  /// Marks tiles first ... last, beyond periodic faces on the other side.
  void add(const Int3& first, const Int3& last) {
    Int3 t{0, 0, 0};
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
  /// Calls visit(tile) for the tiles that are marked.
  template <class Visit>
  void for_each(const Visit& visit) const {
    Int3 t{};
    for (t[2] = 0; t[2] < count_[2]; ++t[2])
      for (t[1] = 0; t[1] < count_[1]; ++t[1])
        for (t[0] = 0; t[0] < count_[0]; ++t[0])
          if (marked_[index(t)]) visit(t);
  }
  /// Marks the tiles of the next coarser level around each marked one, so that two tiles of this level lie between
  /// its interfaces.
  void mark_around(Marks& coarser) const {
    const Int3 m = margin();
    for_each([&](const Int3& t) {
      const auto half = [](int x) { return x >= 0 ? x / 2 : -1 - (-1 - x) / 2; };
      Int3 first{0, 0, 0}, last{0, 0, 0};
      for (int a = 0; a < grid_.dimension; ++a) {
        first[a] = half(t[a] - m[a]);
        last[a] = half(t[a] + m[a]);
      }
      coarser.add(first, last);
    });
  }
  /// Marks the tiles of the next finer level that would mark one of these by mark_around().
  void mark_inside(Marks& finer) const {
    const Int3 m = finer.margin();
    for_each([&](const Int3& t) {
      Int3 first{0, 0, 0}, last{0, 0, 0};
      for (int a = 0; a < grid_.dimension; ++a) {
        first[a] = 2 * t[a] - m[a];
        last[a] = 2 * t[a] + 1 + m[a];
      }
      finer.add(first, last);
    });
  }

 private:
  /// Tiles between two interfaces, one more where a tile is cut off by a periodic face.
  [[nodiscard]] Int3 margin() const {
    constexpr int tiles_between = 2;
    const Int3 shape = tile_shape(grid_.dimension);
    Int3 margin{0, 0, 0};
    for (int a = 0; a < grid_.dimension; ++a)
      margin[a] = tiles_between + (grid_.periodic[a] && grid_.size[a] % shape[a] != 0 ? 1 : 0);
    return margin;
  }

  /// The nodes of a tile that lie in the box.
  [[nodiscard]] std::uint64_t nodes_in_box(const Int3& tile) const {
    const Int3 shape = tile_shape(grid_.dimension);
    std::uint64_t mask = 0;
    for (int bit = 0; bit < nodes_per_tile; ++bit) {
      const Int3 local = tile_local(grid_.dimension, bit);
      bool inside = true;
      for (int a = 0; a < 3; ++a) inside = inside && tile[a] * shape[a] + local[a] < grid_.size[a];
      if (inside) mask |= std::uint64_t{1} << bit;
    }
    return mask;
  }
  [[nodiscard]] std::size_t index(const Int3& t) const {
    return static_cast<std::size_t>(t[0]) +
           static_cast<std::size_t>(count_[0]) *
               (static_cast<std::size_t>(t[1]) + static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(t[2]));
  }
  Grid grid_;
  Int3 count_;
  std::vector<bool> marked_;
};

}  // namespace fluvia::geometry
