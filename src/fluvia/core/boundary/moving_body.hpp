// SPDX-License-Identifier: Apache-2.0
// What comes back from the surface of a body that moves between the nodes (docs/decisions/0053).
#pragma once
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// f+ + q (f*+ - f+) - 3 w rho c.u_w: the population that comes back along the opposite of c from the surface at the
/// part q of a link (interpolated bounce-back, BeforeWalls with kappa = 0), which moves with u_w there. `even`,
/// `even_after`: half the sum of the pair before and after the collision, deviations; `density` of the node; `drive`:
/// 3 w c.u_w.
template <class T>
FLUVIA_FUNCTION T returned_by_body(T even, T even_after, T part, T density, T drive) {
  return even + part * (even_after - even) - density * drive;
}

}  // namespace fluvia::core
