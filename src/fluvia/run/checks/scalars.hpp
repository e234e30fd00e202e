// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/geometry/problem.hpp"

namespace fluvia {

/// Checks what a case says of its scalars once the geometry is known. Returns warnings. Throws Error(input) where an
/// initial value or a source is no number, and where a source would fill a closed flow without end although the run is
/// to become steady.
std::vector<std::string> check_scalars(const Problem& problem);

}  // namespace fluvia
