// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cli/terminal/console.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "fluvia/base/error.hpp"

namespace fluvia::cli {

void open_standard_streams() {
  // open() takes the lowest free number.
  while (true) {
    const int descriptor = ::open("/dev/null", O_RDWR);
    if (descriptor < 0) return;
    if (descriptor <= STDERR_FILENO) continue;
    ::close(descriptor);
    return;
  }
}

void say(const std::string& text) noexcept {
  say(text.c_str());
}

void say(const char* text) noexcept {
  std::fputs(text, stderr);
}

void finish_output() {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return;
  throw_resource(std::string("standard output cannot be written") + (errno != 0 ? ": " : "") +
                 (errno != 0 ? std::strerror(errno) : "") + "; send it to another place");
}

}  // namespace fluvia::cli
