// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/equilibrium/equilibrium.hpp"
#include "fluvia/core/force/guo.hpp"

namespace fluvia::core {

/// Two relaxation times: omega for the parts even under c -> -c, the odd ones follow from the magic parameter.
/// With Lambda = 3/16 half-way walls of a plane channel lie exactly half-way.
/// Ginzburg, Verhaeghe & d'Humieres, Commun. Comput. Phys. 3 (2008) 427.
struct Trt {
  static constexpr const char* name = "trt";
  template <class Lattice>
  static constexpr bool supports = Isotropy<Lattice>::isotropic;
  static constexpr const char* needs = isotropic_weights;
  static constexpr bool needs_stress = false;
  static constexpr CollisionFacts facts = {.work = Work::little, .odd_rates = OddRates::magic, .gives_way_early = true};

  template <class Lattice, class Equilibrium, bool force, class T>
  static FLUVIA_FUNCTION void relax(T (&f)[Lattice::Q], const Macroscopic<T>& m, const T (&)[6], const T& omega,
                                    const CollisionParameters<Scalar<T>>& parameters) {
    using S = Scalar<T>;
    const EquilibriumPairs<Lattice, Equilibrium, T> eq(m);
    const GuoPairs<Lattice, T> guo(m, parameters.force);
    // 1/omega- = 1/2 + Lambda / (1/omega - 1/2), written without 1/omega.
    const T half_minus = T(S(2)) - omega;
    const T omega_odd = half_minus * S(2) / (half_minus + omega * (parameters.magic * S(4)));
    const T even_source = omega * S(-0.5) + S(1), odd_source = omega_odd * S(-0.5) + S(1);
    f[0] += omega * (eq.rest() - f[0]);
    if constexpr (force) f[0] += even_source * guo.rest();
    for_each_pair<Lattice>([&](auto p, auto n) {
      T even, odd;
      eq.template pair<p.i>(even, odd);
      T even_change = omega * (even - (f[p.i] + f[n.i]) * S(0.5));
      T odd_change = omega_odd * (odd - (f[p.i] - f[n.i]) * S(0.5));
      if constexpr (force) {
        guo.template pair<p.i>(even, odd);
        even_change += even_source * even;
        odd_change += odd_source * odd;
      }
      f[p.i] += even_change + odd_change;
      f[n.i] += even_change - odd_change;
    });
  }
};

}  // namespace fluvia::core
