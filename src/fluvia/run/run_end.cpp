// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/run_end.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "fluvia/base/error.hpp"

namespace fluvia {

namespace {

using Kind = MonitorSignal::Kind;
constexpr double speed_of_rest = 1e-6;  ///< lattice; what moves less is at rest, but for rounding

/// Signals of which one small beside another does not matter: components of a vector, all pressures, ...
std::pair<Kind, std::string> group_of(const MonitorSignal& signal) {
  switch (signal.kind) {
    case Kind::flow_rate:
    case Kind::plane_flow:
    case Kind::pressure:
    case Kind::velocity:
      return {signal.kind, ""};
    case Kind::drag:
      return {Kind::coefficient, signal.subject};
    default:
      return {signal.kind, signal.subject};
  }
}

/// What is small of such quantities in a flow of this largest speed, in the column's unit.
double least_scale(Kind kind, const RunEnd& end) {
  const Units& units = end.seen.units;
  const int dimension = end.seen.solver.geometry().nodes.dimension;
  const double speed = std::max(end.totals.max_speed, speed_of_rest);
  switch (kind) {
    case Kind::force:
    case Kind::force_part:
      return units.si_force(speed * speed, dimension);
    case Kind::torque:
      return units.si_torque(speed * speed, dimension);
    case Kind::coefficient:
    case Kind::drag:
    case Kind::torque_coefficient:
      return 1e-3;
    case Kind::flow_rate:
    case Kind::plane_flow:
      return units.si_flow_rate(speed, dimension);
    case Kind::pressure:
      return units.si_pressure(0.5 * speed * speed);
    case Kind::velocity:
      return units.si_velocity(0.01 * speed);
    case Kind::permeability:
      break;
  }
  return 0;
}

double largest(const SignalStatistics& signal) {
  return std::max(std::abs(signal.minimum()), std::abs(signal.maximum()));
}

int dominant_axis(const Real3& v) {
  int axis = -1;
  double most = 0;
  for (int a = 0; a < 3; ++a)
    if (std::abs(v[a]) > most) most = std::abs(v[axis = a]);
  return axis;
}

void assess_signals(const RunEnd& end, Assessment& result) {
  const auto& signals = end.monitors.signals();
  std::map<std::pair<Kind, std::string>, double> scales;
  for (const MonitorSignal& signal : signals) {
    double& scale = scales[group_of(signal)];
    scale = std::max({scale, largest(end.history.columns[signal.column]), least_scale(signal.kind, end)});
  }
  const auto steps = static_cast<double>(end.history.every);
  for (const MonitorSignal& signal : signals) {
    result.scales.push_back(std::max(scales[group_of(signal)], std::numeric_limits<double>::min()));
    result.signals.push_back(
        judge_course(end.history.columns[signal.column], end.last_row[signal.column], result.scales.back(), steps));
  }
}

}  // namespace

std::size_t column_of(const RunEnd& end, const std::string& name) {
  const auto& columns = end.monitors.columns();
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].starts_with(name + " [")) return k;
  throw Error(ExitCode::internal, "monitors have no column '" + name + "'");
}

double fluid_mass(const RunEnd& end) {
  const NodeMap& nodes = end.seen.solver.geometry().nodes;
  return static_cast<double>(nodes.fluid_nodes) * nodes.node_volume();
}

Assessment assess(const RunEnd& end) {
  Assessment result;
  const auto course_of = [&](const std::string& name, double least) {
    const std::size_t column = column_of(end, name);
    const SignalStatistics& signal = end.history.columns[column];
    return judge_course(signal, end.last_row[column], std::max(largest(signal), least),
                        static_cast<double>(end.history.every));
  };
  const double energy_of_rest = 0.5 * fluid_mass(end) * speed_of_rest * speed_of_rest;
  result.energy = course_of("kinetic_energy", energy_of_rest);
  result.energy_scale = std::max(std::abs(result.energy.value), energy_of_rest);
  result.max_speed = course_of("max_velocity", end.seen.units.si_velocity(speed_of_rest));
  assess_signals(end, result);
  result.walls = resolve_walls(end.c, {end.seen.solver, end.seen.units, end.seen.grid});
  const Real3 direction = end.c.monitors.drag_axis.value_or(end.totals.momentum);
  if (end.totals.max_speed > speed_of_rest) result.axis = dominant_axis(direction);
  if (result.axis >= 0) result.bodies = measure_bodies(end.seen.solver.geometry(), end.c.monitors.forces, result.axis);
  return result;
}

}  // namespace fluvia
