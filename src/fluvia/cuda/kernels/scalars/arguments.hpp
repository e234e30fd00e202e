// SPDX-License-Identifier: Apache-2.0
// What kernels are given of the scalars that a flow carries along. All of them are stored by the storage indices of the
// flow's nodes (Layout::wall_storage_index), direction by direction; what is stored arrived at its node.
#pragma once
#include "fluvia/core/scalar/conditions.hpp"

namespace fluvia::cuda::kernels {

/// Nodes with 64 consecutive storage indices.
struct ScalarBlock {
  core::Uint64 fluid;  ///< bit of each node
  /// Directions along which what leaves some of the nodes does not arrive as far away as elsewhere. For each of them,
  /// ascending, there is a row of places; `first` is the number of the first one. Bit 0: some of the nodes have a
  /// strength of their own.
  core::Uint32 irregular, first;
};

/// A cut link whose surface does more than to send back what comes. Nodes are storage indices.
template <class T>
struct ScalarCut {
  core::Uint32 node, inner;   ///< `inner`: the next node away from the surface
  core::Uint32 surface, out;  ///< `out`: the direction in which it leaves the fluid
  T distance, area, reach;    ///< as core::ScalarLink has them
};

/// A link between nodes whose cells end at walls (ScalarJoint): where what leaves each would come back, the volumes,
/// and the part of what these let pass.
template <class T>
struct ScalarExchangeOfCells {
  core::Uint32 back[2];
  T volume[2], part;
};

/// How many times as much a node spreads as others (core::ScalarCell), and what its rates are.
template <class T>
struct ScalarStrength {
  T strength;
  core::ScalarRates<T> rates;
};

/// What a surface does: a rule of core::ScalarConditions, and what that takes.
template <class T>
struct ScalarRule {
  int rule;
  core::ScalarSurface<T> surface;
};

/// One of the scalars.
template <class T>
struct CarriedScalar {
  T* populations[2];  ///< [direction][storage index]; a step reads those of its parity and writes the others
  const T* source;    ///< by storage index; null: none
  const ScalarBlock* blocks;
  const core::Uint32* places;  ///< [row][node of the block], direction x storage indices + storage index
  const ScalarCut<T>* cuts;
  const ScalarRule<T>* surfaces;
  const ScalarExchangeOfCells<T>* joints;
  const T* volume;                     ///< by storage index; null: 1 everywhere
  const ScalarStrength<T>* strengths;  ///< by storage index; null: 1 everywhere
  T* gained;                           ///< by cut link, what the fluid got through it in the last step
  core::Uint32 cut_count, joint_count;
  int regular[27];  ///< storage indices from a node to where what leaves it arrives
  core::ScalarRates<T> rates;
  T diffusivity, expansion;
};

/// All scalars of a flow, in the order of Spec::Scalars.
template <class T>
struct FlowScalars {
  const CarriedScalar<T>* all;
  /// Velocities at nodes with cut links that do more than to send back what comes: a block of 64 storage indices has a
  /// number, or none, and [axis][node of the block] for each number.
  const core::Uint32* touched;
  T* velocities;
  core::Uint64 size;    ///< storage indices
  core::Uint32 parity;  ///< of the steps before
  T gravity[3];         ///< lattice units
};

/// Sums of a scalar over some nodes, above its reference.
struct ScalarSums {
  double volume, value, source, least, most;
  core::Uint32 finite, nodes;
};
/// Blocks of nodes that are summed by one block of threads.
inline constexpr core::Uint32 summed_scalar_blocks = 64;

}  // namespace fluvia::cuda::kernels
