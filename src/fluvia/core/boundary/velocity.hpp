// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// Prescribed velocity half-way along the link, for moving walls and openings: bounce-back plus 6 w_i c_i.u_wall (at
/// reference density 1, so that an opening prescribes its mass flux exactly).
/// Ladd, J. Fluid Mech. 271 (1994) 285, eq. 3.3.
struct VelocityBoundary {
  static constexpr BoundaryKind kind = BoundaryKind::velocity;
  static constexpr int order = 1;
  template <class Lattice, class Equilibrium, class T>
  static FLUVIA_FUNCTION void apply(T (&f)[Lattice::Q], const T (&)[Lattice::Q], const CutLinks& links,
                                    const SurfaceState& surface, const T (&)[3]) {
    T velocity[3];
    for (int axis = 0; axis < 3; ++axis) velocity[axis] = T(links.velocity[axis] * surface.scale);
    for_each_cut<Lattice>(links.directions, [&](auto i) {
      T cu = 0;
      for (int axis = 0; axis < Lattice::D; ++axis) cu += T(Lattice::c[i.i][axis]) * velocity[axis];
      f[i.i] += T(6 * Lattice::w[i.i]) * cu;
    });
  }
};

}  // namespace fluvia::core
