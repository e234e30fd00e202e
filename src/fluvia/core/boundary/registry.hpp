// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/boundary/free_slip.hpp"
#include "fluvia/core/boundary/pressure.hpp"
#include "fluvia/core/boundary/velocity.hpp"

namespace fluvia::core {

/// Every boundary condition besides the plain wall, which the streaming itself is; add one here and nowhere else.
using Boundaries = TypeList<VelocityBoundary, PressureBoundary, FreeSlipBoundary>;

namespace detail {
template <class Lattice, class Equilibrium, class T, class... Kinds>
FLUVIA_FUNCTION void apply_boundary(TypeList<Kinds...>, T (&f)[Lattice::Q], const T (&loaded)[Lattice::Q],
                                    const CutLinks& links, const SurfaceState& surface, const T (&force)[3]) {
  ((surface.kind == Kinds::kind ? Kinds::template apply<Lattice, Equilibrium>(f, loaded, links, surface, force)
                                : void()),
   ...);
}
template <class... Kinds>
constexpr int boundary_order(TypeList<Kinds...>, BoundaryKind kind) {
  int order = 0;
  ((kind == Kinds::kind ? order = Kinds::order : 0), ...);
  return order;
}
}  // namespace detail

/// Applies the surface's condition to the cut links of one node. `loaded` are the populations before any boundary.
template <class Lattice, class Equilibrium, class T>
FLUVIA_FUNCTION void apply_boundary(T (&f)[Lattice::Q], const T (&loaded)[Lattice::Q], const CutLinks& links,
                                    const SurfaceState& surface, const T (&force)[3]) {
  detail::apply_boundary<Lattice, Equilibrium>(Boundaries{}, f, loaded, links, surface, force);
}

/// Surfaces of one node are applied in this order: reflections of what was loaded first, those that need complete
/// populations last.
constexpr int boundary_order(BoundaryKind kind) {
  return detail::boundary_order(Boundaries{}, kind);
}

}  // namespace fluvia::core
