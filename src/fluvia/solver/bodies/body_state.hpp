// SPDX-License-Identifier: Apache-2.0
// Where a rigid body is, how it moves on, and what it needs to go on exactly.
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "fluvia/base/vector.hpp"

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
  [[nodiscard]] Real3 in_body(const Real3& place) const { return along_axes(place - center); }
  /// An arrow of the box along the axes of the body.
  [[nodiscard]] Real3 along_axes(const Real3& arrow) const {
    return {dot(axes[0], arrow), dot(axes[1], arrow), dot(axes[2], arrow)};
  }
  /// An arrow along the axes of the body as it lies in the box.
  [[nodiscard]] Real3 turned(const Real3& arm) const { return arm[0] * axes[0] + arm[1] * axes[1] + arm[2] * axes[2]; }
  /// The place of what lies at `arm` from the center along the axes of the body.
  [[nodiscard]] Real3 in_box(const Real3& arm) const {
    return center + arm[0] * axes[0] + arm[1] * axes[1] + arm[2] * axes[2];
  }
};

/// A turn from the place at rest: a unit quaternion, its real part first.
struct Turn {
  double real = 1;
  Real3 imaginary{};

  friend bool operator==(const Turn&, const Turn&) = default;
  /// The turn that leads to axes, each of which was one of the box.
  static Turn to(const std::array<Real3, 3>& axes);
  /// This turn, and then one by an angle along an axis, as long as the angle in radians.
  [[nodiscard]] Turn then(const Real3& angle) const;
  [[nodiscard]] std::array<Real3, 3> axes() const;
  /// Its axis, as long as the angle in radians, which is at most half a revolution.
  [[nodiscard]] Real3 angle() const;
};

/// A body at a step, with all that it needs to go on exactly.
struct BodyState {
  Pose pose;                 ///< not brought into the box over periodic faces
  Turn turn;                 ///< that of the axes of the pose
  Real3 angular_momentum{};  ///< along axes about which it can turn; of bodies that are free
  Real3 force{}, torque{};   ///< of the fluid in the last step, about the center; of bodies that are free
  bool is_steered = false;   ///< whether it keeps velocities that a program gave it

  /// Goes on to the place at the next step with the velocities that it has.
  void go();

  /// How many numbers it is in arrays of a flow (Over::bodies).
  static constexpr int numbers = 23;
  [[nodiscard]] std::array<double, numbers> packed() const;
  static BodyState unpacked(std::span<const double, numbers> from);
};

}  // namespace fluvia
