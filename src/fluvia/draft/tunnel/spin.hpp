// SPDX-License-Identifier: Apache-2.0
// A body that turns about the direction of the wind: a propeller, a fan, a turbine.
#pragma once
#include <numbers>
#include <vector>

#include "fluvia/draft/case_text.hpp"
#include "fluvia/draft/tunnel/bodies.hpp"

namespace fluvia::draft {

/// How a body turns; everything in SI.
struct Spin {
  Real3 center{};             ///< its center of mass
  Real3 angular_velocity{};   ///< 1/s
  double rate = 0;            ///< of which this is the size, radians a second
  double radius = 0;          ///< of the circle that its tips go on, m
  geometry::BoundingBox box;  ///< of all places that it sweeps
  [[nodiscard]] double tip_speed() const { return rate * radius; }
  [[nodiscard]] double turn() const { return 2 * std::numbers::pi / rate; }  ///< s
};

/// A spin about the axis of the wind. `along`: that axis, `forwards`: it blows along it, not against it; `rate`, rad/s:
/// right-handed about the direction in which the wind blows, less than 0 the other way. Throws Error(usage) or
/// Error(input) for what cannot turn: not one closed body, beside a ground, heat or wall functions.
Spin make_spin(const DraftRequest& request, const std::vector<Body>& bodies, int along, bool forwards);

/// How thrust and torque follow from the coefficients of the case.
void write_spin_head(CaseText& text, const Spin& spin, double wind);
/// The body and its motion.
void write_spin(CaseText& text, const Spin& spin, const Body& body);

}  // namespace fluvia::draft
