// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/problem.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// What the fluid has beside what its nodes stand for, since interpolated walls are not half-way (strip_at_wall());
/// lattice units.
struct WallVolume {
  double volume = 0;  ///< negative where nodes reach behind walls
  Real3 momentum{};   ///< of it, which moves as the walls do; the density is that at rest
};

/// `time` since the start, case units.
WallVolume wall_volume(const Problem& problem, double time);

}  // namespace fluvia
