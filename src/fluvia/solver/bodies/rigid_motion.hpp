// SPDX-License-Identifier: Apache-2.0
// How a rigid body moves that is told: its pose at a step is a function of the step alone, so that a run that goes on
// from a checkpoint has the same.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/initial/formula.hpp"
#include "fluvia/solver/bodies/body_state.hpp"
#include "fluvia/solver/bodies/motion_table.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// A motion that is prescribed: constant velocities, and a displacement by formulas of the time; or a course from a
/// file.
class RigidMotion {
 public:
  /// `key`: of the motion in the case, for messages; `center`: of the body at rest, lattice units. Throws
  /// Error(input) for formulas that are none, and files that MotionTable cannot read.
  RigidMotion(const Case& c, const Case::Body::Motion& motion, const std::string& key, const Units& units,
              const Real3& center);

  /// The pose at a step. The velocity is that of the way to the next one: what the displacement does of it is a
  /// difference, so that the surface meets the fluid with the speed with which it really moves. NaN where a formula has
  /// no value.
  [[nodiscard]] Pose at(std::int64_t step) const;

 private:
  [[nodiscard]] Real3 displacement(std::int64_t step) const;
  [[nodiscard]] Pose along(const MotionTable& course, std::int64_t step) const;

  Real3 center_, velocity_, angular_velocity_;
  std::vector<Formula> formulas_;
  std::optional<MotionTable> course_;
  double spacing_, time_step_;
};

}  // namespace fluvia
