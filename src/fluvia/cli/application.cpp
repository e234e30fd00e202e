// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/application.hpp"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "fluvia/base/error.hpp"
#include "fluvia/cli/commands.hpp"
#include "fluvia/run/run.hpp"

namespace fluvia {

namespace {
int report(ExitCode code, const char* message) {
  fmt::print(stderr, "fluvia: {}\n", message);
  return static_cast<int>(code);
}
}  // namespace

int run_application(int argc, char** argv) {
  CLI::App app{"Fluvia, a lattice Boltzmann flow solver", "fluvia"};
  app.set_version_flag("--version", "fluvia " + version());
  app.require_subcommand(1);
  int exit_code = static_cast<int>(ExitCode::success);
  cli::add_run_command(app, exit_code);
  cli::add_plan_command(app);
  cli::add_geometry_command(app);
  cli::add_new_command(app);
  cli::add_bench_command(app);
  cli::add_info_command(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::Success& e) {  // --help, --version
    return app.exit(e);
  } catch (const CLI::ParseError& e) {
    return report(ExitCode::usage, (std::string(e.what()) + "; see 'fluvia --help'").c_str());
  } catch (const Error& e) {
    return report(e.code(), e.what());
  } catch (const std::bad_alloc&) {
    return report(ExitCode::resource, "memory ran out; use a coarser spacing, a one-copy scheme or a smaller format");
  } catch (const std::exception& e) {
    return report(ExitCode::internal, (std::string("internal error: ") + e.what()).c_str());
  }
  return exit_code;
}

}  // namespace fluvia
