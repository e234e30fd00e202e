// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/equilibrium/equilibrium.hpp"

namespace fluvia::core {

/// The equilibrium of D3Q19 whose fourth moments are those of the Maxwellian to second order in the velocity,
/// sum c_a^2 c_b^2 f^eq = rho/9 + rho (u_a^2 + u_b^2)/3; the second-order one has -rho u_c^2/6 too much, which depends
/// on the direction of the flow. Bauer & Ruede, arXiv 1803.04937. Lattices with corners (D3Q27) and D2Q9 have no such
/// error; on D3Q15 the three fourth moments are one number, so that nothing can be corrected.
struct Improved : QuasiCompressible {
  static constexpr const char* name = "improved";
  template <class Lattice>
  static constexpr bool supports =
      Lattice::D == 3 &&
      Isotropy<Lattice>::isotropic&& direction_of<Lattice>(1, 1, 0) >= 0 && direction_of<Lattice>(1, 1, 1) < 0;
  static constexpr const char* needs = "the fourth moments of D3Q19, whose error it corrects";
};

/// The deviations w_i (delta rho + rho q_i) with q = -u^2 at rest, 6 u_a^2 - 3 u^2 along axis a, and 9/2 (c.u)^2 - 3/2
/// (u^2 - u_c^2) in the plane normal to axis c; odd parts as in QuasiCompressible.
template <class Lattice, class T>
struct EquilibriumPairs<Lattice, Improved, T> {
  using S = Scalar<T>;
  T density, at_rest, on_axis, in_plane[3];
  const Macroscopic<T>& m;

  FLUVIA_FUNCTION explicit EquilibriumPairs(const Macroscopic<T>& macroscopic)
      : density(Improved::density(macroscopic.density_deviation)), m(macroscopic) {
    T square[3];
    for (int axis = 0; axis < 3; ++axis) square[axis] = m.velocity[axis] * m.velocity[axis] * density;
    const T sum = square[0] + square[1] + square[2];
    at_rest = m.density_deviation - sum;
    on_axis = m.density_deviation - sum * S(3);
    for (int axis = 0; axis < 3; ++axis) in_plane[axis] = m.density_deviation - (sum - square[axis]) * S(1.5);
  }

  FLUVIA_FUNCTION T rest() const { return at_rest * S(Lattice::w[0]); }

  template <int p, class Odd>
  FLUVIA_FUNCTION void pair(T& even, Odd& odd) const {
    constexpr int normal = Lattice::c[p][0] == 0   ? 0
                           : Lattice::c[p][1] == 0 ? 1
                                                   : 2;  // of the plane that the direction lies in, if it lies in one
    constexpr bool axial =
        (Lattice::c[p][0] != 0 ? 1 : 0) + (Lattice::c[p][1] != 0 ? 1 : 0) + (Lattice::c[p][2] != 0 ? 1 : 0) == 1;
    const T cu = along<Lattice, p>(m.velocity);
    const T flux = cu * density;
    odd = flux * S(3 * Lattice::w[p]);
    even = (axial ? on_axis : in_plane[normal]) * S(Lattice::w[p]) + flux * cu * S((axial ? 6 : 4.5) * Lattice::w[p]);
  }
};

}  // namespace fluvia::core
