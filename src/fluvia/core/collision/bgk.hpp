// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/equilibrium/equilibrium.hpp"
#include "fluvia/core/force/guo.hpp"

namespace fluvia::core {

/// One relaxation time. Bhatnagar, Gross & Krook 1954; S1 eq. 1.
struct Bgk {
  static constexpr const char* name = "bgk";
  template <class Lattice>
  static constexpr bool supports = Isotropy<Lattice>::isotropic;
  static constexpr const char* needs = isotropic_weights;
  static constexpr bool needs_stress = false;
  static constexpr CollisionFacts facts = {.work = Work::least, .odd_rates = OddRates::omega, .gives_way_early = true};

  template <class Lattice, class Equilibrium, bool force, class T>
  static FLUVIA_FUNCTION void relax(T (&f)[Lattice::Q], const Macroscopic<T>& m, const T (&)[6], const T& omega,
                                    const CollisionParameters<Scalar<T>>& parameters) {
    const EquilibriumPairs<Lattice, Equilibrium, T> eq(m);
    const GuoPairs<Lattice, T> guo(m, parameters.force);
    const T source_factor = omega * Scalar<T>(-0.5) + Scalar<T>(1);
    f[0] += omega * (eq.rest() - f[0]);
    if constexpr (force) f[0] += source_factor * guo.rest();
    for_each_pair<Lattice>([&](auto p, auto n) {
      T even;
      ProductOf<T> odd;
      eq.template pair<p.i>(even, odd);
      f[p.i] += omega * (even + odd - f[p.i]);
      f[n.i] += omega * (even - odd - f[n.i]);
      if constexpr (force) {
        guo.template pair<p.i>(even, odd);
        f[p.i] += source_factor * (even + odd);
        f[n.i] += source_factor * (even - odd);
      }
    });
  }
};

}  // namespace fluvia::core
