// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "fluvia/geometry/generate/shapes.hpp"
#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/bodies/links/link_cuts.hpp"

namespace fluvia {

/// The surface of a body where it is at rest, before it moves; lattice units.
struct BodyShape {
  geometry::SignedDistance distance;  ///< above 0 in the fluid; changes by no more than the way between two places
  /// The signed distance itself at places less than a node from the surface, of which `distance` may be less; at others
  /// a node or more.
  geometry::SignedDistance near_distance;
  std::shared_ptr<const BodyCuts> cuts;  ///< where links meet the surface
  std::vector<RoundedBox> parts;         ///< that it lies in; in 2D all at the z of the one layer of nodes
  Real3 middle{};                        ///< of the extent of all parts
};

/// The shapes of a case with this name, or its surfaces from files, as one body. Throws Error(input) for shapes that
/// are none and surfaces that are not closed.
BodyShape make_body_shape(const Case& c, const Grid& grid, const std::string& surface);

}  // namespace fluvia
