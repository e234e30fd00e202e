// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/geometry/geometry.hpp"

namespace fluvia::geometry {

/// The narrowest place that fluid has to pass, whichever way it takes, between one opening and any other, or on its way
/// without end along a periodic axis.
struct NarrowestPlace {
  /// The flow that passes there, in words: "what passes 'inlet'", for the opening behind the narrowest of those that
  /// wide ways join to no other; "what flows along x"; empty: none was found.
  std::string flow;
  int nodes = 0;  ///< width from wall to wall, nodes
};

/// Looks for places narrower than `most` nodes. Walls along axes are seen at their distance, those at 45 degrees to two
/// axes as if they were up to 1.4 times as far apart, so that what is called narrow is narrow. Walls at which the fluid
/// slides do not count. Nothing is found in domains of more than 2^25 fluid nodes, in which the search would take too
/// long. `geometry`: nodes, surfaces, surface_of and openings must be set; `facts`: boundary conditions of its
/// surfaces; `open_faces`: faces of the box that do not count as walls; `driven`: periodic axes along which a force
/// drives the flow; `level_of`, if given: the level of refinement at a node, whose own nodes then count.
NarrowestPlace find_narrowest_place(const Geometry& geometry, const std::vector<const core::ConditionFacts*>& facts,
                                    const std::array<bool, 6>& open_faces, const Bool3& driven, int most,
                                    const std::function<int(const Int3& node)>& level_of = {});

}  // namespace fluvia::geometry
