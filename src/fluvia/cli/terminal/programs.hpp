// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fluvia/base/embedded_file.hpp"

namespace fluvia::cli {

/// The end of another program.
struct ProgramEnd {
  std::optional<int> code;  ///< none: it could not be started, or a signal ended it
  std::string problem;      ///< message on what went wrong; empty if the code is 0
};

/// Runs a program found along PATH, with the terminal of this one, and waits for it.
ProgramEnd run_program(const std::vector<std::string>& command);

/// A command as a shell takes it: words that it would split or change are in single quotes.
std::string shell_line(const std::vector<std::string>& command);

/// A Python program that is compiled in, by its file name.
const EmbeddedFile& embedded_tool(std::string_view name);

}  // namespace fluvia::cli
