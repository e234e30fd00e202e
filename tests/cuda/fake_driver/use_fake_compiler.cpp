// SPDX-License-Identifier: Apache-2.0
// Makes this program, and those that it starts, take the fake compiler, and keep nothing of what that made.
#include <cstdlib>

namespace {
[[maybe_unused]] const int chosen = ::setenv("FLUVIA_NVRTC", FLUVIA_FAKE_COMPILER, 1) +
                                    ::setenv("FLUVIA_CACHE_DIR", FLUVIA_FAKE_DRIVER_FOLDER "/kernels", 1);
}
