// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/geometry/generate/shapes.hpp"
#include "fluvia/geometry/problem.hpp"

namespace fluvia {

/// What a part of a body lies in: all places at most `radius` from a box.
struct RoundedBox {
  Real3 low, high;
  double radius = 0;
};

/// The part of a way that lies in a body, from where it first meets the surface to where it leaves it last; parts of
/// the way, from its start.
struct Chord {
  double entry, exit;
};

/// The surface of a body where it is at rest, before it moves; lattice units.
struct BodyShape {
  geometry::SignedDistance distance;  ///< above 0 in the fluid; changes by no more than the way between two places
  /// The signed distance itself at places less than a node from the surface, of which `distance` may be less; at others
  /// a node or more.
  geometry::SignedDistance near_distance;
  /// The part of the way from a place in the fluid to one in the body at which it meets the surface first.
  std::function<double(const Real3& from, const Real3& to)> entry;
  /// What a way between two places in the fluid, no longer than a link, has in the body: at its corners, and where it
  /// is thin.
  std::function<std::optional<Chord>(const Real3& from, const Real3& to)> chord;
  std::vector<RoundedBox> parts;  ///< that it lies in; in 2D all at the z of the one layer of nodes
  Real3 middle{};                 ///< of the extent of all parts
};

/// The shapes of a case with this name, or its surfaces from files, as one body. Throws Error(input) for shapes that
/// are none and surfaces that are not closed.
BodyShape make_body_shape(const Case& c, const Grid& grid, const std::string& surface);

}  // namespace fluvia
