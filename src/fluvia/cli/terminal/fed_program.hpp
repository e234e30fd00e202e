// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <sys/types.h>

#include <string>
#include <string_view>
#include <vector>

#include "fluvia/cli/terminal/programs.hpp"

namespace fluvia::cli {

/// A program found along PATH that works beside this one on what it reads from its standard input, which ends when this
/// process does, however it ends. What it says goes nowhere but for its last line if it fails. SIGPIPE must be ignored.
class FedProgram {
 public:
  /// `answers`: whether wait_for_answer() will be asked. Such a program is a server, for which nobody has to wait: if
  /// it hangs, what is written is lost after 5 s, and it is killed 10 s after its input ended.
  explicit FedProgram(const std::vector<std::string>& command, bool answers = false);
  FedProgram(const FedProgram&) = delete;
  FedProgram& operator=(const FedProgram&) = delete;
  /// Ends its input and waits for it.
  ~FedProgram();

  /// Whether it could be started.
  [[nodiscard]] bool started() const { return process_ > 0; }
  /// Gives it bytes, and waits until it takes them. False if it takes no more.
  bool write(std::string_view bytes);
  /// Gives it a line, at most 4096 bytes, that is lost if it has not read those before; never waits.
  void offer(std::string_view line);
  /// Waits until it writes something to its standard output. False if it ended, or said nothing for 20 s.
  bool wait_for_answer();
  /// Ends its input, waits for it, and says how it ended.
  ProgramEnd finish();

 private:
  /// Waits for its end; returns its status, as waitpid() has it.
  int wait_for_end() const;
  [[nodiscard]] std::string last_words() const;

  std::string name_;
  pid_t process_ = 0;
  int input_ = -1, output_ = -1, words_ = -1;
  bool answers_;
  ProgramEnd end_;
};

}  // namespace fluvia::cli
