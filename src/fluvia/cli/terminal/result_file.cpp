// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/terminal/result_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <utility>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"

namespace fluvia::cli {

ResultFile::ResultFile(std::string name) : name_(std::move(name)) {
  std::error_code unknown;
  if (std::filesystem::path(name_).extension() == ".toml" && std::filesystem::exists(name_, unknown))
    throw Error(
        ExitCode::usage,
        "'" + name_ + "' is there and may be a case, which a result would replace; name another file for the result");
  if (name_ != "-") return;
  std::fflush(stdout);
  output_ = ::fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  if (output_ < 0 || ::dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
    throw_resource(write_failure_message("standard output", errno));
}

ResultFile::~ResultFile() {
  if (output_ < 0) return;
  std::fflush(stdout);
  ::dup2(output_, STDOUT_FILENO);
  ::close(output_);
}

void ResultFile::write(std::string_view content) const {
  if (name_.empty()) return;
  if (output_ < 0) {
    write_file(name_, content);
  } else if (const int error = write_through(output_, content)) {
    throw_resource(write_failure_message("standard output", error));
  }
}

}  // namespace fluvia::cli
