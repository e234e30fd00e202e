// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// The pressure in the planes of openings. Solver::opening_flow() has the mean over an opening's nodes, which lie about
/// half a node before its plane: for a short duct some percent of the pressure drop. In the plane the pressure is that
/// on a straight line through a node and the one upstream of it.
class PlanePressures {
 public:
  /// Measures at the Geometry::openings with wanted[opening].
  PlanePressures(const Solver& solver, const std::vector<bool>& wanted);

  struct Step {
    double change = 0;   ///< pressure in the plane less the mean over the nodes, lattice units
    double depth = 0.5;  ///< distance, before the plane, of the point to which mean and change together refer, nodes: 0
                         ///< if all nodes have one upstream
  };
  /// The change at each opening, as the flow is now; 0 at openings that are not wanted, or have no nodes.
  [[nodiscard]] std::vector<Step> measure() const;

 private:
  struct Pair {
    std::size_t opening = 0;
    std::uint64_t tile = 0, upstream_tile = 0;
    int bit = 0, upstream_bit = 0;
    double factor = 0;  ///< factor on the difference of the two pressures
  };
  const Solver& solver_;
  std::vector<Pair> pairs_;
  std::vector<Step> steps_;           ///< [opening], without the change
  std::vector<std::uint64_t> tiles_;  ///< tiles of all these nodes, ascending
};

}  // namespace fluvia
