// SPDX-License-Identifier: Apache-2.0
// What kernels know of bodies that move (docs/decisions/0067): lists that the host makes anew where something has
// moved, or that kernels make from what it says of bodies (docs/decisions/0068).
#pragma once
#include "fluvia/core/boundary/body_parts.hpp"
#include "fluvia/core/lattice/lattice.hpp"
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

/// A link of a lattice for a body: along its axes, and in nodes of the grid.
struct SearchedLink {
  core::LinkWay way;
  int c[3];
  double factor;  ///< 3 w: `drive` for a velocity of 1 along the link
};

/// A body whose links are looked for, at its pose, and the tiles around it.
struct SearchedBody {
  core::Triple axes[3], center, velocity, angular_velocity;
  core::Triple rest_center;  ///< its center at rest, where its parts are
  double reach;              ///< how far from the middle of a tile a surface is at most that links can meet
  int low[3];                ///< the first node of the tiles, of the grid
  int size[3];               ///< tiles along each axis
  Uint32 first_tile;         ///< in SearchedBodies::covered and fluid
  Uint32 first_part, part_count;
  SearchedLink links[core::most_directions];
};

/// What a tile around a body has of a tile of the storage; the box may end inside of it, so that there are several.
struct BodyPiece {
  Uint64 mask;           ///< its nodes of fluid, by their bits in the storage's tile
  int first[3];          ///< where that tile begins, as the body sees it: beyond the box over a periodic face
  Uint32 storage_index;  ///< of it, as in TileReference
  Uint32 tile;           ///< around the body
  Uint32 body;
};

struct SearchedBodies {
  const SearchedBody* bodies;
  const core::BodyPart* parts;
  const Uint64 *covered, *fluid;  ///< nodes of tiles around bodies
  const BodyPiece* pieces;
  const Uint32* beside;  ///< pieces that may have nodes with links, which blocks take
};

/// Nodes with links that were found; what has a number for each of SearchedBodies::beside is in its order.
struct FoundBodyNodes {
  BodyNode* nodes;       ///< [beside][bit]; `first` counts from the first link of the piece
  Uint32* links;         ///< [beside], how many; then the first one
  TileReference* tiles;  ///< [beside], as BodyLinks::tiles; some without nodes
  Uint32* totals;        ///< nodes, links
};
inline constexpr Uint32 numbering_threads = 1024;

/// Where BodyLinks::nodes and links come to lie.
template <class T>
struct BodyLists {
  BodyNode* nodes;
  BodyLinkNumbers<T>* links;
  Uint32 room;  ///< links that there is room for, and nodes; nothing is written if there are more
};

}  // namespace fluvia::cuda::kernels
