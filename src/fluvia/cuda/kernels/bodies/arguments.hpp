// SPDX-License-Identifier: Apache-2.0
// What kernels know of bodies that move (docs/decisions/0067): lists that the host makes anew where something has
// moved.
#pragma once
#include "fluvia/cuda/kernels/arguments.hpp"

namespace fluvia::cuda::kernels {

/// A node with links that surfaces of bodies cut. Its links follow each other in the order of their directions.
struct BodyNode {
  Uint32 first;       ///< its first link
  Uint32 directions;  ///< bit i: the link along c_i is cut
  Uint32 through;     ///< likewise: and leads to a node that is fluid, too, which has a link of its own
};

/// A link of such a node: `part` and `drive` of core::returned_by_body.
template <class T>
struct BodyLinkNumbers {
  T part, drive;
};

/// Deviations of what left a node towards a body in a step, and of what came back.
template <class T>
struct BodyExchanged {
  T sent, returned;
};

template <class T>
struct BodyLinks {
  const TileReference* tiles;  ///< `mask`: nodes with links, `output`: the first of them in `nodes`
  const BodyNode* nodes;
  const BodyLinkNumbers<T>* links;
  BodyExchanged<T>* exchanged;  ///< [link]
  T supply;                     ///< what each link gives, in parts of its weight (core::WallBlocks::supply)
};

/// What a node beside uncovered ones is.
struct BesideUncovered {
  double density, stress[6];
};

/// A node that a body has uncovered.
struct UncoveredNode {
  double velocity[3];   ///< of the body
  Uint32 first, count;  ///< of its neighbours in UncoveredNodes::neighbours
};

struct UncoveredNodes {
  const TileReference* tiles;  ///< `mask`: nodes that were uncovered, `output`: the first of them in `nodes`
  const UncoveredNode* nodes;
  const Uint32* neighbours;  ///< numbers in `beside`
  const BesideUncovered* beside;
};

}  // namespace fluvia::cuda::kernels
