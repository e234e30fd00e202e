// SPDX-License-Identifier: Apache-2.0
// What kernels are given of the scalars that a flow carries along. All of them are stored by the storage indices of the
// flow's nodes (Layout::wall_storage_index), direction by direction, and behind these in the same way by those of nodes
// of solids, which each scalar has of its own; what is stored arrived at its node. Nodes of both have numbers: of the
// flow's the storage index, of solids those from first_solid_node() on.
#pragma once
#include "fluvia/core/scalar/conditions.hpp"

namespace fluvia::cuda::kernels {

/// Number of the first node of solids of flows with so many storage indices: blocks of 64 nodes are of one of both.
FLUVIA_FUNCTION constexpr core::Uint32 first_solid_node(core::Uint64 storage_indices) {
  return static_cast<core::Uint32>((storage_indices + 63) / 64 * 64);
}

/// Nodes with 64 consecutive numbers.
struct ScalarBlock {
  core::Uint64 nodes;  ///< bit of each that is there
  /// Directions along which what leaves some of the nodes does not arrive as far away as elsewhere. For each of them,
  /// ascending, there is a row of places; `first` is the number of the first one. Bit 0: some of the nodes have a
  /// strength of their own.
  core::Uint32 irregular, first;
};

/// A cut link whose surface does more than to send back what comes. Nodes by their numbers.
template <class T>
struct ScalarCut {
  core::Uint32 node, inner;   ///< `inner`: the next node away from the surface
  core::Uint32 surface, out;  ///< `out`: the direction in which it leaves the fluid
  T distance, area, reach;    ///< as core::ScalarLink has them
};

/// A link between nodes whose cells end at walls, or of different materials (ScalarJoint): where what leaves each would
/// come back, their capacities, the part of what these let pass, and the part of the link before the surface.
template <class T>
struct ScalarExchangeOfCells {
  core::Uint32 back[2];
  T capacity[2], part, distance;
  unsigned char material[2], is_elsewhere;
  core::Uint32 says;  ///< as ScalarJoint has it
};

/// Numbers that the first node of a joint says to other parts, and that its second node leaves behind them.
inline constexpr core::Uint32 joint_said = 3, joint_kept = 2;

/// How a scalar spreads in a material.
template <class T>
struct ScalarSpread {
  core::ScalarRates<T> rates;
  T diffusivity;
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
  /// [direction][storage index], then [direction][node of solids], then what parts say of joints; a step reads those of
  /// its parity and writes the others.
  T* populations[2];
  const T* source;  ///< by number of the node; null: none
  const ScalarBlock* blocks;
  const core::Uint32* places;  ///< [row][node of the block], direction x storage indices + storage index
  const ScalarCut<T>* cuts;
  const ScalarRule<T>* surfaces;
  const ScalarExchangeOfCells<T>* joints;
  const ScalarExchangeOfCells<T>* border_joints;  ///< across borders of parts
  const core::Uint32* elsewhere;                  ///< numbers of joints whose first node another part has
  const T* volume;                                ///< by number of the node; null: 1 everywhere
  const ScalarStrength<T>* strengths;             ///< by storage index; null: 1 everywhere
  T* gained;                                      ///< by cut link, what the fluid got through it in the last step
  core::Uint32 cut_count, joint_count, border_joint_count, elsewhere_count;
  int regular[27];             ///< storage indices from a node to where what leaves it arrives
  core::ScalarRates<T> rates;  ///< in the fluid
  T expansion;
  const ScalarSpread<T>* materials;        ///< the fluid, then solids
  const unsigned char* material_of_block;  ///< of solids
  const core::Uint32* solid_places;        ///< [direction - 1][node of solids], where what leaves it arrives
  T* passed;                               ///< by joint, what its first node got in the last step; null: nobody asks
  core::Uint32 solid_nodes;                ///< room for so many, a multiple of 64
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
