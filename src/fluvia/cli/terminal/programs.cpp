// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/terminal/programs.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <stdexcept>

namespace fluvia {
extern const std::span<const EmbeddedFile> embedded_tools;  // written by cmake/Embed.cmake
}

namespace fluvia::cli {

namespace {

std::string quoted(const std::string& word) {
  const bool plain = word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=:,./") ==
                     std::string::npos;
  if (plain && !word.empty()) return word;
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return text + "'";
}

}  // namespace

ProgramEnd run_program(const std::vector<std::string>& command) {
  std::vector<char*> arguments;
  for (const std::string& argument : command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  pid_t process = 0;
  if (const int error = posix_spawnp(&process, arguments[0], nullptr, nullptr, arguments.data(), environ); error != 0)
    return {{}, fmt::format("{} cannot be run: {}", command.front(), std::strerror(error))};
  int status = 0;
  while (waitpid(process, &status, 0) < 0)
    if (errno != EINTR) return {{}, fmt::format("{}: {}", command.front(), std::strerror(errno))};
  if (WIFSIGNALED(status)) return {{}, fmt::format("it was ended by signal {}", WTERMSIG(status))};
  const int code = WEXITSTATUS(status);
  return {code, code == 0 ? "" : fmt::format("it ended with code {}", code)};
}

std::string shell_line(const std::vector<std::string>& command) {
  std::string line;
  for (const std::string& word : command) line += (line.empty() ? "" : " ") + quoted(word);
  return line;
}

const EmbeddedFile& embedded_tool(std::string_view name) {
  const auto found = std::find_if(embedded_tools.begin(), embedded_tools.end(),
                                  [&](const EmbeddedFile& file) { return file.name == name; });
  if (found == embedded_tools.end()) throw std::logic_error("no embedded tool " + std::string(name));
  return *found;
}

}  // namespace fluvia::cli
