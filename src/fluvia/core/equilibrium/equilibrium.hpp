// SPDX-License-Identifier: Apache-2.0
// Second-order equilibria in deviation form f_i^eq - w_i, pair by pair.
#pragma once
#include "fluvia/core/moments.hpp"

namespace fluvia::core {

/// S1 eq. 3: the density multiplies the velocity terms.
struct QuasiCompressible {
  static constexpr const char* name = "quasi-compressible";
  template <class Lattice>
  static constexpr bool supports = true;
  static constexpr const char* needs = "";
  template <class T>
  static FLUVIA_FUNCTION T density(const T& deviation) {
    return deviation + Scalar<T>(1);
  }
  template <class T>
  static FLUVIA_FUNCTION T inverse_density(const T& deviation) {
    return T(Scalar<T>(1)) / (deviation + Scalar<T>(1));
  }
};

/// S1 eq. 4; He & Luo, J. Stat. Phys. 88 (1997) 927: the reference density 1 multiplies the velocity terms, and the
/// velocity is the plain first moment.
struct Incompressible {
  static constexpr const char* name = "incompressible";
  template <class Lattice>
  static constexpr bool supports = true;
  static constexpr const char* needs = "";
  template <class T>
  static FLUVIA_FUNCTION T density(const T&) {
    return T(Scalar<T>(1));
  }
  template <class T>
  static FLUVIA_FUNCTION T inverse_density(const T&) {
    return T(Scalar<T>(1));
  }
};

/// The product Q_i : (a b + b a)/2 of Isotropy, with ca = c_i.a, cb = c_i.b, ab = a.b; 9/2 ca cb - 3/2 ab on isotropic
/// lattices.
template <class Lattice, int i, class T>
FLUVIA_FUNCTION T quadratic(const T (&a)[3], const T (&b)[3], const T& ca, const T& cb, const T& ab) {
  using S = Scalar<T>;
  using Form = Isotropy<Lattice>;
  T sum = ca * S(Form::product) * cb + ab * S(Form::trace(i));
  if constexpr (Form::normal != 0)
    unroll<Lattice::D>([&](auto axis) {
      constexpr int k = axis.i;
      if constexpr (Lattice::c[i][k] != 0) sum += a[k] * b[k] * S(Form::normal);
    });
  return sum;
}

/// The equilibrium of one node, split into parts even and odd under c -> -c. Equilibria with another even part
/// specialise it; the second moment stays rho (cs^2 delta + u u), on which nonequilibrium_stress relies.
template <class Lattice, class Equilibrium, class T>
struct EquilibriumPairs {
  using S = Scalar<T>;
  using Form = Isotropy<Lattice>;
  T base, density, speed_squared;
  const Macroscopic<T>& m;

  FLUVIA_FUNCTION explicit EquilibriumPairs(const Macroscopic<T>& macroscopic)
      : density(Equilibrium::density(macroscopic.density_deviation)), m(macroscopic) {
    speed_squared = m.velocity[0] * m.velocity[0];
    unroll<Lattice::D, 1>([&](auto axis) { speed_squared += m.velocity[axis.i] * m.velocity[axis.i]; });
    base = m.density_deviation + density * speed_squared * S(Form::trace(0));
  }

  FLUVIA_FUNCTION T rest() const { return base * S(Lattice::w[0]); }

  /// w_p (delta rho + rho Q_p : u u), which is w_p (delta rho + rho (4.5 (c.u)^2 - 1.5 u^2)) on isotropic lattices, and
  /// w_p 3 rho c.u. `Odd`: T, or ProductOf<T> where the product goes into sums.
  template <int p, class Odd>
  FLUVIA_FUNCTION void pair(T& even, Odd& odd) const {
    const T cu = along<Lattice, p>(m.velocity);
    const T flux = cu * density;
    odd = flux * S(3 * Lattice::w[p]);
    if constexpr (Form::isotropic)
      even = base * S(Lattice::w[p]) + flux * cu * S(Form::product * Lattice::w[p]);
    else
      even = (m.density_deviation + density * quadratic<Lattice, p>(m.velocity, m.velocity, cu, cu, speed_squared)) *
             S(Lattice::w[p]);
  }
};

/// The deviations f_i^eq - w_i of all directions.
template <class Lattice, class Equilibrium, class T>
FLUVIA_FUNCTION void equilibrium(const Macroscopic<T>& m, T (&f)[Lattice::Q]) {
  const EquilibriumPairs<Lattice, Equilibrium, T> eq(m);
  f[0] = eq.rest();
  for_each_pair<Lattice>([&](auto p, auto n) {
    T even, odd;
    eq.template pair<p.i>(even, odd);
    f[p.i] = even + odd;
    f[n.i] = even - odd;
  });
}

}  // namespace fluvia::core
