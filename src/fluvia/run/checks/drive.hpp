// SPDX-License-Identifier: Apache-2.0
// What drives the flow of a case: whether anything does, whether it can leave, and how far it takes the density from
// that at rest.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/run/findings/advice.hpp"

namespace fluvia {

/// What is wrong, what to do about it, and whether no flow that was asked for can come of it.
struct DriveProblem {
  std::string text;  ///< a sentence without its end
  Advice advice;     ///< with settings where there is one that makes a flow
  bool fatal = false;
};

/// The whole of it, as people are told before the run.
std::string as_warning(const DriveProblem& found);

/// Openings that nothing balances, or that no fluid joins to others; a force along an axis that no fluid runs along;
/// nothing that drives at all. Reads series.
std::vector<DriveProblem> find_drive_problems(const Problem& problem);

/// What windkessels do to the density: with the mean inflow of the case, and vessels without a pressure drop of their
/// own, all of them come to this pressure (lattice units, gauge). None where something else holds the pressure.
std::optional<double> windkessel_pressure(const Problem& problem);

/// Prescribed pressures, at the extremes of their series, and the mean pressure of windkessels at the prescribed
/// inflow, whose density is more than 5% off that at rest: complete sentences with what to do, as options where
/// settings do it.
std::vector<std::string> advise_densities(const Problem& problem);

}  // namespace fluvia
