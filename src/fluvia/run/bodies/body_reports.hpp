// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/solver/bodies/body_state.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// A body that moves, as it is now; units of the case.
struct BodyReport {
  std::string surface;
  Real3 position;             ///< of its center, going on over periodic faces
  std::array<Real3, 3> axes;  ///< of the body, which were x, y, z at rest
  Real3 angle;                ///< by which it has turned, radians: along the axis, at most half a revolution
  Real3 velocity, angular_velocity;
  Real3 force, torque;  ///< of the fluid in the last step, about its center; in 2D of a unit of depth
};

/// What a body is now, and where it was a step ago, in lattice units of the flow as it is seen: those of the coarsest
/// of several levels of refinement, where it moves on the finest.
BodyState seen_state(const Solver& flow, int body);
Pose last_seen_pose(const Solver& flow, int body);

/// All bodies of a flow, in the order of the case.
std::vector<BodyReport> report_bodies(const Case& c, const Solver& solver, const Units& units);

/// Velocities for a body, in units of the case. Throws Error(input), naming the bodies, for other names, and for
/// numbers that are not finite or lead out of the plane of a flow in 2D.
BodyVelocity velocity_of_body(const Case& c, const Units& units, const std::string& surface, const Real3& velocity,
                              const Real3& angular_velocity);

}  // namespace fluvia
