// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/make_solver.hpp"

namespace fluvia {

std::unique_ptr<Solver> make_solver(const Case& c, const Units& units, Geometry geometry) {
  Plan plan = make_plan(c, units, geometry);
  return parse_scheme(plan.scheme).compact ? cpu::make_compact_solver(c, units, std::move(geometry), std::move(plan))
                                           : cpu::make_dense_solver(c, units, std::move(geometry), std::move(plan));
}

}  // namespace fluvia
