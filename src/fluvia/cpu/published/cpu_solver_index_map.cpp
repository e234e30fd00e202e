// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/published/cpu_solver_index_map.hpp"

#include "fluvia/cpu/cpu_solver_bodies.hpp"
#include "fluvia/cpu/cpu_solver_border.hpp"
#include "fluvia/cpu/cpu_solver_scalars.hpp"
#include "fluvia/cpu/cpu_solver_state.hpp"
#include "fluvia/cpu/cpu_solver_step.hpp"
#include "fluvia/cpu/cpu_solver_sums.hpp"
#include "fluvia/cpu/make_solver.hpp"
#include "fluvia/cpu/published/index_map_groups.hpp"

namespace fluvia::cpu {

std::unique_ptr<BlockSolver> make_index_map_solver(OwningProblem problem, Plan plan, const Block* block) {
  return make_solver_of<IndexMapGroups>(std::move(problem), std::move(plan), block);
}

}  // namespace fluvia::cpu
