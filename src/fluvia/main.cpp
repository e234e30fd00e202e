// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdio>

#include "fluvia/cli/application.hpp"
#include "fluvia/cli/terminal/last_resort.hpp"

namespace {

/// Bytes; threads get as much by default (docs/reliability.md).
constexpr rlim_t least_stack = 1 << 20;

/// Before any other code of the program, which may already run out of memory.
[[gnu::constructor(101)]] void prepare() {
  fluvia::cli::install_last_resort();
}

}  // namespace

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // By default glibc keeps freed blocks of up to 32 MiB for later; a run frees its large ones for good.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
  rlimit stack{};
  int code = 0;
  if (getrlimit(RLIMIT_STACK, &stack) == 0 && stack.rlim_cur < least_stack) {
    code = fluvia::cli::report(fluvia::ExitCode::resource,
                               "the limit on the stack is below 1 MiB; raise it, for example by ulimit -s 8192");
  } else {
    code = fluvia::run_application(argc, argv);
  }
  fluvia::cli::remove_last_resort();
  // A library that had no memory may crash once more while it ends.
  if (code == static_cast<int>(fluvia::ExitCode::resource)) {
    std::fflush(nullptr);
    ::_exit(code);
  }
  return code;
}
