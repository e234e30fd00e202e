// SPDX-License-Identifier: Apache-2.0
// The arguments of kernels: plain structs, laid out alike by host and device compilers.
#pragma once
#include "fluvia/core/boundary/surface.hpp"
#include "fluvia/core/boundary/wall_blocks.hpp"
#include "fluvia/core/collision/parameters.hpp"
#include "fluvia/core/format/random_bits.hpp"
#include "fluvia/core/published/index_tables.hpp"
#include "fluvia/cuda/kernels/scalars/arguments.hpp"

namespace fluvia::cuda::kernels {

using core::Uint16;
using core::Uint32;
using core::Uint64;

inline constexpr int nodes_per_tile = 64;
/// Nodes along x that share one entry of DenseBox::segments: those of a warp.
inline constexpr int segment_nodes = 32;
inline constexpr Uint32 none = 0xffffffffu;

/// Cut links of one node and one surface. The records of a node follow each other in the order in which they are
/// applied.
struct BoundaryRecord {
  core::CutLinks links;
  Uint32 surface;
  Uint32 is_last;  ///< 1 for the last record of a node, else 0
};

/// A tile with nodes that have records, `mask`; the first record of its k-th such node is first_records[first + k].
struct BoundaryTile {
  Uint64 mask;
  Uint32 storage_index;  ///< index by which kernels know the tile, as in TileReference
  Uint32 first;
};

struct Boundaries {
  const BoundaryRecord* records;
  const core::SurfaceState* surfaces;
  const BoundaryTile* tiles;  ///< in the order of their storage indices
  const Uint32* first_records;
  Uint32 tile_count;
  const core::PointBatch* fit_points;  ///< core::PlaneFits
  const void* fit_coefficients;        ///< core::FitBatch of the arithmetic's numbers
};

inline constexpr int max_slots = 27;

/// A box in which every node has storage: population (slot, node) is element x + pitch * (y + ny * z) of the slot.
struct DenseBox {
  /// Addresses of slots where the next step reads and writes them. As arguments they cost no instruction; computed
  /// ones cost two per population.
  Uint64 source[max_slots], target[max_slots];
  Uint32 size[3];
  Uint32 pitch;      ///< elements from row to row
  Uint32 tiles[3];   ///< size of the box of tiles, for kernels that go through it tile by tile
  Uint32 row_words;  ///< segments in a row along x
  /// The rows and layers that a step takes: from these on, and rows up to an end.
  Uint32 first_row, end_row, first_layer;
  Uint32 rows_ahead;  ///< how far ahead prefetch_rows() looks; 0: it does nothing
  /// For each segment `none` if all its nodes and their neighbours are fluid, else the block of `words` that holds, for
  /// each of its nodes, a word of link bits.
  const Uint32* segments;
  const Uint32* words;  ///< [block][segment_nodes]
};

/// Bits of a node's word: 0 .. 26: the link towards x - c_i is cut.
inline constexpr Uint32 not_fluid_bit = 1u << 27;
/// Boundary conditions complete what arrives at the node; set only where passes look for it.
inline constexpr Uint32 record_bit = 1u << 28;
/// Some of the links that are cut meet a plane of symmetry and go on to a fluid node; set only where passes look for
/// it.
inline constexpr Uint32 mirror_bit = 1u << 29;

/// The arguments of a pass of several steps besides the box.
struct PassArguments {
  const Uint32* records;  ///< like DenseBox::words: first record of a node that has record_bit
  Uint32 planes;          ///< how many a block takes
  Uint32 first, end;      ///< the planes [first, end) are divided among blocks
  Uint32 mirrors;         ///< bits of the faces x_min, x_max, y_min, ... that are planes of symmetry
  /// [node with mirror_bit], bit i is set where what arrives along c_i met planes of symmetry.
  const Uint32* mirrored;
  Uint32 ends;  ///< bits of the axes across the march that are not periodic: nobody needs nodes beyond these faces
};

/// Nodes whose moments lie together: number k of node e is word place(e) + k moment_group of a copy, with
///   place(e) = e / moment_group (numbers of a node) moment_group + e % moment_group,
/// so that one address and constants lead to all that a node keeps.
inline constexpr Uint32 moment_group = 32;

/// Populations that come back from walls between the nodes: no function of the moments that their node keeps. Number
/// `i - 1` of a row is what comes back along c_i; rows of those that follow each other lie side by side.
struct ReturnedPopulations {
  const Uint32* rows;     ///< like DenseBox::words: the row of a node whose links are cut, or `none`
  Uint32 count;           ///< of rows
  Uint64 source, target;  ///< addresses, in the type of the arithmetic, where the next step reads and writes
};

/// A box whose nodes keep moments instead of populations: `source[0]` and `target[0]` of `nodes` are the copies, or the
/// two places of one that slides. Before the first step `source` has an address for each population that arrives: as
/// many as a node has numbers, the last ones, are where its moments will be, those before in slots of their own.
/// The box of a part begins `first` elements into that of the whole domain. Elements from `wrapped_from` on lie beyond
/// its periodic end, and so at its begin, those before at its end.
struct MomentBox {
  DenseBox nodes;
  const Uint32* mirrored;  ///< as in PassArguments
  Uint32 mirrors;          ///< as in PassArguments
  Uint32 placed;           ///< 1 before the first step
  double force[3], omega;  ///< of core::CollisionParameters, by which populations are rebuilt
  ReturnedPopulations returned;
  Uint32 first, first_wrapped, wrapped_from;  ///< first_wrapped: `first` less all elements, as numbers that wrap
};

inline constexpr Uint32 slide_counters = 8;  ///< per chunk, to spread atomics
inline constexpr Uint32 slide_sector = 8;    ///< words from one counter to the next

/// Order of reading and writing in a sweep over an array that slides; see chunks.hpp.
struct SweepOrder {
  Uint32* counters;  ///< [chunk][slide_counters][slide_sector], zero when the sweep begins
  Uint32* next;      ///< counters of the next sweep, which this one clears
  Uint32 downwards;  ///< the sweep goes from the last block's nodes to the first one's
};

/// The arguments of a pass on an array that slides, kernels/passes/pass_sliding.hpp.
struct SlidingPassArguments {
  PassArguments pass;
  SweepOrder order;
  Uint32 parts;  ///< parts of the march that make a chunk
};

/// A tile of 4x4x4 (2D: 8x8) nodes of which only the fluid ones have storage: population (slot, node) is element
/// base * Q + slot * count + rank of the node among the set bits of `mask`.
struct Tile {
  Uint64 mask;
  Uint32 base;   ///< number of nodes stored before it, and gaps
  Uint32 flags;  ///< bits 0 .. 6: count; then tile_is_inner and tile_at_*
};
inline constexpr Uint32 tile_count_bits = 127u;
/// Bit of a full tile, around which all tiles that the lattice reaches are full.
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

inline constexpr Uint32 guard_threads = 32;  ///< threads of a block besides those that update tiles

/// The arguments of a step on tiles in an array that slides, kernels/slide.hpp.
struct SlidingGuard {
  SweepOrder order;
  Uint32 rounds;      ///< how many times the block takes a tile for each of its groups of threads
  Uint32 chunk_log2;  ///< a chunk has 2^chunk_log2 blocks
};

/// A box, or the tiles of one, that an index map stores.
struct IndexMapBox {
  Uint64 source, target;  ///< addresses of populations where the next step reads and writes them
  core::IndexTables tables;
  Uint32 tiles;  ///< tiles that kernels go through: those of the box, or, for maps without a box, of the map
  /// Where steps complete boundaries by themselves: for every segment_nodes stored nodes the block of `records` that
  /// holds the first record of each of them that has boundary conditions.
  const Uint32* segments;
  const Uint32* records;  ///< [block][segment_nodes]
};

/// What stochastic rounding asks of a step and its nodes; other kernels do not read it.
struct RoundingArguments {
  const core::StepKey* key;  ///< key of the step that runs; in memory, so that recorded steps find theirs
  /// The core::box_index of each compact tile's first node, or of stored nodes by their numbers.
  const Uint32* first_nodes;
  Uint32 row, rows;  ///< nodes of a row of the box along x, rows of a plane
  Uint32 first;      ///< core::box_index of the first node of what kernels take for the box: a part of it
};

/// What boundary conditions have at the stages of a pass, where they keep numbers or change from step to step.
template <class T>
struct Stages {
  T* memory;           ///< numbers kept between stages: `memory_size` after the first, as many after the next
  Uint64 memory_size;  ///< 0: nothing is kept
  /// Records of the first stage; those of the next lie next_records further, 0 if nothing changes.
  const BoundaryRecord* records;
  const core::SurfaceState* surfaces;
  Uint32 next_records, next_surfaces;
};

/// Body forces of single nodes, by blocks of 64 consecutive storage indices of nodes, as core::WallBlocks counts them.
template <class T>
struct NodeForces {
  const Uint32* numbers;  ///< [block of all], its number among those with forces, or `none`
  const T* values;        ///< lattice units, [block with forces][axis][node of the block]
};

template <class T>
struct Physics {
  core::CollisionParameters<T> parameters;
  Boundaries boundaries;
  T* memory;  ///< what boundary conditions keep from step to step, CutLinks::memory
  RoundingArguments rounding;
  core::WallBlocks walls;  ///< by storage indices of nodes
  T* memory_after;         ///< where the step or pass puts the numbers kept; mostly `memory`
  Stages<T> stages;
  NodeForces<T> forces;    ///< where Spec::own_forces
  FlowScalars<T> scalars;  ///< where there are Spec::Scalars
};

/// One tile of a chunk that is exchanged with the host.
struct TileReference {
  Uint64 mask;
  Uint32 storage_index;  ///< dense: index in the box of tiles; compact: index of the tile
  Uint32 output;         ///< index of its first node in the chunk
};

/// An array over all nodes of the box of a field that follows from the density or the velocity (LinearField).
struct FieldArray {
  float* values;
  Uint64 row, layer;  ///< nodes from one y, or z, to the next
  double reference, factor;
  int has_components;  ///< 1: the field is the velocity, with its three components next to each other
};

/// Monitored links of one surface in one tile.
struct MonitoredTile {
  Uint32 storage_index;  ///< index by which kernels know the tile, as in TileReference
  int position[3];       ///< position in the box of the tile's first node
  Uint32 directions[nodes_per_tile];
};

/// Sums over monitored links, lattice units.
struct LinkSums {
  double force[3], torque[3];
  double flow;               ///< flow into the fluid
  double density_deviation;  ///< sum over nodes
};

/// Sums over nodes, lattice units.
struct NodeSums {
  double mass, momentum[3], kinetic_energy;
  double max_speed_squared;  ///< -1 if there is no node
  Uint64 max_speed_node;     ///< canonical tile * 64 + bit, of the first fastest node
  Uint64 bad_node;           ///< canonical tile * 64 + bit, of the first node that is not finite; ~0 if all are
};

/// Canonical tiles first ... first + 2^level - 1, which are summed by one block.
struct SumPiece {
  Uint32 first, level;
};
/// Most levels of a SumPiece.
inline constexpr int most_sum_levels = 12;

/// Tiles that are summed, piece by piece, with the storage indices of canonical tiles from `first_tile` on.
struct SummedTiles {
  const SumPiece* pieces;
  const Uint32* storage_indices;
  Uint32 first_tile;
};

/// Populations of one direction that arrive at nodes of a tile and follow each other in a list of entries: the
/// population of the k-th node of `mask` is entry first + k.
struct HaloPopulationRun {
  Uint64 mask;
  Uint32 direction, first;
};
/// The HaloPopulationRuns of a tile: `count` from number `first` on.
struct HaloPopulationTile {
  Uint32 storage_index;  ///< index by which kernels know the tile, as in TileReference
  Uint32 first, count;
};
struct HaloPopulations {
  const HaloPopulationTile* tiles;
  const HaloPopulationRun* runs;
};

/// Values that follow each other in a message between parts of a domain, and have so many entries of a list to
/// themselves: where each value is in memory, counted from `origin` in values.
struct MessageBlock {
  Uint64 message;  ///< address of the first value in the message
  Uint64 origin;   ///< a population, counted from the first one
  Uint32 count;
  /// 1: they are numbers that boundary conditions keep, counted from the first of these; in lists of scalars, which
  /// one.
  Uint32 is_kept;
};
inline constexpr Uint32 message_block_log2 = 10;
inline constexpr Uint32 message_threads = 256;  ///< threads of a block that packs or unpacks
/// The blocks of all messages, which kernels pack or unpack.
struct MessageBlocks {
  const MessageBlock* blocks;
  const int* entries;
  Uint32 count;
};
/// A value of one message that is a value of another, too: entries of their blocks.
struct ForwardedValue {
  Uint32 from, to;
};

}  // namespace fluvia::cuda::kernels
