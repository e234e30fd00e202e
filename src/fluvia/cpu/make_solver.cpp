// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/make_solver.hpp"

namespace fluvia::cpu {

std::unique_ptr<Solver> make_solver(const Case& c, const Units& units, Geometry geometry, Plan plan) {
  return parse_scheme(plan.scheme).compact ? make_compact_solver(c, units, std::move(geometry), std::move(plan))
                                           : make_dense_solver(c, units, std::move(geometry), std::move(plan));
}

}  // namespace fluvia::cpu
