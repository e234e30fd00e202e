// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/run_end.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/geometry/map/link_search.hpp"
#include "fluvia/run/monitors/signal_facts.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia {

namespace {

using Kind = MonitorSignal::Kind;
using OfOpening = SignalFacts::OfOpening;

/// Group of a signal: one that is small beside another of its group does not matter.
std::pair<Kind, std::string> group_of(const MonitorSignal& signal) {
  const SignalFacts& facts = facts_of(signal.kind);
  return {facts.beside_kind, facts.beside == SignalFacts::Beside::all ? "" : signal.subject};
}

/// Whether nothing moved in the window but by rounding, as in a fluid that bears its own weight.
bool is_at_rest(const RunEnd& end) {
  return largest_speed(end) <= speed_of_rest;
}

/// What counts as small of a kind of signal in a flow of this largest speed, in the column's unit.
double least_scale(Kind kind, const RunEnd& end) {
  // Changes at rest are rounding: of velocities, up to the speed of rest; of pressures and forces as much, in lattice
  // units.
  constexpr double rounding = speed_of_rest / Course::steady_share;
  const SignalFacts& facts = facts_of(kind);
  const double speed = std::max(end.totals.max_speed, speed_of_rest);
  const double small = facts.rounds && is_at_rest(end) ? rounding : facts.small(speed);
  return facts.in_case_unit(end.seen.units, small, end.seen.solver.geometry().nodes.dimension);
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

Course judge_signal(const RunEnd& end, const SignalStatistics& signal, double last, double scale) {
  const auto steps = static_cast<double>(end.history.every);
  if (!(end.rows_per_cycle() >= Course::fewest_rows_per_cycle)) return judge_course(signal, last, scale, steps);
  return judge_cycles(signal, last, scale, steps, end.rows_per_cycle() / static_cast<double>(signal.stride()));
}

/// Assesses the mean pressure where the fluid flows in less that where it flows out, row by row: what pressures of
/// openings that swing together leave.
void assess_pressure_drop(const RunEnd& end, Assessment& result) {
  const auto& signals = end.monitors.signals();
  std::map<std::string, double> flows;
  for (std::size_t k = 0; k < signals.size(); ++k)
    if (facts_of(signals[k].kind).of_opening == OfOpening::flow) flows[signals[k].subject] = result.signals[k].value;
  double in = 0, out = 0;
  for (const auto& [name, flow] : flows) (flow > 0 ? in : out) += std::abs(flow);
  if (!(in > 0) || !(out > 0)) return;
  std::vector<std::pair<std::size_t, double>> parts;  // column, weight
  for (const MonitorSignal& signal : signals) {
    const auto found =
        facts_of(signal.kind).of_opening == OfOpening::pressure ? flows.find(signal.subject) : flows.end();
    if (found != flows.end()) parts.emplace_back(signal.column, found->second / (found->second > 0 ? in : out));
  }
  const auto combined = [&](const auto& value) {
    double sum = 0;
    for (const auto& [column, weight] : parts) sum += weight * value(column);
    return sum;
  };
  SignalStatistics drop;
  const SignalStatistics& first = end.history.columns[parts.front().first];
  // All columns have as many samples, each the mean of as many rows: each sample counts as so many rows.
  for (std::size_t row = 0; row < first.samples().size(); ++row)
    for (std::uint64_t k = 0; k < first.stride(); ++k)
      drop.add(combined([&](std::size_t column) { return end.history.columns[column].samples()[row]; }));
  const double last = combined([&](std::size_t column) { return end.last_row[column]; });
  result.pressure_drop_scale = std::max(largest(drop), least_scale(Kind::pressure, end));
  result.pressure_drop = judge_signal(end, drop, last, result.pressure_drop_scale);
}

/// The size of a signal: pressures count from the reference, since all of them may be far from 0.
double size_of(const MonitorSignal& signal, const RunEnd& end) {
  const SignalStatistics& values = end.history.columns[signal.column];
  if (!facts_of(signal.kind).from_reference) return largest(values);
  const double reference = end.seen.units.reference_pressure;
  return std::max(std::abs(values.minimum() - reference), std::abs(values.maximum() - reference));
}

void assess_signals(const RunEnd& end, Assessment& result) {
  const auto& signals = end.monitors.signals();
  std::map<std::pair<Kind, std::string>, double> scales;
  for (const MonitorSignal& signal : signals) {
    double& scale = scales[group_of(signal)];
    scale = std::max({scale, size_of(signal, end), least_scale(signal.kind, end)});
  }
  // The moment of a body that is pushed along a line through its center is rounding of large parts that cancel.
  for (const MonitorSignal& signal : signals)
    if (const auto force = scales.find({Kind::force, signal.subject});
        facts_of(signal.kind).has_lever && force != scales.end()) {
      double& scale = scales[group_of(signal)];
      scale = std::max(scale, end.seen.units.spacing * force->second);
    }
  for (const MonitorSignal& signal : signals) {
    result.scales.push_back(std::max(scales[group_of(signal)], std::numeric_limits<double>::min()));
    result.signals.push_back(
        judge_signal(end, end.history.columns[signal.column], end.last_row[signal.column], result.scales.back()));
  }
}

/// Whether fluid of a geometry touches a surface.
bool touches(const Geometry& geometry, const std::string& surface) {
  std::vector<bool> wanted;
  for (const std::string& name : geometry.surfaces) wanted.push_back(name == surface);
  return !collect_cut_links(geometry, axis_offsets(geometry.nodes.dimension), wanted).empty();
}

/// Extents of bodies as they are on the levels of refinement that they lie on: the coarsest that a body touches.
void refine_extents(const Solver& solver, std::vector<BodyExtent>& bodies) {
  const auto levels = solver.levels();
  for (BodyExtent& body : bodies)
    for (std::size_t l = 0; l < levels.size(); ++l) {
      const Geometry& geometry = levels[l].state->geometry();
      if (!touches(geometry, body.name)) continue;
      body.across *= std::exp2(l);
      body.length *= std::exp2(l);
      break;
    }
}

}  // namespace

std::size_t column_of(const RunEnd& end, const std::string& name) {
  const auto& columns = end.monitors.columns();
  for (std::size_t k = 0; k < columns.size(); ++k)
    if (columns[k].name == name) return k;
  throw Error(ExitCode::internal, "monitors have no column '" + name + "'");
}

double largest_speed(const RunEnd& end) {
  const SignalStatistics& fastest = end.history.columns[column_of(end, "max_velocity")];
  const double seen = fastest.count() > 0 ? end.seen.units.velocity(fastest.maximum()) : 0;
  return std::max(seen, end.totals.max_speed);
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
    return judge_signal(end, signal, end.last_row[column], std::max(largest(signal), least));
  };
  const double energy_of_rest = 0.5 * fluid_mass(end) * speed_of_rest * speed_of_rest;
  result.energy = course_of("kinetic_energy", energy_of_rest);
  result.energy_scale = std::max(std::abs(result.energy.value), energy_of_rest);
  result.max_speed = course_of("max_velocity", end.seen.units.si_velocity(speed_of_rest));
  assess_signals(end, result);
  assess_pressure_drop(end, result);
  result.walls = resolve_walls(end.c, {end.seen.solver, end.seen.units, end.seen.grid});
  result.survey = survey_flow(end.seen.solver);
  const Real3 direction = end.c.monitors.drag_axis.value_or(end.totals.momentum);
  if (end.totals.max_speed > speed_of_rest) result.axis = dominant_axis(direction);
  if (result.axis >= 0) result.bodies = measure_bodies(end.seen.solver.geometry(), end.c.monitors.forces, result.axis);
  refine_extents(end.seen.solver, result.bodies);
  return result;
}

}  // namespace fluvia
