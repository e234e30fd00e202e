// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// Density and velocity of a node (or of a pack of nodes), lattice units.
template <class T>
struct Macroscopic {
  T density_deviation;  ///< rho - 1
  T velocity[3];        ///< includes half the body force (Guo, Zheng & Shi, Phys. Rev. E 65 (2002) 046308)
};

/// Adds `x` times c[p][axis] to a sum, for a direction whose velocity component is +-1 or 0.
template <class Lattice, int p, int axis, class T>
FLUVIA_FUNCTION void add_component(T& sum, const T& x) {
  if constexpr (Lattice::c[p][axis] == 1) sum += x;
  if constexpr (Lattice::c[p][axis] == -1) sum -= x;
}

/// The product c_p . v.
template <class Lattice, int p, class T>
FLUVIA_FUNCTION T along(const T (&v)[3]) {
  T sum = T(Scalar<T>(0));
  unroll<Lattice::D>([&](auto axis) { add_component<Lattice, p, axis.i>(sum, v[axis.i]); });
  return sum;
}

/// Zeroth and first moments of the deviations f_i - w_i, without the force.
template <class T>
struct Sums {
  T mass;
  T momentum[3];
};

template <class Lattice, class T>
FLUVIA_FUNCTION Sums<T> sums(const T (&f)[Lattice::Q]) {
  Sums<T> s{f[0], {T(Scalar<T>(0)), T(Scalar<T>(0)), T(Scalar<T>(0))}};
  for_each_pair<Lattice>([&](auto p, auto n) {
    constexpr int direction = p.i;  // NVRTC takes a captured parameter for no constant
    s.mass += f[p.i] + f[n.i];
    const T difference = f[p.i] - f[n.i];
    unroll<Lattice::D>([&](auto axis) { add_component<Lattice, direction, axis.i>(s.momentum[axis.i], difference); });
  });
  return s;
}

/// Density and velocity of populations with these sums.
template <class Lattice, class Equilibrium, class T>
FLUVIA_FUNCTION Macroscopic<T> macroscopic(const Sums<T>& s, const Scalar<T> (&force)[3]) {
  Macroscopic<T> m;
  m.density_deviation = s.mass;
  const T inverse = Equilibrium::inverse_density(m.density_deviation);
  for (int axis = 0; axis < 3; ++axis)
    m.velocity[axis] =
        axis < Lattice::D ? (s.momentum[axis] + T(force[axis] * Scalar<T>(0.5))) * inverse : s.momentum[axis];
  return m;
}

/// Density and velocity of the deviations f_i - w_i.
template <class Lattice, class Equilibrium, class T>
FLUVIA_FUNCTION Macroscopic<T> moments(const T (&f)[Lattice::Q], const Scalar<T> (&force)[3]) {
  return macroscopic<Lattice, Equilibrium>(sums<Lattice>(f), force);
}

/// Components of symmetric tensors: xx, yy, zz, xy, yz, zx.
inline constexpr int tensor_row[6] = {0, 1, 2, 0, 1, 2};
inline constexpr int tensor_column[6] = {0, 1, 2, 1, 2, 0};

/// A component of the non-equilibrium momentum flux sum_i c_i c_i (f_i - f_i^eq); the second moment of both equilibria
/// is exact.
template <class Lattice, class Equilibrium, int component, class T>
FLUVIA_FUNCTION T nonequilibrium_stress(const T (&f)[Lattice::Q], const Macroscopic<T>& m) {
  constexpr int a = tensor_row[component], b = tensor_column[component];
  T sum = T(Scalar<T>(0));
  if constexpr (a < Lattice::D && b < Lattice::D) {
    for_each_pair<Lattice>([&](auto p, auto n) {
      constexpr int cc = Lattice::c[p.i][a] * Lattice::c[p.i][b];
      if constexpr (cc == 1) sum += f[p.i] + f[n.i];
      if constexpr (cc == -1) sum -= f[p.i] + f[n.i];
    });
    sum -= Equilibrium::density(m.density_deviation) * m.velocity[a] * m.velocity[b];
    if constexpr (a == b) sum -= m.density_deviation * Scalar<T>(sound_speed_squared);
  }
  return sum;
}

/// All of its components.
template <class Lattice, class Equilibrium, class T>
FLUVIA_FUNCTION void nonequilibrium_stress(const T (&f)[Lattice::Q], const Macroscopic<T>& m, T (&stress)[6]) {
  unroll<6>([&](auto k) { stress[k.i] = nonequilibrium_stress<Lattice, Equilibrium, k.i>(f, m); });
}

}  // namespace fluvia::core
