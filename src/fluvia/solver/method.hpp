// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/core/collision/facts.hpp"
#include "fluvia/core/format/rounding.hpp"
#include "fluvia/core/scheme/scheme.hpp"
#include "fluvia/solver/local_viscosity.hpp"

namespace fluvia {

/// How a problem is computed: every "auto" of the case resolved, every name registered and all of them fit for each
/// other, as make_plan() leaves it. Whoever needs to know what a name stands for asks here.
struct Method {
  std::string lattice, collision, equilibrium, scheme, format;
  core::Rounding rounding = core::Rounding::nearest;  ///< rounding of formats of 16 bits
  int tile = 0;                                       ///< nodes along the edge of a tile; 0 if the scheme has none
  int steps_per_pass = 1;                             ///< time steps in one pass over memory
  double omega = 1;          ///< rate of the shear stress; where viscosity varies, that for units.viscosity
  LocalViscosity viscosity;  ///< viscosity as a function of the shear rate

  /// The row of the registry that `scheme` names. Throws Error(input) if there is none.
  [[nodiscard]] const core::Scheme& scheme_facts() const;
  /// The row of the registry that `collision` names. Throws Error(internal) if there is none.
  [[nodiscard]] const core::CollisionFacts& collision_facts() const;
  /// Number of velocities of the lattice, that of the node at rest included.
  [[nodiscard]] int directions() const;
  /// Velocities c_i of the lattice.
  [[nodiscard]] std::vector<Int3> velocities() const;
  [[nodiscard]] std::vector<double> weights() const;
  /// Bytes of a stored population, and of a number in computations; 0 if there is no such format.
  [[nodiscard]] int storage_bytes() const;
  [[nodiscard]] int arithmetic_bytes() const;
  /// Whether the format has fewer digits than the arithmetic.
  [[nodiscard]] bool rounds() const;
};

}  // namespace fluvia
