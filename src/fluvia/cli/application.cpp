// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/application.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/cli/console.hpp"
#include "fluvia/run/run.hpp"

namespace fluvia {

namespace {
/// What a mistyped command was meant to be; empty if argv[1] is a command or an option.
std::string unknown_command(const CLI::App& app, int argc, char** argv) {
  if (argc < 2 || argv[1][0] == '-') return {};
  std::vector<std::string> names;
  for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
  if (std::find(names.begin(), names.end(), argv[1]) != names.end()) return {};
  return fmt::format("there is no command '{}'{}", argv[1], did_you_mean(argv[1], names));
}

int report(ExitCode code, const char* message) {
  cli::say(fmt::format("fluvia: {}\n", message));
  return static_cast<int>(code);
}
}  // namespace

int run_application(int argc, char** argv) {
  cli::open_standard_streams();
  std::signal(SIGXFSZ, SIG_IGN);  // a file beyond the limit is an error like a full disk
  CLI::App app{"Fluvia, a lattice Boltzmann flow solver", "fluvia"};
  app.set_version_flag("--version", "fluvia " + version());
  app.require_subcommand(1);
  int exit_code = static_cast<int>(ExitCode::success);
  cli::add_run_command(app, exit_code);
  cli::add_plan_command(app);
  cli::add_geometry_command(app);
  cli::add_new_command(app);
  cli::add_model_command(app);
  cli::add_bench_command(app);
  cli::add_permeability_command(app);
  cli::add_info_command(app);
  try {
    app.parse(argc, argv);
    cli::finish_output();
  } catch (const CLI::Success& e) {  // --help, --version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    const std::string unknown = unknown_command(app, argc, argv);
    return report(ExitCode::usage, ((unknown.empty() ? e.what() : unknown) + "; see 'fluvia --help'").c_str());
  } catch (const Error& e) {
    return report(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return report(ExitCode::resource, "memory ran out; use a coarser spacing, a one-copy scheme or a smaller format");
  } catch (const std::system_error& e) {  // what fmt::print throws
    return report(ExitCode::resource, (std::string("standard output cannot be written: ") + e.what()).c_str());
  } catch (const std::exception& e) {
    return report(ExitCode::internal, (std::string("internal error: ") + e.what()).c_str());
  }
  return exit_code;
}

}  // namespace fluvia
