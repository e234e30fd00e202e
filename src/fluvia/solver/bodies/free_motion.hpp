// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "fluvia/case/case.hpp"
#include "fluvia/solver/bodies/body_measure.hpp"
#include "fluvia/solver/bodies/body_state.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// What acts on a body beside its weight and its springs; lattice units, torques about its center.
struct BodyLoad {
  Real3 force{}, torque{};  ///< of the fluid, in the step that ends now
  /// Of what it touches, where it is now; forces that oppose its velocity are `resistance` times that.
  Real3 contact_force{}, contact_torque{};
  SymmetricTensor resistance{};
};

/// The motion of a rigid body that is free in some of its six ways: Newton's and Euler's equations with forces of the
/// fluid, of gravity less buoyancy, and of springs and dampers.
///
/// Places and velocities leap over each other (Störmer and Verlet): the velocity is that between two steps, the place
/// that at a step. Springs push as they are at the place; the fluid with the mean of its forces in the last two steps,
/// which takes out the noise of two steps that covering of nodes makes, and keeps light bodies stable
/// (docs/decisions/0060). Dampers take the mean of the old and the new velocity.
class FreeMotion {
 public:
  /// `measure`: of the body at rest. Throws Error(input) for a body without a volume.
  FreeMotion(const Case& c, const Case::Body::Free& free, const std::string& key, const Units& units, const Grid& grid,
             const BodyMeasure& measure);

  /// About which it turns, at rest: its hinge, or its center of mass; lattice units.
  [[nodiscard]] const Real3& center() const { return center_; }
  /// How it begins.
  [[nodiscard]] BodyState start() const;
  /// Gives it the velocities with which it goes on from there.
  void push(BodyState& state, const BodyLoad& load) const;
  /// Gives it these, as far as it can have them.
  void set_velocity(BodyState& state, const Real3& velocity, const Real3& angular_velocity) const;

 private:
  using Three = std::array<bool, 3>;
  [[nodiscard]] SymmetricTensor inertia_in_box(const std::array<Real3, 3>& axes) const;

  Real3 center_{};
  double mass_ = 0;
  SymmetricTensor inertia_{};  ///< about the center, along axes of the body
  Three goes_{}, turns_{};     ///< along and about which axes of the box it moves
  Real3 velocity_{}, angular_velocity_{};
  Real3 weight_{}, buoyancy_{};            ///< forces
  Real3 arm_of_mass_{}, arm_of_volume_{};  ///< from the center, along axes of the body
  Real3 anchor_{}, stiffness_{}, damping_{}, turn_stiffness_{}, turn_damping_{};
};

}  // namespace fluvia
