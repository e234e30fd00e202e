// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/instructions.hpp"

namespace fluvia::cuda::kernels {

/// The threads that work on one tile; a block has several such groups.
template <Uint32 threads_, Uint32 groups>
struct ThreadGroup {
  static constexpr Uint32 threads = threads_;
  static __device__ __forceinline__ Uint32 index() { return groups == 1 ? 0 : threadIdx.x / threads; }
  static __device__ __forceinline__ Uint32 lane() { return threadIdx.x - index() * threads; }
  /// Returns when all of the group have come here.
  static __device__ __forceinline__ void wait() {
    if constexpr (threads == 32)
      __syncwarp();
    else if constexpr (groups == 1)
      wait_at_barrier<0, threads>();
    else
      core::unroll<groups>([&](auto k) {
        if (index() == k.i) wait_at_barrier<k.i, threads>();
      });
  }
};

/// A block with one thread for each node of a tile.
using TileBlock = ThreadGroup<nodes_per_tile, 1>;

}  // namespace fluvia::cuda::kernels
