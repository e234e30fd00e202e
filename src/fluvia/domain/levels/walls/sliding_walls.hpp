// SPDX-License-Identifier: Apache-2.0
// What crosses between levels beside walls along which the fluid slides. For find_level_links() alone.
#pragma once
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/domain/levels/level_places.hpp"
#include "fluvia/domain/levels/level_surroundings.hpp"

namespace fluvia::domain::crossing {

/// The condition of such a wall makes what comes back to a coarse node of all that the node sent there, so that nothing
/// which crosses changes it. What crosses there nevertheless is what the node has too little or too much, which makes
/// up for it without momentum: in one sum for each row of cells along the wall. In a uniform flow along it, what a row
/// loses where it enters the finer level is what the row gains where it leaves that, so that both ends share the sum.
class SlidingWalls {
 public:
  SlidingWalls(const LevelPair& levels, const Surroundings& around) : levels_(levels), around_(around) {}

  /// Whether such a wall turns round what leaves a coarse cell along a direction.
  [[nodiscard]] bool turns(const Int3& cell, int direction) const {
    return levels_.slides && around_.follow_coarse(cell, direction).bounced &&
           levels_.slides(cell, velocity(direction));
  }
  /// A child of a cell comes to a fine node along a direction, in place of nothing.
  void enter(const Int3& cell, int direction, std::uint32_t child) {
    rows_[row_of(cell, velocity(direction))].children.push_back(child);
  }
  /// Takes what leaves a fine place along a direction in a fine step and comes to a cell along another one, if that is
  /// how such a wall sends something back there. Returns whether it is.
  bool take(const Int3& cell, int direction, int left_along, std::uint32_t place, int step) {
    if (!turns(cell, core::opposite(direction))) return false;
    rows_[row_of(cell, velocity(core::opposite(left_along)))].leaving[static_cast<std::size_t>(step)].push_back(place);
    return true;
  }
  /// The cells that make up for it.
  [[nodiscard]] std::set<Int3> cells() const {
    std::set<Int3> cells;
    for (const auto& [key, row] : rows_) cells.insert(key.cell);
    return cells;
  }
  /// Lists the sums, and what cells get of them. `at_rest(cell)`: the coarse link of what does not move there.
  template <class AtRest>
  void list(LevelLinks& links, const AtRest& at_rest) const {
    for (const std::vector<Rows::value_type>& group : groups()) {
      const auto sum = static_cast<std::uint32_t>(links.links.size());
      links.links.push_back(end_of(links));
      for (const auto& [key, row] : group) {
        for (const std::uint32_t child : row.children) links.link_children.push_back({child, false});
        for (std::size_t s = 0; s < 2; ++s)
          links.leaving[s].insert(links.leaving[s].end(), row.leaving[s].begin(), row.leaving[s].end());
        links.transfers.push_back({sum, at_rest(key.cell), 1.0 / static_cast<double>(group.size())});
      }
    }
  }

 private:
  /// An end of a row of cells along a wall, in a coarse cell, from where it leads into the finer level along an axis.
  struct Key {
    Int3 cell;
    int axis, side;   ///< none: -1
    bool is_oblique;  ///< what crosses moves along another axis of the wall, too
    auto operator<=>(const Key&) const = default;
  };
  struct Row {
    std::vector<std::uint32_t> children;
    std::array<std::vector<std::uint32_t>, 2> leaving;  ///< [fine step]
  };
  using Rows = std::map<Key, Row>;

  [[nodiscard]] const Int3& velocity(int direction) const {
    return around_.velocities()[static_cast<std::size_t>(direction)];
  }
  /// Where a row goes on from a cell.
  [[nodiscard]] NodeMap::Landing next(Int3 cell, int axis, int side) const {
    cell[axis] += side;
    return levels_.coarse.land(cell);
  }
  [[nodiscard]] bool is_finer(const NodeMap::Landing& there) const {
    return there.inside && around_.is_fine(there.node);
  }
  [[nodiscard]] bool ends_at_wall(const Int3& cell, int axis) const {
    for (int i = 1; i < static_cast<int>(around_.velocities().size()); ++i) {
      Int3 c = velocity(i);
      const bool is_along = std::exchange(c[axis], 0) != 0 && c == Int3{};
      if (is_along && around_.follow_coarse(cell, i).bounced) return true;
    }
    return false;
  }
  /// The row of what moves along `c` to the finer level, or came from there along the opposite. What moves along two
  /// axes belongs to that across which the interface is straight there, and else to no row.
  [[nodiscard]] Key row_of(const Int3& cell, const Int3& c) const {
    std::vector<int> axes, across;
    for (int a = 0; a < around_.dimension(); ++a)
      if (c[a] != 0 && !ends_at_wall(cell, a)) axes.push_back(a);
    if (axes.size() == 1) return {cell, axes[0], c[axes[0]], false};
    for (const int a : axes)
      if (axes.size() == 2 && is_straight(cell, a, c[a], axes[a == axes[0] ? 1 : 0])) across.push_back(a);
    if (across.size() != 1) return {cell, -1, 0, true};
    return {cell, across[0], c[across[0]], true};
  }
  [[nodiscard]] bool is_straight(const Int3& cell, int axis, int side, int along) const {
    if (!is_finer(next(cell, axis, side))) return false;
    for (const int beside : {-1, 1}) {
      const NodeMap::Landing own = next(cell, along, beside);
      if (!own.inside || around_.is_fine(own.node) || !is_finer(next(own.node, axis, side))) return false;
    }
    return true;
  }
  /// The other end of a row; `cell` is none if there is none, and the row may lead out by an opening.
  struct End {
    bool is_open = false;
    Rows::const_iterator row;
  };
  [[nodiscard]] End other_end(const Key& key) const {
    Int3 cell = key.cell;
    while (true) {
      const NodeMap::Landing there = next(cell, key.axis, key.side);
      if (!there.inside)
        return {levels_.openings[static_cast<std::size_t>(2 * key.axis + (key.side > 0 ? 1 : 0))], rows_.end()};
      if (there.reflected) return {false, rows_.end()};
      cell = there.node;
      if (!around_.is_fine(cell)) return {false, rows_.find({cell, key.axis, -key.side, key.is_oblique})};
    }
  }
  /// Ends that share a sum: both of a row; one whose other end is no such wall by itself, or, of what crosses
  /// obliquely, all of these together. What leads out by an opening is not made up for, as nothing is there.
  [[nodiscard]] std::vector<std::vector<Rows::value_type>> groups() const {
    std::vector<std::vector<Rows::value_type>> groups;
    std::vector<Rows::value_type> oblique;
    for (const Rows::value_type& row : rows_) {
      const Key& key = row.first;
      const End other = key.axis < 0 ? End{false, rows_.end()} : other_end(key);
      if (other.is_open) continue;
      if (other.row != rows_.end()) {
        if (key.side > 0) groups.push_back({row, *other.row});
      } else if (key.is_oblique) {
        oblique.push_back(row);
      } else {
        groups.push_back({row});
      }
    }
    if (!oblique.empty()) groups.push_back(std::move(oblique));
    return groups;
  }

  const LevelPair& levels_;
  const Surroundings& around_;
  Rows rows_;
};

}  // namespace fluvia::domain::crossing
