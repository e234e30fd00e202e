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

namespace detail {
/// What passes to a solid from the fluid of another part, which has sent what that says.
template <class T>
__device__ __forceinline__ void pass_from_elsewhere(const FlowScalars<T>& scalars, const CarriedScalar<T>& scalar,
                                                    Uint32 k) {
  const ScalarExchangeOfCells<T> joint = scalar.joints[k];
  T* const now = scalar.populations[scalars.parity];
  const auto said = [&](Uint32 place, int end, T before) {
    return core::ScalarEnd<T>{now[place], now[place + 1], scalar.materials[joint.material[end]].rates.minus, before};
  };
  T one = now[joint.says], shift = T(0);
  const T before = one;
  if (joint.distance != T(0.5))
    shift = core::joint_shift(said(joint.says + 1, 0, joint.distance),
                              said(joint.says + joint_said, 1, T(1) - joint.distance));
  core::pass_between(one, now[joint.back[1]], joint.capacity[0], joint.capacity[1], joint.part, shift);
  if (scalar.passed != nullptr) scalar.passed[k] = one - before;
}
}  // namespace detail

/// Then passes on what goes between cells on both sides of a border, which both sides step alike, and to solids from
/// the fluid of other parts. blockIdx.y: number of the scalar; a thread for each link, the former first. Arguments are
/// those after the step.
template <class Spec>
__global__ void join_scalars(const FlowScalars<Arithmetic<Spec>> scalars) {
  const CarriedScalar<Arithmetic<Spec>>& scalar = scalars.all[blockIdx.y];
  const Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= scalar.border_joint_count + scalar.elsewhere_count) return;
  if (k >= scalar.border_joint_count)
    return detail::pass_from_elsewhere(scalars, scalar, scalar.elsewhere[k - scalar.border_joint_count]);
  const ScalarExchangeOfCells<Arithmetic<Spec>> joint = scalar.border_joints[k];
  Arithmetic<Spec>* const now = scalar.populations[scalars.parity];
  core::pass_between(now[joint.back[0]], now[joint.back[1]], joint.capacity[0], joint.capacity[1], joint.part);
}

}  // namespace fluvia::cuda::kernels
