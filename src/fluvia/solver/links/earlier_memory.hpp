// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/geometry/problem.hpp"

namespace fluvia {

/// The array of what boundary conditions keep (condition_numbers) from what checkpoints had of it before openings knew
/// the shear of the flow that passes them (November 2026): an outlet without reflections kept its first 13 numbers,
/// other openings none. What is new begins with zeros, as it does at the start of a run. Empty if `earlier` is not as
/// long as it was.
std::vector<double> memory_of_earlier(const Problem& problem, const std::string& lattice,
                                      const std::vector<double>& earlier);

}  // namespace fluvia
