// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

namespace fluvia::cli {

/// A Python program that is compiled in, in a file in memory that programs started from here can open by name; it is
/// gone when they have ended, however they end.
class PythonTool {
 public:
  /// `name`: its file name, as embedded_tool() has it. Throws Error(resource) if there is no memory for it.
  explicit PythonTool(std::string_view name);
  PythonTool(const PythonTool&) = delete;
  PythonTool& operator=(const PythonTool&) = delete;
  ~PythonTool();

  /// The Python that runs it: FLUVIA_PYTHON, else python3.
  [[nodiscard]] const std::string& python() const { return python_; }
  /// The command that runs it with these words.
  [[nodiscard]] std::vector<std::string> command(std::vector<std::string> words) const;

 private:
  std::string python_;
  int descriptor_ = -1;
};

/// A folder or file as a word of a command, which does not take it for an option.
std::string path_word(const std::string& path);

}  // namespace fluvia::cli
