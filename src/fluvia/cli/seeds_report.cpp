// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/seeds_report.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <system_error>
#include <vector>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/embedded_file.hpp"
#include "fluvia/base/error.hpp"

namespace fluvia {
extern const std::span<const EmbeddedFile> embedded_tools;  // written by cmake/Embed.cmake
}

namespace fluvia::cli {

namespace {

/// Runs a program found along PATH and waits for it. Returns why it failed; empty if it did not.
std::string run_program(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t process = 0;
  if (const int error = posix_spawnp(&process, arguments[0], nullptr, nullptr, arguments.data(), environ); error != 0)
    return fmt::format("{} cannot be run: {}", command.front(), std::strerror(error));
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return fmt::format("{}: {}", command.front(), std::strerror(errno));
  if (WIFSIGNALED(status)) return fmt::format("it was ended by signal {}", WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  return code == 0 ? "" : fmt::format("it ended with code {}", code);
}

/// In single quotes if a shell would split or change it.
std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

void make_seeds_report(const std::filesystem::path& folder) {
  const EmbeddedFile& tool = embedded_tools.front();
  const std::filesystem::path file = folder / tool.name;
  write_file(file, tool.content);
  std::error_code unknown;
  const std::filesystem::path own = std::filesystem::read_symlink("/proc/self/exe", unknown);
  const std::string binary = unknown ? "fluvia" : own.string();
  const std::vector<std::string> command = {"python3", file.string(), folder.string(), "--fluvia", binary};
  const std::string problem = run_program(command);
  if (problem.empty()) return;
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "" : " ") + quoted(word);
  throw_resource(
      fmt::format("rows.json is written, but there is no report: {}. To make it later:\n  {}", problem, line));
}

}  // namespace fluvia::cli
