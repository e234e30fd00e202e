// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>

#include "fluvia/output/walls/wall_fit.hpp"

namespace fluvia {

/// A straight line in nodes from the corner of the box: `from` + s `direction`, a unit vector.
struct StraightLine {
  Real3 from, direction;
  [[nodiscard]] Real3 at(double along) const { return from + along * direction; }
};

/// A point (case units) in nodes from the corner of the box; in 2D its z does not matter.
Real3 on_grid(const Grid& grid, const Real3& point);
/// The node in which a point lies.
Int3 node_of(const Real3& place);
/// True for a fluid node of the box.
bool is_fluid_inside(const NodeMap& nodes, const Int3& node);
Int3 step_between(const Int3& a, const Int3& b);

/// A wall at which a line leaves the fluid or comes out of the wall into it.
struct WallCrossing {
  /// How far a wall may lie from where its last node ends, nodes.
  static constexpr double most_between = 1.25;
  double end, wall;  ///< nodes along the line: where the nearest node stops being fluid, and where the wall is
  int sign;          ///< 1: the line leaves the fluid, -1: it enters it
  WallPlace place;
};

/// The wall between two points of a line, one in a fluid node and one in none; none if the fluid goes on there or ends
/// at an opening. Interpolated walls are where they are, half-way walls where nodes end.
std::optional<WallCrossing> find_wall_crossing(const Geometry& geometry, const StraightLine& line, double inside,
                                               double outside);

}  // namespace fluvia
