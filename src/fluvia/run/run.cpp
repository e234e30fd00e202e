// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <utility>

#include "fluvia/base/error.hpp"
#include "fluvia/output/pictures/drawing.hpp"
#include "fluvia/run/divergence/diagnosis.hpp"
#include "fluvia/run/divergence/diverged_run.hpp"
#include "fluvia/run/divergence/remedies.hpp"
#include "fluvia/run/files/run_folder.hpp"
#include "fluvia/run/grid_check.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "fluvia/run/simulation.hpp"

namespace fluvia {

namespace {

void say(const std::function<void(const std::string&)>& sink, const std::string& message) {
  if (sink) sink(message);
}

/// Number of steps that the case asks for.
std::int64_t last_step(const Case& c, const Units& units) {
  if (c.run.steps) return *c.run.steps;
  if (!c.run.time) throw_input("run: give steps or time");
  constexpr double most_steps = 1e15;  // as many as run.steps may be
  const double steps = *c.run.time / units.time_step;
  if (steps < 0.5 || steps > most_steps)
    throw_input(fmt::format("{}: run.time: '{}' is {:.3g} time steps of {:.6g}; expected 1 to {:.0e} steps",
                            c.place("run.time"), *c.run.time, steps, units.time_step, most_steps));
  return static_cast<std::int64_t>(steps + 0.5);
}

using Warn = std::function<void(const std::string&)>;

/// Deals with what a run that begins, or goes on at `step`, finds in its folder: its own results, or those of an
/// earlier run.
void make_room(RunFolder& folder, const Case& c, const RunOptions& options, std::int64_t step, const Warn& warn) {
  const auto moved = [&](const std::filesystem::path& where, const char* what) {
    if (!where.empty())
      warn(fmt::format("{} in '{}' were moved to '{}'", what, options.output.string(), where.string()));
  };
  const bool from_elsewhere = !options.resume_from.empty() &&
                              options.resume_from.parent_path().lexically_normal() != options.output.lexically_normal();
  if (!options.resume || (from_elsewhere && !folder.holds(c.hash).value_or(false))) {
    moved(folder.set_aside(), "results of an earlier run");
  } else if (folder.has_checkpoint_after(step)) {
    moved(folder.set_aside(step), "results of later steps");
  }
  folder.claim(c.hash);
}

RunResult run_once(const Case& c, const RunOptions& options) {
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& text) {
    warnings.push_back(text);
    say(options.on_warning, text);
  };
  PreparedFlow flow(c, warn);
  const Grid& grid = flow.grid();
  const Units& units = flow.units();
  const std::int64_t end = last_step(c, units);
  check_averages(c, end);
  RunFolder folder(options.output, c.title);
  folder.remove_unfinished();
  flow.build_on_all_ranks();
  say(options.on_message,
      fmt::format("{} x {} x {} nodes, {} fluid (porosity {:.4g}), tau {:.4g}", grid.size[0], grid.size[1],
                  grid.size[2], flow.geometry().nodes.fluid_nodes, flow.geometry().nodes.porosity(), units.tau));
  for (const GeometryReport::Sheet& sheet : flow.geometry().report.sheets) say(options.on_message, sheet.line());
  flow.make_solver(options.interrupt);
  Solver& solver = flow.solver();
  const Plan& plan = solver.plan();
  const std::string ranks = plan.domain.side_by_side() > 1 ? fmt::format("{} {} of ", plan.domain.blocks,
                                                                         plan.domain.is_on_ranks() ? "ranks" : "parts")
                                                           : "";
  say(options.on_message,
      fmt::format("{} {} {} {} {}, {}{} threads, {:.1f} MiB of populations", plan.flow().lattice->name,
                  plan.flow().collision->name, plan.flow().equilibrium->name, plan.scheme_name(), plan.format->name,
                  ranks, plan.threads, static_cast<double>(plan.population_bytes) / 1048576.0));
  for (std::size_t l = 0; l < plan.levels.size(); ++l)
    say(options.on_message, fmt::format("level {}: {} nodes, tau {:.4g}, {} step{} in one of the coarsest", l,
                                        plan.levels[l].nodes, plan.levels[l].tau, 1 << l, l == 0 ? "" : "s"));
  if (&flow.seen() != &solver)
    say(options.on_message, fmt::format("{} nodes are stored, those with i + j + k even; speeds count these",
                                        solver.geometry().nodes.fluid_nodes));
  if (!c.output.slices.empty())
    if (const std::string text = missing_fonts(); !text.empty()) warn(text);
  if (plan.flow().viscosity.varies()) say(options.on_message, "viscosity " + describe(plan.flow().viscosity, units));
  if (!plan.reason.empty()) say(options.on_message, plan.reason);
  if (!plan.snapshot_fits && !plan.domain.is_streamed())
    say(options.on_message,
        fmt::format("output holds up the stepping: on the GPU there is no room for a snapshot of the "
                    "flow, {:.1f} MiB, to write from",
                    static_cast<double>(plan.snapshot_bytes) / 1048576.0));
  if (plan.domain.is_streamed())
    say(options.on_message,
        fmt::format("{} blocks{} are streamed through the GPU, as fast as the link to host memory: {:.1f} MiB of "
                    "populations wait there, each step moves all of them to the GPU and back; output holds up the "
                    "stepping",
                    plan.domain.blocks, plan.levels.empty() ? "" : " of levels of refinement",
                    static_cast<double>(plan.host_bytes) / 1048576.0));

  Simulation simulation(c, grid, units, solver, flow.seen(), options);
  if (options.resume) {
    for (const std::string& note : simulation.resume()) warn(note);
    if (solver.time_step() > end)
      throw_input(
          fmt::format("--resume: the checkpoint is from step {}, but the run ends at step {}; give more steps, "
                      "or name an older checkpoint",
                      solver.time_step(), end));
    say(options.on_message, fmt::format("resuming at step {}", solver.time_step()));
  }
  make_room(folder, c, options, solver.time_step(), warn);
  return simulation.run(end, std::move(warnings), &folder);
}

}  // namespace

std::string version() {
  return FLUVIA_VERSION;
}

RunResult run_case(const Case& c, const RunOptions& options) {
  try {
    RunResult result = run_once(c, options);
    if (options.refine_check && !result.interrupted) check_grids(c, options, result);
    return result;
  } catch (const Divergence& divergence) {  // by now the memory of that flow is free
    if (!(options.try_seconds > 0)) throw;
    say(options.on_message, "the flow diverged; looking for settings with which it does not");
    const std::string remedies = try_remedies(c, divergence, options.try_seconds, options.interrupt);
    add_remedies(options.output, remedies);
    throw Error(ExitCode::unstable, divergence.what() + remedies);
  }
}

}  // namespace fluvia
