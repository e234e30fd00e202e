// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/rank_solver.hpp"

#include <cstdint>
#include <utility>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/backend/connect.hpp"
#include "fluvia/backend/levels.hpp"
#include "fluvia/domain/domain_solver.hpp"
#include "fluvia/domain/rank_group.hpp"

namespace fluvia {

std::unique_ptr<Solver> make_solver_on_ranks(OwningProblem problem) {
  const Case& c = problem.settings;
  WholeLevels levels;
  auto team = std::make_shared<domain::RankTeam>(
      [&](Communicator& communicator) {
        return make_rank_parts({c, problem.units, std::move(problem.geometry), communicator}, &levels);
      },
      [&](domain::RankParts& parts) { return connect_rank_parts(c, parts); });
  if (!has_levels(c)) return std::make_unique<domain::DomainSolver>(std::make_unique<domain::RankGroup>(team));
  std::vector<std::unique_ptr<domain::DomainSolver>> solvers;
  for (std::size_t l = 0; l < team->own().blocks.size(); ++l)
    solvers.push_back(std::make_unique<domain::DomainSolver>(
        std::make_unique<domain::RankGroup>(team, static_cast<std::uint8_t>(l))));
  return join_levels(std::move(levels), std::move(solvers), std::move(team));
}

}  // namespace fluvia
