// SPDX-License-Identifier: Apache-2.0
// Between the two orders of populations, those of a node together (AoS) and those of a slot together (SoA): what a
// program does before and after its steps whose host and device disagree on it (S2 section 3.2.3). One thread a node.
#pragma once
#include "fluvia/core/published/storage_indices.hpp"

namespace fluvia::cuda::kernels {

template <class Value, int directions, core::Order from_order, core::Order to_order>
__device__ __forceinline__ void rearrange(Value* to, const Value* from, core::Uint32 nodes) {
  const core::Uint32 node = blockIdx.x * blockDim.x + threadIdx.x;
  if (node >= nodes) return;
  core::IndexTables tables{};
  tables.stored = nodes;
  core::unroll<directions>([&](auto i) {
    to[core::element_of<to_order>(tables, directions, node, i.i)] =
        from[core::element_of<from_order>(tables, directions, node, i.i)];
  });
}

template <class Value, int directions>
__global__ void to_structure_of_arrays(Value* to, const Value* from, core::Uint32 nodes) {
  rearrange<Value, directions, core::Order::by_node, core::Order::by_slot>(to, from, nodes);
}
template <class Value, int directions>
__global__ void to_array_of_structures(Value* to, const Value* from, core::Uint32 nodes) {
  rearrange<Value, directions, core::Order::by_slot, core::Order::by_node>(to, from, nodes);
}

}  // namespace fluvia::cuda::kernels
