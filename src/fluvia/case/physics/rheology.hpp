// SPDX-License-Identifier: Apache-2.0
// Viscosities that depend on the shear rate: what [physics.rheology] says.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/core/viscosity/viscosity.hpp"

namespace fluvia {

/// A fluid with a name: a model of viscosity and its numbers, SI.
struct NamedFluid {
  const char* name;
  const char* model;
  std::map<std::string, double> values;
  const char* source;
};
const std::vector<NamedFluid>& named_fluids();

/// Names of the models of viscosity that a fluid may have.
std::vector<std::string> rheology_names();

/// Facts of a registered model of viscosity. Throws Error(internal) for other names.
const core::ViscosityFacts& facts_of_viscosity(const std::string& model);
std::vector<core::Key> keys_of(const core::ViscosityFacts& facts);

/// Why a registered model does not work on a registered lattice; "" if it works.
std::string viscosity_problem(const std::string& model, const std::string& lattice);

/// The model of viscosity of a case, core::ViscosityFacts::name: its rheology, eddies, or none.
std::string viscosity_model(const Case& c);
/// Values of the model's keys in their order, case units: those given, else those of the named fluid, else the
/// defaults.
std::vector<double> viscosity_values(const Case& c);

}  // namespace fluvia
