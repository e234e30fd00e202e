// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/domain/levels/level_view.hpp"

namespace fluvia::domain {

/// Factor on the stress in Moments of one level, in units of another.
double stress_scale(const std::vector<FlowLevel>& levels, int from, int to);

/// Moments of `tiles`, ascending, of those that are wanted, which coarser levels compute: quadratic between the nodes
/// of the coarser level, or, beside walls and interfaces, linear along each axis.
void interpolate_coarser(const LevelMap& map, const std::vector<FlowLevel>& levels, const SeenTiles& wanted,
                         const std::vector<std::uint64_t>& tiles, bool with_stress, Moments& out);

}  // namespace fluvia::domain
