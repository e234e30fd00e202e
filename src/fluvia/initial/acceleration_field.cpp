// SPDX-License-Identifier: Apache-2.0
#include "fluvia/initial/acceleration_field.hpp"

#include "fluvia/units/limits.hpp"

namespace fluvia {

AccelerationField::AccelerationField(const Problem& problem) {
  const Case::Physics& p = problem.settings.physics;
  const auto acceleration = [units = problem.units](double a) { return units.acceleration(a); };
  if (!p.acceleration_formula.empty())
    sources_.add_formulas(problem, "physics.acceleration_formula", true, p.acceleration_formula, acceleration);
  if (!p.acceleration_file.empty())
    sources_.add_vectors(problem, "physics.acceleration_file", p.acceleration_file, "acceleration", acceleration);
}

std::vector<std::string> AccelerationField::check(const Problem& problem) const {
  NodeSources::Findings found = sources_.look(problem, "get none of this force");
  if (found.vector_key.empty()) return {};
  const Units& units = problem.units;
  const double added = found.longest.value;  // the speed that one step adds
  check_speed(problem.settings, units, found.vector_key, added / units.acceleration(1), added);
  if (added == 0) found.warnings.push_back(found.vector_key + ": is 0 at all fluid nodes, so that it drives nothing");
  return found.warnings;
}

}  // namespace fluvia
