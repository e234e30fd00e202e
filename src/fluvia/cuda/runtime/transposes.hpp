// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"
#include "fluvia/cuda/runtime/device.hpp"

namespace fluvia::cuda {

/// Populations of a box: `directions` values of so many bytes (2, 4 or 8) at each node.
struct TransposedValues {
  int directions = 0, bytes = 0;
  std::uint64_t nodes = 0;
};

/// Seconds on a GPU that their rearrangement takes by kernels with a thread a node.
struct TransposeSeconds {
  double to_structure_of_arrays = 0;  ///< from those of a node together to those of a direction together
  double to_array_of_structures = 0;  ///< and back
};

/// The two kernels.
CompileRequest transpose_request(const TransposedValues& values);

/// Median of several. Throws Error(resource) if there is no memory for two copies.
TransposeSeconds measure_transposes(const Device& device, KernelCache& cache, const TransposedValues& values);

}  // namespace fluvia::cuda
