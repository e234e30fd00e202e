// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/solver/local_viscosity.hpp"

namespace fluvia {

/// One set of populations that a solver steps, and the physics that it follows: today that of the flow, in time that of
/// each scalar beside it. Every name of the case is resolved, and all of them fit each other.
struct Distribution {
  std::string name{};                             ///< that of its row of FlowState::arrays()
  const LatticeFacts* lattice = nullptr;          ///< row of the registry
  const EquilibriumFacts* equilibrium = nullptr;  ///< row of the registry
  const CollisionFacts* collision = nullptr;      ///< row of the registry
  std::string collision_reason{};                 ///< why this collision, if "auto" chose
  /// All but `curvature`, which collision_parameters() finds; lattice units. Where viscosity varies, tau and omega are
  /// those of units.viscosity.
  core::CollisionParameters<double> parameters{};
  LocalViscosity viscosity{};         ///< viscosity as a function of the shear rate
  bool force = false;                 ///< whether a body force acts
  core::ConditionSet conditions = 0;  ///< rules of boundary conditions that are more than plain walls, and sponges

  /// Rate of the shear stress, 1 / tau.
  [[nodiscard]] double omega() const { return parameters.omega; }
};

/// The distribution of the flow of a case, its collision chosen where the case says "auto". Throws Error(input) with
/// the key if names are not registered or do not work together.
Distribution make_flow(const Case& c, const Units& units);

/// Parameters of the collision in the arithmetic of a solver, float or double, those of openings included.
template <class T>
core::CollisionParameters<T> collision_parameters(const Distribution& distribution);

}  // namespace fluvia
