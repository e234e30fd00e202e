// SPDX-License-Identifier: Apache-2.0
// What kernels are given: plain structs, laid out alike by host and device compilers.
#pragma once
#include "fluvia/core/boundary/surface.hpp"
#include "fluvia/core/boundary/wall_blocks.hpp"
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/format/random_bits.hpp"
#include "fluvia/core/published/sites.hpp"

namespace fluvia::cuda::kernels {

using core::Uint16;
using core::Uint32;
using core::Uint64;

inline constexpr int nodes_per_tile = 64;
/// Nodes along x that share one entry of DenseBox::segments: those of a warp.
inline constexpr int segment_nodes = 32;
inline constexpr Uint32 none = 0xffffffffu;

/// Cut links of one node and one surface. The records of a node follow each other in the order of application.
struct BoundaryRecord {
  core::CutLinks links;
  Uint32 surface;
  Uint32 is_last;  ///< of its node
};

/// A tile with nodes that have records, `mask`; the first record of its k-th such node is first_records[first + k].
struct BoundaryTile {
  Uint64 mask;
  Uint32 place;  ///< as in TileReference
  Uint32 first;
};

struct Boundaries {
  const BoundaryRecord* records;
  const core::SurfaceState* surfaces;
  const BoundaryTile* tiles;  ///< by increasing place
  const Uint32* first_records;
  Uint32 tile_count;
  const core::PointBatch* fit_points;  ///< core::PlaneFits
  const void* fit_coefficients;        ///< core::FitBatch of the arithmetic's numbers
};

inline constexpr int max_slots = 27;

/// Every node of the box has storage: population (slot, node) is element x + pitch * (y + ny * z) of the slot.
struct DenseBox {
  /// Addresses of slots where the next step reads and writes them. As arguments they cost no instruction; computed
  /// ones cost two per population.
  Uint64 source[max_slots], target[max_slots];
  Uint32 size[3];
  Uint32 pitch;      ///< elements from row to row
  Uint32 tiles[3];   ///< in the box, for kernels that go through it tile by tile
  Uint32 row_words;  ///< segments in a row along x
  /// Rows and layers that a step takes: from here, and rows up to an end.
  Uint32 first_row, end_row, first_layer;
  Uint32 rows_ahead;  ///< that prefetch_rows() looks; 0: not at all
  /// Per segment: `none` if all its nodes and their neighbours are fluid, else the block of `words` that holds, for
  /// each of its nodes, a word of link bits.
  const Uint32* segments;
  const Uint32* words;  ///< [block][segment_nodes]
};

/// Bits of a node's word: 0 .. 26: the link towards x - c_i is cut.
inline constexpr Uint32 not_fluid_bit = 1u << 27;
/// Conditions complete what arrives at the node; set only where passes look for it.
inline constexpr Uint32 record_bit = 1u << 28;
/// Some of the links that are cut meet a plane of symmetry and go on to a fluid node; set likewise.
inline constexpr Uint32 mirror_bit = 1u << 29;

/// What a pass of several steps takes besides the box.
struct PassArguments {
  const Uint32* records;  ///< like DenseBox::words: first record of a node that has record_bit
  Uint32 planes;          ///< that a block takes
  Uint32 first, end;      ///< planes that blocks share
  Uint32 mirrors;         ///< bits of the faces x_min, x_max, y_min, ... that are planes of symmetry
  /// By nodes that have mirror_bit: bit i is set where what arrives along c_i met planes of symmetry.
  const Uint32* mirrored;
  Uint32 ends;  ///< bits of the axes across the march that are not periodic: nobody needs nodes beyond these faces
};

inline constexpr Uint32 slide_counters = 8;  ///< per chunk, to spread atomics
inline constexpr Uint32 slide_sector = 8;    ///< words from one counter to the next

/// Order of reading and writing in a sweep over an array that slides; see chunks.hpp.
struct SweepOrder {
  Uint32* counters;  ///< [chunk][slide_counters][slide_sector], zero when the sweep begins
  Uint32* next;      ///< those of the next sweep, which this one clears
  Uint32 downwards;  ///< the sweep goes from the last block's nodes to the first one's
};

/// What a pass takes on an array that slides, kernels/pass_sliding.hpp.
struct SlidingPassArguments {
  PassArguments pass;
  SweepOrder order;
  Uint32 parts;  ///< of the march that are a chunk
};

/// A tile of 4x4x4 (2D: 8x8) nodes of which only the fluid ones have storage: population (slot, node) is element
/// base * Q + slot * count + rank of the node among the set bits of `mask`.
struct Tile {
  Uint64 mask;
  Uint32 base;   ///< nodes stored before it, and gaps
  Uint32 flags;  ///< bits 0 .. 6: count; then tile_is_inner and tile_at_*
};
inline constexpr Uint32 tile_count_bits = 127u;
/// Bit of a tile that is full as all tiles are that the lattice reaches from it.
inline constexpr Uint32 tile_is_inner = 1u << 7;
/// Full tiles start at multiples of this many nodes, so that their slots start at multiples of 128 bytes.
inline constexpr Uint32 full_tile_alignment = 64;
/// Bit of a tile at the first or last position of a periodic axis; needed where the box ends inside a tile.
constexpr Uint32 tile_at_first(int axis) {
  return 1u << (8 + 2 * axis);
}
constexpr Uint32 tile_at_last(int axis) {
  return 1u << (9 + 2 * axis);
}

struct CompactTiles {
  Uint64 source, target;  ///< addresses of populations where the next step reads and writes them
  const Tile* tiles;
  const Uint16* halo;        ///< Halo::entry of the lattice's dimension
  const Uint32* neighbours;  ///< [tile][number of neighbouring tiles that the lattice reaches]; `none` if empty
  Uint32 count;
  Uint32 first, end;     ///< tiles that a step takes
  Uint32 last_local[3];  ///< local coordinate of the last node of the box along each axis
};

inline constexpr Uint32 guard_threads = 32;  ///< of a block, besides those that update tiles

/// What a step takes on tiles in an array that slides, kernels/slide.hpp.
struct SlidingGuard {
  SweepOrder order;
  Uint32 rounds;      ///< of tiles that a block updates
  Uint32 chunk_log2;  ///< blocks of a chunk
};

/// Places of an index map.
struct SiteBox {
  Uint64 source, target;  ///< addresses of populations where the next step reads and writes them
  core::Sites sites;
  Uint32 tiles;  ///< that kernels go through tile by tile: those of the box, or, for maps without a box, of the map
  /// Where steps complete boundaries by themselves: per segment_nodes sites, the block of `records` that holds, for
  /// each of them that has conditions, the first record.
  const Uint32* segments;
  const Uint32* records;  ///< [block][segment_nodes]
};

/// What stochastic rounding asks of a step and its nodes; other kernels do not read it.
struct RoundingArguments {
  const core::StepKey* key;   ///< of the step that runs; in memory, so that recorded steps find theirs
  const Uint32* first_nodes;  ///< core::box_index of each compact tile's first place, or of sites whose number hides it
  Uint32 row, rows;           ///< nodes of a row of the box along x, rows of a plane
  Uint32 first;               ///< of the first node of what kernels take for the box: a part of it
};

/// What conditions have at the stages of a pass, where they keep something or change from step to step.
template <class T>
struct Stages {
  T* memory;           ///< what they keep between stages: `memory_size` numbers after the first, as many after the next
  Uint64 memory_size;  ///< 0: nothing
  /// Records of the first stage; those of the next are so many further, 0 if nothing changes.
  const BoundaryRecord* records;
  const core::SurfaceState* surfaces;
  Uint32 next_records, next_surfaces;
};

template <class T>
struct Physics {
  core::CollisionParameters<T> parameters;
  Boundaries boundaries;
  T* memory;  ///< what conditions keep from step to step, CutLinks::memory
  RoundingArguments rounding;
  core::WallBlocks walls;  ///< by places of the storage
  T* memory_after;         ///< where the step or pass that runs puts what they keep; mostly `memory`
  Stages<T> stages;
};

/// One tile of a chunk that is exchanged with the host.
struct TileReference {
  Uint64 mask;
  Uint32 place;   ///< dense: index in the box of tiles; compact: index of the tile
  Uint32 output;  ///< index of its first node in the chunk
};

/// An array over all nodes of the box of a field that follows from the density or the velocity (LinearField).
struct FieldArray {
  float* values;
  Uint64 row, layer;  ///< nodes from one y, or z, to the next
  double reference, factor;
  int has_components;  ///< the velocity's three, next to each other
};

/// Monitored links of one surface in one tile.
struct MonitoredTile {
  Uint32 place;     ///< as in TileReference
  int position[3];  ///< of the tile's first node in the box
  Uint32 directions[nodes_per_tile];
};

/// Sums over monitored links, lattice units.
struct LinkSums {
  double force[3], torque[3];
  double flow;               ///< into the fluid
  double density_deviation;  ///< summed over nodes
};

/// Sums over nodes, lattice units.
struct NodeSums {
  double mass, momentum[3], kinetic_energy;
  double max_speed_squared;  ///< -1 if there is no node
  Uint64 max_speed_node;     ///< canonical tile * 64 + bit, of the first of them
  Uint64 bad_node;           ///< the first that is not finite; ~0 if all are
};

/// Canonical tiles first ... first + 2^level - 1, which are summed by one block.
struct SumPiece {
  Uint32 first, level;
};
/// Most levels of a piece.
inline constexpr int most_sum_levels = 12;

/// Tiles that are summed: by pieces of them, with the places of canonical tiles from `first_tile` on.
struct SummedTiles {
  const SumPiece* pieces;
  const Uint32* places;
  Uint32 first_tile;
};

/// Populations of one direction that arrive at nodes of a tile and follow each other in a list of entries: that of the
/// k-th node of `mask` is entry first + k.
struct HaloPopulationRun {
  Uint64 mask;
  Uint32 direction, first;
};
/// The runs of a tile.
struct HaloPopulationTile {
  Uint32 place;  ///< as in TileReference
  Uint32 first, count;
};
struct HaloPopulations {
  const HaloPopulationTile* tiles;
  const HaloPopulationRun* runs;
};

/// Values that follow each other in a message between parts of a domain, and have so many entries of a list to
/// themselves: where each value is in memory, counted from `origin` in values.
struct MessageBlock {
  Uint64 message;  ///< address of the first value there
  Uint64 origin;   ///< a population, counted from the first one
  Uint32 count;
  Uint32 is_kept;  ///< they are what conditions keep, counted from the first number of that
};
inline constexpr Uint32 message_block_log2 = 10;
inline constexpr Uint32 message_threads = 256;  ///< of a block that packs or unpacks
/// What kernels pack or unpack: those of all messages.
struct MessageBlocks {
  const MessageBlock* blocks;
  const int* entries;
  Uint32 count;
};

}  // namespace fluvia::cuda::kernels
