// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/cuda/kernels/compact.hpp"

namespace fluvia::cuda::kernels {

/// Compact addressing for time steps: 64 threads a tile, one node a thread.
template <class Spec, int parity>
struct CompactSingles : CompactStorage<Spec, parity> {
  using Base = CompactStorage<Spec, parity>;
  using Team = kernels::Team<nodes_per_tile, false>;

  /// All threads of the team must call it.
  __device__ __forceinline__ void open(CompactNode& node, Uint32 place, Surroundings& around) const {
    Base::template surround<Team>(place, around);
    Base::open(node, around, Team::lane());
  }
  /// No node.
  static __device__ __forceinline__ void close(CompactNode& node) { node = {nullptr, 0}; }
};

}  // namespace fluvia::cuda::kernels
