// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <vector>

#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/geometry/geometry.hpp"

namespace fluvia::geometry {

/// The narrowest place that fluid has to pass, whichever way it takes, between one opening and any other.
struct NarrowestPlace {
  std::string
      opening;    ///< of those that wide ways join to no other, the one behind the narrowest; empty: there is none
  int nodes = 0;  ///< from wall to wall
};

/// Looks for places narrower than `most` nodes. Walls along axes are seen at their distance, those at 45 degrees to two
/// axes as if they were up to 1.4 times as far apart, so that what is called narrow is. Walls at which the fluid slides
/// are none. Nothing is found in domains of more than 2^25 fluid nodes, in which it would take as long as all else.
/// `geometry`: nodes, surfaces, surface_of and openings; `facts` of its surfaces; `open_faces`: faces of the box that
/// count as no walls.
NarrowestPlace find_narrowest_place(const Geometry& geometry, const std::vector<const core::ConditionFacts*>& facts,
                                    const std::array<bool, 6>& open_faces, int most);

}  // namespace fluvia::geometry
