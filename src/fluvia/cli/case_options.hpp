// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"

namespace fluvia::cli {

/// A case file and the values of it that the command line replaces.
struct CaseOptions {
  std::filesystem::path file;
  std::vector<std::string> settings;  ///< key=value, as in the case file
  int threads = 0;
  std::string device, devices;
  double memory_limit = 0;  ///< MiB

  /// Adds CASE, --set, --threads, --device, --devices and --memory-limit to a subcommand.
  void add_to(CLI::App& command);
  /// Reads the case, with more settings after its own. Throws Error(input).
  [[nodiscard]] Case read(const std::vector<std::string>& more = {}) const;
  /// The words of a command line that names the same case: CASE and the options that were given.
  [[nodiscard]] std::vector<std::string> words() const;
};

/// What numerics.device may be.
CLI::Validator is_device();
/// An empty name, say from a shell variable that is not set, must not stand for the default.
CLI::Validator not_empty();

}  // namespace fluvia::cli
