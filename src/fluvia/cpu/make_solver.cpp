// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/make_solver.hpp"

#include "fluvia/solver/plan/storage_family.hpp"

namespace fluvia::cpu {

std::unique_ptr<BlockSolver> make_solver(OwningProblem problem, Plan plan, const Block* block) {
  const Scheme& scheme = *plan.scheme;
  if (block != nullptr) require_splittable(scheme);
  constexpr decltype(&make_dense_solver) make[] = {make_dense_solver, make_compact_solver, make_index_map_solver};
  return make[static_cast<int>(storage_family(scheme))](std::move(problem), std::move(plan), block);
}

}  // namespace fluvia::cpu
