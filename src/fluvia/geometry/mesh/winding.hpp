// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

namespace fluvia::geometry {

/// Whether a point that moves along a line is inside of a mesh, crossing by crossing.
///
/// Triangles without a family count by parity, so that their orientation does not matter and what is nested is a hole.
/// Those of a family, whose parts overlap and are turned outward (parts/overlaps.hpp), count by sign: inside is where
/// the winding number is not 0, so that overlaps stay inside. Families and the rest are combined by parity.
class InsideCount {
 public:
  /// Crosses a triangle of a family (0: none); `step` is 1 on the way in and -1 on the way out.
  void cross(std::uint32_t family, int step) {
    if (family == 0) {
      odd_ = !odd_;
      return;
    }
    for (auto& [known, winding] : windings_) {
      if (known != family) continue;
      winding += step;
      return;
    }
    windings_.emplace_back(family, step);
  }
  [[nodiscard]] bool inside() const {
    bool inside = odd_;
    for (const auto& [family, winding] : windings_) inside = inside != (winding != 0);
    return inside;
  }

 private:
  bool odd_ = false;
  std::vector<std::pair<std::uint32_t, int>> windings_;  ///< few: a line meets few families
};

}  // namespace fluvia::geometry
