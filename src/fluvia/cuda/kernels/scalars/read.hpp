// SPDX-License-Identifier: Apache-2.0
// Kernels over the scalars of a flow besides its step: the step of solids, what surfaces send back and materials pass
// on to each other, and what is read.
#pragma once
#include "fluvia/cuda/kernels/scalars/carry.hpp"

namespace fluvia::cuda::kernels {

/// Where populations of a node lie, of the flow or of a solid: that of direction 0, and how far apart they are.
struct ScalarPlace {
  Uint64 first, stride;
  [[nodiscard]] __device__ __forceinline__ Uint64 of(int direction) const {
    return first + static_cast<Uint64>(direction) * stride;
  }
};
template <class Lattice, class T>
__device__ __forceinline__ ScalarPlace scalar_place(const FlowScalars<T>& scalars, const CarriedScalar<T>& scalar,
                                                    Uint32 node) {
  const Uint32 first_solid = first_solid_node(scalars.size);
  if (node < first_solid) return {node, scalars.size};
  return {Lattice::Q * scalars.size + (node - first_solid), scalar.solid_nodes};
}
template <class Spec, class Lattice>
__device__ __forceinline__ ScalarAtNode<Spec, Lattice> scalar_at(const FlowScalars<Arithmetic<Spec>>& scalars,
                                                                 const CarriedScalar<Arithmetic<Spec>>& scalar,
                                                                 Uint32 node) {
  const ScalarPlace place = scalar_place<Lattice>(scalars, scalar, node);
  return {scalar, scalar.populations[scalars.parity] + place.first, place.stride, node};
}

/// What the node at an end of a joint says, which sends `leaves` there in this step.
template <class Spec, class Lattice>
__device__ __forceinline__ core::ScalarEnd<Arithmetic<Spec>> end_of_joint(
    const FlowScalars<Arithmetic<Spec>>& scalars, const CarriedScalar<Arithmetic<Spec>>& scalar,
    const ScalarExchangeOfCells<Arithmetic<Spec>>& joint, int end, Arithmetic<Spec> leaves) {
  using T = Arithmetic<Spec>;
  const Uint64 of_flow = Lattice::Q * scalars.size, place = joint.back[end];
  const bool in_flow = place < of_flow;
  const Uint64 stride = in_flow ? scalars.size : scalar.solid_nodes, within = in_flow ? place : place - of_flow;
  const int out = core::opposite(static_cast<int>(within / stride));
  const auto node = static_cast<Uint32>(within % stride) + (in_flow ? 0u : first_solid_node(scalars.size));
  const T* const arrived = scalar.populations[scalars.parity];
  const ScalarAtNode<Spec, Lattice> at = scalar_at<Spec, Lattice>(scalars, scalar, node);
  return core::scalar_end(core::scalar_direction<Lattice, T>(out).weight,
                          arrived[scalar_place<Lattice>(scalars, scalar, node).of(out)], arrived[place], leaves,
                          at.value.value, at.source.value, scalar.materials[joint.material[end]].rates,
                          end == 0 ? joint.distance : T(1) - joint.distance);
}

/// Passes on what goes between cells of different volumes or materials.
template <class Spec, class Lattice>
__device__ __forceinline__ void complete_joint(const FlowScalars<Arithmetic<Spec>>& scalars,
                                               const CarriedScalar<Arithmetic<Spec>>& scalar, Uint32 k) {
  using T = Arithmetic<Spec>;
  const ScalarExchangeOfCells<T> joint = scalar.joints[k];
  T* const next = scalar.populations[scalars.parity ^ 1u];
  const auto say = [&](int end, T leaves, Uint32 place) {
    const core::ScalarEnd<T> of_end = end_of_joint<Spec, Lattice>(scalars, scalar, joint, end, leaves);
    next[place] = of_end.even;
    next[place + 1] = of_end.slope;
  };
  if (joint.is_elsewhere != 0) return say(1, next[joint.back[1]], joint.says + joint_said);  // join_scalars goes on
  T &one = next[joint.back[0]], &other = next[joint.back[1]];
  const T before = one;
  if (joint.says != none) {
    next[joint.says] = one;
    say(0, one, joint.says + 1);
  }
  T shift = T(0);
  if (joint.distance != T(0.5))
    shift = core::joint_shift(end_of_joint<Spec, Lattice>(scalars, scalar, joint, 0, one),
                              end_of_joint<Spec, Lattice>(scalars, scalar, joint, 1, other));
  core::pass_between(one, other, joint.capacity[0], joint.capacity[1], joint.part, shift);
  if (scalar.passed != nullptr) scalar.passed[k] = one - before;
}

/// Takes the step of nodes of solids. blockIdx.y: number of the scalar; a thread for each node. Arguments are those
/// before the step.
template <class Spec>
__global__ void step_solids(const FlowScalars<Arithmetic<Spec>> scalars) {
  using T = Arithmetic<Spec>;
  using N = Number<Spec>;
  const Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  Uint32 number = 0;
  for_each_scalar<Spec>(scalars, [&]<class Lattice>(Lattice, const auto& scalar) {
    if (number++ != blockIdx.y || k >= scalar.solid_nodes) return;
    const Uint32 node = first_solid_node(scalars.size) + k;
    if ((scalar.blocks[node / nodes_per_tile].nodes >> k % nodes_per_tile & 1u) == 0) return;
    ScalarAtNode<Spec, Lattice> at = scalar_at<Spec, Lattice>(scalars, scalar, node);
    const core::ScalarRates<T> rates = scalar.materials[scalar.material_of_block[k / nodes_per_tile]].rates;
    const N still[3] = {N(0), N(0), N(0)};
    core::collide_scalar<Lattice>(at.g, 1, at.value, still, at.source,
                                  core::ScalarRates<N>{N(rates.plus), N(rates.minus)});
    T* const next = scalar.populations[scalars.parity ^ 1u];
    next[scalar_place<Lattice>(scalars, scalar, node).first] = at.g[0].value;
    core::unroll<Lattice::Q, 1>([&](auto i) {
      next[core::constant(scalar.solid_places + ((i.i - 1) * Uint64{scalar.solid_nodes} + k))] = at.g[i.i].value;
    });
  });
}

/// Replaces what came back half-way along cut links in the step before by what their surfaces send back, and passes on
/// what goes between cells of different volumes or materials. blockIdx.y: number of the scalar; a thread for each link,
/// those of surfaces first. Arguments are those before the step.
template <class Spec>
__global__ void complete_scalars(const FlowScalars<Arithmetic<Spec>> scalars) {
  using T = Arithmetic<Spec>;
  const Uint32 k = blockIdx.x * blockDim.x + threadIdx.x;
  Uint32 number = 0;
  for_each_scalar<Spec>(scalars, [&]<class Lattice>(Lattice, const auto& scalar) {
    if (number++ != blockIdx.y || k >= scalar.cut_count + scalar.joint_count) return;
    if (k >= scalar.cut_count) return complete_joint<Spec, Lattice>(scalars, scalar, k - scalar.cut_count);
    const ScalarCut<T> cut = scalar.cuts[k];
    const ScalarRule<T> rule = scalar.surfaces[cut.surface];
    const T* const arrived = scalar.populations[scalars.parity];
    const ScalarPlace place = scalar_place<Lattice>(scalars, scalar, cut.node);
    const auto out = static_cast<int>(cut.out), in = core::opposite(out);
    T& returned = scalar.populations[scalars.parity ^ 1u][place.of(in)];
    const T leaves = returned;
    const core::ScalarLink<T> link{core::scalar_direction<Lattice, T>(out),
                                   cut.distance,
                                   cut.area,
                                   cut.reach,
                                   arrived[place.of(out)],
                                   arrived[place.of(in)],
                                   leaves,
                                   arrived[scalar_place<Lattice>(scalars, scalar, cut.inner).of(in)]};
    const ScalarAtNode<Spec, Lattice> at = scalar_at<Spec, Lattice>(scalars, scalar, cut.node);
    core::ScalarNode<T> node{at.value.value, {T(0), T(0), T(0)}, at.source.value};
    Uint32 material = 0;
    if (const Uint32 first_solid = first_solid_node(scalars.size); cut.node >= first_solid) {
      material = scalar.material_of_block[(cut.node - first_solid) / nodes_per_tile];
    } else {
      const Uint64 touched = scalars.touched[cut.node / nodes_per_tile];
      const T* const velocity = scalars.velocities + (touched * (3 * nodes_per_tile) + cut.node % nodes_per_tile);
      for (int axis = 0; axis < 3; ++axis) node.u[axis] = velocity[axis * nodes_per_tile];
    }
    const ScalarSpread<T> spread = scalar.materials[material];
    returned = core::scalar_back<Lattice, T>(rule.rule, link, node, rule.surface, spread.rates, spread.diffusivity);
    scalar.gained[k] = returned - leaves;
  });
}

/// Values of scalar number `wanted` above its reference, by number of the node; what is none gives any.
template <class Spec>
__global__ void scalar_values(const FlowScalars<Arithmetic<Spec>> scalars, Uint32 wanted, Arithmetic<Spec>* out) {
  const Uint64 node = Uint64{blockIdx.x} * blockDim.x + threadIdx.x;
  Uint32 number = 0;
  for_each_scalar<Spec>(scalars, [&]<class Lattice>(Lattice, const auto& scalar) {
    const Uint32 first_solid = first_solid_node(scalars.size);
    if (number++ != wanted || (node >= scalars.size && node < first_solid)) return;
    if (node < first_solid + Uint64{scalar.solid_nodes})
      out[node] = scalar_at<Spec, Lattice>(scalars, scalar, static_cast<Uint32>(node)).value.value;
  });
}

/// Sums of scalar number `wanted` over some blocks of nodes, by summed_scalar_blocks of them for each block of threads.
template <class Spec>
__global__ void __launch_bounds__(nodes_per_tile)
    sum_scalars(const FlowScalars<Arithmetic<Spec>> scalars, Uint32 wanted, Uint32 first_block, Uint32 end_block,
                ScalarSums* out) {
  __shared__ ScalarSums parts[nodes_per_tile];
  ScalarSums sum{0, 0, 0, 1e300, -1e300, 1, 0};
  const Uint32 first = first_block + blockIdx.x * summed_scalar_blocks;
  Uint32 number = 0;
  for_each_scalar<Spec>(scalars, [&]<class Lattice>(Lattice, const auto& scalar) {
    if (number++ != wanted) return;
    for (Uint32 block = first; block < min(first + summed_scalar_blocks, end_block); ++block) {
      if ((scalar.blocks[block].nodes >> threadIdx.x & 1u) == 0) continue;
      const Uint32 node = block * nodes_per_tile + threadIdx.x;
      const ScalarAtNode<Spec, Lattice> at = scalar_at<Spec, Lattice>(scalars, scalar, node);
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
