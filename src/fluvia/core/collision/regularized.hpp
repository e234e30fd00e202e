// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/equilibrium/equilibrium.hpp"
#include "fluvia/core/force/guo.hpp"

namespace fluvia::core {

/// BGK on populations rebuilt from density, velocity and stress: f = f^eq + w_i (9/2) (c_i c_i - delta/3) : Pi^neq.
/// Latt & Chopard, Math. Comput. Simul. 72 (2006) 165.
struct Regularized {
  static constexpr const char* name = "regularized";
  template <class Lattice>
  static constexpr bool supports = Isotropy<Lattice>::isotropic;
  static constexpr const char* needs = isotropic_weights;
  static constexpr bool needs_stress = true;
  static constexpr CollisionFacts facts = {.odd_rates = OddRates::one};

  template <class Lattice, class Equilibrium, bool force, class T>
  static FLUVIA_FUNCTION void relax(T (&f)[Lattice::Q], const Macroscopic<T>& m, const T (&stress)[6], const T& omega,
                                    const CollisionParameters<Scalar<T>>& parameters) {
    using S = Scalar<T>;
    const EquilibriumPairs<Lattice, Equilibrium, T> eq(m);
    const GuoPairs<Lattice, T> guo(m, parameters.force);
    const T keep = T(S(1)) - omega, source_factor = omega * S(-0.5) + S(1);
    const T trace_third = (stress[0] + stress[1] + stress[2]) * S(sound_speed_squared);
    f[0] = eq.rest() - keep * trace_third * S(4.5 * Lattice::w[0]);
    if constexpr (force) f[0] += source_factor * guo.rest();
    for_each_pair<Lattice>([&](auto p, auto n) {
      constexpr int direction = p.i;
      T even, odd;
      eq.template pair<p.i>(even, odd);
      T projected = -trace_third;
      unroll<6>([&](auto k) {
        constexpr int a = tensor_row[k.i], b = tensor_column[k.i];
        constexpr int cc = Lattice::c[direction][a] * Lattice::c[direction][b] * (a == b ? 1 : 2);
        if constexpr (cc != 0) projected += stress[k.i] * S(cc);
      });
      even += keep * projected * S(4.5 * Lattice::w[p.i]);
      if constexpr (force) {
        T even_force, odd_force;
        guo.template pair<p.i>(even_force, odd_force);
        even += source_factor * even_force;
        // The first moment of f - f^eq is -F/2; it relaxes like the stress, and (1-omega)(-1/2) + 1-omega/2 = 1/2.
        odd += odd_force * S(0.5);
      }
      f[p.i] = even + odd;
      f[n.i] = even - odd;
    });
  }
};

}  // namespace fluvia::core
