// SPDX-License-Identifier: Apache-2.0
// Kernels for the fake driver: functions of a test that run in place of compiled ones.
#pragma once
#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace fake_cuda {

struct HostKernel {
  std::string name;                ///< part of the mangled name
  std::vector<std::size_t> sizes;  ///< of the parameters
  std::function<void(std::array<unsigned, 3> grid, std::array<unsigned, 3> block, void** arguments)> run;
  std::string also;  ///< another part of it, such as a template argument
};
using HostKernels = std::vector<HostKernel>;

}  // namespace fake_cuda

/// What kernels to run from now on; null: none. The list must stay.
extern "C" void fake_cuda_bring(const fake_cuda::HostKernels* kernels);
/// Recorded graphs that were launched until now.
extern "C" int fake_cuda_graphs();
