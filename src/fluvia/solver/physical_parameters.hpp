// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/case/case.hpp"
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/collision/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/solver/links/curvature_shares.hpp"
#include "fluvia/solver/local_viscosity.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// Parameters of the collision of a case, lattice units.
template <class T>
core::CollisionParameters<T> collision_parameters(const Case& c, const Units& units, const std::string& lattice,
                                                  const std::string& collision) {
  core::CollisionParameters<T> p;
  p.tau = static_cast<T>(units.tau);
  p.omega = static_cast<T>(units.omega());
  p.magic = static_cast<T>(c.numerics.magic);
  const core::CollisionParameters<double> local = make_local_viscosity(c, units).parameters;
  for (int k = 0; k < core::max_viscosity_numbers; ++k) p.viscosity[k] = static_cast<T>(local.viscosity[k]);
  p.least_log_tau = static_cast<T>(local.least_log_tau);
  p.most_log_tau = static_cast<T>(local.most_log_tau);
  for (int axis = 0; axis < 3; ++axis) p.force[axis] = static_cast<T>(units.acceleration(c.physics.acceleration[axis]));
  core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
    if constexpr (core::MrtBasis<Lattice>::available) {
      using Basis = core::MrtBasis<Lattice>;
      if (lattice != Lattice::name) return;
      for (int k = 0; k < Basis::free_rates; ++k) {
        const auto chosen = c.numerics.mrt_rates.find(Basis::rate_names[k]);
        p.free_rates[k] =
            static_cast<T>(chosen == c.numerics.mrt_rates.end() ? Basis::rate_defaults[k] : chosen->second);
      }
    }
  });
  core::for_each_type(core::Collisions{}, [&]<class Collision>(Collision) {
    core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
      if constexpr (requires { Collision::template own_rates<Lattice>(1.0); }) {
        if (collision != Collision::name || lattice != Lattice::name) return;
        const auto rates = Collision::template own_rates<Lattice>(units.omega());
        for (int k = 0; k < rates.count; ++k) p.free_rates[k] = static_cast<T>(rates.value[k]);
      }
    });
  });
  set_curvature_shares(lattice, collision, p);
  return p;
}

/// True if the case has a body force.
inline bool has_force(const Case& c) {
  return c.physics.acceleration[0] != 0 || c.physics.acceleration[1] != 0 || c.physics.acceleration[2] != 0;
}

}  // namespace fluvia
