// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"
#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// Throws Error(input), naming the boundary, if a wall spins (`rotation_center`, `angular_velocity`) that is not round
/// about its axis: it would have to move, and walls do not. Faces of the box spin about their normals. Shapes are
/// judged by their axes, to a hundredth of their radius; meshes, images and generators by the points where links meet
/// them: turned about the axis, these must lie on the surface again.
void check_rotations(const Case& c, const Grid& grid, const Geometry& geometry);

}  // namespace fluvia
