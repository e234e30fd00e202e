// SPDX-License-Identifier: Apache-2.0
// For kernels that go through tiles, one block of 64 threads a tile, whatever the addressing.
#pragma once
#include "fluvia/cuda/kernels/compact.hpp"
#include "fluvia/cuda/kernels/dense.hpp"

namespace fluvia::cuda::kernels {

/// Opens this thread's node of the tile at `place`; all threads of the block must call it.
template <class Spec, int parity>
__device__ __forceinline__ void open_tile(const DenseStorage<Spec, parity>& storage, Uint32 place, Surroundings&,
                                          typename DenseStorage<Spec, parity>::Node& node) {
  storage.open_in_tile(node, place, threadIdx.x);
}
template <class Spec, int parity>
__device__ __forceinline__ void open_tile(const CompactStorage<Spec, parity>& storage, Uint32 place,
                                          Surroundings& around, CompactNode& node) {
  __syncthreads();  // the tile before may still be in use
  storage.template surround<TileBlock>(place, around);
  storage.open(node, around, threadIdx.x);
}

}  // namespace fluvia::cuda::kernels
