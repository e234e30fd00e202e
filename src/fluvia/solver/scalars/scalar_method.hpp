// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/case/physics/registered_scalars.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// A scalar that a flow carries along, and how it is computed: every name of the case resolved. Lengths and times in
/// lattice units, values in the unit of the scalar.
struct ScalarMethod {
  std::string name, unit;
  const ScalarLatticeFacts* lattice = nullptr;  ///< row of the registry
  double diffusivity = 0, magic = 0.25;
  double reference = 0;  ///< numbers are stored as what lies above it, which has no buoyancy
  double expansion = 0;  ///< per unit of the scalar; 0: it does not act on the flow

  /// Relaxation time of what spreads: the diffusivity is c_s^2 (tau - 1/2).
  [[nodiscard]] double tau() const { return 0.5 + diffusivity / lattice->sound_squared; }
};

/// The scalars of a case. Throws Error(input) with the key if one spreads so slowly on this grid that its relaxation
/// time is within 0.001 of 1/2.
std::vector<ScalarMethod> make_scalars(const Case& c, const Units& units);

/// Refuses what scalars cannot be computed beside: GPUs, domains in parts, half lattices, sheets. Throws Error(input).
void require_scalars_fit(const Case& c, const std::string& device, bool in_parts, bool half, bool sheets);

}  // namespace fluvia
