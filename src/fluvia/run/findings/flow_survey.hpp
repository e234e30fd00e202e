// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// What the verdict asks of all nodes of a flow as it is now.
struct FlowSurvey {
  std::uint64_t nodes = 0;  ///< nodes that were looked at: all, or an even sample of a large domain
  /// Values of density / density at rest - 1 between which all but the lowest and the highest hundredth of the nodes
  /// lie. Single nodes at the corners of lids and inlets, where pressures have no bound, do not count.
  double lowest = 0, highest = 0;
  /// Part of the nodes where the viscosity by the law of the fluid lies beyond its bounds, by more than a twentieth of
  /// them.
  double clipped = 0;
  /// Part of the work against friction, density x viscosity x (shear rate)^2, that is done against the viscosity of
  /// eddies that the grid does not resolve. The pressure drop of a flow without eddies is too large by as much.
  double eddy_share = 0;
};

[[nodiscard]] FlowSurvey survey_flow(const FlowState& state);

}  // namespace fluvia
