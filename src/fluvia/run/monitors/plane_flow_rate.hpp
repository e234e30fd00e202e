// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/blocks/tile_runs.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// The flow through a plane: the sum over its points (output/sections.hpp), each of which stands for a square as wide
/// as a node, of the momentum across it, over the density at rest, as at openings; and the mean pressure there. Flow
/// and pressure are sums over nodes, whose weights do not change. Between these squares and a wall that moves the fluid
/// has the wall's speed, as at openings, too (CornerFlow).
class PlaneFlowRate {
 public:
  PlaneFlowRate(const Case::Plane& plane, const Problem& problem);
  /// Flow and mean pressure now, lattice units; positive along the plane's normal.
  [[nodiscard]] OpeningFlow measure(const FlowState& state) const;

 private:
  struct Part {
    std::uint64_t node;  ///< canonical index
    double area;         ///< lattice units
    Real3 across;        ///< area times the normal, as the node sees it, whose mirror image may lie there
  };
  /// Flow that passes beside walls of one surface at their full speed.
  struct WallPart {
    double ramp;  ///< time of the ramp, case units, as in Case::Boundary
    double flow_rate = 0;
  };
  void add_walls(const Case::Plane& plane, const Problem& problem);
  std::vector<WallPart> walls_;
  double step_;              ///< time of a step, case units
  std::vector<Part> parts_;  ///< ascending
  std::vector<TileRun> runs_;
  double area_ = 0;
};

}  // namespace fluvia
