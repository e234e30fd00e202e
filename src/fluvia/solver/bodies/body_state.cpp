// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/body_state.hpp"

#include <algorithm>
#include <cmath>

namespace fluvia {

Turn Turn::to(const std::array<Real3, 3>& a) {
  // Of the four components the one of largest magnitude is found first, so that no root of a small number is divided
  // by.
  const double squares[] = {1 + a[0][0] + a[1][1] + a[2][2], 1 + a[0][0] - a[1][1] - a[2][2],
                            1 - a[0][0] + a[1][1] - a[2][2], 1 - a[0][0] - a[1][1] + a[2][2]};
  const auto largest = std::max_element(std::begin(squares), std::end(squares)) - std::begin(squares);
  const double root = 2 * std::sqrt(squares[largest]);
  const Real3 odd{a[1][2] - a[2][1], a[2][0] - a[0][2], a[0][1] - a[1][0]};
  if (largest == 0) return {root / 4, (1 / root) * odd};
  const auto i = static_cast<std::size_t>(largest - 1), j = (i + 1) % 3, k = (i + 2) % 3;
  Turn turn{odd[i] / root, {}};
  turn.imaginary[i] = root / 4;
  turn.imaginary[j] = (a[i][j] + a[j][i]) / root;
  turn.imaginary[k] = (a[i][k] + a[k][i]) / root;
  return turn;
}

Turn Turn::then(const Real3& angle) const {
  const double size = norm(angle);
  if (size == 0) return *this;
  const double cosine = std::cos(0.5 * size);
  const Real3 sine = (std::sin(0.5 * size) / size) * angle;
  Turn turn{cosine * real - dot(sine, imaginary), cosine * imaginary + real * sine + cross(sine, imaginary)};
  const double length = std::sqrt(turn.real * turn.real + dot(turn.imaginary, turn.imaginary));
  turn.real /= length;
  turn.imaginary = (1 / length) * turn.imaginary;
  return turn;
}

std::array<Real3, 3> Turn::axes() const {
  std::array<Real3, 3> all = Pose().axes;
  for (Real3& axis : all) {
    const Real3 across = 2.0 * cross(imaginary, axis);
    axis = axis + real * across + cross(imaginary, across);
  }
  return all;
}

Real3 Turn::angle() const {
  const double sine = norm(imaginary);
  if (sine == 0) return {};
  const double half = std::atan2(sine, std::abs(real));
  return ((real < 0 ? -2 : 2) * half / sine) * imaginary;
}

void BodyState::go() {
  pose.center = pose.center + pose.velocity;
  turn = turn.then(pose.angular_velocity);
  pose.axes = turn.axes();
}

std::array<double, BodyState::numbers> BodyState::packed() const {
  std::array<double, numbers> to{};
  std::size_t at = 0;
  for (const Real3* const vector :
       {&pose.center, &pose.velocity, &pose.angular_velocity, &angular_momentum, &force, &torque, &turn.imaginary})
    for (const double number : *vector) to[at++] = number;
  to[at++] = turn.real;
  to[at] = is_steered ? 1 : 0;
  return to;
}

BodyState BodyState::unpacked(std::span<const double, numbers> from) {
  BodyState state;
  std::size_t at = 0;
  for (Real3* const vector : {&state.pose.center, &state.pose.velocity, &state.pose.angular_velocity,
                              &state.angular_momentum, &state.force, &state.torque, &state.turn.imaginary})
    for (double& number : *vector) number = from[at++];
  state.turn.real = from[at++];
  state.is_steered = from[at] != 0;
  state.pose.axes = state.turn.axes();
  return state;
}

}  // namespace fluvia
