// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/adaptive/box_cover.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <utility>

namespace fluvia {

namespace {

class Cover {
 public:
  Cover(const Int3& count, const std::function<bool(const Int3&)>& wanted,
        const std::function<bool(const Int3&)>& forbidden, double fill)
      : count_(count), fill_(fill) {
    for_each({{0, 0, 0}, {count[0] - 1, count[1] - 1, count[2] - 1}}, [&](const Int3& cell) {
      cells_.push_back(wanted(cell) ? Cell::wanted : forbidden(cell) ? Cell::forbidden : Cell::free);
    });
  }
  std::vector<CellBox> boxes() {
    divide({{0, 0, 0}, {count_[0] - 1, count_[1] - 1, count_[2] - 1}});
    return std::move(boxes_);
  }

 private:
  enum class Cell : std::uint8_t { free, wanted, forbidden };

  template <class Visit>
  static void for_each(const CellBox& box, const Visit& visit) {
    Int3 c{};
    for (c[2] = box.first[2]; c[2] <= box.last[2]; ++c[2])
      for (c[1] = box.first[1]; c[1] <= box.last[1]; ++c[1])
        for (c[0] = box.first[0]; c[0] <= box.last[0]; ++c[0]) visit(c);
  }
  [[nodiscard]] Cell at(const Int3& c) const {
    return cells_[static_cast<std::size_t>(c[0]) +
                  static_cast<std::size_t>(count_[0]) *
                      (static_cast<std::size_t>(c[1]) +
                       static_cast<std::size_t>(count_[1]) * static_cast<std::size_t>(c[2]))];
  }

  /// Wanted cells in each plane of a box, [axis].
  using Signature = std::array<std::vector<int>, 3>;
  struct Count {
    Signature of;
    std::int64_t wanted = 0;
    bool has_forbidden = false;
  };
  [[nodiscard]] Count count(const CellBox& box) const {
    Count count;
    for (int a = 0; a < 3; ++a)
      count.of[static_cast<std::size_t>(a)].resize(static_cast<std::size_t>(box.last[a] - box.first[a] + 1));
    for_each(box, [&](const Int3& c) {
      count.has_forbidden = count.has_forbidden || at(c) == Cell::forbidden;
      if (at(c) != Cell::wanted) return;
      ++count.wanted;
      for (int a = 0; a < 3; ++a)
        ++count.of[static_cast<std::size_t>(a)][static_cast<std::size_t>(c[a] - box.first[a])];
    });
    return count;
  }
  /// The box without planes at its faces in which nothing is wanted.
  static CellBox shrunk(const CellBox& box, const Signature& of) {
    CellBox smaller = box;
    for (int a = 0; a < 3; ++a) {
      const std::vector<int>& planes = of[static_cast<std::size_t>(a)];
      while (planes[static_cast<std::size_t>(smaller.first[a] - box.first[a])] == 0) ++smaller.first[a];
      while (planes[static_cast<std::size_t>(smaller.last[a] - box.first[a])] == 0) --smaller.last[a];
    }
    return smaller;
  }
  /// Where a box is best divided: the axis, and the last plane of the first half.
  static std::pair<int, int> best_cut(const CellBox& box, const Signature& of) {
    int axis = 0, plane = box.first[0], longest = 0;
    for (int a = 0; a < 3; ++a) {  // a plane without wanted cells
      const std::vector<int>& planes = of[static_cast<std::size_t>(a)];
      for (int k = box.first[a]; k <= box.last[a]; ++k)
        if (planes[static_cast<std::size_t>(k - box.first[a])] == 0) return {a, k};
      if (box.last[a] - box.first[a] > longest) {
        longest = box.last[a] - box.first[a];
        axis = a;
        plane = (box.first[a] + box.last[a]) / 2;
      }
    }
    int largest = 0;
    for (int a = 0; a < 3; ++a) {  // the largest change of the second difference of the signature
      const std::vector<int>& s = of[static_cast<std::size_t>(a)];
      const auto second = [&](std::size_t k) { return s[k + 1] - 2 * s[k] + s[k - 1]; };
      for (std::size_t k = 1; k + 2 < s.size(); ++k) {
        const int here = second(k), next = second(k + 1);
        if (here * next >= 0 || std::abs(next - here) <= largest) continue;
        largest = std::abs(next - here);
        axis = a;
        plane = box.first[a] + static_cast<int>(k);
      }
    }
    return {axis, plane};
  }
  void divide(const CellBox& whole) {
    Count cells = count(whole);
    if (cells.wanted == 0) return;
    const CellBox box = shrunk(whole, cells.of);
    cells = count(box);
    double volume = 1;
    for (int a = 0; a < 3; ++a) volume *= box.last[a] - box.first[a] + 1;
    if (!cells.has_forbidden && static_cast<double>(cells.wanted) >= fill_ * volume) {
      boxes_.push_back(box);
      return;
    }
    const auto [axis, plane] = best_cut(box, cells.of);
    CellBox low = box, high = box;
    low.last[axis] = plane;
    high.first[axis] = plane + 1;
    divide(low);
    divide(high);
  }

  Int3 count_;
  double fill_;
  std::vector<Cell> cells_;
  std::vector<CellBox> boxes_;
};

}  // namespace

std::vector<CellBox> cover_with_boxes(const Int3& count, const std::function<bool(const Int3&)>& wanted,
                                      const std::function<bool(const Int3&)>& forbidden, double fill) {
  return Cover(count, wanted, forbidden, fill).boxes();
}

}  // namespace fluvia
