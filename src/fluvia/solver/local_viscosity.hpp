// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// The viscosity of a case as a function of the shear rate, lattice units (kinematic).
struct LocalViscosity {
  using Function = double (*)(double shear_rate, const core::CollisionParameters<double>&);
  std::string model = "newtonian";               ///< core::ViscosityFacts::name
  core::CollisionParameters<double> parameters;  ///< tau, numbers of the model and its limits, lattice units
  Function function = nullptr;                   ///< kinematic viscosity of a shear rate; null: constant
  double least = 0, most = 0;                    ///< kinematic viscosities between which it stays, lattice units
  bool least_is_default = false, most_is_default = false;  ///< whether neither model nor case states the limit

  [[nodiscard]] bool varies() const { return function != nullptr; }
  [[nodiscard]] double at(double shear_rate) const;
  /// Smallest relaxation time, steps.
  [[nodiscard]] double least_tau() const { return 3 * least + 0.5; }
};

/// The viscosity of a case. Throws Error(input) if the numbers of the model contradict each other.
LocalViscosity make_local_viscosity(const Case& c, const Units& units);

/// One line for `fluvia plan` and the log: model, range of viscosities and relaxation times; "" if it is constant.
std::string describe(const LocalViscosity& viscosity, const Units& units);
/// Warnings: limits that the case did not ask for and the shear rates that reach them; relaxation times out of bounds.
std::vector<std::string> advise(const LocalViscosity& viscosity, const Units& units);

}  // namespace fluvia
