// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/local_viscosity.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/rheology.hpp"
#include "fluvia/core/viscosity/registry.hpp"

namespace fluvia {
namespace {

/// Relaxation times that limit models without limits of their own, where the case gives none; beyond them a run warns.
constexpr double least_tau_of_model = 0.501, most_tau_of_model = 10;

double viscosity_of_tau(double tau) {
  return (tau - 0.5) / 3;
}

void set_limits(const Case& c, const Units& units, const core::ViscosityFacts& facts,
                const core::ViscosityNumbers& numbers, LocalViscosity& v) {
  const auto in_lattice = [&](double value) {
    return in_lattice_units(value, core::Dimension::viscosity, units, c.domain.dimension);
  };
  const Case::Physics::Rheology& r = *c.physics.rheology;
  v.least = numbers.least;
  v.most = numbers.most;
  if (r.least_viscosity) v.least = std::max(v.least, in_lattice(*r.least_viscosity));
  if (r.most_viscosity) v.most = std::min(v.most, in_lattice(*r.most_viscosity));
  if (facts.needs_limits) {
    v.least_is_default = v.least == 0;
    if (v.least_is_default) v.least = std::min(viscosity_of_tau(least_tau_of_model), v.most);
    v.most_is_default = v.most >= 1e300;
    if (v.most_is_default) v.most = std::max(viscosity_of_tau(most_tau_of_model), v.least);
  }
  if (v.least > v.most * (1 + 1e-12))
    throw_input(fmt::format("{}: physics.rheology: its limits leave no viscosity: at least {} Pa s and at most {} Pa s",
                            c.place("physics.rheology"), format_short(units.si_viscosity(v.least)),
                            format_short(units.si_viscosity(v.most))));
}

/// Shear rate at which the model, without limits, has a viscosity; 0 or infinity if there is none.
double shear_rate_of(const LocalViscosity& v, double viscosity) {
  const bool thins = v.function(1e-12, v.parameters) > v.function(1e6, v.parameters);
  double low = 1e-25, high = 1e10;
  for (int k = 0; k < 200; ++k) {
    const double middle = std::sqrt(low * high);
    (v.function(middle, v.parameters) > viscosity) == thins ? low = middle : high = middle;
  }
  return std::sqrt(low * high);
}

/// Whether a lattice can have the shear rate of a limit at all: speeds differ by less than that of sound.
bool is_reached(const LocalViscosity& v, double limit) {
  return shear_rate_of(v, limit) < 0.5;
}

std::string with_tau(double viscosity, const Units& units) {
  return fmt::format("{} Pa s (tau {})", format_short(units.si_viscosity(viscosity), 4),
                     format_short(3 * viscosity + 0.5, 4));
}

}  // namespace

double LocalViscosity::at(double shear_rate) const {
  return function == nullptr ? least : std::clamp(function(shear_rate, parameters), least, most);
}

LocalViscosity make_local_viscosity(const Case& c, const Units& units) {
  LocalViscosity v;
  v.model = viscosity_model(c);
  v.parameters.tau = units.tau;
  v.parameters.omega = units.omega();
  v.least = v.most = units.viscosity;
  const core::ViscosityFacts& facts = facts_of_viscosity(v.model);
  double keys[core::max_viscosity_keys] = {};
  const std::vector<double> values = viscosity_values(c);
  const std::vector<core::Key> own = keys_of(facts);
  for (std::size_t k = 0; k < own.size(); ++k)
    keys[k] = in_lattice_units(values[k], own[k].dimension, units, c.domain.dimension);
  core::for_each_type(core::Viscosities{}, [&]<class Model>(Model) {
    if constexpr (Model::varies) {
      if (v.model != Model::facts.name) return;
      v.function = Model::viscosity;
      const core::ViscosityNumbers numbers = Model::prepare(keys, units.viscosity, units.time_step);
      if (numbers.problem != nullptr)
        throw_input(c.place("physics.rheology") + ": physics.rheology: " + numbers.problem);
      std::copy(std::begin(numbers.value), std::end(numbers.value), v.parameters.viscosity);
      v.least = numbers.least;
      v.most = numbers.most;
      if (facts.of_fluid) set_limits(c, units, facts, numbers, v);
    }
  });
  v.parameters.least_log_tau = std::log2(3 * v.least + 0.5);
  v.parameters.most_log_tau = std::log2(3 * v.most + 0.5);
  return v;
}

std::string describe(const LocalViscosity& v, const Units& units) {
  if (!v.varies()) return "";
  if (v.most >= 1e300) return v.model + ", at least " + with_tau(v.least, units);
  return fmt::format("{}, {} to {}", v.model, with_tau(v.least, units), with_tau(v.most, units));
}

std::vector<std::string> advise(const LocalViscosity& v, const Units& units) {
  std::vector<std::string> advice;
  if (!v.varies() || !facts_of_viscosity(v.model).of_fluid) return advice;
  const auto limit = [&](const char* which, const char* key, double viscosity) {
    advice.push_back(fmt::format(
        "physics.rheology: {} has no {} viscosity of its own; it is kept at {}, which it reaches at a shear rate of "
        "{} 1/s; give {} to choose",
        v.model, which, with_tau(viscosity, units), format_short(units.si_rate(shear_rate_of(v, viscosity)), 3), key));
  };
  if (v.least_is_default && is_reached(v, v.least)) limit("smallest", "least_viscosity", v.least);
  if (v.most_is_default && is_reached(v, v.most)) limit("largest", "most_viscosity", v.most);
  constexpr double rounding = 1e-9;
  if (3 * v.most + 0.5 > most_tau_of_model * (1 + rounding))
    advice.push_back(fmt::format(
        "physics.rheology: the largest viscosity, {}, has a relaxation time above {}: slow regions become inaccurate; "
        "reduce the time step, or give most_viscosity",
        with_tau(v.most, units), most_tau_of_model));
  if (v.least_tau() < 0.51 - rounding && is_reached(v, v.least * 1.01))
    advice.push_back(
        fmt::format("physics.rheology: the smallest viscosity, {}, is within 0.01 of tau = 1/2, where collisions may "
                    "become unstable; refine the spacing, raise the lattice speed, or give least_viscosity",
                    with_tau(v.least, units)));
  constexpr double near = 1.05;
  if (units.viscosity > v.most * near || units.viscosity * near < v.least)
    advice.push_back(fmt::format(
        "units.viscosity, {}, to which tau and the Reynolds number refer, is not among the viscosities of {}",
        with_tau(units.viscosity, units), v.model));
  return advice;
}

}  // namespace fluvia
