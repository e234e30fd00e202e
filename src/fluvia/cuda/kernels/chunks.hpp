// SPDX-License-Identifier: Apache-2.0
// Counters of which blocks have read, on one array that slides: for each chunk of blocks that follow each other in the
// order in which the GPU starts them. Chunk c starts to write only after chunk c - 2 is complete, so that one that sees
// c - 2 and c - 3 complete knows by induction that all before are.
#pragma once
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/instructions.hpp"

namespace fluvia::cuda::kernels {

/// A block's number in the order, and where its chunk counts.
struct ChunkedBlock {
  const SweepOrder& order;
  Uint32 chunk, in_chunk;

  /// Returns when the two chunks before the last are complete; clears the counters of the next sweep. To be called by a
  /// warp. `size_of`: the number of blocks of a chunk.
  template <class SizeOf>
  __device__ __forceinline__ void wait_for_others(Uint32 lane, const SizeOf& size_of) const {
    const Uint32 behind = 2 + lane / slide_counters, counter = lane % slide_counters;
    if (behind <= 3 && chunk >= behind) {
      const Uint32 of = chunk - behind;
      const Uint32 expected = (size_of(of) + slide_counters - 1 - counter) / slide_counters;
      const Uint32* watched = order.counters + (of * slide_counters + counter) * slide_sector;
      while (acquire(watched) < expected) __nanosleep(100);
    }
    if (in_chunk == 0 && lane < slide_counters) order.next[(chunk * slide_counters + lane) * slide_sector] = 0;
    __syncwarp();
  }
  /// Counts this block; to be called by one thread when all threads of the block have read.
  __device__ __forceinline__ void tell() const {
    release_increment(order.counters + (chunk * slide_counters + in_chunk % slide_counters) * slide_sector);
  }
};

}  // namespace fluvia::cuda::kernels
