// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/text.hpp"
#include "fluvia/run/checks/parameters.hpp"
#include "fluvia/run/findings/findings_parts.hpp"
#include "fluvia/run/monitors/signal_facts.hpp"

namespace fluvia::findings {

namespace {

const Geometry& geometry_of(const Material& m) {
  return m.end.seen.solver.geometry();
}

/// The body with the largest `measure`.
template <class Measure>
const BodyExtent* most(const Material& m, const Measure& measure) {
  const auto& bodies = m.seen.bodies;
  const auto found = std::max_element(
      bodies.begin(), bodies.end(), [&](const BodyExtent& a, const BodyExtent& b) { return measure(a) < measure(b); });
  return found == bodies.end() ? nullptr : &*found;
}

/// How far two numbers are apart as a factor, 1 or more.
double factor_between(double a, double b) {
  return std::max(a / b, b / a);
}

/// Flow into the fluid through an opening, lattice units: its mean over the window where it is monitored, else now.
double mean_flow(const Material& m, std::size_t opening) {
  const auto& signals = m.end.monitors.signals();
  for (const MonitorSignal& signal : signals) {
    const SignalStatistics& column = m.end.history.columns[signal.column];
    if (facts_of(signal.kind).of_opening == SignalFacts::OfOpening::flow &&
        signal.subject == geometry_of(m).openings[opening].name && column.count() > 0)
      return m.end.seen.units.flow_rate(column.mean(), geometry_of(m).nodes.dimension);
  }
  return m.end.flows[opening].flow_rate;
}

/// A component of the permeability, m2 or lattice; 0 if there is none.
double permeability_of(const Material& m) {
  const auto& signals = m.end.monitors.signals();
  for (std::size_t k = 0; k < signals.size(); ++k)
    if (facts_of(signals[k].kind).is_permeability) return m.seen.signals[k].value;
  return 0;
}

/// Grid Reynolds number with the largest speed.
double node_reynolds(const Material& m) {
  const auto levels = m.end.seen.solver.levels();
  double largest = 0;
  for (const FlowLevel& level : levels)
    largest = std::max(largest, level.state->totals().max_speed / level.units.viscosity);
  if (!levels.empty()) return largest;
  return m.end.totals.max_speed / m.end.seen.units.viscosity;
}

}  // namespace

std::optional<Finding> grid_reynolds(const Material& m) {
  constexpr double good = good_node_reynolds, bad = 100;
  const double number = node_reynolds(m);
  const bool eddies = m.end.c.physics.smagorinsky > 0;
  Finding f{"grid Reynolds number", judge(number, good, bad), number, good, "-"};
  f.found = fmt::format("{} from the largest speed and one node (good: {})", n(number), n(good));
  if (eddies && f.judgement != Judgement::good) {
    // A model of what the grid does not resolve is no resolution: how right it is has not been checked.
    f.judgement = Judgement::doubtful;
    f.found += "; eddies that the grid does not resolve are left to a model";
  }
  if (f.judgement != Judgement::good) f.advice = m.adviser.finer(number / good);
  return f;
}

std::optional<Finding> eddies(const Material& m) {
  const double number = node_reynolds(m);
  // Where the grid does not resolve the flow, "grid Reynolds number" says that a model stands for the rest.
  if (!(m.end.c.physics.smagorinsky > 0) || number > good_node_reynolds) return {};
  constexpr double good = 0.1, bad = 5;
  const double share = 100 * m.seen.survey.eddy_share;
  Finding f{"eddy model", judge(share, good, bad), share, good, "%"};
  f.found = fmt::format(
      "{}% of what friction takes is the model's (good: {}%), though the grid resolves the flow without it (grid "
      "Reynolds number {})",
      n(share), n(good), n(number));
  if (f.judgement == Judgement::good) return f;
  f.brief = fmt::format("the eddy model makes about {}% of the friction of a flow that the grid resolves", n(share));
  f.advice = {"switch the model off", {"physics.smagorinsky=0"}, false};
  return f;
}

/// How far from walls whose friction is that of a law the first nodes are: up to some hundred the law holds there in
/// any boundary layer.
Finding modelled_walls(const WallResolution& walls) {
  constexpr double good = 500, bad = 2000;
  Finding f{"y+ of first nodes", judge(walls.max_y_plus, good, bad), walls.max_y_plus, good, "-"};
  f.found = fmt::format("mean {}, largest {}; the friction is that of the law of the wall (good: {})",
                        n(walls.mean_y_plus), n(walls.max_y_plus), n(good));
  // On walls at an angle the steps of the lattice take more than the law: a turbulent channel had 26% too little
  // velocity, an Ahmed body twice its drag (docs/validation/high-reynolds.md).
  constexpr double few = 0.02, many = 0.1;
  if (walls.at_angles <= few) return f;
  f.judgement = std::max(f.judgement, walls.at_angles > many ? Judgement::bad : Judgement::doubtful);
  f.found += fmt::format("; {}% of them beside walls at an angle to the lattice, whose steps take up to twice that",
                         n(100 * walls.at_angles));
  f.advice = {"compare such flows with each other only, on the same grid: their friction is too large", {}, false};
  return f;
}

std::optional<Finding> walls(const Material& m) {
  if (!m.seen.walls || m.seen.walls->max_stress == 0) return {};
  if (m.seen.walls->modelled) {
    Finding f = modelled_walls(*m.seen.walls);
    if (f.value > f.limit) f.advice = m.adviser.finer(*f.value / *f.limit);
    return f;
  }
  constexpr double good_mean = 2, good_most = 5;
  const double mean = m.seen.walls->mean_y_plus, largest = m.seen.walls->max_y_plus;
  Finding f{"y+ of first nodes", Judgement::good, largest, good_most, "-"};
  if (mean > good_mean || largest > good_most) f.judgement = mean > good_most ? Judgement::bad : Judgement::doubtful;
  f.found = fmt::format("mean {}, largest {}{} (good: {}, {})", n(mean), n(largest),
                        m.seen.walls->whole ? "" : " of a part of the walls", n(good_mean), n(good_most));
  const double by = std::max(mean / good_mean, largest / good_most);
  const bool replaced = m.end.seen.units.physical_viscosity > 0;
  if (replaced) f.found += " with the viscosity of the real fluid";
  if (f.judgement == Judgement::good) return f;
  if (replaced)
    f.advice.text = fmt::format("layers at walls of the real flow are not resolved; nodes {} times as close would do",
                                format_count(by));
  else
    f.advice = m.adviser.finer(by);
  return f;
}

std::optional<Finding> flat_box(const Material& m) {
  const auto box = narrowest_box_width(m.end.c, geometry_of(m));
  if (!box || !box->is_flat) return {};
  Finding f{"thickness", Judgement::bad, static_cast<double>(box->nodes), 10.0, "nodes"};
  f.found = fmt::format("{} node{} between walls along {}, which hold the flow up (good: 10, or none there)",
                        box->nodes, box->nodes == 1 ? "" : "s", "xyz"[box->axis]);
  f.advice = advise_width(m.end.c, m.adviser, *box, 10);
  return f;
}

std::optional<Finding> passages(const Material& m) {
  const Geometry& geometry = geometry_of(m);
  constexpr double good_share = 1, bad_share = 10, good_width = 10, bad_width = 5;
  const double share =
      100 * static_cast<double>(geometry.report.narrow_nodes) / static_cast<double>(geometry.report.fluid_nodes);
  const Opening* narrowest = nullptr;
  double width = 0;
  const std::vector<double> across = nodes_across_openings(geometry);
  for (std::size_t k = 0; k < across.size(); ++k) {
    if (narrowest != nullptr && across[k] >= width) continue;
    narrowest = &geometry.openings[k];
    width = across[k];
  }
  if (geometry.report.fluid_nodes == 0 || (geometry.report.boundary_nodes == 0 && narrowest == nullptr)) return {};
  Finding f{"passages", judge(share, good_share, bad_share), share, good_share, "%"};
  f.found =
      fmt::format("{}% of the fluid where walls are less than 4 nodes apart (good: {}%)", n(share), n(good_share));
  double by = 2;
  if (narrowest != nullptr) {
    f.found += fmt::format("; {} nodes across '{}' (good: {})", n(width, 3), narrowest->name, n(good_width));
    f.judgement = std::max(f.judgement, width >= good_width  ? Judgement::good
                                        : width >= bad_width ? Judgement::doubtful
                                                             : Judgement::bad);
    if (width < good_width) by = std::max(by, good_width / width);
  }
  const int way = geometry.report.narrowest_way;
  const auto box = narrowest_box_width(m.end.c, geometry);
  const bool is_box = box && !box->is_flat && way == box->nodes;
  if (way > 0 && (narrowest == nullptr || way < std::floor(width)) && !is_box) {
    f.found +=
        fmt::format("; {} nodes where {} has to pass (good: {})", way, geometry.report.narrowest_way_of, n(good_width));
    f.judgement = std::max(f.judgement, way >= bad_width ? Judgement::doubtful : Judgement::bad);
    by = std::max(by, good_width / way);
  }
  for (int axis = 0; axis < geometry.nodes.dimension; ++axis) {
    const auto is_on = [&](int face) {
      return std::any_of(geometry.openings.begin(), geometry.openings.end(),
                         [&](const Opening& opening) { return opening.surface == face; });
    };
    if (geometry.nodes.size[axis] > 1 || !is_on(2 * axis) || !is_on(2 * axis + 1)) continue;
    f.found += fmt::format("; 1 node between openings along {} (good: 2)", "xyz"[axis]);
    f.judgement = Judgement::bad;
  }
  if (box && !box->is_flat && box->nodes < good_width) {
    f.found +=
        fmt::format("; {} nodes between the walls along {} (good: {})", box->nodes, "xyz"[box->axis], n(good_width));
    f.judgement = std::max(f.judgement, box->nodes >= bad_width ? Judgement::doubtful : Judgement::bad);
    f.advice = advise_width(m.end.c, m.adviser, *box, std::max(good_width, by * box->nodes));
    return f;
  }
  if (f.judgement != Judgement::good) f.advice = m.adviser.finer(by);
  return f;
}

std::optional<Finding> body(const Material& m) {
  const BodyExtent* smallest = most(m, [](const BodyExtent& b) { return -b.across; });
  if (smallest == nullptr) return {};
  constexpr double good = 20, bad = 10;
  Finding f{"body", Judgement::good, smallest->across, good, "nodes"};
  if (smallest->across < good) f.judgement = smallest->across < bad ? Judgement::bad : Judgement::doubtful;
  f.found = fmt::format("'{}': {} nodes across, {} long (good: {})", smallest->name, n(smallest->across, 3),
                        n(smallest->length, 3), n(good));
  if (f.judgement != Judgement::good) f.advice = m.adviser.finer(good / smallest->across);
  return f;
}

std::optional<Finding> blockage(const Material& m) {
  const BodyExtent* largest = most(m, [](const BodyExtent& b) { return b.blockage(); });
  if (largest == nullptr || m.end.monitors.coefficient_scale() == 0) return {};
  constexpr double good = 5, bad = 50;
  const double share = 100 * largest->blockage();
  Finding f{"blockage", judge(share, good, bad), share, good, "%"};
  f.found = fmt::format("'{}' takes {}% of the cross-section (good: {}%)", largest->name, n(share), n(good));
  if (f.judgement == Judgement::good) return f;
  f.brief = "coefficients are those of a confined body (" + f.found + ")";
  f.found += ": coefficients are those of a confined body";
  f.advice.text =
      fmt::format("if it stands for one in an open stream, make the domain wider: a cross-section {} times as large",
                  n(share / good));
  return f;
}

std::optional<Finding> reference_area(const Material& m) {
  const BodyExtent* largest = most(m, [](const BodyExtent& b) { return b.projected; });
  if (largest == nullptr || m.end.monitors.coefficient_scale() == 0) return {};
  constexpr double good = 2, bad = 4;
  const Units& units = m.end.seen.units;
  const int dimension = geometry_of(m).nodes.dimension;
  const double node = std::pow(units.spacing, dimension - 1), given = *m.end.c.monitors.reference_area;
  const double seen = largest->projected * node;
  // Coefficients of wings refer to the planform, those of ships and trains to a side: the axis whose shadow is nearest
  // counts.
  int axis = m.seen.axis;
  const auto distance = [&](int a) { return factor_between(given, largest->shadows[a] * node); };
  for (int a = 0; a < dimension; ++a)
    if (largest->shadows[a] > 0 && distance(a) < 0.99 * distance(axis)) axis = a;
  const bool frontal = axis == m.seen.axis || distance(m.seen.axis) <= good;
  const double nearest = frontal ? seen : largest->shadows[axis] * node, factor = factor_between(given, nearest);
  Finding f{"reference area", judge(factor, good, bad), factor, good, "times"};
  f.found = fmt::format("{} beside {} that the flow sees of '{}'", n(given, 4), n(seen, 4), largest->name);
  if (!frontal) f.found += fmt::format(", and {} seen along {}", n(nearest, 4), "xyz"[axis]);
  f.found += fmt::format(": {} times (good: {})", n(given / nearest, 3), n(good));
  if (f.judgement != Judgement::good)
    f.advice = {
        "if coefficients are to be of the frontal area, give that", {"monitor.reference_area=" + n(seen, 6)}, false};
  return f;
}

std::optional<Finding> reference_velocity(const Material& m) {
  if (m.end.monitors.coefficient_scale() == 0) return {};
  const Units& units = m.end.seen.units;
  const auto& openings = geometry_of(m).openings;
  double flow = 0, area = 0;
  for (std::size_t k = 0; k < openings.size(); ++k) {
    const double into = mean_flow(m, k);
    if (!(into > 0)) continue;
    flow += into;
    area += openings[k].area;
  }
  if (!(flow > 0) || !(area > 0)) return {};
  constexpr double good = 2, bad = 4;
  const double speed = flow / area, factor = factor_between(units.reference_velocity, speed);
  Finding f{"reference velocity", judge(factor, good, bad), factor, good, "times"};
  f.found = fmt::format("{} beside a mean inflow of {}: {} times (good: {})",
                        n(units.si_velocity(units.reference_velocity), 4), n(units.si_velocity(speed), 4),
                        n(units.reference_velocity / speed, 3), n(good));
  if (f.judgement == Judgement::good) return f;
  f.advice.text = "if coefficients are to be of the inflow, give its speed";
  const std::string setting = "units.reference_velocity=" + n(units.si_velocity(speed), 6);
  f.advice.settings.push_back(setting);
  // The time step stays as it is.
  if (m.end.c.units.lattice_velocity) f.advice.settings.push_back("units.lattice_velocity=" + n(speed, 6));
  return f;
}

std::optional<Finding> creeping(const Material& m) {
  const double permeability = permeability_of(m);
  if (!(permeability > 0) || !m.end.c.monitors.permeability_axis) return {};
  constexpr double good = 0.1, bad = 1;
  const Units& units = m.end.seen.units;
  const int axis = *m.end.c.monitors.permeability_axis;
  const double superficial =
      std::abs(m.end.totals.momentum[axis]) / static_cast<double>(geometry_of(m).nodes.box_nodes());
  const double root = std::sqrt(permeability) / units.spacing, number = superficial * root / units.viscosity;
  Finding f{"creeping flow", judge(number, good, bad), number, good, "-"};
  f.found = fmt::format("Reynolds number {} of the root of the permeability (good: {})", n(number), n(good));
  if (f.judgement == Judgement::good) return f;
  f.found += ": inertia counts, Darcy's law does not hold";
  f.advice.text = "drive the flow less";
  const Real3& acceleration = m.end.c.physics.acceleration;
  if (norm(acceleration) == 0) return f;
  std::string vector;
  for (int a = 0; a < geometry_of(m).nodes.dimension; ++a)
    vector += (a == 0 ? "" : ",") + n(acceleration[a] * 0.5 * good / number, 3);
  f.advice.settings.push_back("physics.acceleration=[" + vector + "]");
  return f;
}

}  // namespace fluvia::findings
