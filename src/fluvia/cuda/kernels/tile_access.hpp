// SPDX-License-Identifier: Apache-2.0
// Access for kernels that go through tiles, with one block of 64 threads for each tile, whatever the addressing.
#pragma once
#include "fluvia/cuda/kernels/compact.hpp"
#include "fluvia/cuda/kernels/dense.hpp"

namespace fluvia::cuda::kernels {

/// Opens this thread's node of the tile at `storage_index`; all threads of the block must call it.
template <class Spec, int parity>
__device__ __forceinline__ void open_tile(const DenseStorage<Spec, parity>& storage, Uint32 storage_index,
                                          Surroundings&, typename DenseStorage<Spec, parity>::Node& node) {
  storage.open_in_tile(node, storage_index, threadIdx.x);
}
template <class Spec, int parity>
__device__ __forceinline__ void open_tile(const CompactStorage<Spec, parity>& storage, Uint32 storage_index,
                                          Surroundings& around, CompactNode& node) {
  __syncthreads();  // the tile of the round before may still be in use
  storage.template surround<TileBlock>(storage_index, around);
  storage.open(node, around, threadIdx.x);
}

/// Storage index of this thread's node, which has been opened and is active, by which its own force is found.
template <class Spec, int parity>
__device__ __forceinline__ Uint32 node_storage_index(const DenseStorage<Spec, parity>& storage,
                                                     const typename DenseStorage<Spec, parity>::Node& node, Uint32) {
  return storage.template wall_storage_index<0>(node);
}
template <class Spec, int parity>
__device__ __forceinline__ Uint32 node_storage_index(const CompactStorage<Spec, parity>&, const CompactNode&,
                                                     Uint32 tile) {
  return tile * nodes_per_tile + threadIdx.x;
}

}  // namespace fluvia::cuda::kernels
