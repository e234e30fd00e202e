// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/backend/levels.hpp"

namespace fluvia {

/// Lets levels know what others have of openings that several of them meet, or whose sponges several reach into
/// (Opening::of_levels), so that their profile is one and lets in what the case prescribes. `met`: [level][surface],
/// as check_level_conditions() says; levels that reach into a sponge only are added.
void share_openings(const std::string& lattice, std::vector<std::vector<bool>>& met, std::vector<LevelProblem>& levels);

}  // namespace fluvia
