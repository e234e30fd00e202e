// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/loop/cycles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "fluvia/base/text.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/run/findings/findings_parts.hpp"
#include "fluvia/solver/bodies/motion_table.hpp"
#include "fluvia/solver/profiles/time_series.hpp"

namespace fluvia {

namespace {

constexpr double enough_rows = 20;  ///< rows of a cycle: its peak is known to (pi / 20)^2 / 2 = 1.2% of its height
constexpr double cycles_to_compare = 3;

/// Steps between rows that give at least twice as many rows in a cycle as are enough.
std::int64_t rows_apart(double period) {
  return std::max<std::int64_t>(1, static_cast<std::int64_t>(period / (2 * enough_rows)));
}

std::string few_rows(double rows, std::int64_t every) {
  return fmt::format("a row of the monitors every {} steps is {} a cycle of what drives the flow", every,
                     format_short(rows, 3));
}

}  // namespace

namespace {

/// Whether a shape is round about the axis through `center` along `axis`, of length 1: turning about it moves nothing.
bool is_round_about(const Case::Shape& shape, const Real3& center, const Real3& axis, int dimension) {
  constexpr double same = 1e-6;
  const auto is_on_axis = [&](const Real3& point) {
    const Real3 away = point - center;
    return norm(away - dot(away, axis) * axis) <= same * std::max(shape.radius, norm(away));
  };
  if (shape.kind == "sphere") return is_on_axis(shape.center);
  if (shape.kind != "cylinder" && shape.kind != "cone" && shape.kind != "capsule") return false;
  return is_on_axis(shape.from) && (dimension == 2 || is_on_axis(shape.to));
}

/// Time of one turn of a body that turns evenly about a point that stays, or of the course that it repeats [case
/// units]. None for what is round about its axis, and does not change the flow by turning.
std::optional<double> period_of(const Case& c, const Case::Body& body) {
  const Case::Body::Motion& motion = body.motion;
  if (!motion.series.empty()) {
    if (!motion.series_periodic) return std::nullopt;
    return MotionTable(geometry::resolve(c.directory, motion.series), c.domain.dimension, true).duration();
  }
  const double rate = norm(motion.angular_velocity);
  if (!(rate > 0) || body.free || norm(motion.velocity) > 0 || !motion.displacement_formula.empty() || !motion.center)
    return std::nullopt;
  const Real3 axis = (1 / rate) * motion.angular_velocity;
  const bool is_from_file =
      std::ranges::any_of(c.geometry.stl, [&](const Case::Stl& stl) { return stl.name == body.surface; });
  const bool is_round = !is_from_file && std::ranges::all_of(c.geometry.shapes, [&](const Case::Shape& shape) {
    return shape.name != body.surface || is_round_about(shape, *motion.center, axis, c.domain.dimension);
  });
  if (is_round) return std::nullopt;
  return 2 * std::numbers::pi / rate;
}

}  // namespace

std::optional<double> forcing_period(const Case& c) {
  std::vector<double> periods;
  for (const Case::Body& body : c.bodies)
    if (const auto period = period_of(c, body)) periods.push_back(*period);
  for (const Case::Boundary& b : c.boundaries) {
    if (b.series.empty() || b.series_scale == 0) continue;
    if (const auto period = read_series(c, b).period()) periods.push_back(*period);
  }
  if (periods.empty()) return std::nullopt;
  const double longest = *std::max_element(periods.begin(), periods.end());
  constexpr int most = 20;
  constexpr double same = 1e-6;
  for (int k = 1; k <= most; ++k) {
    const bool whole = std::all_of(periods.begin(), periods.end(), [&](double period) {
      const double cycles = k * longest / period;
      return std::abs(cycles - std::round(cycles)) <= same * cycles;
    });
    if (whole) return k * longest;
  }
  return std::nullopt;
}

std::vector<std::string> advise_rows_per_cycle(const Case& c, const Units& units) {
  const auto period = forcing_period(c);
  if (!period) return {};
  const double steps = *period / units.time_step, rows = steps / static_cast<double>(c.monitors.every);
  if (rows >= enough_rows || steps < enough_rows) return {};
  return {fmt::format("{}, so that peaks are missed{}; set monitor.every = {}", few_rows(rows, c.monitors.every),
                      rows < 2 ? ", and a flow that is not steady may look so" : "", rows_apart(steps))};
}

namespace findings {

namespace {

/// Advice to run until so many cycles are done, and a little more, so that the last one is whole.
Advice until_cycle(const Material& m, double cycles) {
  return m.adviser.longer(std::ceil(cycles * m.end.period), m.end.steady);
}

Finding rows_too_far_apart(const Material& m) {
  Finding f{"steady", Judgement::bad, m.end.rows_per_cycle(), enough_rows, "rows"};
  f.found = fmt::format("cannot be told: {}, and the same moment of each looks steady (good: {})",
                        few_rows(m.end.rows_per_cycle(), m.end.history.every), n(enough_rows));
  if (m.end.history.every > 1)
    f.advice = {"write rows more often", {fmt::format("monitor.every={}", rows_apart(m.end.period))}, false};
  else
    f.advice = m.adviser.slower(enough_rows / m.end.period);
  return f;
}

Finding cycles_missing(const Material& m, double done) {
  const double period = m.end.seen.units.si_time(m.end.period);
  Finding f{"steady", done < 2 ? Judgement::bad : Judgement::doubtful, done, cycles_to_compare, "cycles"};
  f.found = fmt::format("not yet: {} of at least {} cycles of {}{} were computed: {} missing", n(done, 3),
                        n(cycles_to_compare), n(period, 4), m.end.seen.units.si ? " s" : " steps",
                        n(cycles_to_compare - done, 3));
  f.advice = until_cycle(m, cycles_to_compare);
  return f;
}

/// The finding where monitor.average_from leaves too little of the run.
Finding window_too_short(const Material& m, double seen) {
  Finding f{"steady", Judgement::doubtful, seen, 2.0, "cycles"};
  f.found = fmt::format("cannot be told: monitor.average_from leaves {} of at least 2 cycles", n(seen, 3));
  const double from = static_cast<double>(m.end.seen.solver.time_step()) / m.end.period - seen;
  f.advice = until_cycle(m, from + cycles_to_compare);
  return f;
}

}  // namespace

std::optional<Finding> repeating(const Material& m, const std::vector<Named>& courses) {
  if (m.end.rows_per_cycle() < Course::fewest_rows_per_cycle) return rows_too_far_apart(m);
  const double done = static_cast<double>(m.end.seen.solver.time_step()) / m.end.period;
  if (done < cycles_to_compare * (1 - 1e-9)) return cycles_missing(m, done);
  // A window of two cycles may have one row less than they are long, since rows are a whole number of steps apart.
  const auto rows = static_cast<double>(m.end.history.rows);
  if (rows + 1 <= 2 * m.end.rows_per_cycle() * (1 + 1e-9)) return window_too_short(m, rows / m.end.rows_per_cycle());
  constexpr double good = 0.01, bad = 0.05;
  // A quantity that does not change in a cycle may still change from one cycle to the next.
  const auto change = [](const Named& each) {
    if (each.course->cycle) return each.course->cycle->change;
    if (!each.course->error) return 1.0;
    return each.scale > 0 ? *each.course->error / each.scale : 0;
  };
  const auto worst = std::max_element(courses.begin(), courses.end(),
                                      [&](const Named& a, const Named& b) { return change(a) < change(b); });
  if (worst == courses.end()) return {};
  const double most = change(*worst);
  Finding f{"steady", judge(most, good, bad), 100 * most, 100 * good, "%"};
  const std::string cycles =
      fmt::format("{} cycles of {}{}", n(std::floor(done + 1e-9), 3), n(m.end.seen.units.si_time(m.end.period), 4),
                  m.end.seen.units.si ? " s" : " steps");
  if (f.judgement == Judgement::good) {
    f.found = fmt::format("in cycles: {}% or less from one to the next ({}; good: {}%), {}", n(100 * most), worst->name,
                          n(100 * good), cycles);
  } else {
    // The change is taken to die out by the same factor each cycle; if it does not, as many cycles again are advised.
    const double decay = worst->course->cycle ? worst->course->cycle->decay : 1;
    const double missing =
        decay > 0 && decay < 0.9 ? std::ceil(std::log(0.5 * good / most) / std::log(decay)) : std::floor(done);
    f.found = fmt::format("not yet: {} changes {}% from cycle to cycle (good: {}%), {}, about {} missing", worst->name,
                          n(100 * most), n(100 * good), cycles, n(missing, 3));
    f.brief =
        "cycles are not yet alike (" + worst->name + fmt::format(" changes {}% from one to the next)", n(100 * most));
    f.advice = until_cycle(m, done + missing);
  }
  if (m.end.rows_per_cycle() < enough_rows) {
    f.judgement = std::max(f.judgement, Judgement::doubtful);
    f.found +=
        "; " + few_rows(m.end.rows_per_cycle(), m.end.history.every) + fmt::format(" (good: {})", n(enough_rows));
    if (f.advice.text.empty())
      f.advice = {"write rows more often", {fmt::format("monitor.every={}", rows_apart(m.end.period))}, false};
  }
  return f;
}

}  // namespace findings

}  // namespace fluvia
