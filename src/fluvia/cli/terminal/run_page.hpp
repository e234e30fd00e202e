// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>

#include "fluvia/cli/terminal/fed_program.hpp"
#include "fluvia/cli/terminal/python_tool.hpp"
#include "fluvia/run/run.hpp"

namespace fluvia::cli {

/// A page that shows a run while it goes on, to browsers of this machine alone (127.0.0.1), by a program of its own
/// that reads what the run writes and ends with it, however it ends. The page lies at an address that nobody can guess.
class RunPage {
 public:
  /// `folder`: where the run writes; `port`: 0 for any that is free. Throws Error(resource) if the port cannot be had,
  /// or Python does not run.
  RunPage(const std::filesystem::path& folder, const std::string& title, int port);
  RunPage(const RunPage&) = delete;
  RunPage& operator=(const RunPage&) = delete;
  ~RunPage() = default;

  [[nodiscard]] const std::string& address() const { return address_; }
  /// Never waits.
  void show(const Progress& progress);
  /// How the run ended: "finished", "interrupted" or "failed", with some words, and its report.
  void end(const std::string& how, const std::string& words, const std::string& report);

 private:
  int listening_;
  PythonTool tool_{"report.pyz"};
  std::string address_;
  FedProgram server_;
};

}  // namespace fluvia::cli
