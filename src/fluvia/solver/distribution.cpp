// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/distribution.hpp"

#include <fmt/format.h>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/rheology.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/solver/links/curvature_shares.hpp"
#include "fluvia/solver/plan/collision_choice.hpp"

namespace fluvia {

namespace {

constexpr double least_rate_beside_levels = 1 / longest_time_beside_levels;

/// Free rates of MRT as the case gives them, and rates that a collision has of its own.
void set_free_rates(const Case& c, const Units& units, Distribution& d) {
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (d.lattice->name != Lattice::name) return;
    if constexpr (core::MrtBasis<Lattice>::available) {
      using Basis = core::MrtBasis<Lattice>;
      for (int k = 0; k < Basis::free_rates; ++k) {
        const auto chosen = c.numerics.mrt_rates.find(Basis::rate_names[k]);
        d.parameters.free_rates[k] = chosen == c.numerics.mrt_rates.end() ? Basis::rate_defaults[k] : chosen->second;
      }
    }
    core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
      if constexpr (requires { Collision::template own_rates<Lattice>(1.0); }) {
        if (d.collision->name != Collision::name) return;
        auto rates = Collision::template own_rates<Lattice>(units.omega());
        // What relaxes slowly is unstable beside levels of refinement
        // (docs/decisions/0051-levels-exchange-populations-that-cross.md): there it has the rates of omega = 1.
        if (c.numerics.is_level && rates.slowest() < least_rate_beside_levels)
          rates = Collision::template own_rates<Lattice>(1.0);
        for (int k = 0; k < rates.count; ++k) d.parameters.free_rates[k] = rates.value[k];
      }
    });
  });
}

void set_parameters(const Case& c, const Units& units, Distribution& d) {
  core::CollisionParameters<double>& p = d.parameters;
  p.tau = units.tau;
  p.omega = units.omega();
  p.shear_viscosity = units.viscosity;
  p.magic = c.numerics.is_level ? magic_beside_levels(c.numerics.magic, d.viscosity.least_tau()) : c.numerics.magic;
  const core::CollisionParameters<double>& local = d.viscosity.parameters;
  for (int k = 0; k < core::max_viscosity_numbers; ++k) p.viscosity[k] = local.viscosity[k];
  p.least_log_tau = local.least_log_tau;
  p.most_log_tau = local.most_log_tau;
  for (int axis = 0; axis < 3; ++axis) p.force[axis] = units.acceleration(c.physics.acceleration[axis]);
  d.force = c.physics.has_acceleration() || norm(c.physics.gravity) != 0;  // of buoyancy
  set_free_rates(c, units, d);
}

core::ConditionSet acting_conditions(const Case& c) {
  core::ConditionSet conditions = 0;
  for (const Case::Boundary& b : c.boundaries) {
    if (facts_of_boundary(b.type).acts) conditions |= 1u << core::boundary_rule(boundary_kind(b.type));
    if (b.sponge > 0) conditions |= core::sponges;
  }
  return conditions;
}

}  // namespace

Distribution make_flow(const Case& c, const Units& units) {
  Distribution flow{.name = "populations", .lattice = &facts_of_lattice(lattice_of(c))};
  const std::string& lattice = flow.lattice->name;
  if (flow.lattice->dimension != c.domain.dimension)
    throw_input(fmt::format("numerics.lattice: {} is for {} dimensions but the domain has {}", lattice,
                            flow.lattice->dimension, c.domain.dimension));
  flow.viscosity = make_local_viscosity(c, units);
  if (const std::string why = viscosity_problem(flow.viscosity.model, lattice); !why.empty())
    throw_input("physics.rheology.model: " + why);
  std::string collision = c.numerics.collision;
  if (collision == "auto") {
    const CollisionChoice choice =
        choose_collision(lattice, c.numerics.equilibrium, flow.viscosity.least_tau(), units.reference_velocity);
    collision = choice.collision;
    flow.collision_reason = choice.reason;
  }
  if (const std::string why = collision_problem(collision, lattice); !why.empty())
    throw_input("numerics.collision: " + why);
  if (const std::string why = equilibrium_problem(c.numerics.equilibrium, collision, lattice); !why.empty())
    throw_input("numerics.equilibrium: " + why);
  flow.collision = &facts_of_collision(collision);
  flow.equilibrium = &facts_of_equilibrium(c.numerics.equilibrium);
  flow.conditions = acting_conditions(c);
  set_parameters(c, units, flow);
  return flow;
}

template <class T>
core::CollisionParameters<T> collision_parameters(const Distribution& distribution) {
  const core::CollisionParameters<double>& from = distribution.parameters;
  core::CollisionParameters<T> p;
  p.tau = static_cast<T>(from.tau);
  p.omega = static_cast<T>(from.omega);
  p.shear_viscosity = static_cast<T>(from.shear_viscosity);
  p.magic = static_cast<T>(from.magic);
  for (int axis = 0; axis < 3; ++axis) p.force[axis] = static_cast<T>(from.force[axis]);
  for (int k = 0; k < core::max_free_rates; ++k) p.free_rates[k] = static_cast<T>(from.free_rates[k]);
  for (int k = 0; k < core::max_viscosity_numbers; ++k) p.viscosity[k] = static_cast<T>(from.viscosity[k]);
  p.least_log_tau = static_cast<T>(from.least_log_tau);
  p.most_log_tau = static_cast<T>(from.most_log_tau);
  set_curvature_shares(distribution.lattice->name, distribution.collision->name, p);
  return p;
}

template core::CollisionParameters<float> collision_parameters(const Distribution&);
template core::CollisionParameters<double> collision_parameters(const Distribution&);

}  // namespace fluvia
