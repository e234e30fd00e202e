// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>

#include "fluvia/base/text.hpp"
#include "fluvia/case/check.hpp"
#include "fluvia/case/names.hpp"
#include "fluvia/case/scalars/material_field.hpp"
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
      name == names::material_field || name.starts_with("average_"))
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
    if (!c.solids.empty()) names.emplace_back(names::material_field);
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

/// Whether a shape or a surface from a file of this name has the fluid around it.
bool names_a_body(const Case& c, const std::string& surface) {
  return std::any_of(c.geometry.shapes.begin(), c.geometry.shapes.end(),
                     [&](const Case::Shape& s) { return s.name == surface && s.operation == "solid"; }) ||
         std::any_of(c.geometry.stl.begin(), c.geometry.stl.end(),
                     [&](const Case::Stl& s) { return s.name == surface && s.fluid == "outside" && s.role == "wall"; });
}

void check_one_solid(const Case& c, std::size_t k) {
  const Case::Solid& solid = c.solids[k];
  const std::string path = "solid[" + std::to_string(k) + "]";
  std::vector<std::string> bodies;
  for (const Case::Shape& s : c.geometry.shapes) bodies.push_back(s.name);
  for (const Case::Stl& s : c.geometry.stl) bodies.push_back(s.name);
  if (!names_a_body(c, solid.surface))
    fail(c, path + ".surface",
         "'" + shorten(solid.surface) + "' is no body in the fluid" + did_you_mean(solid.surface, bodies) +
             "; give a [[geometry.shape]], or a [[geometry.stl]] with fluid = \"outside\", that name");
  if (c.moves(solid.surface))
    fail(c, path + ".surface",
         "'" + shorten(solid.surface) + "' is a [[body]], and scalars do not spread in what moves; remove one of both");
  const std::vector<std::string> scalars = names_of_scalars(c);
  if (scalars.empty()) fail(c, path, "there is no scalar that could spread in it; add [[scalar]], or remove this");
  if (solid.scalar.empty() && scalars.size() > 1)
    fail(c, path, "'scalar' is missing; say which of them spreads in it (scalars: " + join(scalars) + ")");
  if (!solid.scalar.empty() && std::find(scalars.begin(), scalars.end(), solid.scalar) == scalars.end())
    fail(c, path + ".scalar",
         "there is no scalar '" + shorten(solid.scalar) + "'" + did_you_mean(solid.scalar, scalars) +
             " (scalars: " + join(scalars) + ")");
  const auto of = [&](const Case::Solid& s) { return s.scalar.empty() ? scalars.front() : s.scalar; };
  for (std::size_t other = 0; other < k; ++other)
    if (c.solids[other].surface == solid.surface && of(c.solids[other]) == of(solid))
      fail(c, path + ".surface", "'" + shorten(solid.surface) + "' is there twice");
  for (const Case::Boundary& b : c.boundaries)
    if (b.surface == solid.surface && b.scalars.contains(of(solid)))
      fail(c, path + ".surface",
           "'" + of(solid) + "' spreads in '" + shorten(solid.surface) +
               "', and a [[boundary]] says what that surface does to it; remove one of both");
}

void check_solids(const Case& c) {
  constexpr std::size_t most = 255;  // materials are numbered in bytes
  if (c.solids.size() > most) fail(c, "solid[255]", "there are more than 255; join some of the same material");
  for (std::size_t k = 0; k < c.solids.size(); ++k) check_one_solid(c, k);
}

}  // namespace

void check_scalars(const Case& c) {
  check_field_names(c);
  check_steady_scalar(c);
  check_conditions(c);
  check_solids(c);
  check_flat(c, "physics.gravity", c.physics.gravity);
  std::set<std::string> taken;
  for (std::size_t k = 0; k < c.scalars.size(); ++k) {
    check_scalar_name(c, k, taken);
    check_one_scalar(c, k);
  }
  const bool is_weight = std::any_of(c.bodies.begin(), c.bodies.end(),
                                     [](const Case::Body& body) { return body.free && body.free->gravity; });
  if (norm(c.physics.gravity) != 0 && !is_weight &&
      std::none_of(c.scalars.begin(), c.scalars.end(), [](const Case::Scalar& s) { return s.expansion != 0; }))
    fail(c, "physics.gravity",
         "drives buoyancy, and no scalar has an 'expansion' and no [[body]] is free; give that, or use "
         "physics.acceleration for a force at all nodes");
}

}  // namespace fluvia::validation
