// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/backend/level_device.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// What is asked on one level of refinement.
struct LevelProblem {
  Case settings;
  Units units;
  Grid grid;
  Geometry geometry;
  [[nodiscard]] Problem problem() const { return {settings, units, geometry}; }
};

/// A problem with [[refine]], level by level, the coarsest first.
struct LevelProblems {
  LevelMap map;
  std::vector<LevelProblem> levels;
};

/// Whether a case asks for levels of refinement.
inline bool has_levels(const Case& c) {
  return !c.refine.empty();
}

/// Units of a level: nodes and steps are 2^level times finer, so that lattice velocities and pressures stay.
Units units_of_level(const Units& coarsest, int level);

/// Divides a problem, whose geometry is that of the coarsest level everywhere. Throws Error(input) for what is not
/// possible with levels, and says what would be. `device`: "cpu" or "cuda".
LevelProblems divide_into_levels(const Problem& problem, const std::string& device);

/// The plan of all levels on a device.
Plan plan_levels(const Problem& problem, const LevelDevice& device);
/// The solver of all levels on a device. `check` gets the plan before memory is taken, and may refuse it. Throws
/// Error(resource) if it does.
std::unique_ptr<Solver> make_levels_solver(OwningProblem problem, LevelDevice& device,
                                           const std::function<void(Plan&)>& check = {});

}  // namespace fluvia
