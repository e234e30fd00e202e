// SPDX-License-Identifier: Apache-2.0
// A rigid body of the oracle for bodies that move: its shape by a signed distance in coordinates of its own, its pose,
// its velocity, what acts on it.
#pragma once
#include <cmath>
#include <functional>

#include "reference/reference_collision.hpp"

namespace reference::bodies {

struct RigidBody {
  /// Above 0 in the fluid, at a place from the centre in coordinates that turn with the body.
  std::function<double(const Real3&)> distance;
  Real3 centre{};                                  ///< lattice units; nodes lie at half numbers
  Tensor turn{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};  ///< columns: axes of the body
  Real3 velocity{}, angular_velocity{};
  Real3 force{}, torque{};  ///< of the fluid in the last step

  [[nodiscard]] double distance_at(const Real3& from_centre) const {
    Real3 local{};
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) local[a] += turn[b][a] * from_centre[b];
    return distance(local);
  }
  [[nodiscard]] Real3 velocity_at(const Real3& from_centre) const {
    Real3 u = fluvia::cross(angular_velocity, from_centre);
    for (int a = 0; a < 3; ++a) u[a] += velocity[a];
    return u;
  }
  /// Moves for one step with the velocities that it has (Rodrigues' rotation).
  void move() {
    for (int a = 0; a < 3; ++a) centre[a] += velocity[a];
    const double angle = fluvia::norm(angular_velocity);
    if (angle == 0) return;
    const Real3 axis{angular_velocity[0] / angle, angular_velocity[1] / angle, angular_velocity[2] / angle};
    for (int column = 0; column < 3; ++column) {
      const Real3 v{turn[0][column], turn[1][column], turn[2][column]}, across = fluvia::cross(axis, v);
      for (int a = 0; a < 3; ++a)
        turn[a][column] = v[a] * std::cos(angle) + across[a] * std::sin(angle) +
                          axis[a] * fluvia::dot(axis, v) * (1 - std::cos(angle));
    }
  }
};

}  // namespace reference::bodies
