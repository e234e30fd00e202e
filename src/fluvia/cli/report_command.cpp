// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/options/case_options.hpp"
#include "fluvia/cli/terminal/programs.hpp"
#include "fluvia/cli/terminal/python_tool.hpp"

namespace fluvia::cli {

namespace {

struct ReportSettings {
  std::filesystem::path folder, output;
};

/// Runs the program of the report, which has its own messages, and ends with this program's codes.
int run(const ReportSettings& settings) {
  const PythonTool tool("report.pyz");
  std::vector<std::string> words = {"report", path_word(settings.folder.string())};
  if (!settings.output.empty()) words.push_back("--output=" + settings.output.string());
  const ProgramEnd end = run_program(tool.command(std::move(words)));
  if (end.code == static_cast<int>(ExitCode::internal))  // its traceback stands above
    throw Error(ExitCode::internal,
                fmt::format("report: {} could not make the page; please report what it says above", tool.python()));
  if (end.code && *end.code <= static_cast<int>(ExitCode::interrupted)) return *end.code;
  throw_resource(fmt::format("report: {} has to make the page, but {}; FLUVIA_PYTHON names another Python 3.9 or later",
                             tool.python(), end.problem));
}

}  // namespace

void add_report_command(CLI::App& app, int& exit_code) {
  auto settings = std::make_shared<ReportSettings>();
  CLI::App* command =
      app.add_subcommand("report", "Make one HTML page of a run: verdict, results, plots, pictures, 3D");
  command->add_option("OUT", settings->folder, "Output folder of a run")->required()->check(not_empty());
  command->add_option("--output", settings->output, "The page to write (default: OUT/report.html)")
      ->type_name("FILE")
      ->check(not_empty());
  command->callback([settings, &exit_code] { exit_code = run(*settings); });
}

}  // namespace fluvia::cli
