// SPDX-License-Identifier: Apache-2.0
#include "fluvia/units/limits.hpp"

#include <fmt/format.h>

#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/reference_pressure.hpp"
#include "fluvia/core/lattice/isotropy.hpp"

namespace fluvia {

namespace {

std::string slower(const Units& u) {
  return u.si ? "choose a smaller units.time_step or units.lattice_velocity" : "use smaller velocities and viscosity";
}

void check_velocity(const Case& c, const Units& u, const std::string& key, const Real3& velocity) {
  check_speed(c, u, key, norm(velocity), u.velocity(norm(velocity)));
}

/// Checks the keys that only some boundary conditions have.
void check_values(const Case& c, const Units& u, const Case::Boundary& b, const std::string& path) {
  const core::ConditionFacts& facts = facts_of_boundary(b.type);
  for (const core::Key& key : keys_of(facts)) {
    const auto given = b.values.find(key.name);
    if (given == b.values.end()) continue;
    const std::string name = path + "." + key.name;
    if (key.dimension == core::Dimension::velocity) check_speed(c, u, name, given->second, u.velocity(given->second));
    // The pressure of a windkessel lies behind vessels that are not computed: no fluid of the case has it.
    if (key.dimension == core::Dimension::pressure && facts.control != core::Control::windkessel)
      check_pressure(c, u, name, given->second, u.gauge_pressure(given->second));
  }
}

}  // namespace

void check_speed(const Case& c, const Units& u, const std::string& key, double value, double speed) {
  const double mach = std::sqrt(inverse_cs2) * std::abs(speed);
  if (mach <= c.run.max_mach) return;
  throw_input(
      fmt::format("{}: {}: '{}' is a lattice speed of {}, Mach {}, above run.max_mach = {}, where a run stops; {}",
                  c.place(key), key, format_short(value), format_short(std::abs(speed)), format_short(mach),
                  format_short(c.run.max_mach), slower(u)));
}

void check_pressure(const Case& c, const Units& u, const std::string& key, double value, double pressure) {
  const double deviation = inverse_cs2 * pressure;
  if (std::abs(deviation) < 1) return;
  throw_input(
      fmt::format("{}: {}: '{}' means a density of {} times that at rest, expected well within 0 to 2; {}",
                  c.place(key), key, format_short(value), format_short(1 + deviation),
                  u.si ? "check its unit, Pa, or choose a smaller units.time_step" : "give a smaller pressure"));
}

void check_limits(const Case& c, const Units& u) {
  if (u.tau > largest_possible_tau) {
    throw_input(
        fmt::format("{}: units: the lattice viscosity {} means tau = {}, above {}; choose a smaller time step "
                    "or viscosity, for tau about 1",
                    c.place("units"), format_short(u.viscosity), format_short(u.tau), largest_possible_tau));
  }
  const Case::Physics& p = c.physics;
  check_velocity(c, u, "physics.initial_velocity", p.initial_velocity);
  if (p.initial_flow != "uniform")
    check_speed(c, u, "physics.initial_speed", p.initial_speed, u.velocity(p.initial_speed));
  // Beside a formula or a file it is a part of the pressure, of which InitialFields checks the sum.
  const double start = initial_pressure(c);
  if (p.initial_pressure_formula.empty() && p.initial_pressure_file.empty())
    check_pressure(c, u, "physics.initial_pressure", start, u.gauge_pressure(start));
  // The speed that one step adds.
  const double acceleration = norm(p.acceleration);
  check_speed(c, u, "physics.acceleration", acceleration, u.acceleration(acceleration));
  for (std::size_t i = 0; i < c.boundaries.size(); ++i) {
    const Case::Boundary& b = c.boundaries[i];
    const std::string path = "boundary[" + std::to_string(i) + "]";
    check_velocity(c, u, path + ".velocity", b.velocity);
    if (b.speed) check_speed(c, u, path + ".speed", *b.speed, u.velocity(*b.speed));
    check_values(c, u, b, path);
  }
}

}  // namespace fluvia
