// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/moments.hpp"

namespace fluvia::core {

/// Mass, momentum and stress of a node: all that populations hold which have no moments of higher order, as Regularized
/// leaves them behind (docs/decisions/0050-passes-over-moments.md). Ten numbers in space, six in the plane:
///   0             sum f_i, the density minus 1
///   1 + a         sum c_ia f_i
///   1 + D + k     sum c_ia c_ib f_i - delta_ab/3 sum f_i, for the components xx, yy, (zz,) xy(, yz, zx)
/// of the deviations f_i - w_i. From these f_i = w_i (m_0 + 3 c_ia m_a + 9/2 (c_ia c_ib - delta_ab/3) m_ab).
/// Exact on lattices whose fourth moments are isotropic.
template <class Lattice>
struct SecondMoments {
  static constexpr bool supports = Isotropy<Lattice>::isotropic;
  static constexpr int D = Lattice::D, Q = Lattice::Q, count = 1 + D + D * (D + 1) / 2;

  /// Index of a component of the stress, which tensor_row and tensor_column number; -1 beyond the plane.
  static constexpr int stress(int component) {
    if (D == 3) return 4 + component;
    return component == 0 || component == 1 ? 3 + component : component == 3 ? 5 : -1;
  }

  template <class T>
  static FLUVIA_FUNCTION void find(const T (&f)[Q], T (&m)[count]) {
    static_assert(supports, "moments of second order are enough on lattices with isotropic weights only");
    for (int k = 1; k < count; ++k) m[k] = T(Scalar<T>(0));
    m[0] = f[0];
    for_each_pair<Lattice>([&](auto p, auto n) {
      constexpr int direction = p.i;  // NVRTC takes a captured parameter for no constant
      const T even = f[p.i] + f[n.i], odd = f[p.i] - f[n.i];
      m[0] += even;
      unroll<D>([&](auto axis) { add_component<Lattice, direction, axis.i>(m[1 + axis.i], odd); });
      unroll<6>([&](auto k) {
        constexpr int at = stress(k.i), cc = factor(direction, k.i);
        if constexpr (at >= 0 && cc == 1) m[at] += even;
        if constexpr (at >= 0 && cc == -1) m[at] -= even;
      });
    });
    unroll<D>([&](auto axis) { m[1 + D + axis.i] -= m[0] * Scalar<T>(sound_speed_squared); });
  }

  template <class T>
  static FLUVIA_FUNCTION void rebuild(const T (&m)[count], T (&f)[Q]) {
    using S = Scalar<T>;
    static_assert(supports, "moments of second order are enough on lattices with isotropic weights only");
    T trace = m[1 + D];
    unroll<D, 1>([&](auto axis) { trace += m[1 + D + axis.i]; });
    const T base = m[0] - trace * S(1.5);
    constexpr double weight_at_rest = Lattice::w[0];
    f[0] = base * S(weight_at_rest);
    for_each_pair<Lattice>([&](auto p, auto n) {
      constexpr int direction = p.i;
      constexpr double weight = Lattice::w[p.i];
      T even = base, momentum = T(S(0));
      unroll<D>([&](auto axis) { add_component<Lattice, direction, axis.i>(momentum, m[1 + axis.i]); });
      unroll<6>([&](auto k) {
        constexpr int at = stress(k.i), cc = factor(direction, k.i);
        constexpr double share = tensor_row[k.i] == tensor_column[k.i] ? 4.5 * cc : 9 * cc;
        if constexpr (at >= 0 && cc != 0) even += m[at] * S(share);
      });
      const T odd = momentum * S(3);
      f[p.i] = (even + odd) * S(weight);
      f[n.i] = (even - odd) * S(weight);
    });
  }

 private:
  /// The product of the components of a velocity that a component of the stress takes.
  static constexpr int factor(int direction, int component) {
    return Lattice::c[direction][tensor_row[component]] * Lattice::c[direction][tensor_column[component]];
  }
};

}  // namespace fluvia::core
