// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// Prescribed pressure half-way along the link by anti-bounce-back: f_i = -f_ibar + 2 f_i^eq,even(rho_wall, u), chosen
/// because, unlike wet-node closures, it needs no flat, axis-aligned plane. The velocity is the node's own: its linear
/// part does not depend on u, so one correction after a first pass suffices (the rest is of fourth order in Mach).
/// Ginzburg, Verhaeghe & d'Humieres, Commun. Comput. Phys. 3 (2008) 519, section 3.
struct PressureBoundary {
  static constexpr BoundaryKind kind = BoundaryKind::pressure;
  static constexpr int order = 2;  // needs the other links of the node to be complete
  template <class Lattice, class Equilibrium, class T>
  static FLUVIA_FUNCTION void apply(T (&f)[Lattice::Q], const T (&)[Lattice::Q], const CutLinks& links,
                                    const SurfaceState& surface, const T (&force)[3]) {
    const T deviation = T(surface.density_deviation);
    for_each_cut<Lattice>(links.directions, [&](auto i) { f[i.i] = T(2 * Lattice::w[i.i]) * deviation - f[i.i]; });
    const Macroscopic<T> m = moments<Lattice, Equilibrium>(f, force);
    const T density = Equilibrium::density(deviation);
    T speed_squared = 0;
    for (int axis = 0; axis < Lattice::D; ++axis) speed_squared += m.velocity[axis] * m.velocity[axis];
    for_each_cut<Lattice>(links.directions, [&](auto i) {
      T cu = 0;
      for (int axis = 0; axis < Lattice::D; ++axis) cu += T(Lattice::c[i.i][axis]) * m.velocity[axis];
      constexpr int direction = i.i;
      f[i.i] += T(2 * Lattice::w[i.i]) * density *
                quadratic<Lattice, direction>(m.velocity, m.velocity, cu, cu, speed_squared);
    });
  }
};

}  // namespace fluvia::core
