// SPDX-License-Identifier: Apache-2.0
// What kernels/levels.hpp is given: lists of what passes between a level of refinement and the next finer one, by the
// numbers that populations have in messages. docs/decisions/0051 says what they are.
#pragma once
#include "fluvia/cuda/kernels/arguments.hpp"

namespace fluvia::cuda::kernels {

/// A population of a coarse cell after its collision, and two others along each axis: its slope is `part` of their
/// difference.
struct LevelSource {
  Uint32 at, upper[3], lower[3];  ///< in the message that leaves the coarse level
  float part[3];                  ///< 0, 1/2 or 1
};

/// What a child of a coarse cell carries: the value of a source, and its slope times an offset.
struct LevelChild {
  Uint32 source;  ///< number of it, or one of those below
  Uint32 offset;  ///< number of it
};
/// Where a child is, from the middle of the coarse cell, in its edges. There are some tens of them: beside walls
/// thirds, fifths, sevenths, which single precision has not.
struct LevelOffset {
  double along[3];
};
/// Of children that a coarse link gains; others are lost.
inline constexpr Uint32 gained_child = 0x80000000u;
/// Of places where what passed coarse cells arrives, with its number.
inline constexpr Uint32 passed_by = 0x80000000u;
/// Of places where what comes from beyond an opening arrives, with the number of the places that it follows.
inline constexpr Uint32 followed = 0x40000000u;

/// Two places along an opening whose populations one beside them goes on from, linearly; the far one may be `none`.
struct LevelNeighbours {
  Uint32 near, far;
};

/// Where a coarse link begins (none: from 0), and what it loses and gets; ends are where the next one begins.
struct LevelLink {
  Uint32 streamed;          ///< in the message that leaves the coarse level
  Uint32 first_child;       ///< of LevelLists::children
  Uint32 first_leaving[2];  ///< of LevelLists::leaving, by fine step
};

/// Where solids cross the interface: parts of links, as they were, that a link gets, or gives.
struct LevelMove {
  Uint32 link, first;  ///< of LevelMoves::parts; they end where those of the next begin
};
struct LevelPart {
  Uint32 from, unused;
  double part;  ///< less than 0: the link gives it
};

/// What a wall that moves adds to what it turns round, at SurfaceState::scale 1; `to`: a coarse link, or the place that
/// is entered.
struct LevelGain {
  Uint32 to, surface;
  double value;
};

struct LevelLists {
  const LevelSource* sources;
  const LevelOffset* offsets;
  const LevelChild* children;     ///< by coarse links
  const LevelChild* entering[2];  ///< by fine step and place; `none` as a source: what is there stays
  const LevelLink* links;         ///< one more ends the lists
  const Uint32* leaving[2];       ///< by fine step: places
  const Uint32* passing;          ///< places of what leaves in fine step 0, and arrives in 1
  const LevelNeighbours* along_openings;
  Uint32 place_count, link_count, passing_count;
  Uint32 own_link_count;  ///< the first of the links, which get a message; of others this part makes the sums only
  double share;           ///< of a fine population in a coarse one
};

struct LevelMoves {
  const LevelMove* moves;  ///< one more ends the list
  const LevelPart* parts;
  Uint32 count;
};

struct LevelGains {
  const LevelGain* of_links;  ///< those of a link follow each other
  const LevelGain* of_places;
  Uint32 link_count, place_count;
  const core::SurfaceState* surfaces;  ///< of the finer level
};

/// A number times these is the momentum, and its moment about the corner of the box, that a wall gets.
struct LevelForce {
  Uint32 number;  ///< a place, or a coarse link
  Uint32 offset;  ///< of a child, whose source the number is
  double by[6];
};
/// What a wall gets of one tile: where its numbers begin in LevelForces::of; they end where those of the next begin.
struct LevelForceGroup {
  Uint32 first[4];
};
struct LevelForces {
  const LevelForce* of[4];        ///< children; what leaves in fine steps 0 and 1; links before moves
  const LevelForceGroup* groups;  ///< one more ends the list
  Uint32 count, unused;
};

/// Messages of both levels, as pack_messages makes and unpack_messages takes them. Behind what leaves the part of this
/// GPU may be values that other parts have packed.
struct LevelMessages {
  Uint64 coarse_leaving, coarse_arriving, fine_leaving, fine_arriving;
};

inline constexpr Uint32 level_threads = 256;  ///< threads of a block that makes messages of messages

}  // namespace fluvia::cuda::kernels
