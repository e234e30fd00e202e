// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "fluvia/geometry/geometry.hpp"
#include "fluvia/output/neighbourhood.hpp"

namespace fluvia {

class MovingBodies;

/// What acts on a point of a wall.
struct WallLoad {
  Real3 shear{};        ///< force of the fluid on the wall per area, along the wall
  double pressure = 0;  ///< gauge pressure
};

/// A point of a wall and the fluid node beside it, lattice units.
struct WallPlace {
  Int3 node{};      ///< fluid node whose surroundings count
  Real3 point{};    ///< position on the wall
  Real3 normal{};   ///< unit vector out of the fluid
  int surface = 0;  ///< index into Geometry::surfaces
};

/// Extrapolates values at nodes of the fluid to the wall itself.
///
/// A quantity is fitted by a straight line in x, y and z, by least squares over the fluid nodes within reach of the
/// place that are connected to its node there, near ones weighing more; its value at the wall is of second order.
/// Beyond planes of symmetry lie the mirror images of nodes. What nodes do not say (one layer of them in a gap) counts
/// as constant.
///
/// Half-way walls lie up to half a node off a curved surface, an error of first order in the velocity beside them that
/// differs from node to node, so one of order one in its gradient (surface_integrals.hpp). So beside them nodes with
/// cut links do not count as long as there are others.
class WallFit {
 public:
  /// A node and its weight in the value at the wall.
  struct Term {
    NodeImage image;
    double factor;
  };
  /// The fit for a geometry, which must outlive it.
  explicit WallFit(const Geometry& geometry);
  /// The fit to surfaces of bodies where they are now: nodes that a body covers, and those behind the place, do not
  /// count. The bodies must outlive it.
  WallFit(const Geometry& geometry, const MovingBodies& bodies);
  /// Terms of one point of a wall; they are valid until the next call with the same `neighbourhood`.
  void find(const WallPlace& place, Neighbourhood& neighbourhood, std::vector<Term>& terms) const;
  /// The points of walls that are nearest to a node with links cut by anything but openings, none for other nodes. In
  /// corners there are several, all as near: so no axis or side is special.
  void nearest_walls(const Int3& node, Neighbourhood& neighbourhood, std::vector<WallPlace>& places) const;

 private:
  const Geometry& geometry_;
  const MovingBodies* bodies_ = nullptr;
  double reach_;  ///< reach of the fit, nodes
  std::vector<bool>
      beside_;  ///< [canonical index], whether the node has a cut link, where walls are half-way; else empty
  std::vector<bool> is_opening_;  ///< [surface]
};

/// Unit normal of the wall, out of the fluid, where the link from the place's node along `offset` meets it: that of the
/// geometry, or of the face of the box. Without such a normal it points away from the middle of the fluid within 3.5
/// nodes, since the stairs of a half-way wall say little nearby.
Real3 wall_normal(const Geometry& geometry, const WallPlace& place, const Int3& offset, Neighbourhood& neighbourhood);

/// Shear and pressure on a wall from the viscous stress there (xx, yy, zz, xy, yz, zx).
WallLoad load_of(const std::array<double, 6>& stress, double pressure, const Real3& normal);

}  // namespace fluvia
