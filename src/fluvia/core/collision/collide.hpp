// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/turbulence/smagorinsky.hpp"

namespace fluvia::core {

/// Moments, eddy viscosity, collision and force of one node or of a pack of nodes, in place.
template <class Collision, class Lattice, class Equilibrium, bool force, bool large_eddy, class T>
FLUVIA_FUNCTION void collide(T (&f)[Lattice::Q], const CollisionParameters<Scalar<T>>& parameters) {
  const Macroscopic<T> m = moments<Lattice, Equilibrium>(f, parameters.force);
  T stress[6] = {};
  if constexpr (Collision::needs_stress || large_eddy) nonequilibrium_stress<Lattice, Equilibrium>(f, m, stress);
  T omega = T(parameters.omega);
  if constexpr (large_eddy) {
    T corrected[6];
    for (int k = 0; k < 6; ++k) corrected[k] = stress[k];
    if constexpr (force) correct_stress<Lattice>(m, parameters.force, corrected);
    omega = large_eddy_omega<Lattice, Equilibrium>(corrected, m, parameters);
  }
  Collision::template relax<Lattice, Equilibrium, force>(f, m, stress, omega, parameters);
}

}  // namespace fluvia::core
