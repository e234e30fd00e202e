// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/compact_groups.hpp"
#include "fluvia/cpu/cpu_solver_state.hpp"
#include "fluvia/cpu/cpu_solver_step.hpp"
#include "fluvia/cpu/make_solver.hpp"

namespace fluvia::cpu {

std::unique_ptr<Solver> make_compact_solver(const Case& c, const Units& units, Geometry geometry, Plan plan) {
  if (geometry.nodes.dimension == 2)
    return make_solver_of<CompactGroups<2>>(c, units, std::move(geometry), std::move(plan));
  return make_solver_of<CompactGroups<3>>(c, units, std::move(geometry), std::move(plan));
}

}  // namespace fluvia::cpu
