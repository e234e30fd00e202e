// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/surface.hpp"

namespace fluvia::core {

/// No shear on a plane normal to an axis: populations are reflected in the node itself, f_i = f_j with j the mirror
/// image of i. Exact where the flow does not change along the plane, of first order otherwise; no momentum is lost
/// along it. On its edges with other surfaces the plane may cut i but not its mirror image; such populations stay
/// bounced back, because taking the other's would use it twice and lose one: mass would not be conserved.
struct FreeSlipBoundary {
  static constexpr BoundaryKind kind = BoundaryKind::free_slip;
  static constexpr int order = 0;
  template <class Lattice, class Equilibrium, class T>
  static FLUVIA_FUNCTION void apply(T (&f)[Lattice::Q], const T (&loaded)[Lattice::Q], const CutLinks& links,
                                    const SurfaceState& surface, const T (&)[3]) {
    for_each_cut<Lattice>(links.directions, [&](auto i) {
      // What left along j was bounced into the opposite of j.
      constexpr int source[3] = {opposite(mirrored<Lattice>(i.i, 0)), opposite(mirrored<Lattice>(i.i, 1)),
                                 opposite(mirrored<Lattice>(i.i, 2))};
      const auto is_cut = [&](int j) { return (links.directions >> j & 1u) != 0; };
      if (surface.axis == 0 && is_cut(source[0])) f[i.i] = loaded[source[0]];
      if (surface.axis == 1 && is_cut(source[1])) f[i.i] = loaded[source[1]];
      if (surface.axis == 2 && is_cut(source[2])) f[i.i] = loaded[source[2]];
    });
  }
};

}  // namespace fluvia::core
