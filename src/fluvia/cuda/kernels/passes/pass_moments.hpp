// SPDX-License-Identifier: Apache-2.0
// Passes of pass_dense.hpp over a box whose nodes keep moments instead of populations, one for each slot. A single step
// is a pass of one.
#pragma once
#include "fluvia/cuda/kernels/passes/moment_storage.hpp"
#include "fluvia/cuda/kernels/passes/pass_dense.hpp"

namespace fluvia::cuda::kernels {

template <class Spec>
__global__ void __launch_bounds__(pass_tile<Spec, MomentRecord>.threads(), Spec::pass_blocks)
    pass_moments(const __grid_constant__ MomentBox box, const Physics<Arithmetic<Spec>> physics,
                 const PassArguments pass) {
  begin_kernel();
  PassColumn<Spec, PartsApart, MomentRecord>(box.nodes, physics, pass, shared_memory<Arithmetic<Spec>>(), PartsApart{},
                                             MomentRecord{box})
      .march();
}

/// The first step after populations were placed: they have arrived, so that it leaves moments at their own nodes. One
/// block of 64 threads for each tile of the box. Some of the populations are where the moments will be; each thread
/// reads those of its node before it writes there.
template <class Spec>
__global__ void __launch_bounds__(nodes_per_tile)
    first_moments(const __grid_constant__ MomentBox box, const Physics<Arithmetic<Spec>> physics) {
  begin_kernel();
  const MomentStorage<Spec, 0> storage{box};
  DenseNode node;
  storage.open_in_tile(node, blockIdx.x, threadIdx.x);
  if (!storage.is_active(node)) return;
  typename MomentStorage<Spec, 0>::Populations p;
  storage.load(node, p);
  const auto own = own_force<Spec>(physics, node_storage_index(storage, node, blockIdx.x));
  if constexpr (Spec::conditions != 0) {
    const Uint32 record = find_record(physics.boundaries, blockIdx.x, threadIdx.x);
    if (record != none) apply_records<Spec>(p.f, record, physics, physics.memory_after, own);
  }
  Number<Spec> moments[KeptMoments<Spec>::numbers];
  collide_to_moments<Spec>(p.f, physics, own, moments);
  storage.keep(node, physics.rounding, moments);
  if constexpr (MomentRecord::keeps_returned<Spec>) {
    const Uint32 links = p.links;
    node_collision<Spec>(storage, physics).collide(node, p);
    storage.keep_returned(node, links, p.f);
  }
}

}  // namespace fluvia::cuda::kernels
