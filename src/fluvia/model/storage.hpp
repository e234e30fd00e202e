// SPDX-License-Identifier: Apache-2.0
// Overheads of Fluvia's own storage, in the terms of overhead.hpp: records that its layouts keep, and those that a step
// reads, without the map of nodes on the host, which every scheme needs once.
#pragma once
#include <cstdint>

#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/model/overhead.hpp"

namespace fluvia::model {

/// Counts of what Fluvia's layouts keep records of.
struct StorageCounts {
  std::uint64_t fluid_nodes = 0;
  std::uint64_t box_nodes = 0;
  std::uint64_t dense_nodes = 0;         ///< nodes that a dense box on a GPU has room for, with padded rows
  std::uint64_t stream_nodes = 0;        ///< nodes that a dense box on a CPU has room for, with padded rows
  std::uint64_t tile_nodes = 0;          ///< nodes that compact tiles on a GPU have room for, with gaps between them
  std::uint64_t tiles = 0;               ///< tiles of 64 nodes that hold fluid
  std::uint64_t row_segments = 0;        ///< segments of 64 nodes along x of the box
  std::uint64_t fluid_row_segments = 0;  ///< segments of 64 nodes that hold fluid
  std::uint64_t fluid_row_nodes = 0;     ///< nodes of the box in segments that hold fluid
  std::uint64_t warp_segments = 0;       ///< segments of 32 nodes along x of the box
  /// Segments of 32 nodes with a solid node in or, at most a tile away, around them.
  std::uint64_t walled_warp_segments = 0;
  std::uint64_t slide_nodes = 0;  ///< how far a sliding array slides, nodes
  std::uint64_t slide_counter_bytes = 0;
};

/// Counts what is stored as if a GPU's storage had no gaps and no room to slide; cuda::count_storage knows those.
StorageCounts count_storage(const NodeMap& nodes);

/// Segments of 64 nodes along x that hold fluid, the groups of storage on a CPU, and the nodes of the box in them.
struct FluidRows {
  std::uint64_t segments = 0, nodes = 0;
};
FluidRows fluid_rows(const NodeMap& nodes);

/// What reading solid nodes of a dense box adds to B_node. A GPU reads all nodes, since its loads do not wait to know
/// which are fluid; a CPU those of segments of 64 that hold fluid. Only fluid nodes are written.
constexpr double solid_node_traffic(double read, double fluid) {
  return (read / fluid - 1) / 2;
}

/// Overheads of dense pull and AA, compact pull, AA and sliding as a backend stores them. Sliding is that of a GPU on
/// either.
std::vector<Overhead> fluvia_overheads(const Inputs& in, const StorageCounts& counts, bool gpu);

}  // namespace fluvia::model
