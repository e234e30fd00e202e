// SPDX-License-Identifier: Apache-2.0
// A step of the scalars of a node, amid that of its flow (docs/decisions/0057): what is stored arrived, so that T and
// its buoyancy are known before the flow collides, and what leaves is written to where it arrives, in the other copy.
// Spec has Scalars, a list of the lattices of the scalars, and scalars_act: some of them drive the flow. Flows without
// any have none of this in their kernels.
#pragma once
#include "fluvia/core/moments.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/format.hpp"

namespace fluvia::cuda::kernels {

template <class Spec>
inline constexpr bool carries_scalars = Spec::Scalars::size > 0;
/// Whether steps look for something by the storage index of every node, in the middle of the fluid, too.
template <class Spec>
inline constexpr bool numbers_all_nodes = Spec::own_forces || carries_scalars<Spec>;

/// Calls visit(lattice, scalar) for each scalar.
template <class Spec, class Visit>
__device__ __forceinline__ void for_each_scalar(const FlowScalars<Arithmetic<Spec>>& scalars, const Visit& visit) {
  const CarriedScalar<Arithmetic<Spec>>* next = scalars.all;
  core::for_each_type(typename Spec::Scalars{}, [&]<class Lattice>(Lattice lattice) { visit(lattice, *next++); });
}

/// A scalar at a node: what arrived, what its source adds in the step, and its value above the reference.
template <class Spec, class Lattice>
struct ScalarAtNode {
  using N = Number<Spec>;
  N g[Lattice::Q], source, value;

  /// A node of the flow.
  __device__ __forceinline__ ScalarAtNode(const FlowScalars<Arithmetic<Spec>>& scalars,
                                          const CarriedScalar<Arithmetic<Spec>>& scalar, Uint32 node)
      : ScalarAtNode(scalar, scalar.populations[scalars.parity] + node, scalars.size, node) {}
  /// Any node, whose populations begin at `arrived` and lie `stride` apart.
  __device__ __forceinline__ ScalarAtNode(const CarriedScalar<Arithmetic<Spec>>& scalar,
                                          const Arithmetic<Spec>* arrived, Uint64 stride, Uint32 node) {
    core::unroll<Lattice::Q>([&](auto i) { g[i.i] = arrived[i.i * stride]; });
    source = scalar.source == nullptr ? N(0) : N(core::constant(scalar.source + node));
    value = core::scalar_of<Lattice>(g, 1, source);
  }
};

/// Adds the buoyancy of the scalars at a node.
template <class Spec>
__device__ __forceinline__ void add_buoyancy(const FlowScalars<Arithmetic<Spec>>& scalars, Uint32 node,
                                             Number<Spec> (&force)[3]) {
  using N = Number<Spec>;
  N lift = N(0);
  for_each_scalar<Spec>(scalars, [&]<class Lattice>(Lattice, const auto& scalar) {
    if (scalar.expansion == 0) return;  // nor may a passive one that is not finite spoil the flow
    lift -= N(scalar.expansion) * ScalarAtNode<Spec, Lattice>(scalars, scalar, node).value;
  });
  for (int axis = 0; axis < 3; ++axis) force[axis] += lift * N(scalars.gravity[axis]);
}

/// Whether all scalars at a node are finite.
template <class Spec>
__device__ __forceinline__ bool scalars_are_finite(const FlowScalars<Arithmetic<Spec>>& scalars, Uint32 node) {
  bool finite = true;
  for_each_scalar<Spec>(scalars, [&]<class Lattice>(Lattice, const auto& scalar) {
    const auto value = static_cast<double>(ScalarAtNode<Spec, Lattice>(scalars, scalar, node).value);
    finite = finite && value - value == 0;
  });
  return finite;
}

/// Writes what leaves a node to where it arrives; along cut links half-way back to the node.
template <class Lattice, class T, class N>
__device__ __forceinline__ void spread(const FlowScalars<T>& scalars, const CarriedScalar<T>& scalar, Uint32 node,
                                       const N (&g)[Lattice::Q]) {
  T* const next = scalar.populations[scalars.parity ^ 1u];
  const ScalarBlock* const block = scalar.blocks + node / nodes_per_tile;
  const Uint32 irregular = core::constant(&block->irregular);
  Uint32 place[Lattice::Q];  // all of them are found before anything is written
  place[0] = node;
  core::unroll<Lattice::Q, 1>([&](auto i) {
    constexpr int direction = i.i;
    place[i.i] = direction * static_cast<Uint32>(scalars.size) + node +
                 static_cast<Uint32>(core::constant(scalar.regular + direction));
    if ((irregular >> direction & 1u) == 0) return;
    const auto row = core::constant(&block->first) + static_cast<Uint32>(__popc(irregular & ((1u << direction) - 2)));
    place[i.i] = core::constant(scalar.places + (Uint64{row} * nodes_per_tile + node % nodes_per_tile));
  });
  core::unroll<Lattice::Q>([&](auto i) { next[place[i.i]] = g[i.i].value; });
}

/// Takes the step of the scalars of a node. `f`: the flow's populations that arrived and are complete; `own`: its own
/// force, half of which is in the velocity that carries the scalars, as half of that of all nodes is.
template <class Spec, class Own>
__device__ __forceinline__ void carry_scalars(const Physics<Arithmetic<Spec>>& physics, Uint32 node, const Own& own,
                                              const Number<Spec> (&f)[Spec::Lattice::Q]) {
  using N = Number<Spec>;
  const FlowScalars<Arithmetic<Spec>>& scalars = physics.scalars;
  auto parameters = core::contracted(physics.parameters);
  own.add_to(parameters.force);
  const core::Macroscopic<N> m = core::moments<typename Spec::Lattice, typename Spec::Equilibrium>(f, parameters.force);
  for_each_scalar<Spec>(scalars, [&]<class Lattice>(Lattice, const auto& scalar) {
    ScalarAtNode<Spec, Lattice> at(scalars, scalar, node);
    core::ScalarRates<N> rates{N(scalar.rates.plus), N(scalar.rates.minus)};
    N velocity[3] = {m.velocity[0], m.velocity[1], m.velocity[2]};
    if ((core::constant(&scalar.blocks[node / nodes_per_tile].irregular) & 1u) != 0) {
      const auto* const own_strength = scalar.strengths + node;
      rates = {N(core::constant(&own_strength->rates.plus)), N(core::constant(&own_strength->rates.minus))};
      for (int axis = 0; axis < 3; ++axis) velocity[axis] = N(core::constant(&own_strength->strength)) * velocity[axis];
    }
    core::collide_scalar<Lattice>(at.g, 1, at.value, velocity, at.source, rates);
    spread<Lattice>(scalars, scalar, node, at.g);
  });
  const Uint32 number = core::constant(scalars.touched + node / nodes_per_tile);
  if (number == none) return;
  Arithmetic<Spec>* const velocity =
      scalars.velocities + (Uint64{number} * (3 * nodes_per_tile) + node % nodes_per_tile);
  for (int axis = 0; axis < 3; ++axis) velocity[axis * nodes_per_tile] = m.velocity[axis].value;
}

}  // namespace fluvia::cuda::kernels
