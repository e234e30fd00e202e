// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/divergence/remedies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/walls.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/run/simulation.hpp"
#include "fluvia/solver/plan/collision_choice.hpp"

namespace fluvia {

namespace {

using Clock = std::chrono::steady_clock;
using Change = std::function<void(Remedy&)>;

constexpr double margin = 1.2;              // how much longer a flow has to last than it did
constexpr std::int64_t fewest_steps = 100;  // steps to last, for flows that diverge at once

void set(Remedy& remedy, std::string& value, const std::string& key, const std::string& to) {
  value = to;
  remedy.settings.push_back(key + "=" + to);
}

void set(Remedy& remedy, double& value, const std::string& key, double to) {
  const std::string text = format_short(to, 9);
  value = std::stod(text);  // the value that is printed is the one that is tried
  remedy.settings.push_back(key + "=" + text);
}

/// Makes time steps shorter: flows slower in lattice units, at a smaller tau. In SI one key does it.
void divide_time_step(Remedy& remedy, const Units& units, double by) {
  Case::Units& u = remedy.changed.units;
  if (u.lattice_velocity) {
    set(remedy, *u.lattice_velocity, "units.lattice_velocity", *u.lattice_velocity / by);
  } else if (u.time_step) {
    set(remedy, *u.time_step, "units.time_step", *u.time_step / by);
  } else {
    set(remedy, *u.tau, "units.tau", 0.5 + (units.tau - 0.5) / by);
  }
  remedy.steps_ratio = by;
}

/// The case with the same flow, of which nothing is written or recorded.
Case silent(Case c) {
  c.run.steady.reset();
  c.monitors = {};
  c.monitors.openings = false;
  c.monitors.every = 1'000'000'000'000'000;  // the most steps that a case may state
  c.output = {};
  c.output.vtk = "none";
  c.output.fields.clear();
  c.checkpoint = {};
  c.numerics.trial = false;
  return c;
}

Completion run_without_monitoring(const Case& c, std::int64_t steps, const std::function<bool()>& stop) {
  PreparedFlow flow(c, {});
  flow.build();
  flow.make_solver();
  const RunOptions nothing;
  return Simulation(c, flow.grid(), flow.units(), flow.solver(), flow.solver(), nothing)
      .run_without_monitoring(steps, stop);
}

std::string as_options(const Remedy& remedy) {
  std::string text;
  for (const std::string& setting : remedy.settings) text += (text.empty() ? "--set " : " --set ") + setting;
  return text;
}

std::int64_t steps_to_survive(const Divergence& divergence, double ratio) {
  const auto step = static_cast<double>(divergence.step());
  return static_cast<std::int64_t>(ratio * std::max(margin * step, step + fewest_steps));
}

}  // namespace

std::vector<Remedy> possible_remedies(const Case& c, const Units& units) {
  const bool si = units.si;
  const Change stable_collision = [](Remedy& r) {
    set(r, r.changed.numerics.collision, "numerics.collision", endures_most);
  };
  const Change eddies = [](Remedy& r) { set(r, r.changed.physics.smagorinsky, "physics.smagorinsky", 0.1); };
  const Change half_way = [](Remedy& r) { set(r, r.changed.walls.method, "walls.method", "half-way"); };
  const Change digits = [](Remedy& r) {
    set(r, r.changed.numerics.format, "numerics.format", format_with_more_digits(r.changed.numerics.format));
  };
  const auto slower = [&units](double by) { return [&units, by](Remedy& r) { divide_time_step(r, units, by); }; };

  std::vector<Remedy> remedies;
  const auto add = [&](const std::vector<Change>& changes) {
    if (changes.empty()) return;
    Remedy remedy{{}, c, 1};
    for (const Change& change : changes) change(remedy);
    remedies.push_back(std::move(remedy));
  };
  std::vector<Change> harmless;
  if (c.numerics.collision != endures_most) harmless.push_back(stable_collision);
  if (format_rounds(c.numerics.format)) harmless.push_back(digits);
  if (has_interpolated_walls(c)) harmless.push_back(half_way);
  for (const Change& change : harmless) add({change});
  if (si) add({slower(2)});
  const bool may_have_eddies = c.physics.smagorinsky == 0 && !c.physics.rheology;
  if (may_have_eddies) add({eddies});
  std::vector<Change> all = harmless;
  if (may_have_eddies) all.push_back(eddies);
  if (all.size() > 1) add(all);
  if (si)
    for (const double by : {2.0, 4.0}) {
      std::vector<Change> with = all;
      with.emplace_back(slower(by));
      add(with);
    }
  return remedies;
}

Remedy with_shorter_steps(const Case& c, const Units& units, double by) {
  Remedy remedy{{}, c, 1};
  divide_time_step(remedy, units, by);
  return remedy;
}

std::string try_remedies(const Case& c, const Divergence& divergence, double seconds,
                         const std::atomic<bool>* interrupt) {
  const double one = divergence.seconds_per_step() * static_cast<double>(steps_to_survive(divergence, 1));
  if (one > seconds)
    return fmt::format("\n  other settings were not tried, which would take about {:.3g} s each: --try SECONDS", one);
  const auto deadline = Clock::now() + std::chrono::duration<double>(seconds);
  const auto stop = [&] { return Clock::now() > deadline || (interrupt && interrupt->load()); };
  std::vector<std::string> tried;
  bool in_time = true;
  for (const Remedy& remedy : possible_remedies(c, make_units(c, make_grid(c).spacing))) {
    if (stop()) {
      in_time = false;
      break;
    }
    const std::int64_t steps = steps_to_survive(divergence, remedy.steps_ratio);
    Completion result = Completion::diverged;
    try {
      result = run_without_monitoring(silent(remedy.changed), steps, stop);
    } catch (const Error& error) {
      if (error.code() == ExitCode::internal) throw;
      continue;  // it contradicts the rest of the case, or needs more memory than there is
    }
    if (result == Completion::completed)
      return fmt::format("\n  tried: with {} the flow goes beyond that, to step {}", as_options(remedy), steps);
    if (result == Completion::stopped) {
      in_time = false;
      break;
    }
    tried.push_back(as_options(remedy));
  }
  const std::string gone = tried.empty() ? "" : fmt::format("; it diverged as well with {}", join(tried, "; "));
  return in_time ? fmt::format("\n  tried: no change of settings that keeps it from diverging was found{}", gone)
                 : fmt::format("\n  tried: in {:.3g} s no change of settings was found that keeps it from diverging{}",
                               seconds, gone);
}

}  // namespace fluvia
