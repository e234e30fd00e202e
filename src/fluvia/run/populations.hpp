// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <vector>

#include "fluvia/geometry/map/box_array.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// The box of a level of refinement in its nodes; without levels there is level 0 only.
BoxArray box_of_level(const Solver& solver, int level);

/// Deviations f_i - w_i of the populations that have arrived at the nodes of a level, before boundary conditions act on
/// them: the direction varies fastest, then x, y, z over its box; NaN at nodes that the level does not store.
std::vector<double> populations_of_level(const Solver& solver, int level);
/// Replaces them, rounded to the storage format. Numbers at nodes that the level does not store mean nothing. Throws
/// Error(input), and nothing changes, for sizes that do not fit and numbers that are not finite.
void replace_populations(Solver& solver, int level, std::span<const double> deviations);

}  // namespace fluvia
