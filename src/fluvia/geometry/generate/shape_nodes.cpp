// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/generate/shape_nodes.hpp"

#include <cmath>

#include "fluvia/geometry/generate/root.hpp"

namespace fluvia::geometry {
namespace {

/// Looks for nodes in a shape by halving the box, and leaves out parts that are farther from it than they are large.
class Search {
 public:
  Search(const SignedDistance& distance, const Grid& grid) : distance_(distance), grid_(grid) {
    for (int axis = 0; axis < grid.dimension; ++axis) reach_ += 0.25;
    reach_ = std::sqrt(reach_);  // from the middle of a cell of the grid to its corner
  }

  /// True if a node from `low` up to, but not, `high` lies in the shape.
  bool finds(const Int3& low, const Int3& high) {
    Real3 middle{};
    double radius = 0;
    int longest = 0;
    for (int axis = 0; axis < 3; ++axis) {
      middle[axis] = 0.5 * (low[axis] + high[axis]);
      radius += 0.25 * (high[axis] - low[axis] - 1) * (high[axis] - low[axis] - 1);
      if (high[axis] - low[axis] > high[longest] - low[longest]) longest = axis;
    }
    radius = std::sqrt(radius);
    const double away = distance_(middle);
    if (away > radius + reach_) return false;
    if (high[longest] - low[longest] == 1) {
      if (away <= on_surface) return true;
      touches_ = touches_ || is_in_box(nearest(middle, away));
      return false;
    }
    if (away < -radius) return true;
    Int3 first_end = high, second_begin = low;
    first_end[longest] = second_begin[longest] = (low[longest] + high[longest]) / 2;
    return finds(low, first_end) || finds(second_begin, high);
  }
  /// True if the shape came into the box beside a node that was looked at.
  [[nodiscard]] bool touches() const { return touches_; }

 private:
  /// An estimate of the point of the shape next to a point that is so far away from it.
  [[nodiscard]] Real3 nearest(const Real3& point, double away) const {
    return point - away * unit_gradient(distance_, point, 1e-4, grid_.dimension);
  }
  [[nodiscard]] bool is_in_box(const Real3& point) const {
    constexpr double margin = 0.01;  // bodies may end at a face of the box from outside
    for (int axis = 0; axis < grid_.dimension; ++axis)
      if (point[axis] < margin || point[axis] > grid_.size[axis] - margin) return false;
    return true;
  }

  const SignedDistance& distance_;
  const Grid& grid_;
  double reach_ = 0;
  bool touches_ = false;
};

}  // namespace

bool lies_between_nodes(const SignedDistance& distance, const Grid& grid) {
  Search search(distance, grid);
  return !search.finds({0, 0, 0}, grid.size) && search.touches();
}

}  // namespace fluvia::geometry
