// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/cpu_solver_bodies.hpp"
#include "fluvia/cpu/cpu_solver_border.hpp"
#include "fluvia/cpu/cpu_solver_pass.hpp"
#include "fluvia/cpu/cpu_solver_scalars.hpp"
#include "fluvia/cpu/cpu_solver_state.hpp"
#include "fluvia/cpu/cpu_solver_step.hpp"
#include "fluvia/cpu/cpu_solver_sums.hpp"
#include "fluvia/cpu/make_solver.hpp"
#include "fluvia/cpu/published/cpu_solver_index_map.hpp"
#include "fluvia/cpu/storage/compact_context.hpp"

namespace fluvia::cpu {

std::unique_ptr<BlockSolver> make_compact_solver(OwningProblem problem, Plan plan, const Block* block) {
  return make_solver_of<CompactRows>(std::move(problem), std::move(plan), block);
}

}  // namespace fluvia::cpu
