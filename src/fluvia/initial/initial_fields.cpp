// SPDX-License-Identifier: Apache-2.0
#include "fluvia/initial/initial_fields.hpp"

#include "fluvia/case/physics/initial_flows.hpp"
#include "fluvia/case/reference_pressure.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/units/limits.hpp"

namespace fluvia {

InitialFields::InitialFields(const Problem& problem) {
  const Case& c = problem.settings;
  const Units& units = problem.units;
  const Case::Physics& p = c.physics;
  const NodeBox box(problem);
  const auto velocity = [units](double v) { return units.velocity(v); };
  const auto density = [units](double pressure) { return units.pressure(pressure) / core::sound_speed_squared; };

  // Pressures of formulas and files are added to the initial one: the reference is subtracted once.
  if (const double above = initial_pressure(c) - units.reference_pressure; above != 0) {
    sources_.add({"physics.initial_pressure", false, true, [part = density(above)](const Int3&, NodeValue& sum) {
                    sum.number += part;
                    return true;
                  }});
  }
  if (norm(p.initial_velocity) != 0) {
    Real3 part;
    for (int axis = 0; axis < 3; ++axis) part[axis] = velocity(p.initial_velocity[axis]);
    sources_.add({"physics.initial_velocity", true, true, [part](const Int3&, NodeValue& sum) {
                    sum.vector = sum.vector + part;
                    return true;
                  }});
  }
  if (const InitialFlow* flow = find_initial_flow(p.initial_flow); flow != nullptr) {
    sources_.add({"physics.initial_flow", true, true,
                  [flow, speed = velocity(p.initial_speed), box](const Int3& node, NodeValue& sum) {
                    Real3 part;
                    for (int axis = 0; axis < 3; ++axis) part[axis] = (node[axis] + 0.5) / box.size[axis];
                    const FlowAtPoint point = flow->at(part, box.dimension);
                    sum.number += speed * speed * point.pressure / core::sound_speed_squared;
                    for (int axis = 0; axis < box.dimension; ++axis) sum.vector[axis] += speed * point.velocity[axis];
                    return true;
                  }});
  }
  if (!p.initial_velocity_formula.empty())
    sources_.add_formulas(problem, "physics.initial_velocity_formula", true, p.initial_velocity_formula, velocity);
  if (!p.initial_pressure_formula.empty())
    sources_.add_formulas(problem, "physics.initial_pressure_formula", false, {p.initial_pressure_formula}, density);
  if (!p.initial_velocity_file.empty())
    sources_.add_vectors(problem, "physics.initial_velocity_file", p.initial_velocity_file, "velocity", velocity);
  if (!p.initial_pressure_file.empty()) {
    // Where the file has no value, and no other source gives one, the fluid is at rest.
    const bool alone = !p.initial_pressure && p.initial_pressure_formula.empty();
    sources_.add_numbers(problem, "physics.initial_pressure_file", p.initial_pressure_file, "pressure",
                         alone ? units.reference_pressure : 0, density);
  }
}

InitialNode InitialFields::at(const Int3& node) const noexcept {
  const NodeValue sum = sources_.at(node);
  return {1 + sum.number, sum.vector};
}

std::vector<std::string> InitialFields::check(const Problem& problem) const {
  const NodeSources::Findings found = sources_.look(problem, "start without it");
  const Units& units = problem.units;
  if (const double speed = found.longest.value; !found.vector_key.empty())
    check_speed(problem.settings, units, found.vector_key, units.si_velocity(speed), speed);
  const double pressure = core::sound_speed_squared * found.largest.value;
  if (!found.number_key.empty())
    check_pressure(problem.settings, units, found.number_key, units.si_gauge_pressure(pressure), pressure);
  return found.warnings;
}

}  // namespace fluvia
