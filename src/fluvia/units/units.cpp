// SPDX-License-Identifier: Apache-2.0
#include "fluvia/units/units.hpp"

#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/reference_pressure.hpp"
#include "fluvia/core/format/fp64.hpp"
#include "fluvia/core/lattice/isotropy.hpp"
#include "fluvia/units/limits.hpp"

namespace fluvia {
namespace {

/// length^power, the scale of a quantity.
double scale(double length, int power) {
  return std::pow(length, power);
}

[[noreturn]] void fail(const Case& c, const std::string& key, const std::string& problem) {
  throw_input(c.place(key) + ": " + key + ": " + problem);
}

double needed(const Case& c, const std::optional<double>& value, const char* key, const char* why) {
  if (!value) fail(c, "units", std::string("'") + key + "' is missing; " + why);
  if (!(*value > 0) || !std::isfinite(*value)) {
    fail(c, std::string("units.") + key, "'" + format_real(*value) + "' must be above 0");
  }
  return *value;
}

void check_tau_input(const Case& c) {
  if (c.units.tau && !(*c.units.tau > 0.5 && std::isfinite(*c.units.tau))) {
    fail(c, "units.tau",
         "'" + format_real(*c.units.tau) +
             "' must be above 0.5, because the viscosity is (tau - 1/2)/3; "
             "0.55 to 1 is usual");
  }
}

Units lattice_units(const Case& c) {
  Units u;
  check_tau_input(c);
  if (c.units.tau && c.units.viscosity) fail(c, "units.tau", "'viscosity' and 'tau' contradict each other; give one");
  u.viscosity = c.units.tau ? (*c.units.tau - 0.5) / inverse_cs2
                            : needed(c, c.units.viscosity, "viscosity", "lattice units need 'viscosity' or 'tau'");
  return u;
}

double si_time_step(const Case& c, double spacing, double viscosity) {
  const Case::Units& given = c.units;
  const int count = given.time_step.has_value() + given.lattice_velocity.has_value() + given.tau.has_value();
  if (count != 1) fail(c, "units", "SI units need exactly one of 'time_step', 'lattice_velocity', 'tau'");
  if (given.time_step) return needed(c, given.time_step, "time_step", "");
  if (given.tau) return (*given.tau - 0.5) / inverse_cs2 * spacing * spacing / viscosity;
  const double speed = needed(c, given.lattice_velocity, "lattice_velocity", "");
  const double reference = needed(c, given.reference_velocity, "reference_velocity",
                                  "it is the speed in m/s that 'lattice_velocity' stands for");
  return speed * spacing / reference;
}

Units si_units(const Case& c, double spacing) {
  Units u;
  check_tau_input(c);
  const double viscosity = needed(c, c.units.viscosity, "viscosity", "SI units need it in m2/s");
  u.si = true;
  u.spacing = spacing;
  u.density = c.units.density;
  u.time_step = si_time_step(c, spacing, viscosity);
  u.viscosity = viscosity * u.time_step / (spacing * spacing);
  return u;
}

/// The smallest lattice viscosity that is taken in a format: what its arithmetic can add to 1/2. Beside that of
/// modelled eddies, and in double precision, it is one at which the fluid has no friction in any run.
double least_viscosity(const Case& c, const std::string& format) {
  constexpr double in_single_precision = 1e-7, of_any_meaning = 1e-11;
  const bool has_single_precision = arithmetic_bytes(format) == sizeof(float);
  return has_single_precision && c.physics.smagorinsky == 0 ? in_single_precision : of_any_meaning;
}

/// What to change when the lattice viscosity is too small even to be told from zero; text for a message.
std::string smaller_tau_remedy(const Case& c, const Units& u) {
  constexpr double sound_viscosity = 0.02 / inverse_cs2;  // tau = 0.52
  const double factor = sound_viscosity / u.viscosity;
  if (!u.si) return "give a viscosity of at least " + format_short(sound_viscosity);
  if (c.units.lattice_velocity) {
    return "divide units.spacing by " + format_short(factor) +
           " (units.lattice_velocity cannot rise above 0.1), or raise "
           "the viscosity";
  }
  return "units.time_step = " + format_short(u.time_step * factor) + " would give tau = 0.52";
}

}  // namespace

double Units::mach() const {
  return std::sqrt(inverse_cs2) * reference_velocity;
}
double Units::reynolds() const {
  return reference_velocity * reference_length / viscosity;
}

double Units::physical_reynolds() const {
  return physical_viscosity > 0 ? reference_velocity * reference_length / physical_viscosity : reynolds();
}

double Units::flow_rate(double q, int dimension) const {
  return q * time_step / scale(spacing, dimension);
}
double Units::si_flow_rate(double q, int dimension) const {
  return q * scale(spacing, dimension) / time_step;
}

// Pressure is density times speed squared.
double Units::pressure(double p) const {
  return p / (density * scale(spacing / time_step, 2));
}
double Units::si_pressure(double p) const {
  return p * density * scale(spacing / time_step, 2);
}

// Stress is viscosity times rate.
double Units::si_viscosity(double v) const {
  return si_pressure(v) * time_step;
}

// Force is pressure times area (2D: times length, per metre of depth); torque one length more.
double Units::si_force(double f, int dimension) const {
  return si_pressure(f) * scale(spacing, dimension - 1);
}
double Units::si_torque(double t, int dimension) const {
  return si_pressure(t) * scale(spacing, dimension);
}

double in_lattice_units(double value, core::Dimension dimension, const Units& units, int space) {
  switch (dimension) {
    case core::Dimension::none:
      return value;
    case core::Dimension::length:
      return units.length(value);
    case core::Dimension::time:
      return value / units.time_step;
    case core::Dimension::velocity:
      return units.velocity(value);
    case core::Dimension::pressure:
    case core::Dimension::consistency:
      return units.pressure(value);
    case core::Dimension::viscosity:
      return units.pressure(value) / units.time_step;
    case core::Dimension::resistance:
      return value * units.pressure(1) / units.flow_rate(1, space);
    case core::Dimension::compliance:
      return value * units.flow_rate(1, space) / (units.pressure(1) * units.time_step);
  }
  return value;
}

Units Units::of_level(int level) const {
  const double finer = std::exp2(level);
  Units units = *this;
  units.spacing /= finer;
  units.time_step /= finer;
  units.viscosity *= finer;
  units.physical_viscosity *= finer;
  units.reference_length *= finer;
  units.tau = 0.5 + inverse_cs2 * units.viscosity;
  return units;
}

Units make_units(const Case& c, double spacing) {
  if (!(spacing > 0) || !std::isfinite(spacing)) {
    fail(c, "units.spacing", "'" + format_real(spacing) + "' must be above 0");
  }
  if (!(c.units.density > 0) || !std::isfinite(c.units.density)) {
    fail(c, "units.density", "'" + format_real(c.units.density) + "' must be above 0");
  }
  Units u = c.units.system == "si" ? si_units(c, spacing) : lattice_units(c);
  u.tau = inverse_cs2 * u.viscosity + 0.5;
  if (!(u.viscosity > least_viscosity(c, c.numerics.format)) || !std::isfinite(u.tau)) {
    const bool helps = u.viscosity > least_viscosity(c, core::Fp64::name) && std::isfinite(u.tau);
    fail(c, "units",
         "the lattice viscosity is " + format_short(u.viscosity) + ", so tau = " + format_short(u.tau, 9) +
             " is not above 1/2" + (helps ? " in single precision" : "") + "; " + smaller_tau_remedy(c, u) +
             (helps ? ", or set numerics.format = \"fp64\"" : ""));
  }
  if (c.units.reference_velocity) u.reference_velocity = u.velocity(*c.units.reference_velocity);
  if (c.units.reference_length) u.reference_length = u.length(*c.units.reference_length);
  // A viscosity goes like length squared per time; in lattice units both are 1.
  if (c.units.physical_viscosity)
    u.physical_viscosity = *c.units.physical_viscosity * u.time_step / (u.spacing * u.spacing);
  u.reference_pressure = reference_pressure(c);
  check_limits(c, u);
  return u;
}

}  // namespace fluvia
