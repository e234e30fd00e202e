// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/run/display_units.hpp"
#include "fluvia/run/findings/other_reynolds.hpp"
#include "fluvia/run/monitors/plane_pressures.hpp"
#include "fluvia/run/monitors/signal_facts.hpp"
#include "fluvia/run/monitors/spectrum.hpp"
#include "fluvia/run/monitors/wall_volume.hpp"
#include "fluvia/run/tracers/tracers.hpp"

namespace fluvia {

namespace {

using Json = nlohmann::json;
using Kind = MonitorSignal::Kind;
using Section = SignalFacts::Results;
/// Uncertainty of a frequency in parts of 1 / (length of the window); docs/case-file.md, Statistics.
constexpr double peak_uncertainty = 0.05;

class Collector {
 public:
  Collector(const RunEnd& end, const Assessment& assessment)
      : end_(end), assessment_(assessment), units_(end.seen.units), geometry_(end.seen.solver.geometry()) {
    const Course& energy = assessment.energy;
    if (energy.error && energy.value > 0 && !energy.is_mean()) velocity_error_ = 0.5 * *energy.error / energy.value;
  }

  std::vector<Quantity> collect() {
    add_signals(Section::openings);
    add_openings();
    const std::size_t first_of_forces = results_.size();
    add_signals(Section::forces);
    add_frequencies();
    mark_reynolds_from(first_of_forces);
    add_signals(Section::permeability);
    add_signals(Section::scalars);
    add_residence_times();
    add_driven_flow();
    add_course("max_velocity", assessment_.max_speed);
    const std::size_t first_of_walls = results_.size();
    add_walls();
    mark_reynolds_from(first_of_walls);
    add_signals(Section::points);
    add_display_units(end_.c, results_);
    return std::move(results_);
  }

 private:
  [[nodiscard]] std::string unit(const char* si) const { return units_.si ? si : "lattice"; }
  void add(const std::string& name, const std::string& unit, double value, std::optional<double> error = {},
           std::optional<double> rms = {}) {
    results_.push_back({name, unit, value, error, rms});
  }
  /// Marks results that follow from the viscosity and are looked up for a Reynolds number.
  void mark_reynolds_from(std::size_t first) {
    for (std::size_t k = first; k < results_.size(); ++k) results_[k].at = other_reynolds(units_);
  }
  /// Adds a column of the monitors.
  void add_column(std::size_t column, const Course& course) {
    const MonitorColumn& row = end_.monitors.columns()[column];
    std::optional<double> rms;
    if (course.is_mean()) rms = end_.history.columns[column].rms();
    add(row.name, row.unit, course.value, course.error, rms);
    results_.back().cycle = course.cycle;
  }
  void add_course(const std::string& name, const Course& course) { add_column(column_of(end_, name), course); }

  [[nodiscard]] bool is_opening(const std::string& name) const {
    return std::any_of(geometry_.openings.begin(), geometry_.openings.end(),
                       [&](const Opening& opening) { return opening.name == name; });
  }
  /// Whether a signal is among the results: components along the axes only where no directions of drag and lift were
  /// asked for.
  [[nodiscard]] bool is_shown(const MonitorSignal& signal) const {
    const bool axes = end_.c.monitors.drag_axis || end_.c.monitors.lift_axis;
    return signal.kind != Kind::coefficient || !axes;
  }
  [[nodiscard]] Section section_of(const MonitorSignal& signal) const {
    const Section section = facts_of(signal.kind).results;
    return section == Section::openings && !is_opening(signal.subject) ? Section::points : section;
  }
  void add_signals(Section section) {
    const auto& signals = end_.monitors.signals();
    for (std::size_t k = 0; k < signals.size(); ++k)
      if (section_of(signals[k]) == section && is_shown(signals[k])) {
        add_column(signals[k].column, assessment_.signals[k]);
        if (signals[k].kind == Kind::scalar) results_.back().size = range_of_scalars(results_.back().unit);
      }
  }
  /// How far the values of the scalars with this unit differ, of the one that differs most.
  [[nodiscard]] double range_of_scalars(const std::string& unit) const {
    double range = 0;
    const std::vector<Case::Scalar>& scalars = end_.c.scalars;
    for (std::size_t k = 0; k < scalars.size(); ++k) {
      if ((scalars[k].unit == "1" ? "-" : scalars[k].unit) != unit) continue;
      const ScalarSummary summary = end_.seen.solver.scalar_summary(k);
      range = std::max(range, summary.most - summary.least);
    }
    return range;
  }

  struct Passage {
    std::string name;
    double flow = 0, pressure = 0;  ///< flow and mean pressure over its nodes, case units
    double plane_pressure = 0;      ///< pressure in its plane, half a node further on, case units
    bool is_given = false;          ///< whether the case prescribes it
    std::optional<double> flow_error;
  };
  /// The pressure that an opening holds in its plane all the time.
  [[nodiscard]] std::optional<double> held_pressure(const std::string& opening) const {
    for (const Case::Boundary& b : end_.c.boundaries) {
      if (b.surface != opening) continue;
      const core::ConditionFacts& facts = facts_of_boundary(b.type);
      if (!facts.holds_pressure || facts.control != core::Control::none || !b.series.empty()) return {};
      const auto given = b.values.find(facts.keys[0].name);
      return given == b.values.end() ? facts.keys[0].standard : given->second;
    }
    return {};
  }
  [[nodiscard]] std::vector<Passage> passages() const {
    std::vector<Passage> result;
    const auto& signals = end_.monitors.signals();
    std::vector<bool> unknown;
    for (const Opening& opening : geometry_.openings) unknown.push_back(!held_pressure(opening.name));
    const auto steps = PlanePressures(end_.seen.solver, unknown).measure();
    for (std::size_t k = 0; k < geometry_.openings.size(); ++k) {
      Passage& passage = result.emplace_back();
      passage.name = geometry_.openings[k].name;
      passage.flow = units_.si_flow_rate(end_.flows[k].flow_rate, geometry_.nodes.dimension);
      passage.pressure = units_.si_gauge_pressure(end_.flows[k].mean_pressure);
      for (std::size_t s = 0; s < signals.size(); ++s) {
        if (signals[s].subject != passage.name) continue;
        const Course& course = assessment_.signals[s];
        const SignalFacts::OfOpening measured = facts_of(signals[s].kind).of_opening;
        if (measured == SignalFacts::OfOpening::flow) {
          passage.flow = course.value;
          passage.flow_error = course.error;
        } else if (measured == SignalFacts::OfOpening::pressure) {
          passage.pressure = course.value;
        }
      }
      const std::optional<double> given = held_pressure(passage.name);
      passage.is_given = given.has_value();
      passage.plane_pressure = given.value_or(passage.pressure + units_.si_pressure(steps[k].change));
    }
    return result;
  }
  /// Mean over the openings through which the fluid flows one way, weighted by flow rate.
  struct Side {
    double flow = 0, pressure = 0;
    double plane_pressure = 0;  ///< mean of the pressures in their planes
    int count = 0;
  };
  [[nodiscard]] static Side side_of(const std::vector<Passage>& passages, double sign) {
    Side side;
    for (const Passage& p : passages) {
      if (!(sign * p.flow > 0)) continue;
      ++side.count;
      side.flow += sign * p.flow;
      side.pressure += sign * p.flow * p.pressure;
      side.plane_pressure += sign * p.flow * p.plane_pressure;
    }
    if (side.flow > 0) {
      side.pressure /= side.flow;
      side.plane_pressure /= side.flow;
    }
    return side;
  }
  void add_openings() {
    const std::vector<Passage> all = passages();
    if (!end_.c.monitors.openings)
      for (const Passage& p : all) {
        add("flow_" + p.name, unit(geometry_.nodes.dimension == 2 ? "m2/s" : "m3/s"), p.flow);
        add("pressure_" + p.name, unit("Pa"), p.pressure);
      }
    const Side in = side_of(all, 1), out = side_of(all, -1);
    if (in.count > 0 && out.count > 0) {
      const auto& drop = assessment_.pressure_drop;  // pressures of nodes at monitored openings, row by row
      const double nodes = in.pressure - out.pressure, planes = in.plane_pressure - out.plane_pressure;
      const bool is_given = std::all_of(all.begin(), all.end(), [](const Passage& p) { return p.is_given; });
      add("pressure_drop", unit("Pa"), drop ? drop->value + planes - nodes : planes,
          is_given ? std::optional(0.0)
          : drop   ? drop->error
                   : std::nullopt);
      mark_reynolds_from(results_.size() - 1);
      if (drop) results_.back().cycle = drop->cycle;
    }
    if (out.count < 2) return;
    for (const Passage& p : all) {
      if (!(p.flow < 0)) continue;
      std::optional<double> error = 0;
      for (const Passage& other : all)
        if (other.flow < 0)
          error = error && other.flow_error ? std::optional(std::max(*error, *other.flow_error)) : std::nullopt;
      if (error) error = 100 * *error * out.count / out.flow;
      add("flow_split_" + p.name, "%", 100 * -p.flow / out.flow, error);
    }
  }

  /// Adds the frequency of the component of each body's force that fluctuates most, if that has a clear one.
  void add_frequencies() {
    const auto& signals = end_.monitors.signals();
    for (const std::string& body : end_.c.monitors.forces) {
      const SignalStatistics* strongest = nullptr;
      for (std::size_t k = 0; k < signals.size(); ++k) {
        const SignalStatistics& signal = end_.history.columns[signals[k].column];
        const bool candidate = signals[k].kind == Kind::force && signals[k].subject == body &&
                               assessment_.signals[k].kind == Course::Kind::fluctuating;
        if (candidate && (strongest == nullptr || signal.rms() > strongest->rms())) strongest = &signal;
      }
      if (strongest == nullptr) continue;
      const auto peak = find_spectral_peak(strongest->samples());
      if (!peak || peak->share < clear_peak) continue;
      const double stride = static_cast<double>(end_.history.every) * static_cast<double>(strongest->stride());
      const double per_step = peak->frequency / stride;
      const double error = peak_uncertainty / (stride * static_cast<double>(strongest->samples().size()));
      add("frequency_" + body, unit("1/s"), per_step / units_.si_time(1), error / units_.si_time(1));
      if (strouhal_number(units_, 1) > 0)
        add("strouhal_" + body, "-", strouhal_number(units_, per_step), strouhal_number(units_, error));
    }
  }

  /// Adds mean ages of the points that have left through each opening; their error is that of so many drawn at random.
  void add_residence_times() {
    if (end_.tracers == nullptr) return;
    const std::vector<std::string> names = end_.tracers->names();
    for (std::size_t k = 0; k < names.size(); ++k)
      for (const ResidenceTimes& times : end_.tracers->residence_times(k)) {
        const auto count = static_cast<double>(times.ages.size());
        constexpr double deviations_of_95_percent = 1.96;
        add("age_" + names[k] + "_" + times.opening, unit("s"), times.mean,
            count > 1 ? std::optional(deviations_of_95_percent * times.deviation / std::sqrt(count)) : std::nullopt);
      }
  }

  /// The error of a value that is proportional to the velocity and is known now only.
  [[nodiscard]] std::optional<double> error_of(double value) const {
    return velocity_error_ ? std::optional(*velocity_error_ * std::abs(value)) : std::nullopt;
  }

  /// Adds the results of a flow that a body force drives along a periodic axis.
  void add_driven_flow() {
    const NodeMap& nodes = geometry_.nodes;
    const bool varies = end_.c.physics.has_acceleration_field();
    std::optional<WallVolume> beside;  // what is to be added to the sums over nodes
    for (int axis = 0; axis < nodes.dimension; ++axis) {
      const double drive = units_.acceleration(end_.c.physics.acceleration[axis]);
      if (!nodes.periodic[axis] || (drive == 0 && !varies)) continue;
      const double time = units_.si_time(static_cast<double>(end_.seen.solver.time_step()));
      if (!beside) beside = wall_volume({end_.c, units_, geometry_}, time);
      const double momentum = end_.totals.momentum[axis];
      const double mean = (momentum + beside->momentum[axis]) / (fluid_mass(end_) + end_.totals.mass + beside->volume);
      const double velocity = units_.si_velocity(mean);
      add(std::string("mean_velocity_") + "xyz"[axis], unit("m/s"), velocity, error_of(velocity));
      const bool porous = nodes.porosity() < 1 && geometry_.openings.empty() && !end_.c.physics.rheology;
      if (!porous || varies || end_.c.monitors.permeability_axis) continue;
      const double permeability =
          units_.si_permeability(darcy_permeability(units_, momentum / static_cast<double>(nodes.box_nodes()), drive));
      add(std::string("permeability_") + "xyz"[axis], unit("m2"), permeability, error_of(permeability));
    }
  }

  void add_walls() {
    const auto& walls = assessment_.walls;
    if (!walls || walls->modelled) return;  // the stress of a law follows from other velocities than it asks here
    const double mean = units_.si_stress(walls->mean_stress), most = units_.si_stress(walls->max_stress);
    add("wall_shear_stress_mean", unit("Pa"), mean, error_of(mean));
    add("wall_shear_stress_max", unit("Pa"), most, error_of(most));
  }

  const RunEnd& end_;
  const Assessment& assessment_;
  const Units& units_;
  const Geometry& geometry_;
  std::optional<double>
      velocity_error_;  ///< relative error: velocities are proportional to the root of the kinetic energy
  std::vector<Quantity> results_;
};

Json cycle_json(const Cycle& cycle) {
  return {{"cycles", cycle.count}, {"systole", cycle.systole}, {"diastole", cycle.diastole}, {"change", cycle.change}};
}

int exponent_of(double value) {
  return static_cast<int>(std::floor(std::log10(std::abs(value))));
}

}  // namespace

std::vector<Quantity> collect_results(const RunEnd& end, const Assessment& assessment) {
  return Collector(end, assessment).collect();
}

nlohmann::json results_json(const std::vector<Quantity>& results) {
  Json json = Json::array();
  const auto known = [](const std::optional<double>& x) { return x ? Json(*x) : Json(); };
  for (const Quantity& q : results)
    json.push_back({{"name", q.name},
                    {"unit", q.unit},
                    {"value", q.value},
                    {"error", known(q.error)},
                    {"rms", known(q.rms)},
                    {"grid_error", known(q.grid_error)},
                    {"limit", known(q.limit)},
                    {"order", known(q.order)},
                    {"cycle", q.cycle ? cycle_json(*q.cycle) : Json()},
                    {"at", q.at.empty() ? Json() : Json(q.at)},
                    {"also", q.also ? Json{{"unit", q.also->unit}, {"factor", q.also->factor}} : Json()}});
  return json;
}

std::string format_with_error(double value, const std::optional<double>& error) {
  constexpr int most_digits = 6;
  if (!error || !std::isfinite(value) || !std::isfinite(*error)) return format_short(value, most_digits) + " ± ?";
  if (value == 0 && *error == 0) return "0 ± 0";
  const int exponent = exponent_of(std::max(std::abs(value), *error));
  if (*error == 0 || exponent - exponent_of(*error) + 2 > most_digits)
    return fmt::format("{} ± {}", format_short(value, most_digits), format_short(*error, 1));
  const int decimals = 1 - exponent_of(*error);
  if (exponent >= -4 && exponent < most_digits) {
    const double unit = std::pow(10.0, -std::min(0, decimals));  // rounds what lies in front of the point
    const auto rounded = [&](double x) { return unit > 1 ? unit * std::round(x / unit) : x; };
    const int shown = std::max(0, decimals);
    return fmt::format("{:.{}f} ± {:.{}f}", rounded(value), shown, rounded(*error), shown);
  }
  const double scale = std::pow(10.0, -exponent);
  return fmt::format("({:.{}f} ± {:.{}f})e{:+03d}", scale * value, std::max(0, decimals + exponent), scale * *error,
                     std::max(0, decimals + exponent), exponent);
}

std::string format_results(const std::vector<Quantity>& results) {
  std::size_t longest = 0, widest = 0;
  std::vector<std::string> values;
  // Width as printed: ± is two bytes.
  const auto width = [](const std::string& text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char ch) { return (static_cast<unsigned char>(ch) & 0xc0) != 0x80; }));
  };
  const bool grids = std::any_of(results.begin(), results.end(), [](const Quantity& q) { return q.grid_error; });
  for (const Quantity& q : results) {
    values.push_back(format_with_error(q.value, q.error));
    if (grids) values.back() += " ± " + (q.grid_error ? format_short(*q.grid_error, 2) : std::string("?"));
    longest = std::max(longest, width(q.name));
    widest = std::max(widest, width(values.back()));
  }
  std::string text = grids
                         ? "results (± what time and averaging leave open, 95%, ± what the grid does):\n"
                         : "results (± what time and averaging leave open, 95%; the grid adds an error of its own):\n";
  for (std::size_t k = 0; k < results.size(); ++k) {
    const Quantity& q = results[k];
    text += fmt::format("  {}{}  {}{}  {}", q.name, std::string(longest - width(q.name), ' '), values[k],
                        std::string(widest - width(values[k]), ' '), q.unit);
    if (q.also) {
      const double factor = q.also->factor;
      const auto error = q.error ? std::optional(factor * *q.error) : std::nullopt;
      text += fmt::format(" = {} {}", format_with_error(factor * q.value, error), q.also->unit);
    }
    if (q.limit)
      text += fmt::format("  finer grids: {}{}", format_short(*q.limit, 5),
                          q.order ? fmt::format(" (order {:.1f})", *q.order) : "");
    if (q.cycle)
      text += fmt::format("  mean of a cycle, peak {}, trough {}", format_short(q.cycle->systole),
                          format_short(q.cycle->diastole));
    else if (q.rms)
      text += fmt::format("  mean, rms {}", format_short(*q.rms, 3));
    if (!q.at.empty()) text += "  at " + q.at;
    text += '\n';
  }
  return text;
}

}  // namespace fluvia
