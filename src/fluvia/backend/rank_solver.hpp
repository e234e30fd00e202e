// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "fluvia/geometry/problem.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// The solver of all ranks, which the first of them calls while the others serve. Throws as make_solver().
std::unique_ptr<Solver> make_solver_on_ranks(OwningProblem problem);

}  // namespace fluvia
