// SPDX-License-Identifier: Apache-2.0
// One copy of compact tiles for a streaming that reads from neighbours and writes to the node: the whole array slides.
// A sweep upwards through the tiles writes each a distance below where it was read, the next sweep goes down and shifts
// back. A tile may be written when every tile that reads what it overwrites has been read. The shift exceeds the
// farthest neighbour (in nodes) plus two chunks, so that those are the tiles two and more chunks behind.
//
// Who has read is counted per chunk of tiles. Chunk c starts to write only after chunk c - 2 is complete, so that one
// that sees c - 2 and c - 3 complete knows the same of all before by induction. A block updates a few tiles of one
// chunk, so that watching and signalling are paid once for all of them: an acquiring read empties the cache of the
// multiprocessor.
#pragma once
#include "fluvia/cuda/kernels/compact.hpp"

namespace fluvia::cuda::kernels {

/// Watches the counters of the two chunks that must be complete: thread 32 + 8 * behind + counter does.
struct GuardWatch {
  const Uint32* watched = nullptr;
  Uint32 *own, expected = 0, seen = 0;

  __device__ __forceinline__ GuardWatch(const SlidingGuard& guard, Uint32 order, Uint32 blocks) {
    const Uint32 chunk = order >> guard.chunk_log2, in_chunk = order - (chunk << guard.chunk_log2);
    own = guard.counters + (chunk * slide_counters + in_chunk % slide_counters) * slide_sector;
    const Uint32 lane = threadIdx.x - 32, behind = 2 + (lane >> 3);
    if (threadIdx.x < 32 || threadIdx.x >= 48 || chunk < behind) return;
    const Uint32 counter = lane % slide_counters, of = chunk - behind;
    const Uint32 size = min(blocks - (of << guard.chunk_log2), 1u << guard.chunk_log2);
    expected = (size + slide_counters - 1 - counter) / slide_counters;
    watched = guard.counters + (of * slide_counters + counter) * slide_sector;
  }
  /// Reads the counters. Best when the populations are already on their way: nothing overtakes an acquiring read.
  __device__ __forceinline__ void look() {
    if (watched != nullptr) seen = acquire(watched);
  }
  /// Returns when the block's tiles may be written; all populations of the one at hand must have arrived.
  __device__ __forceinline__ void wait() {
    if (threadIdx.x >= 32)
      while (!__all_sync(0xffffffffu, watched == nullptr || seen >= expected)) {
        __nanosleep(100);
        look();
      }
    __syncthreads();  // nobody writes before the counters were seen, nobody signals before all have read
  }
  /// Tells that the block's tiles have been read; after wait() of the last.
  __device__ __forceinline__ void signal() const {
    if (threadIdx.x != 0) return;
    release_increment(own);
  }
};

/// Compact storage whose stores wait for the guard.
template <class Base>
struct SlidingStorage : Base {
  using Node = typename Base::Node;
  using Populations = typename Base::Populations;
  mutable GuardWatch watch;

  __device__ __forceinline__ void load(const Node& node, Populations& p) const {
    Base::load(node, p);
    if (watch.seen < watch.expected) watch.look();
  }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    watch.wait();
    Base::store(node, p);
  }
};

}  // namespace fluvia::cuda::kernels
