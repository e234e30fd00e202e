// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cuda/kernels/compact.hpp"

namespace fluvia::cuda::kernels {

/// Compact addressing for time steps: 64 threads a tile, one node a thread.
template <class Spec, int parity>
struct CompactSingles : CompactStorage<Spec, parity> {
  using Base = CompactStorage<Spec, parity>;
  static constexpr Uint32 groups = Spec::threads / nodes_per_tile;  ///< of a block
  using ThreadGroup = kernels::ThreadGroup<nodes_per_tile, groups>;

  /// All threads of the group must call it.
  __device__ __forceinline__ void open(CompactNode& node, Uint32 place, Surroundings& around) const {
    Base::template surround<ThreadGroup>(place, around);
    Base::open(node, around, ThreadGroup::lane());
    node.tile = (around.flags & tile_is_inner) != 0 ? none : place;
  }
  /// No node.
  static __device__ __forceinline__ void close(CompactNode& node) { node = {nullptr, 0, 0}; }
  /// Walls between this node and others; their places are those of tiles and bits.
  template <int>
  __device__ __forceinline__ Uint32 wall_place(const CompactNode& node) const {
    return node.tile == none ? core::no_walls : node.tile * nodes_per_tile + ThreadGroup::lane();
  }
};

}  // namespace fluvia::cuda::kernels
