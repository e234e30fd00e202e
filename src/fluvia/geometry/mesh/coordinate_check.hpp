// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/geometry/mesh/stl.hpp"

namespace fluvia::geometry {

/// Distance between neighbouring 32-bit numbers at the largest coordinate of a file, file units; 0 if some coordinate
/// is no 32-bit number, so that the file can say more. A surface far from its origin, as in national coordinates, comes
/// in steps of this: 0.5 m at 5,400 km.
double step_of_coordinates(const TriangleSoup& soup);

/// A warning if the steps, in nodes, are so large that they move the walls; else empty. `files` names the surface.
std::string warn_of_steps(const std::string& files, double step_in_nodes);

}  // namespace fluvia::geometry
