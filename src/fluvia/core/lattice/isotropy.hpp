// SPDX-License-Identifier: Apache-2.0
// What follows from the fourth moments of a lattice's weights: how a stress is put into populations, and how the
// viscosity depends on the rates of the stresses. Textbook constants (9/2, 3/2, 1/3) on isotropic lattices.
#pragma once
#include "fluvia/core/config.hpp"

namespace fluvia::core {

/// Squared lattice speed of sound of every lattice here; checked by is_valid_lattice.
inline constexpr double sound_speed_squared = 1.0 / 3.0;

namespace detail {
constexpr bool near(double a, double b) {
  return a - b < 1e-14 && b - a < 1e-14;
}

/// The fourth moment sum w c_a c_b c_g c_d.
template <class Lattice>
constexpr double fourth_moment(int a, int b, int g, int d) {
  double sum = 0;
  for (int i = 0; i < Lattice::Q; ++i)
    sum += Lattice::w[i] * (Lattice::c[i][a] * Lattice::c[i][b] * Lattice::c[i][g] * Lattice::c[i][d]);
  return sum;
}
}  // namespace detail

/// The two independent fourth moments of weights with cubic symmetry, and what follows from them.
template <class Lattice>
struct Isotropy {
  static constexpr double along = detail::fourth_moment<Lattice>(0, 0, 0, 0);   ///< sum w c_a^4
  static constexpr double across = detail::fourth_moment<Lattice>(0, 0, 1, 1);  ///< sum w c_a^2 c_b^2
  static constexpr double cs4 = sound_speed_squared * sound_speed_squared;
  /// With these two values the viscous stress has the same form in all directions at a single relaxation time.
  static constexpr bool isotropic = detail::near(across, cs4) && detail::near(along, 3 * cs4);

  // The populations w_i Q_i : T have no mass and no momentum, and T as their momentum flux, where
  //   Q_i : T = product (c_i.T.c_i) + normal sum_a c_ia^2 T_aa + (speed |c_i|^2 + offset) trace T.
  // The four numbers solve those conditions; the quadratic part of the equilibrium is w_i rho Q_i : u u.
  static constexpr double product = isotropic ? 4.5 : 1 / (2 * across);
  static constexpr double normal = isotropic ? 0 : 1 / (along - across) - product;
  static constexpr double speed =
      isotropic ? 0 : (cs4 - across) / (along - across) / (along + (Lattice::D - 1) * across - Lattice::D * cs4);
  static constexpr double offset =
      isotropic ? -1.5 : -sound_speed_squared * (1 / (along - across) + Lattice::D * speed);
  /// Coefficient of trace T in direction i.
  static constexpr double trace(int i) {
    int squared = 0;
    for (int axis = 0; axis < Lattice::D; ++axis) squared += Lattice::c[i][axis] * Lattice::c[i][axis];
    return speed * squared + offset;
  }

  // By Chapman-Enskog the viscosity is across/cs^2 (tau_s - 1/2) for shear stresses and (along - across)/(2 cs^2)
  // (tau_n - 1/2) for differences of normal ones. Both are cs^2 (tau - 1/2) if tau_s - 1/2 and tau_n - 1/2 are these
  // multiples of tau - 1/2; on isotropic lattices both are 1.
  static constexpr double shear_time = isotropic ? 1 : cs4 / across;
  static constexpr double normal_time = isotropic ? 1 : 2 * cs4 / (along - across);
};

/// Rate of the stresses whose relaxation time above 1/2 is `multiple` of that of `omega`.
template <class T>
FLUVIA_FUNCTION T rate_of_multiple(const T& omega, double multiple) {
  using S = Scalar<T>;
  return omega / (omega * S(0.5 - 0.5 * multiple) + S(multiple));
}

}  // namespace fluvia::core
