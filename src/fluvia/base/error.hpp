// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <stdexcept>
#include <string>

namespace fluvia {

/// Process exit codes; documented in docs/command-line.md.
enum class ExitCode : int {
  success = 0,
  internal = 1,     ///< a bug in Fluvia
  usage = 2,        ///< the command line is wrong
  input = 3,        ///< a case, geometry or checkpoint file is wrong
  resource = 4,     ///< memory, disk, permissions, devices
  unstable = 5,     ///< the flow diverged; the last good state was written
  interrupted = 6,  ///< Ctrl-C or SIGTERM; a checkpoint was written
};

/// The one exception type that reaches users. `what()` is a complete message: the place (file, line, column or
/// object), the offending value, and what would be right.
class Error : public std::runtime_error {
 public:
  Error(ExitCode code, const std::string& message) : std::runtime_error(message), code_(code) {}
  [[nodiscard]] ExitCode code() const noexcept { return code_; }

 private:
  ExitCode code_;
};

[[noreturn]] inline void throw_input(const std::string& message) {
  throw Error(ExitCode::input, message);
}
[[noreturn]] inline void throw_resource(const std::string& message) {
  throw Error(ExitCode::resource, message);
}

}  // namespace fluvia
