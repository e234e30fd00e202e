// SPDX-License-Identifier: Apache-2.0
// Passes of pass_dense.hpp over a box whose nodes keep moments instead of populations: `source` and `target` of the box
// are SecondMoments<Lattice>::count slots, one for each moment of the populations that leave a node.
#pragma once
#include "fluvia/cuda/kernels/passes/pass_dense.hpp"

namespace fluvia::cuda::kernels {

template <class Spec>
__global__ void __launch_bounds__(pass_tile<Spec, MomentRecord>.threads(), Spec::pass_blocks)
    pass_moments(const __grid_constant__ DenseBox box, const Physics<Arithmetic<Spec>> physics,
                 const PassArguments pass) {
  begin_kernel();
  PassColumn<Spec, PartsApart, MomentRecord>(box, physics, pass, shared_memory<Arithmetic<Spec>>(), PartsApart{})
      .march();
}

}  // namespace fluvia::cuda::kernels
