// SPDX-License-Identifier: Apache-2.0
// One copy of compact tiles for a streaming that reads from neighbours and writes to the node: the whole array slides.
// A sweep upwards through the tiles writes each a distance below where it was read, the next sweep goes down and shifts
// back. A tile may be written when every tile that reads what it overwrites has been read. The shift exceeds the
// farthest neighbour (in nodes) plus two chunks, so that those are the tiles two and more chunks behind.
//
// Who has read is counted per chunk of tiles (chunks.hpp). A block belongs to one chunk and updates several rounds of
// tiles, so that it looks and tells once for all of them.
//
// A warp of its own guards the block: it has no population on its way, so that an acquiring read delays none, and
// nothing written that a release would wait for.
#pragma once
#include "fluvia/cuda/kernels/chunks.hpp"
#include "fluvia/cuda/kernels/compact.hpp"

namespace fluvia::cuda::kernels {

/// The guarding warp: waits until the block's tiles may be written, and tells when all have been read. `done`: the
/// barrier by which `threads`, all of the block, tell that they have read; `allowed`: the flag that tells them that
/// they may write. It is a flag, because a barrier would make the groups wait for each other.
template <Uint32 done, Uint32 threads>
__device__ __forceinline__ void guard_block(const SlidingGuard& guard, Uint32 lane, Flag& allowed) {
  const Uint32 chunk = blockIdx.x >> guard.chunk_log2, in_chunk = blockIdx.x - (chunk << guard.chunk_log2);
  const ChunkedBlock block{guard.order, chunk, in_chunk};
  block.wait_for_others(lane,
                        [&](Uint32 of) { return min(gridDim.x - (of << guard.chunk_log2), 1u << guard.chunk_log2); });
  if (lane == 0) raise_flag(allowed);
  wait_at_barrier<done, threads>();
  if (lane == 0) block.tell();
}

/// Compact storage whose first stores wait for the guard, and which tells it before the last that all is read.
template <class Base>
struct SlidingStorage {
  using ThreadGroup = typename Base::ThreadGroup;
  using Node = typename Base::Node;
  using Populations = typename Base::Populations;
  static constexpr Uint32 threads = Base::groups * ThreadGroup::threads + guard_threads;  ///< threads of the block
  static constexpr Uint32 done = Base::groups;  ///< number of the barrier after those of the groups
  const CompactTiles& geometry;
  Flag& allowed;
  bool is_first, is_last;  ///< whether this is the first, or last, round of the block

  __device__ __forceinline__ void load(const Node& node, Populations& p) const { Base{geometry}.load(node, p); }
  __device__ __forceinline__ void store(const Node& node, const Populations& p) const {
    if (is_first) wait_for_flag(allowed);
    if (is_last) arrive_at_barrier<done, threads>();
    Base{geometry}.store(node, p);
  }
  template <int k>
  __device__ __forceinline__ Uint32 wall_storage_index(const Node& node) const {
    return Base{geometry}.template wall_storage_index<k>(node);
  }
};

}  // namespace fluvia::cuda::kernels
