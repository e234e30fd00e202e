// SPDX-License-Identifier: Apache-2.0
// What crosses between levels beside walls along which the fluid slides in the reference solver.
#pragma once
#include <compare>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <utility>
#include <vector>

#include "reference/levels/level_cells.hpp"

namespace reference::levels {

/// Such a wall sends back all that a coarse cell has, as if nothing crossed; what crosses nevertheless changes the mass
/// of the cell.
class SlidingRows {
 public:
  /// What crosses of a cell.
  struct Row {
    std::vector<std::size_t> parts{};  ///< that the cell loses
    double sum = 0;
  };

  explicit SlidingRows(Cells& coarse) : coarse_(coarse), at_rest_(coarse.lattice().find({0, 0, 0})) {}

  /// That of what crosses from a coarse cell towards `c`, or comes from there. What moves along two axes of the wall
  /// belongs to that across which the interface is straight there.
  Row& of(const Int3& cell, Int3 c) {
    const int last = coarse_.lattice().dimension - 1;
    c[last] = 0;
    Key key{coarse_.index(cell), -1, 0, false};
    if (c[0] == 0 || c[1] == 0) {
      key.axis = c[0] != 0 ? 0 : 1;
    } else {
      key.oblique = true;
      for (const int a : {0, 1})
        if (is_straight(cell, a, c[a])) key.axis = a;
    }
    if (key.axis >= 0) key.side = c[key.axis];
    return rows_[key];
  }
  /// In a uniform flow along such a wall a cell has so much too little as the one at the other end of the row of finer
  /// ones between them has too much. So both share what they have. Others stay by themselves, or share with all others
  /// where populations cross obliquely.
  void share() {
    groups_.emplace_back();
    for (const auto& row : rows_) {
      const Key& key = row.first;
      Int3 cell = coarse_.cell(key.cell);
      if (key.axis >= 0) {
        do cell[key.axis] += key.side;
        while (is_finer(cell) && std::abs(cell[key.axis]) <= 2 * coarse_.size()[key.axis]);
        const auto end = coarse_.inside(cell);
        const auto other = end ? rows_.find({coarse_.index(*end), key.axis, -key.side, key.oblique}) : rows_.end();
        if (other != rows_.end()) {
          if (key.side > 0) groups_.push_back({&row, &*other});
          continue;
        }
      }
      if (key.oblique)
        groups_.front().push_back(&row);
      else
        groups_.push_back({&row});
    }
  }
  /// Begins sums with what cells lose; `value`: of a part.
  template <class Value>
  void begin(const Value& value) {
    for (auto& [key, row] : rows_) {
      row.sum = 0;
      for (const std::size_t part : row.parts) row.sum -= value(part);
    }
  }
  /// Gives cells what they get.
  void end() {
    for (const Group& group : groups_) {
      double sum = 0;
      for (const auto* row : group) sum += row->second.sum;
      for (const auto* row : group)
        coarse_.populations[row->first.cell][at_rest_] += sum / static_cast<double>(group.size());
    }
  }

 private:
  struct Key {
    std::size_t cell = 0;
    int axis = 0, side = 0;  ///< along which it crosses; axis -1: none
    bool oblique = false;    ///< along another one, too
    auto operator<=>(const Key&) const = default;
  };
  using Group = std::vector<const std::pair<const Key, Row>*>;

  [[nodiscard]] bool is_finer(const Int3& cell) const {
    const auto there = coarse_.inside(cell);
    return there && coarse_.is_finer[coarse_.index(*there)];
  }
  [[nodiscard]] bool is_straight(const Int3& cell, int axis, int side) const {
    bool straight = true;
    for (const int beside : {-1, 0, 1}) {
      Int3 own = cell;
      own[1 - axis] += beside;
      Int3 across = own;
      across[axis] += side;
      straight = straight && !is_finer(own) && is_finer(across);
    }
    return straight;
  }

  Cells& coarse_;
  int at_rest_;
  std::map<Key, Row> rows_;
  std::vector<Group> groups_;  ///< of rows that share what they have
};

}  // namespace reference::levels
