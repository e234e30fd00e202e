// SPDX-License-Identifier: Apache-2.0
#include "fluvia/backend/trial.hpp"

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <memory>
#include <new>
#include <utility>

#include "fluvia/backend/device_plan.hpp"
#include "fluvia/backend/levels.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/machine/memory.hpp"
#include "fluvia/base/machine/processor.hpp"
#include "fluvia/cpu/physics/physics.hpp"
#include "fluvia/cuda/runtime/driver.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia {

namespace {

using TrialClock = std::chrono::steady_clock;

constexpr double clearly_faster_here = 1.05;  // factor by which times of one solver differ on a quiet machine
constexpr double seconds_of_candidate = 0.3;  // seconds for which each candidate is measured
constexpr int repeats_of_candidate = 3;
constexpr double slower_by_far = 1.3;  // times the fastest so far: a candidate that slow is not measured again
constexpr double most_of_run = 0.1;    // part of the time of a run that its trial may take
constexpr std::uint64_t least_nodes = 1u << 19;  // fewer are in caches, and quickly done

double seconds_since(TrialClock::time_point start) {
  return std::chrono::duration<double>(TrialClock::now() - start).count();
}

std::string label_of(const std::string& scheme, int steps) {
  return steps == 1 ? scheme : fmt::format("{} by {} steps", scheme, steps);
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  std::tm date{};
  ::gmtime_r(&now, &date);
  return fmt::format("{:04}-{:02}-{:02}", date.tm_year + 1900, date.tm_mon + 1, date.tm_mday);
}

/// The case of a candidate, at rest, with nothing to do besides stepping.
Case case_of(const Case& c, const TrialCandidate& candidate) {
  Case tried = c;
  tried.numerics.scheme = candidate.scheme;
  tried.numerics.steps_per_pass = candidate.steps_per_pass;
  Case::Physics& p = tried.physics;
  p.initial_velocity = {};
  p.initial_flow = "uniform";
  p.initial_pressure.reset();
  p.initial_velocity_formula.clear();
  p.initial_pressure_formula.clear();
  p.initial_velocity_file.clear();
  p.initial_pressure_file.clear();
  tried.output.every = tried.checkpoint.every = 0;
  tried.monitors.average_from.reset();
  return tried;
}

/// Seconds that so many steps take; adds the processor time to `spent`.
double seconds_of_steps(Solver& solver, int count, ProcessorTime& spent) {
  const auto start = TrialClock::now();
  const std::clock_t processor_start = std::clock();
  solver.step(count);
  spent.of_processors += static_cast<double>(std::clock() - processor_start) / CLOCKS_PER_SEC;
  const double seconds = seconds_since(start);
  spent.seconds += seconds;
  return seconds;
}

/// Steps before anything is measured: kernels are compiled, caches filled.
int steps_before(const Plan& plan) {
  return plan.device == "cuda" ? steps_of_round(plan.steps_per_pass) : 2;
}

/// Seconds of a step: the least of some repeats, since other programs only take time. Slow steps are repeated twice,
/// candidates that are slower by far than others once.
double seconds_a_step(Solver& solver, double enough_seconds, ProcessorTime& time) {
  const int round = steps_of_round(solver.plan().steps_per_pass);
  ProcessorTime before;
  seconds_of_steps(solver, steps_before(solver.plan()), before);
  double spent = seconds_of_steps(solver, round, time), best = spent / round;
  const double rounds = seconds_of_candidate / repeats_of_candidate / std::max(spent, 1e-9);
  const int count = round * std::clamp(static_cast<int>(rounds), 1, 10000);
  for (int k = 0; k < repeats_of_candidate && (k == 0 || spent < seconds_of_candidate); ++k) {
    if (best > slower_by_far * enough_seconds) break;
    const double seconds = seconds_of_steps(solver, count, time);
    spent += seconds;
    best = std::min(best, seconds / count);
  }
  return best;
}

/// Function that measures with solvers of the case, one at a time.
MeasureCandidate measure_with_solvers(const Problem& problem, ProcessorTime& time) {
  const bool on_gpu = choose_device(problem.settings).device == "cuda";
  return [&, on_gpu](const TrialCandidate& candidate, double enough) -> std::optional<double> {
    try {
      const Case tried = case_of(problem.settings, candidate);
      if (on_gpu) {  // a domain that does not fit would run out of core, and wait in pinned memory of the host
        const Plan plan = plan_case(problem.with(tried));
        if (plan.domain.is_streamed() || !plan.refusal.empty()) return std::nullopt;
      }
      const auto solver = make_solver({tried, problem.units, problem.geometry});
      const double updates = static_cast<double>(solver->geometry().nodes.fluid_nodes) / 1e6;
      const double enough_seconds = enough > 0 ? updates / enough : 1e9;
      return updates / seconds_a_step(*solver, enough_seconds, time);
    } catch (const Error& error) {
      if (error.code() == ExitCode::internal) throw;
    } catch (const std::bad_alloc&) {
    }
    return std::nullopt;
  };
}

/// Whether the case leaves scheme or steps a pass open.
bool is_open(const Case& c) {
  if (c.numerics.scheme == "auto") return true;
  const Scheme& scheme = parse_scheme(c.numerics.scheme);
  return c.numerics.steps_per_pass == 0 &&
         std::max(scheme.most_steps_on_cpu, scheme.most_steps_on_gpu(c.domain.dimension)) > 1;
}

/// Text of what the speed of a plan depends on besides the case.
std::string machine_of(const DeviceChoice& choice, const Plan& plan) {
  if (choice.device == "cuda") return fmt::format("{}, driver {}", choice.name, cuda::driver_version().text());
  return fmt::format("{}, {} threads of {}, memory in {}, vectors of {}", processor_name(), plan.threads,
                     omp_get_num_procs(), memory_nodes(), cpu::vector_width());
}

std::string list_of(const std::vector<TrialRow>& rows) {
  std::string text;
  for (const TrialRow& row : rows)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", label_of(row.scheme, row.steps_per_pass),
                        row.mflups > 0 ? fmt::format("{:.0f}", row.mflups) : "does not run");
  return text + " MFLUPS";
}

/// Chooses a row, and says why. `when`: "of 1.3 s", or of which day.
void conclude(Trial& trial, const std::string& when) {
  trial.chosen = choose_row(trial.rows);
  const TrialRow& row = trial.rows[trial.chosen];
  trial.reason = fmt::format(
      "scheme {}: {} in a trial {}: {}", label_of(row.scheme, row.steps_per_pass),
      trial.chosen == 0 ? "the model's choice, and none was clearly faster" : "faster than the model's choice", when,
      list_of(trial.rows));
}

std::string names_of_candidates(const std::vector<TrialCandidate>& candidates) {
  std::string text;
  for (const TrialCandidate& candidate : candidates)
    text += (text.empty() ? "" : ", ") + label_of(candidate.scheme, candidate.steps_per_pass);
  return text;
}

/// Measures, concludes and keeps the result. `time`: what measuring spends, on `threads` processors.
void measure_and_keep(const std::vector<TrialCandidate>& candidates, const MeasureCandidate& measure,
                      const ProcessorTime& time, int threads, const TrialStop& stop, const TrialMemory& memory,
                      const std::string& key, Trial& trial) {
  const auto start = TrialClock::now();
  const auto lose = [&](const std::string& why) {
    trial.rows.clear();
    trial.note = why;
    trial.was_lost = true;
  };
  trial.rows = run_trial(candidates, measure, stop);
  const double seconds = seconds_since(start);
  if (trial.rows.empty()) return lose(fmt::format("none: it was stopped after {:.1f} s", seconds));
  if (trial.rows.front().mflups <= 0) {  // then the run fails as well, and says why
    trial.rows.clear();
    return;
  }
  if (time.is_shared(threads))
    return lose(
        fmt::format("none: others used the processors, of which {:.0f}% were left for it", 100 * time.share(threads)));
  conclude(trial, fmt::format("of {:.1f} s", seconds));
  const std::string problem = memory.keep(key, {today(), trial.rows});
  trial.was_lost = !problem.empty();
  trial.note = problem.empty() ? fmt::format("remembered in '{}'", memory.file_of(key).string())
                               : fmt::format("not remembered: {}", problem);
}

}  // namespace

void Trial::settle(Case& c) const {
  if (rows.empty()) return;
  c.numerics.scheme = rows[chosen].scheme;
  c.numerics.steps_per_pass = rows[chosen].steps_per_pass;
}

std::vector<TrialRow> run_trial(const std::vector<TrialCandidate>& candidates, const MeasureCandidate& measure,
                                const TrialStop& stop) {
  const auto is_over = [&] { return stop && stop(); };
  std::vector<TrialRow> rows;
  double best = 0;
  for (const TrialCandidate& candidate : candidates) {
    if (is_over()) return {};
    const double found = measure(candidate, best).value_or(0);
    rows.push_back({candidate.scheme, candidate.steps_per_pass, found});
    best = std::max(best, found);
  }
  // Another program may have taken time from the first candidate, or left some to another: the one that is to replace
  // the first must be faster once more, both times.
  std::vector<bool> again(rows.size(), false);
  for (std::size_t chosen = choose_row(rows); !again[chosen] && chosen > 0; chosen = choose_row(rows))
    for (const std::size_t k : {std::size_t{0}, chosen}) {
      if (again[k]) continue;
      if (is_over()) return {};
      again[k] = true;
      const double found = measure(candidates[k], 0).value_or(0);
      rows[k].mflups = k == 0 ? std::max(rows[k].mflups, found) : std::min(rows[k].mflups, found);
    }
  return rows;
}

std::size_t choose_row(const std::vector<TrialRow>& rows) {
  std::size_t best = 0;
  double faster_than = rows.front().mflups * clearly_faster_here;
  for (std::size_t k = 1; k < rows.size(); ++k) {
    if (rows[k].mflups <= faster_than) continue;
    best = k;
    faster_than = rows[k].mflups;
  }
  return best;
}

TrialCost expected_cost(const Problem& problem, const Plan& plan, const std::vector<TrialCandidate>& candidates) {
  const bool gpu = plan.device == "cuda";
  const double bandwidth = gpu ? 5e12 : std::min(30e9 * plan.threads, 400e9);
  const auto fluid = static_cast<double>(problem.geometry.nodes.fluid_nodes);
  const double step = fluid * plan.bytes_per_update / bandwidth;
  // A CPU fills fresh memory; a GPU waits for the host to prepare, and for kernels that were never compiled.
  const double setup = gpu ? 4 + fluid / 2e7 : 15 * step;
  TrialCost cost;
  const Case::Run& run = problem.settings.run;
  const double steps = run.steps ? static_cast<double>(*run.steps) : run.time ? *run.time / problem.units.time_step : 0;
  cost.run = steps * step;
  double dearest = 0;
  for (const TrialCandidate& candidate : candidates) {
    const int least = steps_before(plan) + 2 * steps_of_round(candidate.steps_per_pass);
    const double seconds = setup + std::max(seconds_of_candidate, least * step);
    cost.trial += seconds;
    dearest = std::max(dearest, seconds);
  }
  cost.trial += 2 * dearest;  // two candidates are measured again
  return cost;
}

Trial make_trial(const Problem& problem, TrialMode mode, const TrialMemory& memory, MeasureCandidate measure,
                 const TrialStop& stop) {
  const Case& c = problem.settings;
  const Geometry& geometry = problem.geometry;
  Trial trial;
  const bool anew = mode == TrialMode::anew;
  if (has_levels(c)) {
    if (anew) trial.note = "none: levels of refinement take what is said or usual";
    return trial;
  }
  if (!is_open(c) || !(c.numerics.trial || anew)) return trial;
  if (geometry.nodes.fluid_nodes < least_nodes) {
    if (anew) trial.note = fmt::format("none: fewer than {} fluid nodes are no matter", least_nodes);
    return trial;
  }
  const DeviceChoice choice = choose_device(c);
  if (!choice.domain.is_whole()) {
    trial.note = "none: domains in parts take what the model says";
    return trial;
  }
  const std::uint64_t device_memory = choice.device == "cuda" ? memory_of(c, choice) : available_memory();
  const Plan plan = device_plan(problem, choice);
  const std::vector<TrialCandidate> candidates = trial_candidates(c, geometry.nodes, plan, device_memory);
  if (candidates.size() < 2) {
    trial.note = "none: nothing else comes near to what the model expects of this, or gives the same bits";
    return trial;
  }
  const std::string key = trial_key(c, geometry, plan, machine_of(choice, plan), candidates);
  if (anew) memory.forget(key);
  if (const auto known = anew ? std::nullopt : memory.find(key, candidates)) {
    trial.rows = known->rows;
    conclude(trial, "of " + known->date);
    trial.note = fmt::format("remembered in '{}'; `fluvia plan --trial` makes it anew", memory.file_of(key).string());
    return trial;
  }
  const TrialCost cost = expected_cost(problem, plan, candidates);
  if (!anew && !cost.is_worth_it()) {
    trial.note = "none: the run is too short to gain by it";
    return trial;
  }
  if (mode == TrialMode::remembered) {
    trial.note =
        fmt::format("`fluvia run` tries {} first, and remembers which is fastest", names_of_candidates(candidates));
    return trial;
  }
  ProcessorTime time;
  if (!measure) {
    if (const double usable = usable_processors(omp_get_num_procs()); choice.device == "cpu" && plan.threads > usable) {
      trial.note = fmt::format("none: {} threads share {:.3g} processors", plan.threads, usable);
      return trial;
    }
    measure = measure_with_solvers(problem, time);
  }
  // Making solvers may take longer than is known beforehand.
  const auto start = TrialClock::now();
  const auto is_over = [&] { return (stop && stop()) || (!anew && seconds_since(start) > most_of_run * cost.run); };
  measure_and_keep(candidates, measure, time, choice.device == "cpu" ? plan.threads : 0, is_over, memory, key, trial);
  return trial;
}

}  // namespace fluvia
