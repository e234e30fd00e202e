// SPDX-License-Identifier: Apache-2.0
// What keeps bodies apart where the lattice cannot: in gaps of less than a node.
#pragma once
#include <array>
#include <span>

#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/solver/bodies/body_measure.hpp"
#include "fluvia/solver/bodies/body_shape.hpp"
#include "fluvia/solver/bodies/free_motion.hpp"

namespace fluvia {

/// A body as contacts see it.
struct ContactBody {
  const BodyShape* shape;
  const BodyMeasure* measure;
  Real3 rest;                   ///< its center where it is at rest
  Pose pose;                    ///< now, in the box
  std::array<Real3, 2> extent;  ///< lower and upper corner of what it lies in
  bool is_free;
};

/// Adds to the loads of free bodies what acts in gaps of less than a node to other bodies and to the walls of the box
/// that are not periodic; `viscosity`: of the fluid, lattice units. Two pressures act on each part of a surface:
///
/// - that of a soft wall, cs² (1 - gap)², which grows from 0 at a gap of one node, so that a body comes to rest there;
/// - that of the fluid that is squeezed out of the gap h, between round surfaces 3 nu R V / h² in space, 6 nu R V / h²
///   in the plane (Reynolds' equation for surfaces that part as r²/2R), less its value at a node, from where on the
///   lattice knows it. 1/R = 1/R_1 + 1/R_2; the radius of a body is that of the ball, or the cylinder, with its volume
///   over its surface. Over a ball near a wall this sums to 6 pi nu R² V / h (Brenner 1961).
void add_contacts(std::span<const ContactBody> bodies, const NodeMap& nodes, double viscosity,
                  std::span<BodyLoad> loads);

}  // namespace fluvia
