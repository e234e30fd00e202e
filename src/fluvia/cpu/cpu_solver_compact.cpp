// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/compact_context.hpp"
#include "fluvia/cpu/cpu_solver_sites.hpp"
#include "fluvia/cpu/cpu_solver_state.hpp"
#include "fluvia/cpu/cpu_solver_step.hpp"
#include "fluvia/cpu/make_solver.hpp"

namespace fluvia::cpu {

std::unique_ptr<Solver> make_compact_solver(const Case& c, const Units& units, Geometry geometry, Plan plan) {
  return make_solver_of<CompactRows>(c, units, std::move(geometry), std::move(plan));
}

}  // namespace fluvia::cpu
