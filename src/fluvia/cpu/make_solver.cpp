// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/make_solver.hpp"

#include "fluvia/solver/plan/storage_family.hpp"

namespace fluvia::cpu {

std::unique_ptr<PartSolver> make_solver(OwningProblem problem, Plan plan, const Subdomain* subdomain) {
  const Scheme& scheme = plan.scheme_facts();
  if (subdomain != nullptr) require_splittable(scheme);
  constexpr decltype(&make_dense_solver) make[] = {make_dense_solver, make_compact_solver, make_index_map_solver};
  return make[static_cast<int>(storage_family(scheme))](std::move(problem), std::move(plan), subdomain);
}

}  // namespace fluvia::cpu
