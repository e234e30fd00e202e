// SPDX-License-Identifier: Apache-2.0
// What parts of a domain exchange of the scalars: populations behind those of the flow in the same messages. A block of
// a message is of the scalar with the number MessageBlock::is_kept; entries are elements of its populations.
#pragma once
#include "fluvia/cuda/kernels/halo_populations.hpp"
#include "fluvia/cuda/kernels/scalars/read.hpp"

namespace fluvia::cuda::kernels {

namespace detail {
template <bool packs, class T>
__device__ __forceinline__ void carry_scalars(const MessageBlocks& messages, const FlowScalars<T>& scalars) {
  for (Uint32 b = blockIdx.x; b < messages.count; b += gridDim.x) {
    const MessageBlock block = messages.blocks[b];
    carry<packs>(block, messages.entries + (static_cast<Uint64>(b) << message_block_log2),
                 scalars.all[block.is_kept].populations[scalars.parity] + block.origin);
  }
}
}  // namespace detail

/// Packs what leaves to other parts, when surfaces and joints are complete. Arguments are those after the step.
template <class Spec>
__global__ void pack_scalars(const MessageBlocks messages, const FlowScalars<Arithmetic<Spec>> scalars) {
  detail::carry_scalars<true>(messages, scalars);
}

/// Unpacks what has arrived from them. Arguments are those after the step.
template <class Spec>
__global__ void unpack_scalars(const MessageBlocks messages, const FlowScalars<Arithmetic<Spec>> scalars) {
  detail::carry_scalars<false>(messages, scalars);
}

/// Then passes on what goes between cells on both sides of a border, which both sides step alike. blockIdx.y: number of
/// the scalar; a thread for each link. Arguments are those after the step.
template <class Spec>
__global__ void join_scalars(const FlowScalars<Arithmetic<Spec>> scalars) {
  const CarriedScalar<Arithmetic<Spec>>& scalar = scalars.all[blockIdx.y];
  const Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= scalar.border_joint_count) return;
  const ScalarExchangeOfCells<Arithmetic<Spec>> joint = scalar.border_joints[k];
  Arithmetic<Spec>* const now = scalar.populations[scalars.parity];
  core::pass_between(now[joint.back[0]], now[joint.back[1]], joint.capacity[0], joint.capacity[1], joint.part);
}

}  // namespace fluvia::cuda::kernels
