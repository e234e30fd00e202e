// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <functional>

#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// Normal speed over an opening from a CSV file of points and speeds (x,y,z,speed; 2D: x,y,speed), case units: in
/// between a plane through the nearest points, fitted with weights that fall with the distance, so that a linear
/// profile is exact; never beyond what those points have. The function takes points in lattice units from the corner
/// of the box and gives case units. `spacing`: case units per node. Throws Error(input) naming the file.
std::function<double(const Real3& point)> table_profile(const std::filesystem::path& file, const Geometry& geometry,
                                                        const Opening& opening, double spacing);

}  // namespace fluvia
