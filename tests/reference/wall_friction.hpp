// SPDX-License-Identifier: Apache-2.0
// The friction of a turbulent boundary layer as the reference solver has it, from the published laws.
#pragma once
#include <cmath>

namespace reference {

/// y+ of Spalding's law (J. Appl. Mech. 28 (1961) 455) for u+.
inline double spalding_distance(double u) {
  const double s = 0.4 * u;
  return u + std::exp(-0.4 * 5.5) * (std::exp(s) - 1 - s - s * s / 2 - s * s * s / 6);
}

/// u+ where u+ y+ is a Reynolds number, by bisection.
inline double spalding_velocity(double reynolds) {
  double low = 0, high = std::sqrt(reynolds) + 1;
  for (int k = 0; k < 200; ++k) {
    const double middle = (low + high) / 2;
    (middle * spalding_distance(middle) < reynolds ? low : high) = middle;
  }
  return low;
}

/// u_tau where the speed is `speed` at the distance y from a wall as rough as grains of that size; 0 where the layer is
/// resolved.
inline double friction_velocity(double speed, double y, double viscosity, double grain) {
  const double reynolds = speed * y / viscosity;
  const double smooth = reynolds > 25 ? speed / spalding_velocity(reynolds) : 0;
  const double rough = grain > 0 ? 0.4 * speed / std::log(1 + 30 * y / grain) : 0;
  return std::fmax(smooth, rough);
}

}  // namespace reference
