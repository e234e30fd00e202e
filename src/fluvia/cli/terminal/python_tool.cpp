// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/terminal/python_tool.hpp"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include "fluvia/base/error.hpp"
#include "fluvia/cli/terminal/programs.hpp"

namespace fluvia::cli {

PythonTool::PythonTool(std::string_view name) {
  const char* const chosen = std::getenv("FLUVIA_PYTHON");
  python_ = chosen != nullptr && *chosen != '\0' ? chosen : "python3";
  std::string_view rest = embedded_tool(name).content;
  descriptor_ = ::memfd_create(std::string(name).c_str(), 0);
  while (descriptor_ >= 0 && !rest.empty()) {
    const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) break;
    rest.remove_prefix(static_cast<std::size_t>(written));
  }
  if (rest.empty()) return;
  const std::string problem = std::strerror(errno);
  if (descriptor_ >= 0) ::close(descriptor_);
  throw_resource(fmt::format("no memory for the program {}: {}", name, problem));
}

PythonTool::~PythonTool() {
  ::close(descriptor_);
}

std::vector<std::string> PythonTool::command(std::vector<std::string> words) const {
  words.insert(words.begin(), {python_, "-B", fmt::format("/proc/self/fd/{}", descriptor_)});
  return words;
}

std::string path_word(const std::string& path) {
  const std::filesystem::path name = path;
  return (name.is_absolute() ? name : "." / name).lexically_normal().string();
}

}  // namespace fluvia::cli
