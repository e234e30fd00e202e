// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/backend/levels.hpp"

namespace fluvia {

/// Gives each level its part of what openings let in that several levels meet (Opening::share), so that their profile
/// is one. `met`: [level][surface], as check_level_conditions() says. Throws Error(input) for what openings of several
/// levels cannot have: profiles that follow from the opening's own nodes, or change in time, and sponges.
void share_openings(const std::vector<std::vector<bool>>& met, const std::string& lattice,
                    std::vector<LevelProblem>& levels);

}  // namespace fluvia
