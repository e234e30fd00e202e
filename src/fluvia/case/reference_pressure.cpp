// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/reference_pressure.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "fluvia/base/csv.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/series_units.hpp"
#include "fluvia/core/boundary/registry.hpp"

namespace fluvia {

namespace {

/// Pressure (lattice) whose density would be 0, or twice that at rest: a case that asks for more means another unit.
constexpr double largest_lattice_pressure = 1.0 / 3;

/// The reference pressure in lattice units, where a pressure is a density. Openings prescribe densities, so it is 0 if
/// one of them holds a pressure; else it is the pressure at the start.
double lattice_reference(const Case& c, bool is_held) {
  const double start = c.physics.initial_pressure.value_or(0);
  return !is_held && std::abs(start) < largest_lattice_pressure ? start : 0;
}

/// Times and values of a series, `series_scale` included, with the way back to the first value; empty if the file
/// cannot be read, of which other checks tell.
struct Course {
  std::vector<double> times, values;
  [[nodiscard]] double mean() const {
    double sum = 0;
    for (std::size_t k = 1; k < values.size(); ++k) sum += (times[k] - times[k - 1]) * (values[k] + values[k - 1]) / 2;
    const double duration = times.back() - times.front();
    return duration > 0 ? sum / duration : values.front();
  }
};
std::optional<Course> read_course(const Case& c, const Case::Boundary& b) {
  Course course;
  try {
    const SeriesUnits units = series_units(c, b);
    read_number_rows(c.directory / b.series, {"time", "value"}, [&](const std::vector<double>& row, int) {
      course.times.push_back(units.time * row[0]);
      course.values.push_back(b.series_scale * units.value * row[1]);
    });
  } catch (const Error&) {
    return std::nullopt;
  }
  if (course.values.empty()) return std::nullopt;
  if (b.series_periodic && b.series_period && *b.series_period > course.times.back() - course.times.front()) {
    // The time at which the series is back at its first value.
    course.times.push_back(course.times.front() + *b.series_period);
    course.values.push_back(course.values.front());
  }
  return course;
}

/// Mean of a series of pressures over its time, case units; 0 if it reaches 0; none if it cannot be read.
std::optional<double> mean_of_series(const Case& c, const Case::Boundary& b) {
  const std::optional<Course> course = read_course(c, b);
  if (!course) return std::nullopt;
  const auto [low, high] = std::minmax_element(course->values.begin(), course->values.end());
  return *low <= 0 && *high >= 0 ? 0 : course->mean();
}

/// The pressure that an opening holds, case units; none if it holds none.
std::optional<double> held_pressure(const Case& c, const Case::Boundary& b) {
  const core::ConditionFacts& facts = facts_of_boundary(b.type);
  if (!facts.is_opening) return std::nullopt;
  for (const core::Key& key : keys_of(facts)) {
    if (key.dimension != core::Dimension::pressure) continue;
    if (key.series && !b.series.empty()) return mean_of_series(c, b);
    const auto given = b.values.find(key.name);
    return given == b.values.end() ? key.standard : given->second;
  }
  return std::nullopt;
}

/// The value between these that is nearest to 0.
double nearest_to_zero(const std::vector<double>& values) {
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  return std::clamp(0.0, *low, *high);
}

/// Flow rate into the fluid through an opening, if the case states it without the size of the opening; none otherwise.
std::optional<double> prescribed_flow(const Case& c, const Case::Boundary& b) {
  if (b.series.empty()) return b.flow_rate;
  if (b.series_quantity != "flow_rate") return std::nullopt;
  const std::optional<Course> course = read_course(c, b);
  return course ? std::optional(course->mean()) : std::nullopt;
}

/// The pressure that windkessels come to once they are full, if all other openings prescribe flow rates: with vessels
/// before them that take no pressure, all have the P for which the sum of (P - p_k) / R_k is what flows in.
std::optional<double> full_windkessels(const Case& c) {
  using Key = core::WindkesselOpening;
  double inflow = 0, conductance = 0, behind = 0;
  for (const Case::Boundary& b : c.boundaries) {
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    if (!facts.is_opening) continue;
    if (facts.control != core::Control::windkessel) {
      const std::optional<double> flow = prescribed_flow(c, b);
      if (!flow) return std::nullopt;
      inflow += *flow;
      continue;
    }
    const auto value = [&](int key) {
      const auto given = b.values.find(facts.keys[key].name);
      return given == b.values.end() ? facts.keys[key].standard : given->second;
    };
    const double resistance = value(Key::proximal_resistance) + value(Key::distal_resistance);
    if (!(resistance > 0)) return std::nullopt;
    conductance += 1 / resistance;
    behind += value(Key::pressure) / resistance;
  }
  if (!(conductance > 0)) return std::nullopt;
  return (inflow + behind) / conductance;
}

}  // namespace

double reference_pressure(const Case& c) {
  if (c.units.reference_pressure) return *c.units.reference_pressure;
  std::vector<double> held, behind;
  for (const Case::Boundary& b : c.boundaries)
    if (const auto pressure = held_pressure(c, b))
      (facts_of_boundary(b.type).control == core::Control::windkessel ? behind : held).push_back(*pressure);
  if (c.units.system != "si") return lattice_reference(c, !held.empty() || !behind.empty());
  if (!held.empty()) return nearest_to_zero(held);
  if (!behind.empty() && !c.physics.initial_pressure)
    if (const std::optional<double> full = full_windkessels(c)) return *full;
  return !behind.empty() ? nearest_to_zero(behind) : c.physics.initial_pressure.value_or(0);
}

double initial_pressure(const Case& c) {
  const Case::Physics& p = c.physics;
  if (p.initial_pressure) return *p.initial_pressure;
  const bool is_given = !p.initial_pressure_formula.empty() || !p.initial_pressure_file.empty();
  return is_given ? 0 : reference_pressure(c);
}

}  // namespace fluvia
