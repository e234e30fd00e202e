// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <memory>
#include <optional>

#include "fluvia/base/error.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/options/case_options.hpp"
#include "fluvia/cli/terminal/interruption.hpp"
#include "fluvia/cli/terminal/progress_line.hpp"
#include "fluvia/cli/terminal/run_page.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/run/serve.hpp"

namespace fluvia::cli {

namespace {

constexpr int no_view = -1;

struct RunSettings {
  CaseOptions source;
  std::filesystem::path output;
  std::string resume;
  std::int64_t steps = -1;
  double try_seconds = 30;
  int view = no_view;
  bool plot = false;
  bool refine_check = false, verify = false;
};

std::filesystem::path output_folder(const Case& c, const RunSettings& settings) {
  return settings.output.empty() ? settings.source.output_folder(c) : settings.output;
}

/// The command that makes the same run from the start, for summary.json: a run that was resumed gives the same, too.
std::vector<std::string> command_of(const RunSettings& settings) {
  std::vector<std::string> words = {"fluvia", settings.verify ? "verify" : "run"};
  for (std::string& word : settings.source.words()) words.push_back(std::move(word));
  if (settings.steps >= 0) words.insert(words.end(), {"--steps", std::to_string(settings.steps)});
  if (settings.refine_check && !settings.verify) words.emplace_back("--refine-check");
  if (!settings.output.empty()) words.insert(words.end(), {"--output", settings.output.string()});
  return words;
}

void print_files(const RunResult& result) {
  fmt::print("files:\n");
  for (const auto& file : result.files) {
    std::error_code ignored;
    fmt::print("  {} ({:.1f} KiB)\n", file.string(),
               static_cast<double>(std::filesystem::file_size(file, ignored)) / 1024);
  }
}

void print_expectations(const RunResult& result) {
  for (const auto& e : result.results.value("expected", nlohmann::json::array())) {
    const std::string error =
        e["relative_error"].is_null() ? "" : fmt::format(": {:+.2f}%", 100 * e["relative_error"].get<double>());
    fmt::print("{} = {:.6g}, expected {:.6g}{} ({})\n", e["column"].get<std::string>(), e["value"].get<double>(),
               e["expected"].get<double>(), error, e["source"].get<std::string>());
  }
}

/// Runs the case and tells its page how it ended.
RunResult run_shown(const Case& c, const RunOptions& options, std::optional<RunPage>& page) {
  try {
    RunResult result = run_case(c, options);
    if (page) page->end(result.interrupted ? "interrupted" : "finished", result.verdict.sentence(), result.report);
    return result;
  } catch (const Error& error) {
    if (page) page->end("failed", error.what(), "");
    throw;
  }
}

int run(const RunSettings& settings, bool resume) {
  Case c = settings.source.read();
  if (settings.steps >= 0) {
    c.run.steps = settings.steps;
    c.run.time.reset();
  }
  if (ranks::rank() > 0) throw EndOfService{serve_run(c)};
  if (ranks::launched_without_mpi())
    throw_input(
        "a launcher started several processes, but this fluvia was built without MPI and would run the case in each; "
        "install libopenmpi-dev and build it again, or start it without the launcher");
  if (settings.refine_check && ranks::count() > 1)
    throw_input("--refine-check: other grids are other cases, which several ranks do not share; run it without mpirun");
  ProgressLine line(settings.plot);
  RunOptions options;
  options.output = output_folder(c, settings);
  options.resume = resume;
  options.resume_from = settings.resume;
  options.try_seconds = ranks::count() > 1 ? 0 : settings.try_seconds;  // other ranks have this case and no other
  options.refine_check = settings.refine_check;
  options.command = command_of(settings);
  options.interrupt = catch_interruptions();
  std::optional<RunPage> page;
  if (settings.view != no_view) {
    page.emplace(options.output, c.title, settings.view);
    line.print("the run is shown at " + page->address());
  }
  options.on_progress = [&](const Progress& p) {
    line.show(p);
    if (page) page->show(p);
  };
  options.on_message = [&](const std::string& text) { line.print(text); };
  options.on_warning = [&](const std::string& text) { line.print("warning: " + text); };
  const RunResult result = run_shown(c, options, page);
  if (result.interrupted) {
    fmt::print("{}", result.report);
    line.print(fmt::format("interrupted at step {}; resume with: fluvia run {} --output {} --resume", result.steps,
                           settings.source.file.string(), options.output.string()));
    return static_cast<int>(ExitCode::interrupted);
  }
  line.print(fmt::format("finished at step {} ({}), {:.1f} MFLUPS", result.steps,
                         result.steady ? "steady state" : "last step", result.results.value("mflups", 0.0)));
  print_expectations(result);
  print_files(result);
  fmt::print("{}", result.report);
  return static_cast<int>(ExitCode::success);
}

/// Adds `run` or `verify`, which differ in what they do unasked.
void add_command(CLI::App& app, int& exit_code, const char* name, const char* meaning, bool verify) {
  auto settings = std::make_shared<RunSettings>();
  settings->refine_check = settings->verify = verify;
  CLI::App* command = app.add_subcommand(name, meaning);
  settings->source.add_to(*command);
  command->add_option("--output", settings->output, "Folder for everything that the run writes")
      ->type_name("DIR")
      ->check(not_empty());
  CLI::Option* resume = command
                            ->add_option("--resume", settings->resume,
                                         "Continue from the newest checkpoint in the output folder, or from FILE")
                            ->expected(0, 1)
                            ->type_name("[FILE]");
  command->add_option("--steps", settings->steps, "Run until this step, whatever the case says")
      ->check(CLI::Range(std::int64_t{0}, std::int64_t{1'000'000'000'000'000}));
  command
      ->add_option("--try", settings->try_seconds,
                   "Seconds to look for other settings if the flow diverges (30; 0: none)")
      ->type_name("SECONDS")
      ->check(CLI::Range(0.0, 1e9));
  if (!verify)
    command->add_flag("--refine-check", settings->refine_check,
                      "Run the case on two other grids, too, and say how far the grid puts each result off");
  command
      ->add_option("--view", settings->view,
                   "Show the run in a browser of this machine, at this port (0: any that is free)")
      ->type_name("PORT")
      ->check(CLI::Range(0, 65535));
  command->add_flag("--plot", settings->plot, "Draw the residual over the steps on the terminal");
  command->callback([settings, resume, &exit_code] { exit_code = run(*settings, resume->count() > 0); });
}

}  // namespace

void add_run_command(CLI::App& app, int& exit_code) {
  add_command(app, exit_code, "run", "Run a case", false);
}

void add_verify_command(CLI::App& app, int& exit_code) {
  add_command(app, exit_code, "verify", "Run a case on three grids and find the grid error of each result", true);
}

}  // namespace fluvia::cli
