// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/backend/level_device.hpp"
#include "fluvia/domain/domain_solver.hpp"
#include "fluvia/domain/levels/levels_solver.hpp"
#include "fluvia/domain/rank_group.hpp"
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

/// Levels that were divided, planned and traced, before their solvers are made.
struct PreparedLevels {
  LevelProblems divided;
  std::vector<Plan> plans;                ///< by level
  std::vector<domain::LevelLinks> links;  ///< between each and the next finer one
};
/// Prepares levels for a device. `check` as make_levels_solver() takes it.
PreparedLevels prepare_levels(const Problem& problem, const LevelDevice& device,
                              const std::function<void(Plan&)>& check);

/// Some parts of all levels, whose blocks know what passes between them and to others.
struct ConnectedLevels {
  std::vector<std::vector<Block>> blocks;               ///< [level][part]
  std::vector<std::vector<domain::LevelShare>> shares;  ///< likewise, between each level and the next finer one
};
/// `domain`: of each level; `packs_values`: as LevelDevice says; `parts`: numbers of those wanted.
ConnectedLevels connect_levels(const LevelProblems& divided, const LatticeFacts& lattice,
                               const std::vector<domain::LevelLinks>& links, const Domain& domain, bool packs_values,
                               const std::vector<int>& parts);

/// The plan of all levels, of those of each.
Plan joined_plan(const LevelProblems& divided, const std::vector<Plan>& plans);

/// The plan of all levels on a device.
Plan plan_levels(const Problem& problem, const LevelDevice& device);
/// The solver of all levels on a device. `check` gets the plan before memory is taken, and may refuse it. Throws
/// Error(resource) if it does.
std::unique_ptr<Solver> make_levels_solver(OwningProblem problem, LevelDevice& device,
                                           const std::function<void(Plan&)>& check = {});

/// What one of those that have parts of levels knows of the whole flow.
struct WholeLevels {
  Case settings;
  Geometry coarsest;  ///< of level 0 everywhere
  std::optional<LevelMap> map;
  std::vector<domain::SolvedLevel> levels;  ///< without their solvers
  std::vector<std::uint64_t> exchanged;     ///< populations that pass between levels in a step of the coarser one
  std::optional<Plan> plan;                 ///< if those of levels do not say all
};

/// Makes this member's part of each level, as all members of the communicator do with theirs: levels take turns, so
/// each of them is cut into parts with equally many nodes. `check` as above; `whole` gets what the first member needs.
/// Throws Error(input) if a level has fewer tiles than there are members.
domain::RankParts make_level_parts(OwningProblem problem, LevelDevice& device, const std::function<void(Plan&)>& check,
                                   WholeLevels* whole = nullptr);
/// The solver of all levels, of the solvers of each with its parts; `stepping` takes steps of all of them.
std::unique_ptr<Solver> join_levels(WholeLevels whole, std::vector<std::unique_ptr<domain::DomainSolver>> solvers,
                                    std::shared_ptr<domain::Stepping> stepping);

/// The solver of all levels, each in several parts of this process, on its processors.
std::unique_ptr<Solver> make_levels_in_parts(const Problem& problem, int parts);

/// How each level of a problem is cut, the coarsest first, in a plan of plan_levels() with several parts.
std::vector<PartitionFacts> partitions_of_levels(const Problem& problem, const Plan& plan);
/// All levels together, as one partition: of each part the updates of its nodes, and the populations that it receives,
/// in a step of the coarsest level; of nodes and halos of finer levels as many as they take steps in it.
PartitionFacts joined_partition(const std::vector<PartitionFacts>& levels);

}  // namespace fluvia
