// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "fluvia/case/case.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// Error of the slip at a wall by a pressure gradient along it. slide() reflects in the node itself, not a node further
/// along the wall as a mirror does, and so lacks what the density changes by in between. With the fraction s = L / (L +
/// tau - 1/2) that reflects, u + L du/dn at the wall is -dp/dx s / (2 rho (1 - s)) = -dp/dx L / (6 rho nu) instead of
/// 0: an error of first order. A body force drives without it.
struct SlipError {
  std::string surface;  ///< surface on which the error is largest
  double flow = 0;      ///< estimated part of the flow between such a wall and one at which the fluid sticks
};
/// Error by slip of the flow as it is now, whose mean speed (lattice units) is given; none without such walls.
std::optional<SlipError> survey_slip(const Case& c, const Units& units, const Solver& solver, double mean_speed);

}  // namespace fluvia
