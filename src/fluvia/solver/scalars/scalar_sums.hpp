// SPDX-License-Identifier: Apache-2.0
// What is summed of the scalars that a flow carries along (solver/observables.hpp).
#pragma once
#include <algorithm>
#include <limits>

namespace fluvia {

/// Sums of a scalar over all nodes of the fluid, or of a solid, by the volumes for which they stand
/// (ScalarWays::volume). Values in its unit, volumes and times in lattice units.
struct ScalarSummary {
  double mean = 0, least = 0, most = 0;
  double content = 0;  ///< sum of T over the volume
  double source = 0;   ///< what sources add in a step
  double volume = 0;
  bool finite = true;  ///< false if any value is NaN or infinite
};

/// What a tile contributes to it; values lie above ScalarMethod::reference.
struct ScalarSum {
  double volume = 0, value = 0, source = 0;
  double least = std::numeric_limits<double>::infinity(), most = -std::numeric_limits<double>::infinity();
  bool finite = true;
  friend ScalarSum operator+(const ScalarSum& a, const ScalarSum& b) {
    return {a.volume + b.volume,        a.value + b.value,        a.source + b.source,
            std::min(a.least, b.least), std::max(a.most, b.most), a.finite && b.finite};
  }
};
/// Of the sum over all nodes.
ScalarSummary summary_of(const ScalarSum& sum, double reference);

/// What passes a surface: unit of the scalar times volume of a node a step; positive = into the fluid.
struct ScalarPassage {
  double rate = 0;
  double area = 0;  ///< of the links that it cuts, in faces of a node
  friend ScalarPassage operator+(const ScalarPassage& a, const ScalarPassage& b) {
    return {a.rate + b.rate, a.area + b.area};
  }
};

/// Observable: sums of scalar number `scalar` of Plan::scalars over the fluid, or over the solid with this number in
/// ScalarMethod::solids. Solver::scalar_summary().
struct ScalarTotals {
  using Sum = ScalarSum;
  using Result = ScalarSummary;
  static constexpr int fluid = -1;
  int scalar = 0;
  int solid = fluid;
};

/// Observable: what passed a surface in the last step, its way by the flow included; nothing before the first. From
/// outside, of what comes into solids as much as the fluid would take up; or from a solid into the fluid.
/// Solver::scalar_passage().
struct ScalarThrough {
  using Sum = ScalarPassage;
  using Result = ScalarPassage;
  int scalar = 0;
  int surface = 0;
  bool from_solid = false;
};

}  // namespace fluvia
