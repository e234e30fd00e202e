// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/force/own_force.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/scalars/carry.hpp"

namespace fluvia::cuda::kernels {

/// Whether nodes have forces of their own: given by the case, or buoyancy.
template <class Spec>
inline constexpr bool kicks_nodes = Spec::own_forces || Spec::scalars_act;

/// The force that a case gives the node with this storage index.
template <class Spec>
__device__ __forceinline__ core::OwnForce<Number<Spec>> given_force(const NodeForces<Arithmetic<Spec>>& forces,
                                                                    Uint32 storage_index) {
  core::OwnForce<Number<Spec>> own{};
  const Uint32 block = storage_index == none ? none : core::constant(forces.numbers + storage_index / nodes_per_tile);
  own.acts = block != none;
  if (!own.acts) return own;
  const Arithmetic<Spec>* const values =
      forces.values + (Uint64{block} * (3 * nodes_per_tile) + storage_index % nodes_per_tile);
  for (int axis = 0; axis < 3; ++axis) own.value[axis] = core::constant(values + axis * nodes_per_tile);
  return own;
}

/// The body force that the node with this storage index has for itself, buoyancy included; nothing in cases without
/// such forces.
template <class Spec>
__device__ __forceinline__ auto own_force(const Physics<Arithmetic<Spec>>& physics, Uint32 storage_index) {
  if constexpr (!kicks_nodes<Spec>) {
    return core::NoOwnForce{};
  } else {
    core::OwnForce<Number<Spec>> own{};
    if constexpr (Spec::own_forces) own = given_force<Spec>(physics.forces, storage_index);
    if constexpr (Spec::scalars_act) {
      own.acts = true;
      add_buoyancy<Spec>(physics.scalars, storage_index, own.value);
    }
    return own;
  }
}

}  // namespace fluvia::cuda::kernels
