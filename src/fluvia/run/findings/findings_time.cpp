// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/run/checks/parameters.hpp"
#include "fluvia/run/findings/findings_parts.hpp"
#include "fluvia/run/monitors/signal_facts.hpp"

namespace fluvia::findings {

namespace {

using OfOpening = SignalFacts::OfOpening;
using Going = Course::Kind;

/// Whether a signal is a force, or a moment, on half a body that its other half balances: across the plane of symmetry
/// that cuts it, or about an axis in that plane. It is no property of the body, and settles last.
bool is_taken_back(const Material& m, const MonitorSignal& signal) {
  const auto& bodies = m.seen.bodies;
  const auto body =
      std::find_if(bodies.begin(), bodies.end(), [&](const BodyExtent& each) { return each.name == signal.subject; });
  if (body == bodies.end()) return false;
  switch (facts_of(signal.kind).balanced) {
    case SignalFacts::Balanced::across_plane:
      return signal.axis >= 0 && body->halved[signal.axis];
    case SignalFacts::Balanced::in_plane:
      for (int axis = 0; axis < 3; ++axis)
        if (body->halved[axis] && axis != signal.axis) return true;
      return false;
    case SignalFacts::Balanced::lift: {
      const auto& lift = m.end.c.monitors.lift_axis;
      if (!lift) return false;
      for (int axis = 0; axis < 3; ++axis)
        if (body->halved[axis] && std::abs((*lift)[axis]) > (1 - 1e-6) * norm(*lift)) return true;
      return false;
    }
    default:
      return false;
  }
}

/// The courses of what the run was for. With a body in a stream these are forces, and whatever else the case names:
/// what sound does to openings far away, and to the energy of all of the fluid, does not matter. Elsewhere they are the
/// energy, the flow through openings, and the pressure drop between them, but no pressure of a single one.
std::vector<Named> courses(const Material& m) {
  const bool of_bodies = !m.seen.bodies.empty();
  const auto& openings = m.end.seen.solver.geometry().openings;
  const auto is_opening = [&](const std::string& name) {
    return std::any_of(openings.begin(), openings.end(), [&](const Opening& opening) { return opening.name == name; });
  };
  std::vector<Named> result;
  if (!of_bodies) result.push_back({"kinetic energy", &m.seen.energy, m.seen.energy_scale});
  const auto& signals = m.end.monitors.signals();
  for (std::size_t k = 0; k < signals.size(); ++k) {
    const SignalFacts& facts = facts_of(signals[k].kind);
    const bool at_opening = facts.of_opening != OfOpening::none && is_opening(signals[k].subject);
    if (is_taken_back(m, signals[k])) continue;
    if (!facts.is_judged || (at_opening && (of_bodies || facts.of_opening == OfOpening::pressure))) continue;
    result.push_back({m.end.monitors.columns()[signals[k].column].name, &m.seen.signals[k], m.seen.scales[k]});
  }
  if (!of_bodies && m.seen.pressure_drop)
    result.push_back({"pressure_drop", &*m.seen.pressure_drop, m.seen.pressure_drop_scale});
  return result;
}

/// The change that is still to come, as a part of the scale; infinite if nothing bounds it.
double to_go(const Named& named) {
  if (!named.course->error) return 1e300;
  return named.scale > 0 ? *named.course->error / named.scale : 0;
}

/// Steps after which an exponential approach counts as steady, which the second half of the window must be by then,
/// too.
double steps_until_steady(const Material& m, const Named& worst) {
  const auto now = static_cast<double>(m.end.seen.solver.time_step());
  if (!worst.course->error || worst.course->decay <= 0) return 2 * now;
  const double half_window = 0.5 * static_cast<double>(m.end.history.every) * static_cast<double>(m.end.history.rows);
  const double halves = std::log(0.5 * Course::steady_share / to_go(worst)) / std::log(worst.course->decay);
  const double middle = now + half_window * std::clamp(halves, 1.0, 40.0);
  const auto& from = m.end.c.monitors.average_from;
  return from ? 2 * middle - static_cast<double>(*from) : 4.0 / 3 * middle;
}

Finding too_few_rows(const Material& m) {
  Finding f;
  f.question = "steady";
  f.judgement = Judgement::doubtful;
  f.value = static_cast<double>(m.end.history.rows);
  f.limit = 16;
  f.unit = "rows";
  f.found = fmt::format("{} rows of monitors in the {}: too few to tell", m.end.history.rows, m.end.history.window);
  f.advice = m.adviser.more_rows(m.end.seen.solver.time_step(), m.end.steady);
  return f;
}

/// Net flow through all openings and half of what passes, from the second half of the window where flows are monitored.
void flows_of(const Material& m, double& net, double& passing) {
  net = passing = 0;
  const auto& signals = m.end.monitors.signals();
  bool monitored = false;
  for (std::size_t k = 0; k < signals.size(); ++k) {
    if (facts_of(signals[k].kind).of_opening != OfOpening::flow) continue;
    const std::vector<double>& samples = m.end.history.columns[signals[k].column].samples();
    const std::size_t half = samples.size() / 2;
    if (half == 0) break;
    double sum = 0;
    for (std::size_t i = samples.size() - half; i < samples.size(); ++i) sum += samples[i];
    monitored = true;
    net += sum / static_cast<double>(half);
    passing += 0.5 * std::abs(sum / static_cast<double>(half));
  }
  if (monitored) return;
  const int dimension = m.end.seen.solver.geometry().nodes.dimension;
  for (const OpeningFlow& flow : m.end.flows) {
    const double rate = m.end.seen.units.si_flow_rate(flow.flow_rate, dimension);
    net += rate;
    passing += 0.5 * std::abs(rate);
  }
}

/// Advice to go on with an interrupted run.
Advice go_on() {
  return {"go on", {}, true};
}

}  // namespace

std::string n(double value, int digits) {
  return std::abs(value) >= std::pow(10.0, digits) && std::abs(value) < 1e6 ? fmt::format("{:.0f}", value)
                                                                            : format_short(value, digits);
}

Judgement judge(double value, double good, double bad) {
  return value <= good ? Judgement::good : value <= bad ? Judgement::doubtful : Judgement::bad;
}

bool is_unsteady(const Material& m) {
  return steady(m)->judgement != Judgement::good;
}

Advice longer_than_now(const Material& m) {
  if (is_unsteady(m)) return steady(m)->advice;
  return m.adviser.longer(2 * static_cast<double>(m.end.seen.solver.time_step()), m.end.steady);
}

std::optional<Finding> complete(const Material& m) {
  if (!m.end.interrupted) return {};
  const auto step = static_cast<double>(m.end.seen.solver.time_step());
  Finding f{"complete", Judgement::doubtful, 100 * step / static_cast<double>(m.end.planned_end), 100.0, "%"};
  f.found = fmt::format("interrupted at step {} of {}", m.end.seen.solver.time_step(), m.end.planned_end);
  f.advice = go_on();
  return f;
}

std::optional<Finding> steady(const Material& m) {
  if (m.end.period > 0) return repeating(m, courses(m));
  if (m.seen.energy.kind == Going::unknown) return too_few_rows(m);
  const std::vector<Named> all = courses(m);
  const Named *worst = nullptr, *strongest = nullptr;
  double rms = 0;
  for (const Named& each : all) {
    if (each.course->kind == Going::fluctuating) {
      const double share = each.course->is_mean() && each.scale > 0 ? *each.course->error / each.scale : 0;
      if (strongest == nullptr || share > rms) strongest = &each;
      rms = std::max(rms, share);
      continue;
    }
    // Among the courses that nothing bounds, the one that changes most is named.
    const auto rank = [](const Named& x) {
      return std::pair(to_go(x), x.scale > 0 ? x.course->per_thousand / x.scale : 0);
    };
    if (worst == nullptr || rank(each) > rank(*worst)) worst = &each;
  }
  Finding f;
  f.question = "steady";
  f.unit = "%";
  f.limit = 100 * Course::steady_share;
  if (worst != nullptr && worst->course->kind != Going::steady) {
    constexpr double bad = 0.05;
    const double open = to_go(*worst), rate = worst->scale > 0 ? 100 * worst->course->per_thousand / worst->scale : 0;
    f.judgement = open <= bad ? Judgement::doubtful : Judgement::bad;
    if (open < 1e300) f.value = 100 * open;
    const std::string going =
        fmt::format("{} still changes {}% per 1000 steps, {}", worst->name, n(rate),
                    open < 1e300 ? fmt::format("about {}% to go", n(100 * open)) : "without an end in sight");
    f.found = "not yet: " + going;
    f.brief = "not steady yet (" + going + ")";
    f.advice = m.end.interrupted ? go_on() : m.adviser.longer(steps_until_steady(m, *worst), m.end.steady);
    return f;
  }
  if (strongest != nullptr) {
    f.value = 100 * rms;
    f.limit.reset();
    f.found = fmt::format("statistically: fluctuates about means that do not drift ({}: mean known to {}%)",
                          strongest->name, n(100 * rms));
    return f;
  }
  f.value = worst != nullptr ? 100 * to_go(*worst) : 0;
  f.found = fmt::format("yes: {}% or less to go ({})", n(*f.value), worst != nullptr ? worst->name : "");
  return f;
}

std::optional<Finding> statistics(const Material& m) {
  constexpr double enough_samples = 20, enough_periods = 5;
  const auto quality = [](const Course& c) {
    return c.periods > 0 ? c.periods / enough_periods : c.independent / enough_samples;
  };
  const std::vector<Named> all = courses(m);
  const Named* worst = nullptr;
  for (const Named& each : all) {
    if (each.course->kind != Going::fluctuating || each.course->cycle) continue;
    const auto rank = [&](const Named& x) { return std::pair(x.course->plateau, quality(*x.course)); };
    if (worst == nullptr || rank(each) < rank(*worst)) worst = &each;
  }
  if (worst == nullptr) return {};
  const Course& course = *worst->course;
  const bool periodic = course.periods > 0;
  Finding f;
  f.question = "statistics";
  f.judgement = quality(course) >= 1 ? Judgement::good : Judgement::doubtful;
  f.value = periodic ? course.periods : course.independent;
  f.limit = periodic ? enough_periods : enough_samples;
  f.unit = periodic ? "periods" : "samples";
  if (!course.plateau) {
    f.judgement = Judgement::doubtful;
    f.found = fmt::format("no plateau of the block error of {}: errors of means are lower bounds", worst->name);
  } else if (periodic) {
    f.found = fmt::format("means over {} periods of {} (good: {})", n(*f.value), worst->name, n(*f.limit));
  } else {
    f.found =
        fmt::format("means are worth {} independent samples of {} (good: {})", n(*f.value), worst->name, n(*f.limit));
  }
  if (f.judgement != Judgement::good) f.advice = longer_than_now(m);
  return f;
}

std::optional<Finding> balance(const Material& m) {
  if (m.end.flows.empty()) return {};
  double net = 0, passing = 0;
  flows_of(m, net, passing);
  if (passing == 0) return {};
  constexpr double good = 1, bad = 5;
  // Flow that passes, in parts of what the largest speed would let pass: less than that is rounding, or goes in circles
  // before an opening, and has no other way out.
  constexpr double least_share = 1e-5;
  const Geometry& geometry = m.end.seen.solver.geometry();
  double area = 0;
  for (const Opening& opening : geometry.openings) area += opening.area;
  const double speed = largest_speed(m.end), slowest = speed <= speed_of_rest ? speed_of_rest : least_share * speed;
  const double least = m.end.seen.units.si_flow_rate(slowest * area, geometry.nodes.dimension);
  const bool nothing_passes = passing < least && m.end.mass.holds();
  const double share = nothing_passes ? 0 : 100 * std::abs(net) / passing;
  Finding f{"inflow = outflow", judge(share, good, bad), share, good, "%"};
  f.found = nothing_passes ? "nothing passes the openings"
                           : fmt::format("differ by {}% of what passes (good: {}%)", n(share), n(good));
  if (!m.end.mass.holds()) {
    f.judgement = Judgement::bad;
    const double missing = m.end.mass.passed() > 0 ? 100 * std::abs(m.end.mass.missing()) / m.end.mass.passed() : 0;
    f.found += fmt::format("; {}% of what passed is missing", n(missing));
  }
  if (f.judgement == Judgement::good) return f;
  if (m.end.mass.holds())
    f.advice = longer_than_now(m);
  else if (format_rounds(m.end.c.numerics.format))
    f.advice = m.adviser.more_digits();
  else
    f.advice.text = "see the warning about mass: walls may leak, or rows are too far apart to follow the flow";
  return f;
}

std::optional<Finding> mach(const Material& m) {
  constexpr double good = 0.2, bad = 0.3, aim = 0.15;
  const SignalStatistics& column = m.end.history.columns[column_of(m.end, "max_mach")];
  const double largest = std::max(std::sqrt(3.0) * m.end.totals.max_speed, column.count() > 0 ? column.maximum() : 0.0);
  Finding f{"Mach number", judge(largest, good, bad), largest, good, "-"};
  f.found = fmt::format("{} at most (good: {}; errors go like its square)", n(largest, 3), n(good));
  if (f.judgement != Judgement::good) f.advice = m.adviser.slower(largest / aim);
  return f;
}

std::optional<Finding> settings(const Material& m) {
  const std::size_t count = advise_units(m.end.c, m.end.seen.units).size() +
                            advise(m.end.seen.solver.plan().flow().viscosity, m.end.seen.units).size() +
                            m.end.seen.solver.geometry().report.warnings.size();
  if (count == 0) return {};
  Finding f{"warnings", Judgement::doubtful, static_cast<double>(count), 0.0, ""};
  f.found = count == 1 ? "one was given at the start" : fmt::format("{} were given at the start", count);
  f.advice.text = "read them; `fluvia plan` gives them again";
  return f;
}

}  // namespace fluvia::findings
