// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/make_solver.hpp"

namespace fluvia::cpu {

std::unique_ptr<PartSolver> make_solver(const Case& c, const Units& units, Geometry geometry, Plan plan,
                                        const Subdomain* subdomain) {
  const Scheme& scheme = parse_scheme(plan.scheme);
  if (subdomain != nullptr) require_splittable(scheme);
  const auto make = scheme.has_sites()    ? make_sites_solver
                    : scheme.is_compact() ? make_compact_solver
                                          : make_dense_solver;
  return make(c, units, std::move(geometry), std::move(plan), subdomain);
}

}  // namespace fluvia::cpu
