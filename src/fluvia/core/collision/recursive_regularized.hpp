// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/equilibrium/equilibrium.hpp"
#include "fluvia/core/force/guo.hpp"

namespace fluvia::core {

/// Third-order Hermite polynomials that a lattice with face diagonals can tell apart: a^2 b for a != b, and xyz where
/// there are corners.
template <class Lattice>
struct ThirdOrder {
  static constexpr bool corners = Lattice::D == 3 && direction_of<Lattice>(1, 1, 1) >= 0;
  static constexpr int count = Lattice::D == 2 ? 2 : corners ? 7 : 6;
  static constexpr int doubled[7] = {0, 1, 1, 2, 2, 0, -1};  ///< axis a of polynomial k; -1: xyz
  static constexpr int single[7] = {1, 0, 2, 1, 0, 2, -1};   ///< axis b of polynomial k

  /// Population in direction i that has coefficient 1 of polynomial k and no other moment that the lattice can tell
  /// apart. Where polynomials are orthogonal (D2Q9, D3Q27) it is w H_k / |H_k|^2 with H = (c_a^2 - 1/3) c_b and c_x c_y
  /// c_z. On D3Q19 H_xxy and H_yzz are not; there a^2 b is c_b/4 on the diagonals of its plane, less on the axis.
  static constexpr double population(int i, int k) {
    const auto& c = Lattice::c[i];
    if (k == 6) return 27 * Lattice::w[i] * (c[0] * c[1] * c[2]);
    const int a = doubled[k], b = single[k];
    if (corners) return 13.5 * Lattice::w[i] * (c[a] * c[a] - 1.0 / 3) * c[b];
    if (c[a] != 0) return 0.25 * c[b];
    return c[0] * c[0] + c[1] * c[1] + c[2] * c[2] == 1 ? -0.5 * c[b] : 0;
  }
};

/// Regularised BGK with Hermite coefficients of third order, of the equilibrium rho u_a u_b u_c and of what is left of
/// non-equilibrium by Chapman-Enskog's recursion, u_a Pi_bc + u_b Pi_ac + u_c Pi_ab. Errors of Galilean invariance that
/// the second order has are gone, as far as the lattice can tell third moments apart. Malaspinas, arXiv 1505.06900; on
/// D3Q19 Jacob, Malaspinas & Sagaut, J. Turbul. 19 (2018) 1051.
struct RecursiveRegularized {
  static constexpr const char* name = "recursive-regularized";
  template <class Lattice>
  static constexpr bool supports = Isotropy<Lattice>::isotropic&& direction_of<Lattice>(1, 1, 0) >= 0;
  static constexpr const char* needs =
      "isotropic weights and directions like (1,1,0), which carry the moments of third order";
  static constexpr bool needs_stress = true;
  static constexpr CollisionFacts facts = {.odd_rates = OddRates::one};

  template <class Lattice, class Equilibrium, bool force, class T>
  static FLUVIA_FUNCTION void relax(T (&f)[Lattice::Q], const Macroscopic<T>& m, const T (&stress)[6], const T& omega,
                                    const CollisionParameters<Scalar<T>>& parameters) {
    using S = Scalar<T>;
    using Third = ThirdOrder<Lattice>;
    const EquilibriumPairs<Lattice, Equilibrium, T> eq(m);
    const GuoPairs<Lattice, T> guo(m, parameters.force);
    const T keep = T(S(1)) - omega, source_factor = omega * S(-0.5) + S(1);
    T kept[6], third[Third::count];
    for (int k = 0; k < 6; ++k) kept[k] = keep * stress[k];
    third_order<Lattice, Equilibrium>(m, kept, third);
    const T trace_third = (kept[0] + kept[1] + kept[2]) * S(sound_speed_squared);
    f[0] = eq.rest() - trace_third * S(4.5 * Lattice::w[0]);
    if constexpr (force) f[0] += source_factor * guo.rest();
    for_each_pair<Lattice>([&](auto p, auto n) {
      constexpr int direction = p.i;
      T even, odd;
      eq.template pair<p.i>(even, odd);
      T projected = -trace_third;
      unroll<6>([&](auto k) {
        constexpr int a = tensor_row[k.i], b = tensor_column[k.i];
        constexpr int cc = Lattice::c[direction][a] * Lattice::c[direction][b] * (a == b ? 1 : 2);
        if constexpr (cc != 0) projected += kept[k.i] * S(cc);
      });
      even += projected * S(4.5 * Lattice::w[p.i]);
      unroll<Third::count>([&](auto k) {
        constexpr double population = Third::population(direction, k.i);
        if constexpr (population != 0) odd += third[k.i] * S(population);
      });
      if constexpr (force) {
        T even_force, odd_force;
        guo.template pair<p.i>(even_force, odd_force);
        even += source_factor * even_force;
        odd += odd_force * S(0.5);  // as in Regularized
      }
      f[p.i] = even + odd;
      f[n.i] = even - odd;
    });
  }

  /// The Hermite coefficients of third order that it leaves: rho u_a u_a u_b + 2 u_a Pi_ab + u_b Pi_aa, and for xyz rho
  /// u v w + u Pi_yz + v Pi_zx + w Pi_xy.
  template <class Lattice, class Equilibrium, class T>
  static FLUVIA_FUNCTION void third_order(const Macroscopic<T>& m, const T (&kept)[6],
                                          T (&third)[ThirdOrder<Lattice>::count]) {
    using Third = ThirdOrder<Lattice>;
    const T(&u)[3] = m.velocity;
    const T density = Equilibrium::density(m.density_deviation);
    T flux[6];  // of the equilibrium and what is kept, per velocity that multiplies it
    unroll<6>([&](auto k) {
      constexpr int a = tensor_row[k.i], b = tensor_column[k.i];
      if constexpr (a < Lattice::D && b < Lattice::D)
        flux[k.i] = density * u[a] * u[b] * Scalar<T>(1.0 / 3) + kept[k.i];
    });
    unroll<Third::count>([&](auto k) {
      constexpr int a = Third::doubled[k.i], b = Third::single[k.i];
      if constexpr (a < 0)
        third[k.i] = u[0] * flux[4] + u[1] * flux[5] + u[2] * flux[3];
      else
        third[k.i] = u[a] * flux[component(a, b)] * Scalar<T>(2) + u[b] * flux[a];
    });
  }

 private:
  /// Index of component (a, b) of a symmetric tensor: xx, yy, zz, xy, yz, zx.
  static constexpr int component(int a, int b) { return a == b ? a : a + b == 1 ? 3 : a + b == 3 ? 4 : 5; }
};

}  // namespace fluvia::core
