// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/geometry/generate/shapes.hpp"
#include "fluvia/geometry/problem.hpp"

namespace fluvia {

/// What a part of a body lies in: all places at most `radius` from a box.
struct RoundedBox {
  Real3 low, high;
  double radius = 0;
};

/// The surface of a body where it is at rest, before it moves; lattice units.
struct BodyShape {
  geometry::SignedDistance distance;  ///< above 0 in the fluid; changes by no more than the way between two places
  std::vector<RoundedBox> parts;      ///< that it lies in; in 2D all at the z of the one layer of nodes
  Real3 middle{};                     ///< of the extent of all parts
};

/// The shapes of a case with this name, as one body. Throws Error(input) for shapes that are none.
BodyShape make_body_shape(const Case& c, const Grid& grid, const std::string& surface);

}  // namespace fluvia
