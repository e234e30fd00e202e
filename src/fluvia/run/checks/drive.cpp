// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/checks/drive.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/text.hpp"
#include "fluvia/case/ground.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/case/reference_pressure.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/run/checks/parameters.hpp"
#include "fluvia/run/findings/advice.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/profiles/prescribed_flux.hpp"
#include "fluvia/solver/profiles/time_series.hpp"

namespace fluvia {

namespace {

constexpr double bad_density = 0.05, good_density = 0.02;  ///< relative deviation of the density, as in the verdict
constexpr double balanced = 5e-3;  ///< difference of what openings let in and out, in parts of the larger of both

/// A boundary that lets fluid pass, and what it prescribes, lattice units.
struct Port {
  const Case::Boundary* boundary = nullptr;
  const core::ConditionFacts* facts = nullptr;
  const Opening* opening = nullptr;
  double inflow = 0;              ///< mean of the prescribed inflow over its series; 0 if it prescribes no velocity
  bool is_known = true;           ///< false: the inflow follows from a file or a profile that is not summed here
  bool moves = false;             ///< the drive prescribes a velocity that is not 0
  std::vector<double> pressures;  ///< pressures that it holds, above the reference: one, or those of the series
  std::optional<double> behind;   ///< windkessel: pressure behind its resistances, above the reference
  [[nodiscard]] bool is_free() const { return facts->velocity == core::VelocityKeys::none; }
};

double mean_over_time(const TimeSeries& series) {
  const std::vector<double>&times = series.times(), &values = series.values();
  double sum = 0;
  for (std::size_t k = 1; k < times.size(); ++k) sum += (times[k] - times[k - 1]) * (values[k] + values[k - 1]) / 2;
  return times.size() > 1 ? sum / (times.back() - times.front()) : values.front();
}

void add_velocity(const Units& units, int dimension, const std::optional<TimeSeries>& series, Port& port) {
  const Case::Boundary& b = *port.boundary;
  const double area = port.opening->area;
  if (prescribes_flux(b)) {
    const double factor = series ? b.series_scale * mean_over_time(*series) : 1;
    port.inflow = factor * prescribed_flux(b, units, *port.opening, dimension);
  } else {
    for (int axis = 0; axis < dimension; ++axis)
      port.inflow -= area * units.velocity(b.velocity[axis]) * port.opening->normal[axis];
  }
  port.is_known = prescribes_flux(b) || (b.profile_file.empty() && !is_above_ground(b));
  port.moves = series ? series->extreme() != 0 : port.inflow != 0 || norm(b.velocity) != 0 || !port.is_known;
}

std::vector<Port> ports_of(const Problem& problem) {
  std::vector<Port> ports;
  for (const Case::Boundary& b : problem.settings.boundaries) {
    Port port;
    port.boundary = &b;
    port.facts = &facts_of_boundary(b.type);
    for (const Opening& opening : problem.geometry.openings)
      if (problem.geometry.surfaces[static_cast<std::size_t>(opening.surface)] == b.surface) port.opening = &opening;
    if (port.opening == nullptr) continue;
    std::optional<TimeSeries> series;
    if (!b.series.empty()) series.emplace(read_series(problem.settings, b));
    const int dimension = problem.geometry.nodes.dimension;
    if (!port.is_free()) {
      add_velocity(problem.units, dimension, series, port);
    } else if (series) {
      for (const double value : series->values())
        port.pressures.push_back(problem.units.gauge_pressure(b.series_scale * value));
    } else {
      const double pressure = values_in_lattice_units(b, problem.units, dimension).front();
      if (port.facts->control == core::Control::windkessel)
        port.behind = pressure;
      else
        port.pressures.push_back(pressure);
    }
    ports.push_back(std::move(port));
  }
  return ports;
}

std::string name_of(const Port& port) {
  return "'" + port.opening->name + "'";
}

const Port* find_port(const std::vector<Port>& ports, const std::string& name) {
  const auto found = std::find_if(ports.begin(), ports.end(), [&](const Port& p) { return p.opening->name == name; });
  return found == ports.end() ? nullptr : &*found;
}

std::string vector_text(const Real3& v, int dimension) {
  std::string text = "[";
  for (int axis = 0; axis < dimension; ++axis) text += (axis > 0 ? "," : "") + format_short(v[axis], 6);
  return text + "]";
}

/// What the opening prescribes, times `factor`, as a text.
std::string scaled(const Port& port, double factor, int dimension) {
  const Case::Boundary& b = *port.boundary;
  const std::string key = "boundary." + b.surface + ".";
  if (!b.series.empty()) return key + "series_scale=" + format_short(factor * b.series_scale, 6);
  if (b.flow_rate) return key + "flow_rate=" + format_short(factor * *b.flow_rate, 6);
  if (b.speed) return key + "speed=" + format_short(factor * *b.speed, 6);
  return key + "velocity=" + vector_text(factor * b.velocity, dimension);
}

/// The face of the box opposite to a face that is an opening, if it is a wall that the case does not mention, with
/// fluid beside it.
std::string opposite_wall(const Case& c, const Geometry& geometry, const Opening& opening) {
  for (int face = 0; face < 2 * geometry.nodes.dimension; ++face) {
    const int other = face ^ 1;
    if (opening.surface != face || !geometry.report.wet_faces[static_cast<std::size_t>(other)]) continue;
    const std::string& name = geometry.surfaces[static_cast<std::size_t>(other)];
    const auto is_here = [&](const Case::Boundary& b) { return b.surface == name; };
    if (std::none_of(c.boundaries.begin(), c.boundaries.end(), is_here)) return name;
  }
  return "";
}

/// Advice to let out what comes in: through a face that is a wall, or by what the other openings prescribe.
Advice balance(const Case& c, const Geometry& geometry, const std::vector<const Port*>& joined, double in, double out) {
  Advice advice{"make an opening one of type 'pressure', or the sum of their flow rates 0", {}, false};
  if (in > 0 && out > 0) {
    for (const Port* port : joined)
      if (port->inflow < 0) advice.settings.push_back(scaled(*port, in / out, geometry.nodes.dimension));
    return advice;
  }
  for (const Port* port : joined) {
    const std::string wall = opposite_wall(c, geometry, *port->opening);
    if (wall.empty()) continue;
    advice.settings.push_back("boundary." + wall + ".type=pressure");
    break;
  }
  return advice;
}

/// Checks whether openings that fluid joins, all of which prescribe velocities, let in more than out or less: there is
/// no way out for the difference.
void check_balance(const Case& c, const std::vector<const Port*>& joined, const Geometry& geometry,
                   std::vector<DriveProblem>& problems) {
  double in = 0, out = 0;
  std::vector<std::string> names;
  for (const Port* port : joined) {
    if (port->is_free() || !port->is_known) return;
    (port->inflow > 0 ? in : out) += std::abs(port->inflow);
    names.push_back(name_of(*port));
  }
  const double more = in - out;
  if (std::abs(more) <= balanced * std::max(in, out)) return;
  const double fluid = static_cast<double>(geometry.nodes.fluid_nodes) * geometry.nodes.node_volume();
  problems.push_back(
      {fmt::format("what {} prescribe{} {} {}% of the fluid in 1000 steps, and there is no opening that is free to let "
                   "as much {}",
                   join(names), names.size() == 1 ? "s" : "", more > 0 ? "adds" : "takes away",
                   format_short(100 * 1000 * std::abs(more) / fluid, 2), more > 0 ? "out" : "in"),
       balance(c, geometry, joined, in, out), true});
}

/// Checks for openings that fluid joins to no other, where there are others.
void check_ways(const Case& c, const std::vector<Port>& ports, const Geometry& geometry,
                std::vector<DriveProblem>& problems) {
  std::vector<std::string> alone;
  for (const std::vector<std::string>& group : geometry.report.joined_openings) {
    std::vector<const Port*> joined;
    for (const std::string& name : group) joined.push_back(find_port(ports, name));
    if (std::find(joined.begin(), joined.end(), nullptr) != joined.end()) continue;
    if (joined.size() == 1 && ports.size() > 1)
      alone.push_back(name_of(*joined.front()));
    else
      check_balance(c, joined, geometry, problems);
  }
  if (alone.empty()) return;
  problems.push_back({fmt::format("no way leads through the fluid from {} to any other opening, since something solid "
                                  "is between them, or the passage is too narrow for the grid",
                                  join(alone, " or ")),
                      {"look at the pictures of fluvia geometry --png PREFIX", {}, false},
                      true});
}

bool is_moving(const Case::Boundary& b) {
  return norm(b.velocity) != 0 || (b.angular_velocity && norm(*b.angular_velocity) != 0);
}

/// Whether the fluid moves at the start, or would, since its pressure differs.
bool starts_moving(const Case::Physics& p) {
  return norm(p.initial_velocity) != 0 || (p.initial_flow != "uniform" && p.initial_speed != 0) ||
         !p.initial_velocity_formula.empty() || !p.initial_velocity_file.empty() ||
         !p.initial_pressure_formula.empty() || !p.initial_pressure_file.empty();
}

constexpr double same_pressure = 1e-12;  ///< pressures that differ by no more are the same

/// Pressures that openings hold, and those behind windkessels; all values of a series.
std::vector<double> held_pressures(const std::vector<const Port*>& ports) {
  std::vector<double> all;
  for (const Port* port : ports) {
    all.insert(all.end(), port->pressures.begin(), port->pressures.end());
    if (port->behind) all.push_back(*port->behind);
  }
  return all;
}

/// Whether openings that fluid joins hold different pressures, or one holds different pressures at different times.
bool pressures_drive(const std::vector<Port>& ports, const Geometry& geometry) {
  const auto& groups = geometry.report.joined_openings;
  return std::any_of(groups.begin(), groups.end(), [&](const std::vector<std::string>& group) {
    std::vector<const Port*> joined;
    for (const std::string& name : group)
      if (const Port* port = find_port(ports, name)) joined.push_back(port);
    const std::vector<double> held = held_pressures(joined);
    if (held.empty()) return false;
    const auto [least, most] = std::minmax_element(held.begin(), held.end());
    return *most - *least > same_pressure;
  });
}

bool is_driven(const Case& c, const std::vector<Port>& ports, const Geometry& geometry) {
  if (!c.scalars.empty()) return true;  // which may drive it, and may spread in a fluid at rest
  if (c.physics.has_acceleration() || starts_moving(c.physics)) return true;
  if (!c.bodies.empty() || std::any_of(c.boundaries.begin(), c.boundaries.end(), is_moving)) return true;
  return std::any_of(ports.begin(), ports.end(), [](const Port& port) { return port.moves; }) ||
         pressures_drive(ports, geometry);
}

/// Why nothing moves for long, as a sentence: openings hold one pressure, which may not be that of the start.
std::string why_at_rest(const Problem& problem, const std::vector<Port>& ports) {
  std::vector<const Port*> all;
  std::vector<std::string> names;
  for (const Port& port : ports) {
    all.push_back(&port);
    names.push_back(name_of(port));
  }
  const double start = problem.units.gauge_pressure(initial_pressure(problem.settings));
  const std::vector<double> held = held_pressures(all);
  if (std::none_of(held.begin(), held.end(), [&](double p) { return std::abs(p - start) > same_pressure; }))
    return "nothing drives the flow: no force, no velocity, and the same pressure everywhere, so that the fluid stays "
           "at "
           "rest";
  return fmt::format(
      "nothing drives the flow: no force, no velocity, and {}, so that the fluid takes that pressure and "
      "comes to rest",
      names.size() == 1 ? "only " + names.front() + " holds a pressure" : "the same pressure at " + join(names));
}

/// Whether a uniform force acts along periodic axes only, in a fluid that solids stop along each of them.
bool pushes_in_vain(const Case& c, const Geometry& geometry) {
  const Real3& force = c.physics.acceleration;
  if (norm(force) == 0 || c.physics.has_acceleration_field() || !geometry.openings.empty() ||
      starts_moving(c.physics) || std::any_of(c.boundaries.begin(), c.boundaries.end(), is_moving))
    return false;
  for (int axis = 0; axis < geometry.nodes.dimension; ++axis)
    if (force[axis] != 0 && (!geometry.nodes.periodic[axis] || geometry.report.endless[axis])) return false;
  return true;
}

/// Advice that drives a flow, slow enough for any grid: a pressure at an opening or a force that makes a flow of so
/// many nodes across as fast as between plates (u = g H^2 / (12 nu) = dp H^2 / (12 nu L)). None where no wall holds it
/// up.
Advice drive_gently(const Problem& problem, const std::vector<Port>& ports) {
  const Units& units = problem.units;
  const Geometry& geometry = problem.geometry;
  constexpr double slow = 0.02, lowest_reynolds = 10;
  Advice advice{"give physics.acceleration, a velocity, or a difference of pressures between openings", {}, false};
  const double width = narrowest_way(problem.settings, geometry);
  if (!(width > 0)) return advice;
  const double speed = std::min(slow, lowest_reynolds * units.viscosity / width);
  const double force = 12 * units.viscosity * speed / (width * width);
  if (ports.size() == 1) {
    const Port& from = ports.front();
    const std::string wall = opposite_wall(problem.settings, geometry, *from.opening);
    if (wall.empty() || from.pressures.size() != 1) return advice;
    const int axis = from.opening->surface / 2;
    const double drop = force * geometry.nodes.size[axis];
    advice.settings = {fmt::format("boundary.{}.type=pressure", wall),
                       fmt::format("boundary.{}.pressure={}", wall,
                                   format_short(units.si_gauge_pressure(from.pressures.front() - drop), 6))};
    return advice;
  }
  if (ports.size() >= 2) {
    const Port &from = ports.front(), &to = ports.back();
    const Case::Boundary& b = *from.boundary;
    if (from.pressures.empty() || !b.series.empty()) return advice;
    const double drop = force * norm(from.opening->centroid - to.opening->centroid);
    advice.settings = {fmt::format("boundary.{}.pressure={}", b.surface,
                                   format_short(units.si_gauge_pressure(from.pressures.front() + drop), 6))};
    return advice;
  }
  for (int axis = 0; axis < geometry.nodes.dimension; ++axis) {
    if (!geometry.nodes.periodic[axis] || !geometry.report.endless[axis]) continue;
    Real3 acceleration{};
    acceleration[axis] = force / units.acceleration(1);
    advice.settings = {"physics.acceleration=" + vector_text(acceleration, geometry.nodes.dimension)};
    break;
  }
  return advice;
}

/// The pressure that windkessels come to with the mean inflow Q of the case and vessels without a pressure drop of
/// their own: the P, of all of them, for which the sum of (P - p_k) / R_k is Q.
std::optional<double> windkessel_pressure(const std::vector<Port>& ports, const Units& units, int dimension) {
  using Key = core::WindkesselOpening;
  double inflow = 0, conductance = 0, behind = 0;
  for (const Port& port : ports) {
    inflow += port.inflow;
    if (!port.is_free()) continue;
    if (port.facts->control != core::Control::windkessel)
      return std::nullopt;  // another boundary condition holds the pressure
    const std::vector<double> values = values_in_lattice_units(*port.boundary, units, dimension);
    const double resistance = values[Key::proximal_resistance] + values[Key::distal_resistance];
    if (!(resistance > 0)) return std::nullopt;
    conductance += 1 / resistance;
    behind += values[Key::pressure] / resistance;
  }
  if (!(conductance > 0)) return std::nullopt;
  return (inflow + behind) / conductance;
}

std::string percent_off(double deviation) {
  return fmt::format("{}% {} that at rest", format_short(100 * std::abs(deviation), 3),
                     deviation < 0 ? "below" : "above");
}

/// Settings that mend it, as options of the command line.
std::string options_for(const Problem& problem, double lowest, double highest) {
  const Adviser adviser(problem.settings, problem.units, problem.grid(), problem.settings.run.steps.value_or(1));
  const Advice advice = adviser.nearer_to_rest(lowest, highest, good_density);
  const std::string options = as_options(advice, false);
  return options.empty() ? advice.text : options + " would keep it within 2%";
}

}  // namespace

std::string as_warning(const DriveProblem& found) {
  const std::string options = as_options(found.advice, false);
  return found.text + "; " + found.advice.text + (options.empty() ? "" : ": " + options);
}

std::vector<DriveProblem> find_drive_problems(const Problem& problem) {
  const Case& c = problem.settings;
  std::vector<DriveProblem> problems;
  const std::vector<Port> ports = ports_of(problem);
  check_ways(c, ports, problem.geometry, problems);
  if (pushes_in_vain(c, problem.geometry))
    problems.push_back(
        {"physics.acceleration drives nothing: along it no fluid runs through the periodic box without "
         "end, so that it is held by a pressure",
         {"choose another axis, or open a passage", {}, false},
         true});
  if (problems.empty() && !is_driven(c, ports, problem.geometry))
    problems.push_back({why_at_rest(problem, ports), drive_gently(problem, ports), false});
  return problems;
}

std::optional<double> windkessel_pressure(const Problem& problem) {
  return windkessel_pressure(ports_of(problem), problem.units, problem.geometry.nodes.dimension);
}

std::vector<std::string> advise_densities(const Problem& problem) {
  const Case& c = problem.settings;
  const Units& units = problem.units;
  const std::vector<Port> ports = ports_of(problem);
  struct Prescribed {
    double pressure;  ///< above the reference, lattice units
    std::string name;
  };
  std::vector<Prescribed> all;
  for (const Port& port : ports)
    for (const double pressure : port.pressures) all.push_back({pressure, "the pressure at " + name_of(port)});
  // A case without an initial pressure starts at the reference; beside a formula or a file it is a part of what counts.
  if (c.physics.initial_pressure && c.physics.initial_pressure_formula.empty() &&
      c.physics.initial_pressure_file.empty())
    all.push_back({units.gauge_pressure(*c.physics.initial_pressure), "the initial pressure"});
  if (const auto behind = windkessel_pressure(ports, units, problem.geometry.nodes.dimension))
    all.push_back({*behind, "the pressure that the mean inflow makes in the windkessels"});
  if (all.empty()) return {};
  const auto less = [](const Prescribed& a, const Prescribed& b) { return a.pressure < b.pressure; };
  const auto [lowest, highest] = std::minmax_element(all.begin(), all.end(), less);
  const auto nearer = [](const Prescribed& a, const Prescribed& b) {
    return std::abs(a.pressure) < std::abs(b.pressure);
  };
  const Prescribed& worst = *std::max_element(all.begin(), all.end(), nearer);
  const auto deviation = [](const Prescribed& p) { return p.pressure / core::sound_speed_squared; };
  if (std::abs(deviation(worst)) <= bad_density) return {};
  return {fmt::format("{}, {}, means a density {}, and velocities that are off by as much; {}", worst.name,
                      format_short(units.si_gauge_pressure(worst.pressure), 6), percent_off(deviation(worst)),
                      options_for(problem, deviation(*lowest), deviation(*highest)))};
}

}  // namespace fluvia
