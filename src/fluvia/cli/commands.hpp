// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>

namespace fluvia::cli {

/// Adds its subcommand to the application; the subcommand's callback does the work and throws on failure. A command
/// that ends with a code other than success stores it in `exit_code`.
void add_run_command(CLI::App& app, int& exit_code);
void add_verify_command(CLI::App& app, int& exit_code);
void add_sweep_command(CLI::App& app, int& exit_code);
void add_plan_command(CLI::App& app);
void add_geometry_command(CLI::App& app);
void add_convert_command(CLI::App& app);
void add_new_command(CLI::App& app);
void add_model_command(CLI::App& app);
void add_bench_command(CLI::App& app);
void add_permeability_command(CLI::App& app, int& exit_code);
void add_refine_command(CLI::App& app);
void add_report_command(CLI::App& app, int& exit_code);
void add_movie_command(CLI::App& app, int& exit_code);
void add_info_command(CLI::App& app);

/// Thrown by a command on a rank other than the first when the first has ended.
struct EndOfService {
  int exit_code;
};

/// Throws Error(input) if there are several ranks; for commands that do not share their work among ranks.
[[noreturn]] void refuse_ranks();

/// Adds all commands, and --version; one must be given.
void add_commands(CLI::App& app, int& exit_code);

}  // namespace fluvia::cli
