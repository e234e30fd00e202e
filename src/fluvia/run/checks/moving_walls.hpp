// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// Throws Error(input), naming the boundary, if a wall moves through itself: where it lies on one side of the fluid
/// only, as a piston, and its velocity leads into the fluid or out of it, so that it lets in or takes out what it
/// sweeps (a body with fluid on both sides lets in nothing in the sum); or if it spins and is cut by a plane of
/// symmetry, across whose normal its axis lies: its image turns against it. Faces of the box are checked with the case.
void check_moving_walls(const Case& c, const Geometry& geometry);

}  // namespace fluvia
