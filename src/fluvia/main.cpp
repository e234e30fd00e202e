// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include "fluvia/cli/application.hpp"

int main(int argc, char** argv) {
#ifdef __GLIBC__
  // By default glibc keeps freed blocks of up to 32 MiB for later; a run frees its large ones for good.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
#endif
  return fluvia::run_application(argc, argv);
}
