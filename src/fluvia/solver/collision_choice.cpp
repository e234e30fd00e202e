// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/collision_choice.hpp"

#include <fmt/format.h>

#include "fluvia/base/text.hpp"
#include "fluvia/case/registered_physics.hpp"

namespace fluvia {
namespace {

constexpr double least_tau_of_trt = 0.55;

bool works(const std::string& collision, const std::string& equilibrium, const std::string& lattice) {
  return collision_problem(collision, lattice).empty() && equilibrium_problem(equilibrium, collision, lattice).empty();
}

}  // namespace

CollisionChoice choose_collision(const std::string& lattice, const std::string& equilibrium, double tau) {
  const std::string number = format_short(tau, 5);
  if (!works("trt", equilibrium, lattice)) return {"mrt", lattice + " has no other"};
  if (tau >= least_tau_of_trt)
    return {"trt", fmt::format("tau = {} is at least {}; plane walls lie exactly half-way", number, least_tau_of_trt)};
  for (const std::string collision : {"mrt", "cumulant"})
    if (works(collision, equilibrium, lattice))
      return {collision, fmt::format("tau = {} is below {}, where trt is less stable", number, least_tau_of_trt)};
  return {"regularized", fmt::format("tau = {} is below {}, where trt is less stable", number, least_tau_of_trt)};
}

}  // namespace fluvia
