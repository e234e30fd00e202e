// SPDX-License-Identifier: Apache-2.0
// What a boundary condition sees: the populations of one node after loading, the links of that node that one surface
// cuts, and the surface's parameters. Never storage. On a cut link i the loaded f_i is the population that left along
// the opposite direction one step ago, that is, half-way bounce-back is already there.
#pragma once
#include "fluvia/core/equilibrium/equilibrium.hpp"

namespace fluvia::core {

/// Links of one node cut by one surface.
struct CutLinks {
  Uint32 directions;   ///< bit i: the link towards x - c_i is cut by this surface
  double velocity[3];  ///< of the surface at this node, lattice units, before SurfaceState::scale
};

enum class BoundaryKind : int { wall, velocity, pressure, free_slip };

/// State of one surface, shared by its nodes.
struct SurfaceState {
  BoundaryKind kind = BoundaryKind::wall;
  int axis = 0;                  ///< normal axis of a free-slip plane
  double scale = 1;              ///< multiplies CutLinks::velocity (time series)
  double density_deviation = 0;  ///< rho - 1 of a pressure surface
};

/// Calls body(i) for every direction in `directions`, unrolled.
template <class Lattice, class Body>
FLUVIA_FUNCTION void for_each_cut(Uint32 directions, Body&& body) {
  unroll<Lattice::Q>([&](auto i) {
    if (directions >> i.i & 1u) body(i);
  });
}

}  // namespace fluvia::core
