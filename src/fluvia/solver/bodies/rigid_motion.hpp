// SPDX-License-Identifier: Apache-2.0
// How a rigid body moves: its pose at a step is a function of the step alone, so that a run that goes on from a
// checkpoint has the same.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/initial/formula.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// Where a rigid body is at a step, and with which velocities it goes on to the next one; lattice units, places from
/// the corner of the box.
struct Pose {
  Real3 center{};
  std::array<Real3, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< of the body, which were x, y, z
  Real3 velocity{}, angular_velocity{};

  friend bool operator==(const Pose&, const Pose&) = default;
  [[nodiscard]] Real3 velocity_at(const Real3& place) const {
    return velocity + cross(angular_velocity, place - center);
  }
  /// A place from the center, along the axes of the body.
  [[nodiscard]] Real3 in_body(const Real3& place) const {
    const Real3 arm = place - center;
    return {dot(axes[0], arm), dot(axes[1], arm), dot(axes[2], arm)};
  }
  /// The place of what lies at `arm` from the center along the axes of the body.
  [[nodiscard]] Real3 in_box(const Real3& arm) const {
    return center + arm[0] * axes[0] + arm[1] * axes[1] + arm[2] * axes[2];
  }
};

/// A motion that is prescribed: constant velocities, and a displacement by formulas of the time.
class RigidMotion {
 public:
  /// `key`: of the motion in the case, for messages; `center`: of the body at rest, lattice units. Throws
  /// Error(input) for formulas that are none.
  RigidMotion(const Case& c, const Case::Body::Motion& motion, const std::string& key, const Units& units,
              const Real3& center);

  /// The pose at a step. The velocity is that of the way to the next one: what the displacement does of it is a
  /// difference, so that the surface meets the fluid with the speed with which it really moves. NaN where a formula has
  /// no value.
  [[nodiscard]] Pose at(std::int64_t step) const;

 private:
  [[nodiscard]] Real3 displacement(std::int64_t step) const;

  Real3 center_, velocity_, angular_velocity_;
  std::vector<Formula> formulas_;
  double spacing_, time_step_;
};

}  // namespace fluvia
