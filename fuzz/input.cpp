// SPDX-License-Identifier: Apache-2.0
#include "fuzz/input.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace fluvia::fuzz {

std::filesystem::path file_of(const std::uint8_t* bytes, std::size_t size) {
  static const int descriptor = memfd_create("fluvia-fuzz", 0);
  const bool written =
      ftruncate(descriptor, 0) == 0 && pwrite(descriptor, bytes, size, 0) == static_cast<ssize_t>(size);
  if (!written) std::abort();
  return "/proc/self/fd/" + std::to_string(descriptor);
}

}  // namespace fluvia::fuzz
