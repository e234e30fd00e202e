// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "fluvia/output/pictures/drawing.hpp"
#include "fluvia/output/walls/wall_values.hpp"

namespace fluvia {

class MovingBodies;

/// A square of a plane whose corners are four nodes beside each other; along an axis with one node, or beyond the last
/// one, corners are the same. Positions are in cells: the node in column i and row j is at (i + 1/2, j + 1/2).
struct NodeSquare {
  struct Corner {
    Point place;
    Int3 node;  ///< in the box
    bool fluid;
  };
  /// A point of a wall, where it cuts a link between two corners.
  struct WallPoint {
    Point place;
    Point normal;         ///< of the wall's trace in the plane: a unit vector out of the fluid
    bool sticks = false;  ///< whether the fluid has the wall's velocity there
    Real3 velocity{};     ///< of the wall, case units
  };
  std::array<Corner, 4> corners;  ///< lower left, lower right, upper left, upper right
  std::vector<WallPoint> walls;   ///< empty: all walls in it are half-way, so that the nearest corner decides

  [[nodiscard]] bool all_fluid() const;
  [[nodiscard]] bool any_fluid() const;
  [[nodiscard]] const Corner& nearest(const Point& place) const;
  /// The nearest corner that is not fluid, if there is one.
  [[nodiscard]] const Corner& nearest_beyond(const Point& place) const;
  /// Distance of a point from the wall in cells, negative in the fluid: that from the planes through the wall points,
  /// near ones weighing most (of inverse fourth powers, after D. Shepard, "A two-dimensional interpolation function for
  /// irregularly-spaced data", 1968). There must be wall points.
  [[nodiscard]] double beyond_wall(const Point& place) const;
  /// What part of the walls around a point the fluid sticks to, and their velocity.
  struct Wall {
    double sticking = 0;
    Real3 velocity{};
  };
  [[nodiscard]] Wall wall_at(const Point& place) const;
};

/// The bodies that move, where they are; null: none. `velocity_scale`: that of the lattice in case units.
struct BodiesInPlane {
  const MovingBodies* all = nullptr;
  double velocity_scale = 1;
};

/// Where walls cut a plane of nodes, known by the links that they cut. Half-way walls are where nodes end.
class PlaneWalls {
 public:
  /// The plane of nodes with index `plane` along `axis`, as a picture has it: `horizontal` and `vertical` axes. Without
  /// `velocity_of` walls rest. References must outlive it.
  PlaneWalls(const Geometry& geometry, const std::array<int, 2>& axes, int axis, int plane,
             const WallVelocity& velocity_of, const BodiesInPlane& bodies = {});
  /// Axes of the box along which columns and rows are counted.
  [[nodiscard]] const std::array<int, 2>& axes() const { return axes_; }
  /// Whether a node of the box is one of fluid that no body covers.
  [[nodiscard]] bool is_fluid(const Int3& node) const;
  /// The node in a column and a row of the plane.
  [[nodiscard]] Int3 node_at(int column, int row) const;
  /// First and last column of squares, or row; square i lies between the nodes i and i + 1.
  [[nodiscard]] std::array<int, 2> squares(int direction) const;
  /// Thread-safe.
  [[nodiscard]] NodeSquare square(int column, int row) const;

 private:
  [[nodiscard]] std::optional<NodeSquare::WallPoint> wall_between(const NodeSquare::Corner& fluid,
                                                                  const std::array<int, 2>& step,
                                                                  bool& interpolated) const;

  const Geometry& geometry_;
  std::array<int, 2> axes_;
  int axis_, plane_;
  const WallVelocity& velocity_of_;
  BodiesInPlane bodies_;
};

}  // namespace fluvia
