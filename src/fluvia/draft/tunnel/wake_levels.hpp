// SPDX-License-Identifier: Apache-2.0
// Levels of refinement for bodies in a wind: the finest at their surfaces, boxes around them and their wakes on coarser
// ones.
#pragma once
#include <string>
#include <vector>

#include "fluvia/draft/case_text.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"

namespace fluvia::draft {

/// A wind tunnel as far as its levels depend on it; lengths in m.
struct WakeSite {
  geometry::BoundingBox body;    ///< of all bodies
  geometry::BoundingBox tunnel;  ///< the box of the case
  double size = 0;               ///< longest edge of the body's box
  int along = 0;                 ///< axis of the wind
  bool forwards = true;          ///< it blows along the axis, not against it
  double sponge = 0;             ///< depth of the layer that damps before the outlet
  bool is_swept = false;         ///< the body moves through all of its box, so that this is to have the finest level
};

/// Where nodes are finer.
struct WakeLevels {
  int finest = 0;
  double distance = 0;  ///< how far the finest level reaches from surfaces, or from what is swept, m
  struct Box {
    int level;
    geometry::BoundingBox box;
  };
  std::vector<Box> boxes;  ///< around what is swept, the bodies and their wakes, finer ones first
};

/// Levels for a tunnel whose nodes are so far apart at the bodies and, on the coarsest level, 2^finest times that.
WakeLevels wake_levels(const WakeSite& site, int finest, double finest_spacing);

/// Nodes of all levels, taking bodies for fluid, and how many of them a step of the finest level computes: those of
/// level l take part in one of 2^(finest - l).
struct LevelWork {
  double nodes = 0, nodes_a_step = 0;
};
LevelWork work_of(const WakeSite& site, const WakeLevels& levels, double finest_spacing);

/// Nodes of the coarsest level that must lie between a body and an opening, so that the levels around it stay away from
/// there.
double nodes_before(const WakeLevels& levels, double finest_spacing);

/// Writes the sections [[refine]]. `surfaces`: the names of the bodies at which the finest level is.
void write_levels(CaseText& text, const WakeLevels& levels, const std::vector<std::string>& surfaces, double grain);

}  // namespace fluvia::draft
