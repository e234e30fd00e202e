// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/regularized.hpp"
#include "fluvia/core/equilibrium/improved.hpp"
#include "fluvia/core/second_moments.hpp"
#include "fluvia/core/viscosity/viscosity.hpp"

namespace fluvia::core {

/// Whether all that a collision leaves of the populations of a node are SecondMoments, so that collide_moments() does
/// its work.
template <class Collision, class Equilibrium>
inline constexpr bool leaves_second_moments = false;
template <class Equilibrium>
inline constexpr bool leaves_second_moments<Regularized, Equilibrium> = true;
template <>
inline constexpr bool leaves_second_moments<Regularized, Improved> = false;  ///< which has moments of fourth order

/// The SecondMoments of a node after Regularized, from those before: what collide() does to populations, but for
/// round-off. With the velocity u, which has half of the body force F in it, and the flux rho u u,
///   j' = j + F,   P' = rho u u + (1 - omega) (P - rho u u) + (1 - omega/2) (u F + F u).
template <class Lattice, class Equilibrium, bool force, class Viscosity, class T>
FLUVIA_FUNCTION void collide_moments(T (&moments)[SecondMoments<Lattice>::count],
                                     const CollisionParameters<Scalar<T>>& parameters,
                                     const Viscosity& viscosity = {}) {
  using S = Scalar<T>;
  using Moments = SecondMoments<Lattice>;
  Sums<T> sums{moments[0], {T(S(0)), T(S(0)), T(S(0))}};
  unroll<Lattice::D>([&](auto axis) { sums.momentum[axis.i] = moments[1 + axis.i]; });
  const Macroscopic<T> m = macroscopic<Lattice, Equilibrium>(sums, parameters.force);
  const T density = Equilibrium::density(m.density_deviation);
  T flux[6], stress[6];
  unroll<6>([&](auto k) {
    constexpr int at = Moments::stress(k.i), a = tensor_row[k.i], b = tensor_column[k.i];
    flux[k.i] = stress[k.i] = T(S(0));
    if constexpr (at >= 0) {
      flux[k.i] = density * m.velocity[a] * m.velocity[b];
      stress[k.i] = moments[at] - flux[k.i];
    }
  });
  T omega = T(parameters.omega);
  if constexpr (Viscosity::varies) {
    T corrected[6];
    for (int k = 0; k < 6; ++k) corrected[k] = stress[k];
    if constexpr (force) correct_stress<Lattice>(m, parameters.force, corrected);
    omega = local_omega<Lattice, Equilibrium>(corrected, m, parameters, viscosity);
  }
  const T keep = T(S(1)) - omega, source_factor = omega * S(-0.5) + S(1);
  unroll<6>([&](auto k) {
    constexpr int at = Moments::stress(k.i), a = tensor_row[k.i], b = tensor_column[k.i];
    if constexpr (at >= 0) {
      T after = flux[k.i] + keep * stress[k.i];
      if constexpr (force) {
        const T source = m.velocity[a] * parameters.force[b] + m.velocity[b] * parameters.force[a];
        after += source_factor * source;
      }
      moments[at] = after;
    }
  });
  if constexpr (force) unroll<Lattice::D>([&](auto axis) { moments[1 + axis.i] += T(parameters.force[axis.i]); });
}

}  // namespace fluvia::core
