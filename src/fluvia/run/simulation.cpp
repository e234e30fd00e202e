// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/simulation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <numeric>
#include <system_error>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/output/summary.hpp"
#include "fluvia/run/checks/preflight.hpp"
#include "fluvia/run/divergence/diagnosis.hpp"
#include "fluvia/run/divergence/diverged_run.hpp"
#include "fluvia/run/findings/verdict.hpp"
#include "fluvia/run/loop/cycles.hpp"
#include "fluvia/run/loop/mass_keeper.hpp"
#include "fluvia/run/loop/outlets.hpp"
#include "fluvia/run/monitors/expectations.hpp"
#include "fluvia/run/results.hpp"
#include "fluvia/solver/initial_state.hpp"
#include "fluvia/solver/links/earlier_memory.hpp"
#include "fluvia/solver/profiles/changing_profile.hpp"

namespace fluvia {

namespace {

using Seconds = std::chrono::duration<double>;

std::string default_quantity(const Case& c) {
  return c.run.steady ? c.run.steady->quantity : "kinetic_energy";
}

int surface_index(const Geometry& geometry, const std::string& name) {
  const auto it = std::find(geometry.surfaces.begin(), geometry.surfaces.end(), name);
  return static_cast<int>(it - geometry.surfaces.begin());
}

/// The value for Solver::set_boundary_value of a boundary without a series: a pressure, or the factor on its
/// velocities.
double constant_value(const Case::Boundary& b, const Units& units) {
  const std::vector<std::string> quantities = series_quantities(&facts_of_boundary(b.type));
  if (std::find(quantities.begin(), quantities.end(), "pressure") == quantities.end()) return 1;
  const auto given = b.values.find("pressure");
  return units.gauge_pressure(given == b.values.end() ? 0 : given->second);
}

}  // namespace

Simulation::Simulation(const Case& c, const Grid& grid, const Units& units, Solver& solver, const Solver& seen,
                       const RunOptions& options)
    : case_(c),
      options_(options),
      solver_(solver),
      units_(units),
      monitored_{seen, units, grid},
      tracers_(c.tracers.empty() ? nullptr : std::make_unique<Tracers>(c, units, seen)),
      monitors_(c, monitored_, tracers_ ? tracers_->columns() : std::vector<MonitorColumn>{}),
      steady_(c.run.steady ? c.run.steady->tolerance : 0, c.run.steady ? c.run.steady->window : 1000),
      steady_quantity_(default_quantity(c)),
      mass_(static_cast<double>(seen.geometry().nodes.fluid_nodes) * seen.geometry().nodes.node_volume()),
      files_(c, units, grid, solver, seen, options.output) {
  check_expectations(c, monitors_.columns());
  regulators_.push_back(std::make_unique<Outlets>(c, units, solver));
  regulators_.push_back(std::make_unique<MassKeeper>(solver, !c.bodies.empty()));
  std::erase_if(regulators_, [](const auto& regulator) { return regulator->interval() == 0; });
  for (const Case::Boundary& b : c.boundaries) {
    const bool by_series = !b.series.empty() && !takes_series(b);
    if (!by_series && b.ramp == 0) continue;
    Series series{surface_index(solver.geometry(), b.surface), {}, constant_value(b, units), 0, b.ramp};
    if (by_series) {
      series.values = read_series(c, b);
      // A velocity boundary was built for a value of 1, so that the series' own value is the factor.
      const bool is_pressure = b.series_quantity == "pressure";
      series.scale = is_pressure ? b.series_scale * units.pressure(1.0) : b.series_scale;
      series.offset = is_pressure ? units.gauge_pressure(0) : 0;
    }
    series_.push_back(std::move(series));
  }
}

std::vector<std::string> Simulation::resume() {
  std::vector<std::string> notes;
  std::filesystem::path file = options_.resume_from;
  if (file.empty()) {
    const auto latest = find_latest_checkpoint(options_.output, notes);
    if (!latest)
      throw_input(fmt::format("--resume: there is no checkpoint in '{}'; name one, or run without --resume",
                              options_.output.string()));
    file = *latest;
  }
  const auto of_earlier = [this](const std::vector<double>& memory) {
    return memory_of_earlier({case_, units_, solver_.geometry()}, solver_.plan().flow().lattice->name, memory);
  };
  const LoadedCheckpoint loaded = read_checkpoint(file, solver_, {case_.hash, false, of_earlier});
  if (!loaded.note.empty()) notes.push_back(loaded.note);
  restore(loaded.monitors);
  return notes;
}

void Simulation::restore(const MonitorState& state) {
  files_.restore(state);
  if (const auto it = state.find(steady_key); it != state.end()) steady_.restore(it->second);
  for (const auto& regulator : regulators_)
    if (const auto it = state.find(regulator->name()); it != state.end()) regulator->restore(it->second);
  if (const auto it = state.find(mass_key); it != state.end()) mass_.restore(it->second);
  if (tracers_) tracers_->restore(state);
}

MonitorState Simulation::state() const {
  MonitorState state{{steady_key, steady_.state()}};
  for (const auto& regulator : regulators_) state.emplace(regulator->name(), regulator->state());
  state.emplace(mass_key, mass_.state());
  if (tracers_) tracers_->save(state);
  return state;
}

std::int64_t Simulation::next_event(std::int64_t end) const {
  std::int64_t next = end;
  const std::int64_t now = solver_.time_step();
  for (const std::int64_t every :
       {case_.monitors.every, case_.run.check_every, case_.output.every, case_.checkpoint.every})
    if (every > 0) next = std::min(next, (now / every + 1) * every);
  // A flow that diverges at once is found at once: it is checked after 1, 2, 4, ... steps until the regular checks,
  // counted from the start of the flow and, if that is another step, from the start of this run.
  for (const std::int64_t start : {std::int64_t{0}, first_step_}) {
    const auto done = static_cast<std::uint64_t>(now - start);
    const auto early = static_cast<std::int64_t>(done == 0 ? 1 : 2 * std::bit_floor(done));
    if (early < case_.run.check_every) next = std::min(next, start + early);
  }
  return next;
}

BoundaryValues Simulation::values_at(std::int64_t step) const {
  BoundaryValues now;
  now.profile_time = units_.si_time(static_cast<double>(step));
  const double time = now.profile_time;
  for (const Series& s : series_)
    now.values.push_back(
        {s.surface, ((s.values ? s.values->at(time) : 1) * s.scale + s.offset) * ramp_factor(time, s.ramp)});
  return now;
}

bool Simulation::values_change_after(std::int64_t step) const {
  const double time = units_.si_time(static_cast<double>(step));
  return profiles_change_ ||
         std::any_of(series_.begin(), series_.end(), [&](const Series& s) { return s.values || time < s.ramp; });
}

void Simulation::set_boundary_value(int surface, double value) {
  double factor = 1;
  for (Series& s : series_)
    if (s.surface == surface) {
      s.scale = value;
      factor = ramp_factor(units_.si_time(static_cast<double>(solver_.time_step())), s.ramp);
    }
  solver_.set_boundary_value(surface, value * factor);
}

void Simulation::step_to(std::int64_t target) {
  const auto start = Clock::now();
  while (solver_.time_step() < target) {
    const std::int64_t now = solver_.time_step();
    std::int64_t next = tracers_ ? std::min(target, tracers_->next_after(now)) : target;
    for (const auto& regulator : regulators_) {
      const std::int64_t interval = regulator->interval();
      if (now % interval == 0) regulator->advance(solver_);
      next = std::min(next, (now / interval + 1) * interval);
    }
    if (values_change_) {
      step_with_values(now, std::min<std::int64_t>(next, now + solver_.plan().steps_per_pass));
    } else {
      solver_.step(next - now);
    }
    if (tracers_) tracers_->advance();
  }
  step_seconds_ += Seconds(Clock::now() - start).count();
}

void Simulation::step_with_values(std::int64_t first, std::int64_t end) {
  std::vector<BoundaryValues> values;
  for (std::int64_t step = first; step < end; ++step) values.push_back(values_at(step));
  solver_.step_with(values);
  values_change_ = values_change_after(end - 1);
}

void Simulation::begin() {
  first_step_ = solver_.time_step();
  // Until the next step, openings have the values of the step that led here, as in a run that was not interrupted.
  const std::int64_t before = std::max<std::int64_t>(0, first_step_ - 1);
  profiles_change_ = solver_.set_boundary_values(values_at(before));
  values_change_ = values_change_after(before);
  for (const auto& regulator : regulators_) regulator->begin(solver_);
  if (tracers_) tracers_->begin();
}

void Simulation::step_towards(std::int64_t event) {
  const double before = step_seconds_;
  const std::int64_t from = solver_.time_step();
  step_to(std::min(event, from + chunk_));
  const double per_step = (step_seconds_ - before) / static_cast<double>(solver_.time_step() - from);
  chunk_ = std::max<std::int64_t>(1, static_cast<std::int64_t>(0.25 / std::max(per_step, 1e-9)));
}

Completion Simulation::run_without_monitoring(std::int64_t end, const std::function<bool()>& stop) {
  begin();
  const Completion result = watch(end, stop);
  return result == Completion::completed && !is_sound() ? Completion::diverged : result;
}

Completion Simulation::watch(std::int64_t end, const std::function<bool()>& stop) {
  while (solver_.time_step() < end) {
    const std::int64_t event = next_event(std::numeric_limits<std::int64_t>::max());
    step_towards(std::min(event, end));
    if (solver_.time_step() == event && !is_sound()) return Completion::diverged;
    if (stop()) return Completion::stopped;
  }
  return Completion::completed;
}

double Simulation::mflups() const {
  const double updates = static_cast<double>(solver_.time_step() - first_step_) * solver_.updates_per_step();
  return step_seconds_ > 0 ? updates / step_seconds_ / 1e6 : 0;
}

void Simulation::report_progress(std::int64_t end, bool always) {
  if (!options_.on_progress) return;
  const auto now = Clock::now();
  if (!always && Seconds(now - last_report_).count() < 0.5) return;
  last_report_ = now;
  Progress p;
  p.step = solver_.time_step();
  p.last_step = end;
  p.seconds = step_seconds_;
  p.mflups = mflups();
  const auto done = static_cast<double>(p.step - first_step_);
  p.eta_seconds = done > 0 ? step_seconds_ / done * static_cast<double>(end - p.step) : 0;
  p.residual = steady_.residual();
  p.max_mach = std::sqrt(3.0) * totals_.max_speed;
  options_.on_progress(p);
}

bool Simulation::is_sound() {
  totals_ = monitored_.solver.totals();
  totals_step_ = solver_.time_step();
  return totals_.finite && std::sqrt(3.0) * totals_.max_speed <= case_.run.max_mach;
}

void Simulation::check_state() {
  if (totals_step_ != solver_.time_step() && !is_sound()) fail();
}

void Simulation::write_monitor_row() {
  if (last_row_step_ == solver_.time_step()) return;
  const std::vector<OpeningFlow> flows = opening_flows(solver_);
  last_row_ = monitors_.sample(totals_, flows);
  mass_.add(solver_.time_step(), totals_.mass, flows);
  last_row_step_ = solver_.time_step();
  // A run that is resumed at the end of its last one finds the row there.
  if (csv_->last_kept() != solver_.time_step()) csv_->row(solver_.time_step(), last_row_);
}

void Simulation::warn(const std::string& text) {
  warnings_.push_back(text);
  if (options_.on_warning) options_.on_warning(text);
}

void Simulation::keep_files() {
  const bool folder = folder_ != nullptr && folder_->keep();
  const bool rows = csv_->keep();
  if (folder || rows)
    warn(fmt::format("'{}' was removed or moved while the run went on, and made again",
                     (folder ? options_.output : csv_->path()).string()));
}

void Simulation::observe() {
  keep_files();
  check_state();
  OutputTask task;
  if (due(case_.run.check_every)) {
    steady_.add(solver_.time_step(), monitors_.quantity(steady_quantity_, totals_));
    task.good_state = files_.good_state_due();
  }
  if (due(case_.monitors.every)) {
    write_monitor_row();
    task.average = case_.monitors.average_from && solver_.time_step() >= *case_.monitors.average_from;
  } else if (solver_.time_step() < case_.run.check_every &&
             std::has_single_bit(static_cast<std::uint64_t>(solver_.time_step()))) {
    // The account begins with the sudden start of most flows, which rows do not follow. Later steps that are looked at
    // depend on where a run was resumed.
    mass_.add(solver_.time_step(), totals_.mass, opening_flows(solver_));
  }
  task.fields = due(case_.output.every);
  task.checkpoint = due(case_.checkpoint.every);
  task.monitors = state();
  if (tracers_) {
    tracers_->write_tables();
    if (task.fields) task.clouds = tracers_->clouds();
  }
  if (task.checkpoint || task.good_state) csv_->flush();  // a run that goes on from there counts on the rows before
  files_.make(std::move(task));
}

void Simulation::fail() {
  const std::int64_t step = solver_.time_step(), steps = std::max<std::int64_t>(1, step - first_step_);
  const std::string diagnosis = diagnose_instability(case_, output(), totals_);
  std::string text = diagnosis;
  try {
    text += return_to_good_state();
    summarise(results_of_divergence(diagnosis, step, planned_end_), files_.files());
  } catch (const Error& error) {  // an error of files: the user must know what went wrong first
    text += fmt::format("\n  besides, {}", error.what());
  }
  throw Divergence(text, step, step_seconds_ / static_cast<double>(steps));
}

/// Writes the fields of the last good state; returns a sentence about it.
std::string Simulation::return_to_good_state() {
  const std::filesystem::path good_state = files_.good_state();
  if (good_state.empty()) return return_to_start();
  read_checkpoint(good_state, solver_, {case_.hash, true, {}});
  OutputTask task;
  task.fields = true;
  task.in_series = false;
  files_.make_at_once(task);
  return fmt::format(
      "\n  the last good state, step {}, is in {} (fields beside it); resume from it with other "
      "numerics by --resume {}",
      solver_.time_step(), good_state.string(), good_state.string());
}

/// Where no good state was reached: writes what the run began with.
std::string Simulation::return_to_start() {
  if (options_.resume)
    return fmt::format("\n  no good state was reached since the run was resumed at step {}; that checkpoint stays",
                       first_step_);
  if (!solver_.levels().empty()) return "\n  no good state was reached before";
  files_.finish();  // the initial state may be read from a file, by HDF5, which is for one thread at a time
  reset_to_initial_state(solver_, {case_, units_, solver_.geometry()});
  return fmt::format("\n  no good state was reached before; the initial state is in {}",
                     files_.keep_initial_state({}).string());
}

std::string Simulation::drop_missing(std::vector<std::filesystem::path>& files) {
  std::vector<std::string> missing;
  std::erase_if(files, [&](const std::filesystem::path& file) {
    std::error_code unknown;
    if (std::filesystem::exists(file, unknown)) return false;
    missing.push_back("'" + file.string() + "'");
    return true;
  });
  if (missing.empty()) return "";
  constexpr std::size_t named = 5;
  const std::size_t count = missing.size();
  missing.resize(std::min(count, named));
  return fmt::format("{} file{} of this run {} removed or moved while it went on: {}{}", count, count == 1 ? "" : "s",
                     count == 1 ? "was" : "were", join(missing), count > named ? ", ..." : "");
}

void Simulation::write_final(RunResult& result, std::int64_t end) {
  const double waited = files_.seconds_waited();
  files_.finish();
  keep_files();
  check_state();
  OutputTask last;
  last.fields = !due(case_.output.every);
  last.in_series = false;
  last.checkpoint = result.interrupted || case_.checkpoint.at_end;
  last.monitors = state();  // the state before a row that only the end of this run makes
  write_monitor_row();
  csv_->flush();
  if (tracers_) {
    tracers_->write_tables();
    if (last.fields) last.clouds = tracers_->clouds();
  }
  files_.make_at_once(last);
  result.files = files_.files();
  if (tracers_)
    for (const std::filesystem::path& table : tracers_->tables()) result.files.push_back(table);
  if (last.checkpoint) result.checkpoint = files_.checkpoint();
  files_.remove_good_states();
  result.files.push_back(csv_->path());
  const auto& from = case_.monitors.average_from;
  if (from && solver_.time_step() / case_.monitors.every * case_.monitors.every < *from)
    warn(fmt::format("there are no averages: the run ended at step {}, before the first sample from step {} on",
                     solver_.time_step(), *from));
  if (!mass_.holds()) warn(mass_.warning(case_.monitors.every));
  nlohmann::json& r = result.results;
  r["ended_because"] = result.interrupted ? "interrupted" : result.steady ? "steady state" : "last step";
  r["last_step"] = solver_.time_step();
  r["planned_last_step"] = end;
  r["mflups"] = mflups();
  r["seconds"] = step_seconds_;
  r["seconds_waited_for_output"] = waited;
  r["residual"] = steady_.residual();
  r["mass_balance"] = mass_.json();
  if (tracers_) r["tracers"] = tracers_->json();
  nlohmann::json& monitors = r["monitors"] = nlohmann::json::object();
  for (std::size_t k = 0; k < last_row_.size(); ++k) monitors[monitors_.columns()[k].title()] = last_row_[k];
  judge(result, end);
  if (!case_.monitors.expectations.empty())
    r["expected"] = compare_with_expectations(case_, monitors_.columns(), last_row_);
  const std::string missing = drop_missing(result.files);
  if (!missing.empty()) warn(missing);
  result.files.push_back(summarise(r, result.files));
  if (!missing.empty()) throw_resource(missing + "; the rest is complete");
}

std::filesystem::path Simulation::summarise(const nlohmann::json& results,
                                            const std::vector<std::filesystem::path>& files) const {
  const auto path = options_.output / "summary.json";
  write_summary(path, output(),
                {case_.title, version(), case_.hash, case_.text, options_.command, results, files, warnings_});
  return path;
}

/// Fills in results, verdict and what they come from: nothing that a run which was resumed does not have, too.
void Simulation::judge(RunResult& result, std::int64_t end) {
  std::vector<std::size_t> all(monitors_.columns().size());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const double period = forcing_period(case_).value_or(0) / units_.time_step;
  const MonitorHistory history = read_history(case_, csv_->path(), all, solver_.time_step(), period);
  std::vector<std::string> signals(all.size());
  for (const MonitorSignal& signal : monitors_.signals())
    signals[signal.column] = monitors_.columns()[signal.column].title();
  nlohmann::json& r = result.results;
  if (!monitors_.signals().empty()) r["statistics"] = statistics_json(history, units_, signals);
  const std::vector<OpeningFlow> flows = opening_flows(solver_);
  const RunEnd run{case_,         monitored_,
                   monitors_,     history,
                   last_row_,     totals_,
                   flows,         mass_,
                   end,           result.interrupted,
                   result.steady, !result.checkpoint.empty(),
                   period,        tracers_.get()};
  const Assessment assessment = assess(run);
  result.fluid_nodes = static_cast<double>(solver_.geometry().nodes.fluid_nodes);
  result.quantities = collect_results(run, assessment);
  result.verdict = {find_out(run, assessment), run.checkpoint};
  r["quantities"] = results_json(result.quantities);
  r["verdict"] = result.verdict.json();
  result.report = format_results(result.quantities) + result.verdict.table();
}

void Simulation::open_monitor_file() {
  // A row of the checkpoint's own step stays if it is due, since the next one comes later. If not, an interrupt had
  // made it.
  const std::int64_t now = solver_.time_step(), first_new = now + (due(case_.monitors.every) ? 1 : 0);
  csv_.emplace(options_.output / "monitors.csv", monitors_.titles(),
               options_.resume ? std::optional(first_new) : std::nullopt);
  const std::int64_t last = csv_->last_kept().value_or(0);
  if (options_.resume && last < now / case_.monitors.every * case_.monitors.every)
    warn(fmt::format("'{}' has no rows of the steps from {} to {}, where the run goes on", csv_->path().string(), last,
                     now));
}

RunResult Simulation::run(std::int64_t end, std::vector<std::string> warnings, RunFolder* folder) {
  RunResult result;
  warnings_ = std::move(warnings);
  folder_ = folder;
  planned_end_ = end;
  open_monitor_file();
  begin();
  if (tracers_) tracers_->open_tables(options_.output);
  check_state();
  if (!mass_.begun()) mass_.add(solver_.time_step(), totals_.mass, opening_flows(solver_));
  const auto interrupted = [&] { return options_.interrupt && options_.interrupt->load(); };
  while (solver_.time_step() < end && !result.interrupted) {
    const std::int64_t event = next_event(end);
    step_towards(event);
    files_.check();
    if (solver_.time_step() == event) observe();
    report_progress(end, false);
    if (case_.run.steady && steady_.reached()) {
      result.steady = true;
      break;
    }
    result.interrupted = interrupted();
  }
  result.steps = solver_.time_step();
  write_final(result, end);
  report_progress(end, true);
  return result;
}

}  // namespace fluvia
