// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/problem.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// The fluid between nodes and interpolated walls, which are not half-way (strip_at_wall()): what the fluid has beside
/// what its nodes stand for; lattice units.
struct WallVolume {
  double volume = 0;  ///< volume, negative where nodes reach behind walls
  Real3 momentum{};   ///< momentum of that fluid, which moves as the walls do; its density is that at rest
};

/// The fluid beside interpolated walls. `time`: since the start, case units.
WallVolume wall_volume(const Problem& problem, double time);

}  // namespace fluvia
