// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/application.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/options/image_options.hpp"
#include "fluvia/cli/pages/pages.hpp"
#include "fluvia/cli/terminal/console.hpp"
#include "fluvia/cli/terminal/last_resort.hpp"
#include "fluvia/domain/rank_group.hpp"
#include "fluvia/ranks/ranks.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/run/serve.hpp"

namespace fluvia {

namespace {
/// The command that a mistyped one was meant to be; empty if argv[1] is a command or an option.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return {};
  return fmt::format("there is no command '{}'{}", argv[1], did_you_mean(argv[1], names));
}

/// Names of the options of a command, or of the program itself.
std::vector<std::string> option_names(const CLI::App& command) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  return names;
}

/// The option that a mistyped one was meant to be, of the command argv[1] or of the program itself; empty if all are
/// known.
std::string unknown_option(const CLI::App& app, int argc, char** argv) {
  if (argc < 2) return {};
  const std::vector<const CLI::App*> commands =
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == argv[1]; });
  const std::vector<std::string> names = option_names(commands.empty() ? app : *commands.front());
  const std::string place = commands.empty() ? "" : std::string(argv[1]) + ": ";
  for (int k = commands.empty() ? 1 : 2; k < argc; ++k) {
    const std::string given = std::string(argv[k]).substr(0, std::string(argv[k]).find('='));
    if (!given.starts_with("--") || given == "--" || std::find(names.begin(), names.end(), given) != names.end())
      continue;
    return fmt::format("{}there is no option '{}'{}", place, shorten(given), did_you_mean(given, names));
  }
  return {};
}

/// Builds the commands and runs the one that the arguments name. Throws whatever it throws.
int run_command(int argc, char** argv) {
  CLI::App app{"Fluvia, a lattice Boltzmann flow solver", "fluvia"};
  int exit_code = static_cast<int>(ExitCode::success);
  cli::add_commands(app, exit_code);
  try {
    std::vector<std::string> arguments = cli::with_labels_joined({argv + std::min(argc, 1), argv + argc});
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app.parse(std::move(arguments));
  } catch (const CLI::Success& e) {  // --help, --version
    exit_code = app.exit(e);
  } catch (const CLI::ParseError& e) {
    std::string unknown = unknown_command(app, argc, argv);
    if (unknown.empty() && (dynamic_cast<const CLI::ExtrasError*>(&e) != nullptr || (argc > 1 && argv[1][0] == '-')))
      unknown = unknown_option(app, argc, argv);
    return cli::report(ExitCode::usage, ((unknown.empty() ? e.what() : unknown) + "; see 'fluvia --help'").c_str());
  }
  cli::finish_output();
  return exit_code;
}

int run_or_report(int argc, char** argv) {
  try {
    return run_command(argc, argv);
  } catch (...) {
    return cli::report_current_exception();
  }
}

/// The whole program of ranks other than the first, which only take part in a run, and print nothing.
int run_other_rank(int argc, char** argv) {
  try {
    const std::string command = argc < 2 ? "" : argv[1];
    if (command != "run" && command != "plan" && command != "bench") cli::refuse_ranks();
    run_command(argc, argv);
    return serve_refusal(ExitCode::internal, "this rank has nothing to run");
  } catch (const cli::EndOfService& end) {
    return end.exit_code;
  } catch (const Error& e) {
    return serve_refusal(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return serve_refusal(ExitCode::resource, "memory ran out");
  } catch (const std::exception& e) {
    return serve_refusal(ExitCode::internal, e.what());
  }
}
}  // namespace

void cli::refuse_ranks() {
  throw_input("on several ranks only 'fluvia run', 'plan' and 'bench' compute; start this command without mpirun");
}

void cli::add_commands(CLI::App& app, int& exit_code) {
  app.set_version_flag("--version", "fluvia " + version());
  add_page_options(app);
  app.require_subcommand(1);
  add_run_command(app, exit_code);
  add_verify_command(app, exit_code);
  add_sweep_command(app, exit_code);
  add_refine_command(app);
  add_plan_command(app);
  add_geometry_command(app);
  add_convert_command(app);
  add_new_command(app);
  add_model_command(app);
  add_bench_command(app);
  add_permeability_command(app, exit_code);
  add_report_command(app, exit_code);
  add_movie_command(app, exit_code);
  add_info_command(app);
  add_examples(app);
}

int run_application(int argc, char** argv) {
  cli::open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit is an error like a full disk
  ranks::start(argc, argv);
  int code = 0;
  if (ranks::rank() == 0) {
    code = run_or_report(argc, argv);
    domain::end_service(code);
  } else {
    code = run_other_rank(argc, argv);
  }
  ranks::finish();
  return code;
}

}  // namespace fluvia
