// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cuda/runtime/compiler/kernel_cache.hpp"
#include "fluvia/cuda/runtime/device.hpp"

namespace fluvia::cuda {

/// The kernel that the bandwidth is measured with.
CompileRequest copy_request();

/// Copy bandwidth of a GPU in bytes per second, read plus written: the roofline of every scheme that reads and writes
/// each population once. Median of several copies of 1 GiB, or of a quarter of the free memory if that is less, by a
/// kernel that moves 16 bytes a thread at a time.
double measure_copy_bandwidth(const Device& device, KernelCache& cache);

/// Bytes per second between pinned host memory and a GPU, each way.
struct TransferBandwidth {
  double one_way = 0;    ///< mean of there and back, one after the other
  double both_ways = 0;  ///< while the other way is as busy
};
TransferBandwidth measure_transfer_bandwidth(const Device& device);

}  // namespace fluvia::cuda
