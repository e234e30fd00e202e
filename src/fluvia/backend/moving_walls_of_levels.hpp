// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>

#include "fluvia/backend/levels.hpp"
#include "fluvia/domain/levels/level_links.hpp"

namespace fluvia {

/// Finds walls that move on the links of all levels (domain::LevelPair::moving_wall). Empty if no wall of the case
/// moves. `c`, with the conditions of all levels, and `divided` must stay.
std::function<std::optional<domain::MovingWall>(int level, const Int3& node, const Int3& offset)> find_moving_walls(
    const Case& c, const LevelProblems& divided, const std::string& lattice);

/// Finds walls of a level along which the fluid slides (domain::LevelPair::slides). Empty if no condition of the case
/// lets it. `level` must stay.
std::function<bool(const Int3& node, const Int3& offset)> find_sliding_walls(const Case& c, const Geometry& level);

/// Finds surfaces on which the case measures forces (domain::LevelPair::measured_surface). Empty if it measures none.
/// `divided` must stay.
std::function<int(int level, const Int3& node, const Int3& offset)> find_measured_surfaces(
    const Case& c, const LevelProblems& divided);

}  // namespace fluvia
