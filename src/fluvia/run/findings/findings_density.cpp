// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/reference_pressure.hpp"
#include "fluvia/core/lattice/isotropy.hpp"
#include "fluvia/run/checks/drive.hpp"
#include "fluvia/run/findings/findings_parts.hpp"
#include "fluvia/run/monitors/signal_facts.hpp"

namespace fluvia::findings {

namespace {

/// A value of density / density at rest - 1, and where it is. Velocities are momentum over density, and prescribed
/// velocities are momenta, so they are off by as much.
struct Deviation {
  double value = 0;
  std::string where;
};

/// The lowest and the highest deviations of a run.
struct Range {
  Deviation lowest, highest;
  bool is_empty = true;
  void take(double value, const std::string& where) {
    if (is_empty || value < lowest.value) lowest = {value, where};
    if (is_empty || value > highest.value) highest = {value, where};
    is_empty = false;
  }
  [[nodiscard]] const Deviation& worst() const {
    return std::abs(lowest.value) > std::abs(highest.value) ? lowest : highest;
  }
};

/// Deviations at openings: in the window where they are monitored, else now.
Range at_openings(const Material& m) {
  Range range;
  const Units& units = m.end.seen.units;
  const auto& openings = m.end.seen.solver.geometry().openings;
  const auto take = [&](double pressure, const std::string& name) {
    range.take(pressure / core::sound_speed_squared, "at '" + name + "'");
  };
  for (const MonitorSignal& signal : m.end.monitors.signals()) {
    const SignalStatistics& column = m.end.history.columns[signal.column];
    const auto is_subject = [&](const Opening& opening) { return opening.name == signal.subject; };
    if (facts_of(signal.kind).of_opening != SignalFacts::OfOpening::pressure || column.count() == 0 ||
        std::none_of(openings.begin(), openings.end(), is_subject))
      continue;
    for (const double pressure : {column.minimum(), column.maximum()})
      take(units.gauge_pressure(pressure), signal.subject);
  }
  for (std::size_t k = 0; k < m.end.flows.size(); ++k) take(m.end.flows[k].mean_pressure, openings[k].name);
  return range;
}

/// Adds the deviation of the mean in the window, and those of all but the most extreme hundredths of the nodes now.
void take_nodes(const Material& m, Range& range) {
  const SignalStatistics& mass = m.end.history.columns[column_of(m.end, "mass_deviation")];
  if (mass.count() > 0)
    for (const double deviation : {mass.minimum(), mass.maximum()})
      range.take(deviation / fluid_mass(m.end), "in the mean");
  range.take(m.seen.survey.lowest, "at one node in a hundred");
  range.take(m.seen.survey.highest, "at one node in a hundred");
}

bool holds_pressure(const Material& m) {
  const auto& boundaries = m.end.c.boundaries;
  return std::any_of(boundaries.begin(), boundaries.end(), [](const Case::Boundary& b) {
    const core::ConditionFacts& facts = facts_of_boundary(b.type);
    return facts.is_opening && facts.velocity == core::VelocityKeys::none;
  });
}

/// Relative change of the density by the weight of the fluid, which no time takes away: from the middle of a closed box
/// to its ends, or from an opening that holds a pressure to the other end.
double of_weight(const Material& m) {
  const NodeMap& nodes = m.end.seen.solver.geometry().nodes;
  double sum = 0;
  for (int axis = 0; axis < nodes.dimension; ++axis)
    if (!nodes.periodic[axis])
      sum += std::abs(m.end.seen.units.acceleration(m.end.c.physics.acceleration[axis])) * nodes.size[axis];
  return sum / core::sound_speed_squared * (m.end.flows.empty() ? 0.5 : 1);
}

Advice advice_for(const Material& m, const Range& range, double of_openings, double good) {
  const double worst = std::abs(range.worst().value);
  if (!m.end.flows.empty() && !holds_pressure(m))
    return {
        "no opening holds a pressure, so that what comes in beyond what leaves stays: make one of them of type "
        "'pressure'",
        {},
        false};
  // The pressure that windkessels are still on their way to says more than their present one.
  const auto windkessels = windkessel_pressure({m.end.c, m.end.seen.units, m.end.seen.solver.geometry()});
  if (windkessels && std::abs(*windkessels) > core::sound_speed_squared * good)
    return m.adviser.measure_from(*windkessels, "what windkessels come to");
  // What sound of the start still does dies out; pressures that openings hold, and the fluid's weight, do not.
  if (is_unsteady(m) && std::max(of_openings, of_weight(m)) < 0.5 * worst) return longer_than_now(m);
  // In a fluid that nothing leaves the mean density stays that of the start.
  const double start = m.end.seen.units.gauge_pressure(initial_pressure(m.end.c));
  if (m.end.flows.empty() && std::abs(start) > core::sound_speed_squared * good)
    return m.adviser.measure_from(start, "that at the start");
  return m.adviser.nearer_to_rest(range.lowest.value, range.highest.value, good, m.end.flows.empty());
}

}  // namespace

std::optional<Finding> density(const Material& m) {
  constexpr double good = 2, bad = 5, good_change = 0.1, bad_change = 1;  // percent
  Range range = at_openings(m);
  const double of_openings = std::abs(range.worst().value);
  take_nodes(m, range);
  const Deviation& worst = range.worst();
  const double percent = 100 * std::abs(worst.value);
  Finding f{"density", judge(percent, good, bad), percent, good, "%"};
  f.found = fmt::format("up to {}% {} that at rest{}{} (good: {}%)", n(percent), worst.value < 0 ? "below" : "above",
                        worst.where.empty() ? "" : " ", worst.where, n(good));
  if (m.end.flows.empty()) {  // nothing comes in or leaves
    const double change = 100 * m.end.mass.gained() / fluid_mass(m.end);
    const Judgement of_change = judge(std::abs(change), good_change, bad_change);
    f.found +=
        fmt::format("; mean {}{}% since the start (good: {}%)", change > 0 ? "+" : "", n(change), n(good_change));
    if (of_change > f.judgement) {
      f.judgement = of_change;
      f.value = std::abs(change);
      f.limit = good_change;
      f.advice = m.adviser.more_digits();
      return f;
    }
  }
  if (f.judgement == Judgement::good) return f;
  f.advice = advice_for(m, range, of_openings, good / 100);
  return f;
}

}  // namespace fluvia::findings
