// SPDX-License-Identifier: Apache-2.0
// Kernels over the scalars of a flow besides its step: what surfaces send back, and what is read.
#pragma once
#include "fluvia/cuda/kernels/scalars/carry.hpp"

namespace fluvia::cuda::kernels {

/// Replaces what came back half-way along cut links in the step before by what their surfaces send back, and passes on
/// what goes between cells of different volumes. blockIdx.y: number of the scalar; a thread for each link, those of
/// surfaces first. Arguments are those before the step.
template <class Spec>
__global__ void complete_scalars(const FlowScalars<Arithmetic<Spec>> scalars) {
  using T = Arithmetic<Spec>;
  const Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  Uint32 number = 0;
  for_each_scalar<Spec>(scalars, [&]<class Lattice>(Lattice, const auto& scalar) {
    if (number++ != blockIdx.y || k >= scalar.cut_count + scalar.joint_count) return;
    if (k >= scalar.cut_count) {
      const ScalarExchangeOfCells<T> joint = scalar.joints[k - scalar.cut_count];
      T* const next = scalar.populations[scalars.parity ^ 1u];
      core::pass_between(next[joint.back[0]], next[joint.back[1]], joint.volume[0], joint.volume[1], joint.part);
      return;
    }
    const ScalarCut<T> cut = scalar.cuts[k];
    const ScalarRule<T> rule = scalar.surfaces[cut.surface];
    const T* const arrived = scalar.populations[scalars.parity];
    const Uint64 forth = cut.out * scalars.size,
                 back = static_cast<Uint64>(core::opposite(static_cast<int>(cut.out))) * scalars.size;
    T& returned = scalar.populations[scalars.parity ^ 1u][back + cut.node];
    const T leaves = returned;
    const core::ScalarLink<T> link{core::scalar_direction<Lattice, T>(static_cast<int>(cut.out)),
                                   cut.distance,
                                   cut.area,
                                   cut.reach,
                                   arrived[forth + cut.node],
                                   arrived[back + cut.node],
                                   leaves,
                                   arrived[back + cut.inner]};
    const ScalarAtNode<Spec, Lattice> at(scalars, scalar, cut.node);
    const Uint64 touched = scalars.touched[cut.node / nodes_per_tile];
    const T* const velocity = scalars.velocities + (touched * (3 * nodes_per_tile) + cut.node % nodes_per_tile);
    const core::ScalarNode<T> node{
        at.value.value, {velocity[0], velocity[nodes_per_tile], velocity[2 * nodes_per_tile]}, at.source.value};
    returned = core::scalar_back<Lattice, T>(rule.rule, link, node, rule.surface, scalar.rates, scalar.diffusivity);
    scalar.gained[k] = returned - leaves;
  });
}

/// Values of scalar number `wanted` above its reference, by storage index; what is not fluid gives any.
template <class Spec>
__global__ void scalar_values(const FlowScalars<Arithmetic<Spec>> scalars, Uint32 wanted, Arithmetic<Spec>* out) {
  const Uint64 node = Uint64{blockIdx.x} * blockDim.x + threadIdx.x;
  if (node >= scalars.size) return;
  Uint32 number = 0;
  for_each_scalar<Spec>(scalars, [&]<class Lattice>(Lattice, const auto& scalar) {
    if (number++ == wanted)
      out[node] = ScalarAtNode<Spec, Lattice>(scalars, scalar, static_cast<Uint32>(node)).value.value;
  });
}

/// Sums of scalar number `wanted`, by summed_scalar_blocks blocks of nodes for each block of threads.
template <class Spec>
__global__ void __launch_bounds__(nodes_per_tile)
    sum_scalars(const FlowScalars<Arithmetic<Spec>> scalars, Uint32 wanted, ScalarSums* out) {
  __shared__ ScalarSums parts[nodes_per_tile];
  ScalarSums sum{0, 0, 0, 1e300, -1e300, 1, 0};
  const Uint32 blocks = static_cast<Uint32>((scalars.size + nodes_per_tile - 1) / nodes_per_tile);
  const Uint32 first = blockIdx.x * summed_scalar_blocks;
  Uint32 number = 0;
  for_each_scalar<Spec>(scalars, [&]<class Lattice>(Lattice, const auto& scalar) {
    if (number++ != wanted) return;
    for (Uint32 block = first; block < min(first + summed_scalar_blocks, blocks); ++block) {
      if ((scalar.blocks[block].fluid >> threadIdx.x & 1u) == 0) continue;
      const Uint32 node = block * nodes_per_tile + threadIdx.x;
      const ScalarAtNode<Spec, Lattice> at(scalars, scalar, node);
      const auto value = static_cast<double>(at.value);
      const double volume = scalar.volume == nullptr ? 1 : static_cast<double>(scalar.volume[node]);
      sum.volume += volume;
      sum.value += volume * value;
      sum.source += volume * static_cast<double>(at.source);
      sum.least = value < sum.least ? value : sum.least;
      sum.most = value > sum.most ? value : sum.most;
      if (value - value != 0) sum.finite = 0;
      ++sum.nodes;
    }
  });
  parts[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int k = 1; k < nodes_per_tile; ++k) {
    const ScalarSums& part = parts[k];
    sum.volume += part.volume;
    sum.value += part.value;
    sum.source += part.source;
    sum.least = part.least < sum.least ? part.least : sum.least;
    sum.most = part.most > sum.most ? part.most : sum.most;
    sum.finite &= part.finite;
    sum.nodes += part.nodes;
  }
  out[blockIdx.x] = sum;
}

}  // namespace fluvia::cuda::kernels
