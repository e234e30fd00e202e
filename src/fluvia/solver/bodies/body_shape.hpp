// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "fluvia/geometry/generate/shapes.hpp"
#include "fluvia/geometry/problem.hpp"

namespace fluvia {

/// The surface of a body where it is at rest, before it moves; lattice units.
struct BodyShape {
  geometry::SignedDistance distance;  ///< above 0 in the fluid; changes by no more than the way between two places
  std::array<Real3, 2> extent;        ///< lower and upper corner; in 2D along z that of the one layer of nodes
};

/// The shapes of a case with this name, as one body. Throws Error(input) for shapes that are none.
BodyShape make_body_shape(const Case& c, const Grid& grid, const std::string& surface);

}  // namespace fluvia
