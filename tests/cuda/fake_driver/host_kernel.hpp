// SPDX-License-Identifier: Apache-2.0
// Kernels of a test program for the fake driver; after what emulates their surroundings.
#pragma once
#include <utility>

#include "cuda/emulation/block.hpp"
#include "cuda/fake_driver/fake_driver.hpp"

namespace fake_cuda {

/// A kernel of this program for the fake driver. `name` is as in mangled names, with its length; `also` another part.
template <bool has_barriers, class... Parameters>
HostKernel host_kernel(const char* name, void (*kernel)(Parameters...), const char* also = "") {
  const auto run = [kernel](std::array<unsigned, 3> grid, std::array<unsigned, 3> block, void** arguments) {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      emulation::launch<has_barriers>({grid[0], grid[1], grid[2]}, {block[0], block[1], block[2]}, kernel,
                                      *static_cast<Parameters*>(arguments[k])...);
    }
    (std::index_sequence_for<Parameters...>{});
  };
  return {name, {sizeof(Parameters)...}, run, also};
}

}  // namespace fake_cuda
