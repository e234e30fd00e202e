// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>
#include <variant>

#include "fluvia/solver/bodies/body_state.hpp"
#include "fluvia/solver/bodies/free_motion.hpp"
#include "fluvia/solver/bodies/rigid_motion.hpp"

namespace fluvia {

/// The motion of a body, which is told, or free.
class BodyCourse {
 public:
  explicit BodyCourse(RigidMotion told) : motion_(std::move(told)) {}
  explicit BodyCourse(FreeMotion free) : motion_(free) {}

  [[nodiscard]] bool is_free() const { return std::holds_alternative<FreeMotion>(motion_); }
  [[nodiscard]] const FreeMotion* free() const { return std::get_if<FreeMotion>(&motion_); }
  /// How a body begins; a free one at the first step, whatever the step.
  [[nodiscard]] BodyState begin(std::int64_t step) const;
  /// Brings the state to a step at which it has been taken up: of a body that is told, unless a program steers it, all
  /// that it is follows from the step.
  void take_up(BodyState& state, std::int64_t step) const;
  /// Goes on to the place at the next step, of which the number is given.
  void go(BodyState& state, std::int64_t step) const;
  /// Gives a free body the velocities with which it goes on from there.
  void push(BodyState& state, const BodyLoad& load) const;
  /// Lets a body go on with these velocities from where it is; a free one goes on freely.
  void set_velocity(BodyState& state, const Real3& velocity, const Real3& angular_velocity) const;

 private:
  std::variant<RigidMotion, FreeMotion> motion_;
};

}  // namespace fluvia
