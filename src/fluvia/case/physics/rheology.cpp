// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/physics/rheology.hpp"

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/validate.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/core/viscosity/registry.hpp"

namespace fluvia {
namespace {

const NamedFluid* fluid_of(const Case::Physics::Rheology& r) {
  for (const NamedFluid& fluid : named_fluids())
    if (r.fluid == fluid.name) return &fluid;
  return nullptr;
}

std::string model_of(const Case::Physics::Rheology& r) {
  const NamedFluid* const fluid = fluid_of(r);
  return fluid != nullptr && !r.model ? fluid->model : r.model.value_or("");
}

}  // namespace

const std::vector<NamedFluid>& named_fluids() {
  static const std::vector<NamedFluid> fluids = {
      {"blood",
       "carreau-yasuda",
       {{"zero_shear_viscosity", 0.16},
        {"infinite_shear_viscosity", 0.0035},
        {"relaxation_time", 8.2},
        {"yasuda_exponent", 0.64},
        {"power_index", 0.2128}},
       "Abraham, Behr & Heinkenschloss, Comput. Methods Biomech. Biomed. Eng. 8 (2005) 127"}};
  return fluids;
}

std::vector<std::string> rheology_names() {
  std::vector<std::string> names;
  core::for_each_type(core::Viscosities{}, [&]<class Model>(Model) {
    if (Model::facts.of_fluid) names.emplace_back(Model::facts.name);
  });
  return names;
}

const core::ViscosityFacts& facts_of_viscosity(const std::string& model) {
  const core::ViscosityFacts* found = nullptr;
  core::for_each_type(core::Viscosities{}, [&]<class Model>(Model) {
    if (model == Model::facts.name) found = &Model::facts;
  });
  if (found == nullptr) throw Error(ExitCode::internal, "no model of viscosity '" + model + "' is registered");
  return *found;
}

std::vector<core::Key> keys_of(const core::ViscosityFacts& facts) {
  std::vector<core::Key> keys;
  for (const core::Key& key : facts.keys)
    if (key.name != nullptr) keys.push_back(key);
  return keys;
}

std::string viscosity_problem(const std::string& model, const std::string& lattice) {
  std::string needed;
  std::vector<std::string> valid;
  core::for_each_type(core::Viscosities{}, [&]<class Model>(Model) {
    if (model != Model::facts.name) return;
    const int dimension = facts_of_lattice(lattice).dimension;
    core::for_each_type(core::Lattices{}, [&]<class Lattice>(Lattice) {
      if (Model::template supports<Lattice> && Lattice::D == dimension) valid.emplace_back(Lattice::name);
      if (!Model::template supports<Lattice> && lattice == Lattice::name) needed = Model::needs;
    });
  });
  if (needed.empty()) return "";
  return "'" + model + "' does not work on " + lattice + ": it needs " + needed + "; use " + join(valid, " or ");
}

std::string viscosity_model(const Case& c) {
  if (c.physics.rheology) return model_of(*c.physics.rheology);
  return c.physics.smagorinsky > 0 ? core::Smagorinsky::facts.name : core::Newtonian::facts.name;
}

std::vector<double> viscosity_values(const Case& c) {
  if (!c.physics.rheology) return {c.physics.smagorinsky};
  const Case::Physics::Rheology& r = *c.physics.rheology;
  const NamedFluid* const fluid = fluid_of(r);
  std::vector<double> values;
  for (const core::Key& key : keys_of(facts_of_viscosity(model_of(r)))) {
    double value = key.standard;
    if (fluid != nullptr && fluid->values.contains(key.name)) value = fluid->values.at(key.name);
    if (const auto given = r.values.find(key.name); given != r.values.end()) value = given->second;
    values.push_back(value);
  }
  return values;
}

namespace validation {

void check_rheology(const Case& c) {
  if (!c.physics.rheology) return;
  const Case::Physics::Rheology& r = *c.physics.rheology;
  const std::string path = "physics.rheology";
  const NamedFluid* const fluid = fluid_of(r);
  if (!r.model && fluid == nullptr)
    fail(c, path, "'model' is missing (one of: " + join(rheology_names()) + "), or 'fluid', such as \"blood\"");
  if (fluid != nullptr && r.model && *r.model != fluid->model)
    fail(c, path + ".model", "'" + *r.model + "' contradicts fluid = \"" + *r.fluid + "\", which is " + fluid->model);
  if (fluid != nullptr && c.units.system != "si")
    fail(c, path + ".fluid", "'" + *r.fluid + "' has no meaning in lattice units; give 'model' and its numbers");
  const core::ViscosityFacts& facts = facts_of_viscosity(model_of(r));
  std::vector<std::string> own, unused;
  for (const core::Key& key : keys_of(facts)) {
    own.emplace_back(key.name);
    if (key.required && fluid == nullptr && !r.values.contains(key.name))
      fail(c, path, std::string("'") + key.name + "' is missing; " + facts.name + " needs it: " + key.meaning);
  }
  for (const std::string& model : rheology_names())
    for (const core::Key& key : keys_of(facts_of_viscosity(model)))
      if (std::find(own.begin(), own.end(), key.name) == own.end()) unused.emplace_back(key.name);
  refuse_unused(c, path, unused, std::string("for model '") + facts.name + "'");
  if (c.physics.smagorinsky > 0)
    fail(c, "physics.smagorinsky",
         "'" + format_real(c.physics.smagorinsky) +
             "' and 'rheology' cannot be combined: each says what the viscosity is; remove one");
  if (c.monitors.permeability_axis)
    fail(c, "monitor.permeability_axis",
         "a fluid with 'rheology' has no permeability: its flow is not proportional to what drives it; remove one");
  if (r.least_viscosity && r.most_viscosity && *r.least_viscosity > *r.most_viscosity)
    fail(c, path + ".least_viscosity",
         "'" + format_real(*r.least_viscosity) + "' is above most_viscosity, '" + format_real(*r.most_viscosity) + "'");
  const std::string lattice = lattice_of(c);
  const std::string problem = viscosity_problem(facts.name, lattice);
  if (!problem.empty()) fail(c, path + ".model", problem);
}

}  // namespace validation
}  // namespace fluvia
