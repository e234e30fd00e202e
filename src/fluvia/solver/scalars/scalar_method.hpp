// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/case/physics/registered_scalars.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// A solid in which a scalar spreads; lattice units.
struct ScalarSolid {
  std::string surface;  ///< name of the surface between it and the fluid
  double diffusivity = 0;
  double capacity = 1;     ///< of a volume, over that of the fluid
  std::size_t number = 0;  ///< in Case::solids
};

/// A scalar that a flow carries along, and how it is computed: every name of the case resolved. Lengths and times in
/// lattice units, values in the unit of the scalar.
struct ScalarMethod {
  std::string name, unit;
  const ScalarLatticeFacts* lattice = nullptr;  ///< row of the registry
  double diffusivity = 0, magic = 0.25;
  double reference = 0;  ///< numbers are stored as what lies above it, which has no buoyancy
  double expansion = 0;  ///< per unit of the scalar; 0: it does not act on the flow
  std::vector<ScalarSolid> solids{};

  /// Relaxation time of what spreads: the diffusivity is c_s^2 (tau - 1/2).
  [[nodiscard]] double tau() const { return tau_of(diffusivity); }
  [[nodiscard]] double tau_of(double of_diffusivity) const { return 0.5 + of_diffusivity / lattice->sound_squared; }
};

/// The scalars of a case. Throws Error(input) with the key if one spreads so slowly on this grid, in the fluid or in a
/// solid, that its relaxation time is within 0.001 of 1/2.
std::vector<ScalarMethod> make_scalars(const Case& c, const Units& units);

/// What a plan has that scalars cannot be computed beside.
struct BesideScalars {
  bool in_parts = false;                          ///< a domain in parts
  const std::vector<Int3>* velocities = nullptr;  ///< those of the lattice of the flow
  bool half = false;                              ///< a lattice of every second node
  bool sheets = false;                            ///< walls with fluid on both sides
  const char* steps_by_pass = "";  ///< name of a scheme whose single steps on a GPU go through the box as its passes do
};
/// Throws Error(input) if there is any of it.
void require_scalars_fit(const Case& c, const BesideScalars& beside);

}  // namespace fluvia
