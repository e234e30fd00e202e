// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/rigid_motion.hpp"

#include <cmath>

#include "fluvia/geometry/input_file.hpp"

namespace fluvia {

namespace {

/// Turns vectors about an axis by an angle (Rodrigues).
void turn(std::array<Real3, 3>& vectors, const Real3& axis, double angle) {
  const double cosine = std::cos(angle), sine = std::sin(angle);
  for (Real3& v : vectors) v = cosine * v + sine * cross(axis, v) + ((1 - cosine) * dot(axis, v)) * axis;
}

/// The axes x, y, z after a turn, along whose axis `turned` lies, as long as the angle in radians.
std::array<Real3, 3> axes_after(const Real3& turned) {
  std::array<Real3, 3> axes = Pose().axes;
  const double angle = norm(turned);
  if (angle != 0) turn(axes, (1 / angle) * turned, angle);
  return axes;
}

/// The turn that brings axes to others, by less than half a revolution: twice its sine, along its axis, and its cosine
/// follow from products of the axes.
Real3 turn_between(const std::array<Real3, 3>& from, const std::array<Real3, 3>& to) {
  Real3 twice_sine{};
  double trace = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    twice_sine = twice_sine + cross(from[k], to[k]);
    trace += dot(from[k], to[k]);
  }
  const double sine = 0.5 * norm(twice_sine), angle = std::atan2(sine, 0.5 * (trace - 1));
  return sine == 0 ? Real3{} : (angle / (2 * sine)) * twice_sine;
}

}  // namespace

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
  if (!motion.series.empty())
    course_.emplace(geometry::resolve(c.directory, motion.series), c.domain.dimension, motion.series_periodic);
}

Pose RigidMotion::along(const MotionTable& course, std::int64_t step) const {
  const MotionTable::Row here = course.at(static_cast<double>(step) * time_step_),
                         next = course.at(static_cast<double>(step + 1) * time_step_);
  Pose pose;
  pose.center = center_ + (1 / spacing_) * here.shift;
  pose.velocity = (1 / spacing_) * (next.shift - here.shift);
  pose.axes = axes_after(here.turn);
  pose.angular_velocity = turn_between(pose.axes, axes_after(next.turn));
  return pose;
}

Real3 RigidMotion::displacement(std::int64_t step) const {
  Real3 shift{};
  const Real3 time{static_cast<double>(step) * time_step_, 0, 0};
  for (std::size_t axis = 0; axis < formulas_.size(); ++axis) shift[axis] = formulas_[axis](time) / spacing_;
  return shift;
}

Pose RigidMotion::at(std::int64_t step) const {
  if (course_) return along(*course_, step);
  Pose pose;
  const auto steps = static_cast<double>(step);
  const Real3 shift = displacement(step);
  pose.center = center_ + steps * velocity_ + shift;
  pose.velocity = formulas_.empty() ? velocity_ : velocity_ + displacement(step + 1) - shift;
  pose.angular_velocity = angular_velocity_;
  const double rate = norm(angular_velocity_);
  if (rate != 0) turn(pose.axes, (1 / rate) * angular_velocity_, rate * steps);
  return pose;
}

}  // namespace fluvia
