// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/equilibrium/equilibrium.hpp"

namespace fluvia::core {

/// Source term of a body force, split into parts even and odd under c -> -c; the collision multiplies each part by
/// 1 - omega/2 of its own rate. w_i (3 c_i.F + Q_i : (u F + F u)), on isotropic lattices w_i (3 (c_i - u) + 9 (c_i.u)
/// c_i) . F: no mass, momentum F, momentum flux u F + F u.
/// Guo, Zheng & Shi, Phys. Rev. E 65 (2002) 046308, eq. 20.
template <class Lattice, class T>
struct GuoPairs {
  using S = Scalar<T>;
  T force[3], uf;
  const Macroscopic<T>& m;

  /// `Force`: a number where the force is the same at all nodes of T, else T.
  template <class Force>
  FLUVIA_FUNCTION GuoPairs(const Macroscopic<T>& macroscopic, const Force (&f)[3]) : m(macroscopic) {
    uf = T(S(0));
    for (int axis = 0; axis < 3; ++axis) force[axis] = T(f[axis]);
    unroll<Lattice::D>([&](auto axis) { uf += m.velocity[axis.i] * force[axis.i]; });
  }
  FLUVIA_FUNCTION T rest() const { return uf * S(2 * Isotropy<Lattice>::trace(0) * Lattice::w[0]); }
  template <int p, class Odd>
  FLUVIA_FUNCTION void pair(T& even, Odd& odd) const {
    const T cf = along<Lattice, p>(force), cu = along<Lattice, p>(m.velocity);
    odd = cf * S(3 * Lattice::w[p]);
    if constexpr (Isotropy<Lattice>::isotropic)
      even = (cf * cu * S(3) - uf) * S(3 * Lattice::w[p]);
    else
      even = quadratic<Lattice, p>(m.velocity, force, cu, cf, uf) * S(2 * Lattice::w[p]);
  }
};

/// Gives the populations of a node `part` of a body force at once, with the velocity in the middle of the step, in
/// which half of all forces is: the momentum F and the momentum flux u F + F u times `part`. `uniform`: a body force
/// that the collision brings. docs/decisions/0056 says why this is before the collision, and how it differs from Guo's
/// force.
template <class Lattice, class Equilibrium, class T>
FLUVIA_FUNCTION void kick(T (&f)[Lattice::Q], const T (&force)[3], const Scalar<T> (&uniform)[3],
                          const Scalar<T>& part) {
  using S = Scalar<T>;
  Sums<T> all = sums<Lattice>(f);
  T given[3];
  for (int axis = 0; axis < 3; ++axis) {
    if (axis < Lattice::D) all.momentum[axis] += force[axis] * S(0.5);
    given[axis] = force[axis] * part;
  }
  const Macroscopic<T> m = macroscopic<Lattice, Equilibrium>(all, uniform);
  const GuoPairs<Lattice, T> source(m, given);
  f[0] += source.rest();
  for_each_pair<Lattice>([&](auto p, auto n) {
    T even, odd;
    source.template pair<p.i>(even, odd);
    f[p.i] += even + odd;
    f[n.i] += even - odd;
  });
}

/// Guo's force shifts the measured stress by -(u F + F u)/2; a component of what takes the shift back.
template <int component, class T>
FLUVIA_FUNCTION T stress_of_force(const Macroscopic<T>& m, const Scalar<T> (&force)[3]) {
  constexpr int a = tensor_row[component], b = tensor_column[component];
  return (m.velocity[a] * force[b] + m.velocity[b] * force[a]) * Scalar<T>(0.5);
}

/// Takes it back from all of them.
template <class Lattice, class T>
FLUVIA_FUNCTION void correct_stress(const Macroscopic<T>& m, const Scalar<T> (&force)[3], T (&stress)[6]) {
  unroll<6>([&](auto k) {
    if constexpr (tensor_row[k.i] < Lattice::D && tensor_column[k.i] < Lattice::D)
      stress[k.i] += stress_of_force<k.i>(m, force);
  });
}

}  // namespace fluvia::core
