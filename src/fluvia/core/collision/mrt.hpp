// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/mrt_basis.hpp"
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/equilibrium/equilibrium.hpp"
#include "fluvia/core/force/guo.hpp"

namespace fluvia::core {

/// Many relaxation times in an orthogonal moment basis. The equilibrium moments are those of the second-order
/// equilibrium (d'Humieres et al. 2002 with w_eps = 3, w_epsj = -11/2, w_xx = -1/2), so that equal rates give BGK.
/// D2Q9: Lallemand & Luo, Phys. Rev. E 61 (2000) 6546. D3Q19: d'Humieres, Ginzburg, Krafczyk, Lallemand & Luo, Phil.
/// Trans. R. Soc. A 360 (2002) 437. D3Q13: Toelke & Krafczyk (S3), section 4. The stress moments relax with omega, or
/// with the two rates that give omega's viscosity where the lattice needs two; the other rates are free.
struct Mrt {
  static constexpr const char* name = "mrt";
  template <class Lattice>
  static constexpr bool supports = MrtBasis<Lattice>::available;
  static constexpr const char* needs = "an orthogonal moment basis, which nobody has written for this lattice";
  static constexpr bool needs_stress = false;
  static constexpr CollisionFacts facts = {.odd_rates = OddRates::given};

  template <class Lattice, class Equilibrium, bool force, class T>
  static FLUVIA_FUNCTION void relax(T (&f)[Lattice::Q], const Macroscopic<T>& m, const T (&)[6], const T& omega,
                                    const CollisionParameters<Scalar<T>>& parameters) {
    using S = Scalar<T>;
    using Basis = MrtBasis<Lattice>;
    constexpr int pairs = (Lattice::Q - 1) / 2;
    const EquilibriumPairs<Lattice, Equilibrium, T> eq(m);
    const GuoPairs<Lattice, T> guo(m, parameters.force);
    // The rates of the two kinds of stress: S3 eq. 7 on D3Q13; omega itself on isotropic lattices.
    T shear_rate = omega, normal_rate = omega;
    if constexpr (!Isotropy<Lattice>::isotropic) {
      shear_rate = rate_of_multiple(omega, Isotropy<Lattice>::shear_time);
      normal_rate = rate_of_multiple(omega, Isotropy<Lattice>::normal_time);
    }
    // Departure from equilibrium and source, even and odd sums of each pair; index 0 of the even ones is rest.
    T even_gap[pairs + 1], odd_gap[pairs + 1], even_source[pairs + 1], odd_source[pairs + 1];
    T even_change[pairs + 1], odd_change[pairs + 1];
    even_gap[0] = eq.rest() - f[0];
    if constexpr (force) even_source[0] = guo.rest();
    for_each_pair<Lattice>([&](auto p, auto n) {
      constexpr int k = (p.i + 1) / 2;
      T even, odd;
      eq.template pair<p.i>(even, odd);
      even_gap[k] = even * S(2) - (f[p.i] + f[n.i]);
      odd_gap[k] = odd * S(2) - (f[p.i] - f[n.i]);
      if constexpr (force) {
        guo.template pair<p.i>(even, odd);
        even_source[k] = even * S(2);
        odd_source[k] = odd * S(2);
      }
    });
    unroll<pairs + 1>([&](auto k) { even_change[k.i] = odd_change[k.i] = T(S(0)); });
    unroll<Basis::moments>([&](auto row) {
      constexpr int r = row.i;
      constexpr bool is_odd = Basis::is_odd(r);
      constexpr int rate_index = Basis::rate(r);
      if constexpr (rate_index != Basis::conserved || (force && is_odd)) {
        T gap = T(S(0));
        [[maybe_unused]] T source = T(S(0));
        unroll<pairs + 1>([&](auto k) {
          constexpr int coefficient = mrt_coefficient<Lattice>(r, k.i == 0 ? 0 : 2 * k.i - 1);
          if constexpr (coefficient != 0) {
            gap += (is_odd ? odd_gap[k.i] : even_gap[k.i]) * S(coefficient);
            if constexpr (force) source += (is_odd ? odd_source[k.i] : even_source[k.i]) * S(coefficient);
          }
        });
        T rate = rate_index == Basis::shear ? shear_rate : normal_rate;
        if constexpr (rate_index == Basis::conserved) rate = T(S(1));
        if constexpr (rate_index >= 0) rate = T(parameters.free_rates[rate_index]);
        T change = rate * gap;
        if constexpr (force) change += (rate * S(-0.5) + S(1)) * source;
        unroll<pairs + 1>([&](auto k) {
          constexpr double coefficient = mrt_coefficient<Lattice>(r, k.i == 0 ? 0 : 2 * k.i - 1);
          if constexpr (coefficient != 0)
            (is_odd ? odd_change[k.i] : even_change[k.i]) += change * S(coefficient / mrt_norm<Lattice>(r));
        });
      }
    });
    f[0] += even_change[0];
    for_each_pair<Lattice>([&](auto p, auto n) {
      constexpr int k = (p.i + 1) / 2;
      f[p.i] += even_change[k] + odd_change[k];
      f[n.i] += even_change[k] - odd_change[k];
    });
  }
};

}  // namespace fluvia::core
