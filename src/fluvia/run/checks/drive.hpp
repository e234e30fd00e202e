// SPDX-License-Identifier: Apache-2.0
// What drives the flow of a case: whether anything does, whether the flow can leave, and how far it takes the density
// from that at rest.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/run/findings/advice.hpp"

namespace fluvia {

/// A problem of what drives a flow, what to do about it, and whether it keeps the flow that was asked for from coming
/// about.
struct DriveProblem {
  std::string text;  ///< a sentence without its end
  Advice advice;     ///< advice, with settings where there are some that make a flow
  bool fatal = false;
};

/// The problem and its advice as a warning before the run.
std::string as_warning(const DriveProblem& found);

/// Finds openings that nothing balances, or that no fluid joins to others; a force along an axis that no fluid runs
/// along; a case that nothing drives. Reads series.
std::vector<DriveProblem> find_drive_problems(const Problem& problem);

/// The pressure (lattice units, gauge) that windkessels come to with the mean inflow of the case and vessels without a
/// pressure drop of their own. None where something else holds the pressure.
std::optional<double> windkessel_pressure(const Problem& problem);

/// Warnings of prescribed pressures, at the extremes of their series, and of the mean pressure of windkessels at the
/// prescribed inflow, whose density is more than 5% off that at rest: complete sentences with what to do, as options
/// where settings do it.
std::vector<std::string> advise_densities(const Problem& problem);

}  // namespace fluvia
