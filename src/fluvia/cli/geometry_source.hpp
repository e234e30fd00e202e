// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <CLI/CLI.hpp>
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"

namespace fluvia::cli {

/// A file with the shape of a flow domain, and what the command line says of it.
struct GeometrySource {
  std::filesystem::path file;
  std::string unit;
  double spacing = 0;
  int nodes = 128;
  std::vector<int> shape;
  int bits = 8;
  std::vector<int> fluid_labels = {0};
  bool outside = false;

  /// Adds the options that say how to read a file, without the file itself.
  void add_to(CLI::App& command);
  /// The case that the file is or belongs in. Throws Error(usage) or Error(input).
  [[nodiscard]] Case make_case() const;
};

}  // namespace fluvia::cli
