// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/instructions.hpp"

namespace fluvia::cuda::kernels {

/// The threads that work on one tile: all of the block, or `threads_` of several such teams in a block.
template <int threads_, bool whole_block>
struct Team {
  static constexpr int threads = threads_;
  static __device__ __forceinline__ Uint32 index() { return whole_block ? 0 : threadIdx.x / threads; }
  static __device__ __forceinline__ Uint32 lane() { return whole_block ? threadIdx.x : threadIdx.x % threads; }
  /// Returns when all of the team have come here.
  static __device__ __forceinline__ void wait() {
    if constexpr (whole_block)
      __syncthreads();
    else if constexpr (threads == 32)
      __syncwarp();
    else
      wait_at_barrier(1 + index(), threads);
  }
};

/// One thread a node, one tile a block.
using TileBlock = Team<nodes_per_tile, true>;

}  // namespace fluvia::cuda::kernels
