// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/body_course.hpp"

namespace fluvia {

BodyState BodyCourse::begin(std::int64_t step) const {
  if (const FreeMotion* const is_free = free()) return is_free->start();
  BodyState state;
  state.pose = std::get<RigidMotion>(motion_).at(step);
  state.turn = Turn::to(state.pose.axes);
  return state;
}

void BodyCourse::take_up(BodyState& state, std::int64_t step) const {
  if (!is_free() && !state.is_steered) state = begin(step);
}

void BodyCourse::go(BodyState& state, std::int64_t step) const {
  if (is_free() || state.is_steered)
    state.go();
  else
    state = begin(step);
}

void BodyCourse::push(BodyState& state, const BodyLoad& load) const {
  if (const FreeMotion* const is_free = free()) is_free->push(state, load);
}

void BodyCourse::set_velocity(BodyState& state, const Real3& velocity, const Real3& angular_velocity) const {
  if (const FreeMotion* const is_free = free()) return is_free->set_velocity(state, velocity, angular_velocity);
  state.pose.velocity = velocity;
  state.pose.angular_velocity = angular_velocity;
  state.is_steered = true;
}

}  // namespace fluvia
