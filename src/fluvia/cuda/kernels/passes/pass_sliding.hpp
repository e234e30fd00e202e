// SPDX-License-Identifier: Apache-2.0
// Passes of pass_dense.hpp on one copy of a dense box, which slides along the axis that they march along. A pass takes
// the parts of the march one after the other and writes each some planes below where it read it; the next pass begins
// with the last part and writes above. A part may be written when all that reads what it overwrites has been read.
//
// A part reads as many planes around itself as the pass has steps, whatever nodes keep. The array slides by these and
// two chunks of parts, so that the chunks from the last but one on are all that must have read. Each chunk has more
// blocks than run at a time, so that blocks hardly wait.
#pragma once
#include "fluvia/cuda/kernels/chunks.hpp"
#include "fluvia/cuda/kernels/passes/pass_dense.hpp"

namespace fluvia::cuda::kernels {

/// Parts of the march in the order in which the array slides.
struct PartsInOrder {
  static constexpr bool wait = true;
  const SlidingPassArguments& sliding;

  [[nodiscard]] __device__ __forceinline__ Uint32 part() const {
    return sliding.order.downwards != 0 ? gridDim.z - 1 - blockIdx.z : blockIdx.z;
  }
  __device__ __forceinline__ void before_writing() const {
    if (threadIdx.x < 32) block().wait_for_others(threadIdx.x, [&](Uint32 chunk) { return size_of(chunk); });
  }
  [[nodiscard]] __device__ __forceinline__ ChunkedBlock block() const {
    const Uint32 chunk = blockIdx.z / sliding.parts, part = blockIdx.z - chunk * sliding.parts;
    return {sliding.order, chunk, blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * part)};
  }
  [[nodiscard]] __device__ __forceinline__ Uint32 size_of(Uint32 chunk) const {
    return gridDim.x * gridDim.y * min(sliding.parts, gridDim.z - chunk * sliding.parts);
  }
};

/// A pass on a sliding array; blocks of threads are those of pass_dense. `record`: what nodes keep.
template <class Spec, class Record = PopulationRecord>
__device__ __forceinline__ void pass_in_order(const DenseBox& box, const Physics<Arithmetic<Spec>>& physics,
                                              const SlidingPassArguments& sliding, const Record& record = {}) {
  begin_kernel();
  const PartsInOrder parts{sliding};
  PassColumn<Spec, PartsInOrder, Record>(box, physics, sliding.pass, shared_memory<Arithmetic<Spec>>(), parts, record)
      .march();
  if (threadIdx.x == 0) parts.block().tell();
}

template <class Spec>
__global__ void __launch_bounds__(pass_tile<Spec>.threads(), Spec::pass_blocks)
    pass_sliding(const __grid_constant__ DenseBox box, const Physics<Arithmetic<Spec>> physics,
                 const SlidingPassArguments sliding) {
  pass_in_order<Spec>(box, physics, sliding);
}

/// A step, whose boundaries have been completed before, is a pass of one step.
template <class Spec>
struct OneStep : Spec {
  static constexpr int steps = 1;
  static constexpr core::ConditionSet conditions = 0;
};
template <class Spec>
__global__ void __launch_bounds__(pass_tile<OneStep<Spec>>.threads(), Spec::pass_blocks)
    step_sliding_box(const __grid_constant__ DenseBox box, const Physics<Arithmetic<Spec>> physics,
                     const SlidingPassArguments sliding) {
  pass_in_order<OneStep<Spec>>(box, physics, sliding);
}

}  // namespace fluvia::cuda::kernels
