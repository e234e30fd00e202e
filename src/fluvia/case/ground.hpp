// SPDX-License-Identifier: Apache-2.0
// Openings through which a wind comes in that blows above a ground.
#pragma once
#include <string>

#include "fluvia/case/case.hpp"

namespace fluvia {

/// True for boundaries whose profile rises above a ground.
bool is_above_ground(const Case::Boundary& b);

/// Face of the box (0 to 5) that is the ground of such a boundary: the one that it names, or the only face beside its
/// own that is a wall at rest. Throws Error(input) naming `path`, the boundary, if there is no such face, or several.
int ground_of(const Case& c, const Case::Boundary& b, const std::string& path);

/// Its normal speed at a height above the ground, in case units: of `speed`, or of a `series` for a value of 1; with
/// `flow_rate` up to a factor. 0 below the ground.
double speed_at_height(const Case::Boundary& b, double height);

}  // namespace fluvia
