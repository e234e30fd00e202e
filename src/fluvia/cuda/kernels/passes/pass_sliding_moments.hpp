// SPDX-License-Identifier: Apache-2.0
// Passes over moments (pass_moments.hpp) on one copy that slides (pass_sliding.hpp). Moments of nodes that follow each
// other lie together in groups, and the copy slides by whole groups: what a node writes takes the place of what one
// other node kept, as it does over populations.
#pragma once
#include "fluvia/cuda/kernels/passes/pass_moments.hpp"
#include "fluvia/cuda/kernels/passes/pass_sliding.hpp"

namespace fluvia::cuda::kernels {

/// A single step is a pass of one.
template <class Spec>
__global__ void __launch_bounds__(pass_tile<Spec, MomentRecord>.threads(), Spec::pass_blocks)
    pass_sliding_moments(const __grid_constant__ MomentBox box, const Physics<Arithmetic<Spec>> physics,
                         const SlidingPassArguments sliding) {
  pass_in_order<Spec>(box.nodes, physics, sliding, MomentRecord{box});
}

}  // namespace fluvia::cuda::kernels
