// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"

namespace fluvia::cli {

/// A case file and the settings by which the command line replaces its values.
struct CaseOptions {
  std::filesystem::path file;
  std::vector<std::string> settings;  ///< key=value, as in the case file
  int threads = 0;
  std::string device, devices;
  double memory_limit = 0;  ///< MiB

  /// Adds CASE, --set, --threads, --device, --devices and --memory-limit to a subcommand.
  void add_to(CLI::App& command);
  /// Reads the case, with more settings after those of the command line. Throws Error(input).
  [[nodiscard]] Case read(const std::vector<std::string>& more = {}) const;
  /// The folder that a run of the case writes to if its command names none.
  [[nodiscard]] std::filesystem::path output_folder(const Case& c) const;
  /// The words of a command line that names the same case: CASE and the options that were given.
  [[nodiscard]] std::vector<std::string> words() const;
};

/// Check for the values that numerics.device may have.
CLI::Validator is_device();
/// Check that refuses an empty name, say from a shell variable that is not set: it must not stand for the default.
CLI::Validator not_empty();

}  // namespace fluvia::cli
