// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/plan/collision_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_physics.hpp"

namespace fluvia {
namespace {

constexpr double least_tau_of_trt = 0.55;
constexpr double least_tau_beside_levels = 0.67;  // where magic_beside_levels(3/16) is 3/16
/// Beside levels, of nodes in a stream through openings on D3Q19: 60 is stable, 100 is not.
constexpr double most_reynolds_of_mrt = 60 * (1 + 1e-9);
constexpr double most_reynolds_of_trt = 6 * (1 + 1e-9);  // of a lattice speed of 0.1 at this tau

bool works(const std::string& collision, const std::string& equilibrium, const std::string& lattice) {
  return collision_problem(collision, lattice).empty() && equilibrium_problem(equilibrium, collision, lattice).empty();
}

}  // namespace

double magic_beside_levels(double magic, double tau) {
  return std::min(magic, (longest_time_beside_levels - 0.5) * (tau - 0.5));
}

Interfaces interfaces_of(const Problem& problem) {
  if (problem.settings.refine.empty()) return Interfaces::none;
  return problem.geometry.openings.empty() ? Interfaces::levels : Interfaces::levels_and_openings;
}

CollisionChoice choose_collision(const std::string& lattice, const std::string& equilibrium, double tau, double speed,
                                 Interfaces interfaces) {
  const bool beside_levels = interfaces != Interfaces::none;
  const double least_tau = beside_levels ? least_tau_beside_levels : least_tau_of_trt;
  const std::string number = format_short(tau, 5);
  if (!works("trt", equilibrium, lattice)) return {"mrt", lattice + " has no other"};
  const double node_reynolds = 3 * speed / (tau - 0.5);
  const bool too_fast = node_reynolds > most_reynolds_of_trt;
  if (tau >= least_tau && !too_fast)
    return {"trt", fmt::format("tau = {} is at least {}; plane walls lie exactly half-way", number, least_tau)};
  if (is_thin_stream(lattice, equilibrium, tau, speed, interfaces))
    return {"recursive-regularized",
            fmt::format("a node's Reynolds number is {}, above 60, where mrt is less stable in openings",
                        format_short(node_reynolds, 3))};
  const std::string reason = tau < least_tau
                                 ? fmt::format("tau = {} is below {}, where trt is less stable{}", number, least_tau,
                                               beside_levels ? " beside finer levels" : "")
                                 : fmt::format("a node's Reynolds number is {}, above {}, where trt is less stable",
                                               format_short(node_reynolds, 3), most_reynolds_of_trt);
  for (const std::string collision : {"mrt", beside_levels ? "recursive-regularized" : "cumulant"})
    if (works(collision, equilibrium, lattice)) return {collision, reason};
  return {"regularized", reason};
}

bool is_thin_stream(const std::string& lattice, const std::string& equilibrium, double tau, double speed,
                    Interfaces interfaces) {
  return interfaces == Interfaces::levels_and_openings && lattice == "D3Q19" &&
         3 * speed / (tau - 0.5) > most_reynolds_of_mrt && works("recursive-regularized", equilibrium, lattice);
}

}  // namespace fluvia
