// SPDX-License-Identifier: Apache-2.0
// For kernels that go through tiles, one block of 64 threads a tile, whatever the addressing.
#pragma once
#include "fluvia/cuda/kernels/compact.hpp"
#include "fluvia/cuda/kernels/dense.hpp"

namespace fluvia::cuda::kernels {

/// Opens this thread's node of the tile at `place`; all threads of the block must call it.
template <class Spec, int parity>
__device__ __forceinline__ void open_tile(const DenseStorage<Spec, parity>& storage, Uint32 place, Surroundings&,
                                          DenseNode& node) {
  node = storage.at(place, threadIdx.x);
}
template <class Spec, int parity>
__device__ __forceinline__ void open_tile(const CompactStorage<Spec, parity>& storage, Uint32 place,
                                          Surroundings& around, CompactNode& node) {
  __syncthreads();
  if (threadIdx.x < 27) storage.surround(place, around, threadIdx.x);
  __syncthreads();
  storage.open(node, place, threadIdx.x, around, false);
}

template <class Storage, class Box>
__device__ __forceinline__ Storage make_storage(const Box& box, const void* populations) {
  using Stored = typename Storage::Stored;
  return {box, static_cast<const Stored*>(populations), static_cast<Stored*>(const_cast<void*>(populations))};
}

}  // namespace fluvia::cuda::kernels
