// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "fluvia/base/text.hpp"
#include "fluvia/case/check.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/validate.hpp"

namespace fluvia::validation {

namespace {

std::string scalar_path(std::size_t k) {
  return "scalar[" + std::to_string(k) + "]";
}

std::vector<std::string> names_of_scalars(const Case& c) {
  std::vector<std::string> names;
  for (const Case::Scalar& scalar : c.scalars) names.push_back(scalar.name);
  return names;
}

void check_scalar_name(const Case& c, std::size_t k, std::set<std::string>& taken) {
  const std::string key = scalar_path(k) + ".name";
  const std::string& name = c.scalars[k].name;
  check_name(c, key, name);
  if (std::find(names::slice_fields.begin(), names::slice_fields.end(), name) != names::slice_fields.end() ||
      name.starts_with("average_"))
    fail(c, key, "'" + name + "' is the name of a field of the flow; take another, e.g. \"temperature\"");
  const bool is_component = name.size() > 2 && name[name.size() - 2] == '_' && name.back() >= 'x' && name.back() <= 'z';
  if (is_component) fail(c, key, "'" + name + "' ends as a component of a vector does; take another name");
  if (!taken.insert(name).second) fail(c, key, "'" + name + "' is there twice");
}

void check_one_scalar(const Case& c, std::size_t k) {
  const Case::Scalar& scalar = c.scalars[k];
  const std::string path = scalar_path(k);
  if (scalar.diffusivity && scalar.prandtl)
    fail(c, path + ".prandtl", "'diffusivity' and 'prandtl' contradict each other; give exactly one");
  if (!scalar.diffusivity && !scalar.prandtl)
    fail(c, path, "'diffusivity' is missing; give it in m2/s (of heat in air 2.1e-5), or 'prandtl' (air: 0.71)");
  if (scalar.lattice != "auto" && (scalar.lattice[1] - '0') != c.domain.dimension)
    fail(c, path + ".lattice",
         "'" + scalar.lattice + "' does not fit domain.dimension = " + std::to_string(c.domain.dimension) +
             "; use auto");
  if (scalar.expansion != 0 && norm(c.physics.gravity) == 0)
    fail(c, path + ".expansion", "drives nothing without physics.gravity; give that, e.g. [0, -9.81, 0], or remove it");
}

void check_condition(const Case& c, const std::string& path, const Case::Boundary::ScalarCondition& condition) {
  std::vector<std::string> given;
  if (condition.value) given.emplace_back("value");
  if (condition.flux) given.emplace_back("flux");
  if (condition.exchange) given.emplace_back("exchange");
  if (condition.adiabatic) given.emplace_back("adiabatic");
  if (given.size() > 1)
    fail(c, path + "." + given.back(), "'" + join(given, "' and '") + "' contradict each other; give exactly one");
  if (given.empty()) fail(c, path, "says nothing; give one of value, flux, exchange (with ambient) and adiabatic");
  if (condition.adiabatic && !*condition.adiabatic)
    fail(c, path + ".adiabatic", "'false' says nothing; give value, flux or exchange instead");
  if (condition.exchange.has_value() != condition.ambient.has_value())
    fail(c, path, "'exchange' and 'ambient' belong together: the flux is exchange x (ambient - T); give both");
}

void check_conditions(const Case& c) {
  const std::vector<std::string> known = names_of_scalars(c);
  for (std::size_t b = 0; b < c.boundaries.size(); ++b)
    for (const auto& [name, condition] : c.boundaries[b].scalars) {
      const std::string path = "boundary[" + std::to_string(b) + "].scalars." + name;
      if (known.empty())
        fail(c, path, "there is no scalar '" + shorten(name) + "'; add [[scalar]] with that name, or remove this");
      if (std::find(known.begin(), known.end(), name) == known.end())
        fail(c, path,
             "there is no scalar '" + shorten(name) + "'" + did_you_mean(name, known) + " (scalars: " + join(known) +
                 ")");
      check_condition(c, path, condition);
    }
}

/// Names of fields that files and pictures ask for, of which the schema does not know those of scalars.
void check_field_names(const Case& c) {
  const auto with_scalars = [&](names::List names) {
    for (const std::string& scalar : names_of_scalars(c)) {
      names.push_back(scalar);
      names.push_back("average_" + scalar);
    }
    return names;
  };
  const auto check = [&](const std::string& key, const schema::Value& value, const names::List& allowed) {
    schema::Rule rule;
    rule.allowed = &allowed;
    schema::check_value(c.place(key), key, value, rule);
  };
  check("output.fields", c.output.fields, with_scalars(names::fields));
  const names::List of_pictures = with_scalars(names::slice_fields);
  for (std::size_t i = 0; i < c.output.slices.size(); ++i)
    check("output.slice[" + std::to_string(i) + "].field", c.output.slices[i].field, of_pictures);
}

void check_steady_scalar(const Case& c) {
  const std::string prefix = "scalar:";
  if (!c.run.steady || !c.run.steady->quantity.starts_with(prefix)) return;
  const std::string name = c.run.steady->quantity.substr(prefix.size());
  const std::vector<std::string> known = names_of_scalars(c);
  if (std::find(known.begin(), known.end(), name) == known.end())
    fail(c, "run.steady.quantity", "there is no scalar '" + shorten(name) + "'" + did_you_mean(name, known));
}

}  // namespace

void check_scalars(const Case& c) {
  check_field_names(c);
  check_steady_scalar(c);
  check_conditions(c);
  check_flat(c, "physics.gravity", c.physics.gravity);
  std::set<std::string> taken;
  for (std::size_t k = 0; k < c.scalars.size(); ++k) {
    check_scalar_name(c, k, taken);
    check_one_scalar(c, k);
  }
  if (norm(c.physics.gravity) != 0 &&
      std::none_of(c.scalars.begin(), c.scalars.end(), [](const Case::Scalar& s) { return s.expansion != 0; }))
    fail(c, "physics.gravity",
         "drives buoyancy, and no scalar has an 'expansion'; give that, or use physics.acceleration for a force at all "
         "nodes");
  if (c.scalars.empty()) return;
  if (!c.refine.empty())
    fail(c, "scalar[0]", "scalars do not run on levels of refinement ([[refine]]) yet; remove one of both");
  if (format_rounds(c.numerics.format))
    fail(c, "numerics.format", "'" + c.numerics.format + "' does not store scalars ([[scalar]]) yet; use fp32 or fp64");
}

}  // namespace fluvia::validation
