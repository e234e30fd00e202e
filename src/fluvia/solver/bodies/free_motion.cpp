// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/free_motion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/generate/shapes.hpp"

namespace fluvia {

namespace {

SymmetricTensor diagonal(const Real3& of) {
  return {Real3{of[0], 0, 0}, Real3{0, of[1], 0}, Real3{0, 0, of[2]}};
}

SymmetricTensor sum(SymmetricTensor a, double part, const SymmetricTensor& b) {
  for (std::size_t k = 0; k < 3; ++k) a[k] = a[k] + part * b[k];
  return a;
}

Real3 product(const SymmetricTensor& m, const Real3& x) {
  return {dot(m[0], x), dot(m[1], x), dot(m[2], x)};
}

Real3 entrywise(const Real3& a, const Real3& b) {
  return {a[0] * b[0], a[1] * b[1], a[2] * b[2]};
}

/// Inertia about a point `arm` away from the center of mass, beside that about the center (Steiner).
SymmetricTensor of_arm(double mass, const Real3& arm) {
  SymmetricTensor m = diagonal({1, 1, 1});
  for (std::size_t k = 0; k < 3; ++k) m[k] = mass * (dot(arm, arm) * m[k] - arm[k] * arm);
  return m;
}

/// The x without components along axes that are not free for which m x = right along those that are (Cramer's rule).
Real3 solve(SymmetricTensor m, Real3 right, const std::array<bool, 3>& is_free) {
  for (std::size_t a = 0; a < 3; ++a) {
    if (is_free[a]) continue;
    for (std::size_t b = 0; b < 3; ++b) m[a][b] = m[b][a] = a == b ? 1 : 0;
    right[a] = 0;
  }
  const Real3 across = cross(m[1], m[2]);
  const Real3 x = right[0] * across + right[1] * cross(m[2], m[0]) + right[2] * cross(m[0], m[1]);
  return (1 / dot(m[0], across)) * x;
}

/// The way in which a body moves, by its number: along x, y, z, about x, y, z.
int number_of(const std::string& name) {
  return name.back() - 'x' + (name.size() > 1 ? 3 : 0);
}

}  // namespace

FreeMotion::FreeMotion(const Case& c, const Case::Body::Free& free, const std::string& key, const Units& units,
                       const Grid& grid, const BodyMeasure& measure) {
  const int dimension = grid.dimension;
  if (!(measure.volume > 0)) throw_input(c.place(key) + ": " + key + ": the body has no volume; make it larger");
  const double unit_length = units.spacing, unit_mass = units.density * std::pow(unit_length, dimension);
  const double density = free.density.value_or(units.density) / units.density;
  mass_ = free.mass ? *free.mass / unit_mass : density * measure.volume;
  const auto place_of = [&](const std::optional<Real3>& given, const Real3& otherwise) {
    Real3 place = given ? geometry::to_lattice(grid, *given) : otherwise;
    if (dimension == 2) place[2] = 0.5;
    return place;
  };
  const Real3 middle_of_mass = place_of(free.center, measure.centroid);
  center_ = place_of(free.hinge, middle_of_mass);
  arm_of_mass_ = middle_of_mass - center_;
  arm_of_volume_ = measure.centroid - center_;
  inertia_ = free.inertia ? diagonal((1 / (unit_mass * unit_length * unit_length)) * *free.inertia)
                          : sum({}, mass_ / measure.volume, measure.moments);
  inertia_ = sum(inertia_, 1, of_arm(mass_, arm_of_mass_));

  for (std::size_t a = 0; a < 3; ++a) {
    goes_[a] = !free.hinge && (a < 2 || dimension == 3);
    turns_[a] = a == 2 || dimension == 3;
  }
  for (const std::string& name : free.fixed) {
    if (name == "rotation") {
      turns_ = {};
      continue;
    }
    const int number = number_of(name);
    (number < 3 ? goes_ : turns_)[static_cast<std::size_t>(number % 3)] = false;
  }
  Real3 gravity{};
  for (std::size_t a = 0; a < 3; ++a) {
    velocity_[a] = units.velocity(free.velocity[a]);
    angular_velocity_[a] = free.angular_velocity[a] * units.time_step;
    if (free.gravity) gravity[a] = units.acceleration(c.physics.gravity[a]);
  }
  weight_ = mass_ * gravity;
  buoyancy_ = -measure.volume * gravity;
  const double force = units.si_force(1, dimension), torque = units.si_torque(1, dimension);
  anchor_ = free.anchor ? place_of(free.anchor, {}) : center_;
  stiffness_ = (unit_length / force) * free.stiffness;
  damping_ = (units.si_velocity(1) / force) * free.damping;
  turn_stiffness_ = (1 / torque) * free.turn_stiffness;
  turn_damping_ = (1 / (units.time_step * torque)) * free.turn_damping;
}

SymmetricTensor FreeMotion::inertia_in_box(const std::array<Real3, 3>& axes) const {
  SymmetricTensor in_box{};
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j)
      for (std::size_t a = 0; a < 3; ++a) in_box[a] = in_box[a] + inertia_[i][j] * axes[i][a] * axes[j];
  return in_box;
}

BodyState FreeMotion::start() const {
  BodyState state;
  state.pose.center = center_;
  set_velocity(state, velocity_, angular_velocity_);
  return state;
}

void FreeMotion::set_velocity(BodyState& state, const Real3& velocity, const Real3& angular_velocity) const {
  for (std::size_t a = 0; a < 3; ++a) {
    state.pose.velocity[a] = goes_[a] ? velocity[a] : 0;
    state.pose.angular_velocity[a] = turns_[a] ? angular_velocity[a] : 0;
  }
  const Turn half_way = state.turn.then(0.5 * state.pose.angular_velocity);
  state.angular_momentum = product(inertia_in_box(half_way.axes()), state.pose.angular_velocity);
}

void FreeMotion::push(BodyState& state, const BodyLoad& load) const {
  Pose& pose = state.pose;
  const Real3 force = 0.5 * (state.force + load.force), torque = 0.5 * (state.torque + load.torque);
  state.force = load.force;
  state.torque = load.torque;

  Real3 pushes = force + weight_ + buoyancy_ + load.contact_force - entrywise(stiffness_, pose.center - anchor_);
  const SymmetricTensor damping = diagonal(damping_);
  pushes = pushes + mass_ * pose.velocity - 0.5 * product(damping, pose.velocity);
  SymmetricTensor masses = sum(diagonal({mass_, mass_, mass_}), 0.5, damping);
  pose.velocity = solve(sum(masses, 1, load.resistance), pushes, goes_);

  Real3 turns = torque + load.contact_torque - entrywise(turn_stiffness_, state.turn.angle());
  turns = turns + cross(pose.turned(arm_of_mass_), weight_) + cross(pose.turned(arm_of_volume_), buoyancy_);
  turns = turns + state.angular_momentum - 0.5 * entrywise(turn_damping_, pose.angular_velocity);
  const auto rate_at = [&](const std::array<Real3, 3>& axes) {
    return solve(sum(inertia_in_box(axes), 0.5, diagonal(turn_damping_)), turns, turns_);
  };
  // Angular momentum and velocity are those half-way to the next step, where the body has turned by half of the way.
  const std::array<Real3, 3> half_way = state.turn.then(0.5 * rate_at(pose.axes)).axes();
  pose.angular_velocity = rate_at(half_way);
  state.angular_momentum = product(inertia_in_box(half_way), pose.angular_velocity);
}

}  // namespace fluvia
