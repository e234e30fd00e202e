// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/options/case_options.hpp"
#include "fluvia/cli/terminal/interruption.hpp"
#include "fluvia/cli/terminal/progress_line.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/run/sweep.hpp"

namespace fluvia::cli {

namespace {

struct SweepSettings {
  CaseOptions source;
  std::vector<std::string> vary, columns;
  std::filesystem::path output;
};

/// Prints columns as wide as their longest cells, numbers on the right.
void print_table(const std::vector<std::vector<std::string>>& rows) {
  std::vector<std::size_t> widths(rows[0].size());
  for (const auto& row : rows)
    for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t k = 0; k < row.size(); ++k) line += fmt::format("{}{:>{}}", k == 0 ? "" : "  ", row[k], widths[k]);
    fmt::print("{}\n", line);
  }
}

/// The monitors that the table shows: those that were asked for, else the first few that there are.
std::vector<std::string> shown_monitors(const Sweep& sweep, const SweepSettings& settings) {
  std::vector<std::string> known = sweep.monitors();
  constexpr std::size_t few = 5;
  if (settings.columns.empty()) {
    known.resize(std::min(few, known.size()));
    return known;
  }
  std::vector<std::string> shown;
  for (const std::string& name : settings.columns) {
    const auto same = std::find_if(known.begin(), known.end(), [&](const std::string& full) {
      return full == name || full.starts_with(name + " [");  // units may be left out
    });
    if (same != known.end())
      shown.push_back(*same);
    else if (!known.empty())
      throw Error(ExitCode::usage, fmt::format("--columns: no run has a monitor '{}'; there are {}{}", shorten(name),
                                               join(known), did_you_mean(name, known)));
  }
  return shown;
}

/// The command that makes the same runs, for their summaries.
std::vector<std::string> command_of(const SweepSettings& settings) {
  std::vector<std::string> words = {"fluvia", "sweep"};
  for (std::string& word : settings.source.words()) words.push_back(std::move(word));
  for (const std::string& variation : settings.vary) words.insert(words.end(), {"--vary", variation});
  if (!settings.output.empty()) words.insert(words.end(), {"--output", settings.output.string()});
  return words;
}

int run(const SweepSettings& settings) {
  if (ranks::count() > 1) refuse_ranks();
  std::vector<Variation> variations;
  for (const std::string& text : settings.vary) variations.push_back(parse_variation(text));
  const CaseOptions& source = settings.source;
  const std::filesystem::path folder = !settings.output.empty()
                                           ? settings.output
                                           : std::filesystem::path("out") / (source.file.stem().string() + "-sweep");
  Sweep sweep(
      std::move(variations), [&](const std::vector<std::string>& more) { return source.read(more); }, folder,
      join(source.settings, " "));
  ProgressLine line;
  RunOptions options;
  options.command = command_of(settings);
  options.on_progress = [&](const Progress& p) { line.show(p); };
  options.on_warning = [&](const std::string& text) { line.print("warning: " + text); };
  options.interrupt = catch_interruptions();
  const std::size_t count = sweep.runs().size();
  const bool finished = sweep.run(
      options, [&](std::size_t k) { line.print(fmt::format("run {} of {}: {}", k + 1, count, sweep.runs()[k].name)); });
  int code = static_cast<int>(ExitCode::success);
  for (const SweepRun& run : sweep.runs()) {
    if (run.problem.empty()) continue;
    line.print(fmt::format("{}: {}: {}", run.name, run.ended, run.problem));
    code = static_cast<int>(run.ended == "diverged" ? ExitCode::unstable : ExitCode::input);
  }
  print_table(sweep.table(shown_monitors(sweep, settings), 6));
  fmt::print("all monitors: {}\n", (folder / "sweep.csv").string());
  if (!finished) {
    line.print("interrupted; the same command goes on");
    return static_cast<int>(ExitCode::interrupted);
  }
  return code;
}

}  // namespace

void add_sweep_command(CLI::App& app, int& exit_code) {
  auto settings = std::make_shared<SweepSettings>();
  CLI::App* command =
      app.add_subcommand("sweep", "Run a case with several values of its keys, and tabulate the results");
  settings->source.add_to(*command);
  command->add_option("--vary", settings->vary, "A key and its values; with several keys all combinations are run")
      ->required()
      ->type_name("KEY=A,B,...")
      ->allow_extra_args(false);
  command
      ->add_option("--columns", settings->columns,
                   "Monitors that the printed table shows, without units if you like (default: the first five)")
      ->delimiter(',');
  command->add_option("--output", settings->output, "Folder, with one below it for each run (default: out/CASE-sweep)")
      ->type_name("DIR")
      ->check(not_empty());
  command->callback([settings, &exit_code] { exit_code = run(*settings); });
}

}  // namespace fluvia::cli
