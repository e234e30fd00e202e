// SPDX-License-Identifier: Apache-2.0
// Second-order equilibria in deviation form f_i^eq - w_i, pair by pair.
#pragma once
#include "fluvia/core/moments.hpp"

namespace fluvia::core {

/// S1 eq. 3: the density multiplies the velocity terms.
struct QuasiCompressible {
  static constexpr const char* name = "quasi-compressible";
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
  template <class T>
  static FLUVIA_FUNCTION T density(const T&) {
    return T(Scalar<T>(1));
  }
  template <class T>
  static FLUVIA_FUNCTION T inverse_density(const T&) {
    return T(Scalar<T>(1));
  }
};

/// Every equilibrium; add one here and nowhere else.
using Equilibria = TypeList<QuasiCompressible, Incompressible>;

/// The equilibrium of one node, split into parts even and odd under c -> -c.
template <class Lattice, class Equilibrium, class T>
struct EquilibriumPairs {
  using S = Scalar<T>;
  T base, density;
  const Macroscopic<T>& m;

  FLUVIA_FUNCTION explicit EquilibriumPairs(const Macroscopic<T>& macroscopic)
      : density(Equilibrium::density(macroscopic.density_deviation)), m(macroscopic) {
    T speed_squared = m.velocity[0] * m.velocity[0];
    unroll<Lattice::D, 1>([&](auto axis) { speed_squared += m.velocity[axis.i] * m.velocity[axis.i]; });
    base = m.density_deviation - density * speed_squared * S(1.5);
  }

  FLUVIA_FUNCTION T rest() const { return base * S(Lattice::w[0]); }

  /// w_p (delta rho + rho (4.5 (c.u)^2 - 1.5 u^2)) and w_p 3 rho c.u
  template <int p>
  FLUVIA_FUNCTION void pair(T& even, T& odd) const {
    const T cu = along<Lattice, p>(m.velocity);
    const T flux = cu * density;
    odd = flux * S(3 * Lattice::w[p]);
    even = base * S(Lattice::w[p]) + flux * cu * S(4.5 * Lattice::w[p]);
  }
};

/// f_i^eq - w_i of all directions.
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
