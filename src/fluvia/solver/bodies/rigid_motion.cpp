// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/rigid_motion.hpp"

#include <cmath>

namespace fluvia {

RigidMotion::RigidMotion(const Case& c, const Case::Body::Motion& motion, const std::string& key, const Units& units,
                         const Real3& center)
    : center_(center), spacing_(units.spacing), time_step_(units.time_step) {
  for (int axis = 0; axis < 3; ++axis) {
    velocity_[axis] = units.velocity(motion.velocity[axis]);
    angular_velocity_[axis] = motion.angular_velocity[axis] * units.time_step;
  }
  const std::string of_formulas = key + ".displacement_formula";
  for (const std::string& text : motion.displacement_formula)
    formulas_.push_back(Formula::of_time(text, c.place(of_formulas) + ": " + of_formulas));
}

Real3 RigidMotion::displacement(std::int64_t step) const {
  Real3 shift{};
  const Real3 time{static_cast<double>(step) * time_step_, 0, 0};
  for (std::size_t axis = 0; axis < formulas_.size(); ++axis) shift[axis] = formulas_[axis](time) / spacing_;
  return shift;
}

Pose RigidMotion::at(std::int64_t step) const {
  Pose pose;
  const auto steps = static_cast<double>(step);
  const Real3 shift = displacement(step);
  pose.center = center_ + steps * velocity_ + shift;
  pose.velocity = formulas_.empty() ? velocity_ : velocity_ + displacement(step + 1) - shift;
  pose.angular_velocity = angular_velocity_;
  const double rate = norm(angular_velocity_);
  if (rate == 0) return pose;
  // Rodrigues' rotation of each axis.
  const Real3 axis = (1 / rate) * angular_velocity_;
  const double cosine = std::cos(rate * steps), sine = std::sin(rate * steps);
  for (Real3& v : pose.axes) v = cosine * v + sine * cross(axis, v) + ((1 - cosine) * dot(axis, v)) * axis;
  return pose;
}

}  // namespace fluvia
