// SPDX-License-Identifier: Apache-2.0
#include "fluvia/model/storage.hpp"

#include <algorithm>
#include <bit>
#include <vector>

#include "fluvia/geometry/map/tile_window.hpp"
#include "fluvia/model/dense_streams.hpp"

namespace fluvia::model {
namespace {

// Bytes of records; tests compare what follows from them with the plans of both backends.
constexpr double dense_row_bytes = 9;       // CPU: mask and flag of a segment
constexpr double directory_bytes = 4;       // CPU, compact: entry for each segment of the box
constexpr double segment_bytes = 22;        // CPU, compact: mask, base, storage index, part of a group
constexpr double warp_entry_bytes = 4;      // GPU, dense: where the words of a segment are
constexpr double warp_word_bytes = 32 * 4;  // GPU, dense: cut links of a segment
constexpr double tile_record_bytes = 16;    // GPU, compact: mask, base, flags
constexpr double tile_neighbour_bytes = 4;  // GPU, compact: storage index of a neighbour
constexpr double block_nodes = 4000;        // CPU, compact: nodes whose populations of a slot lie together
constexpr double cache_line_bytes = 64;     // CPU

const char* const dense_boxes = "section 2.3.3";
const char* const in_rows = "decision 0004";
const char* const sliding_array = "decision 0006";
const char* const places_of_tiles = "decision 0008";

/// Bytes over M_node or B_node of all fluid nodes.
struct PerNode {
  const Inputs& in;
  const StorageCounts& counts;
  [[nodiscard]] double memory(double bytes) const {
    return bytes / (static_cast<double>(counts.fluid_nodes) * in.node_memory());
  }
  [[nodiscard]] double traffic(double bytes) const {
    return bytes / (static_cast<double>(counts.fluid_nodes) * in.node_traffic());
  }
};

Overhead dense(const Inputs& in, const StorageCounts& counts, bool gpu, bool two_copies) {
  const PerNode per_node{in, counts};
  const auto fluid = static_cast<double>(counts.fluid_nodes);
  const double stored = static_cast<double>(gpu ? counts.dense_nodes : counts.stream_nodes) / fluid;
  const double records = gpu ? warp_entry_bytes * static_cast<double>(counts.warp_segments) +
                                   warp_word_bytes * static_cast<double>(counts.walled_warp_segments)
                             : dense_row_bytes * static_cast<double>(counts.row_segments);
  const auto read = static_cast<double>(gpu ? counts.box_nodes : counts.fluid_row_nodes);
  const double solid = solid_node_traffic(read, fluid);
  Overhead overhead;
  overhead.scheme = two_copies ? "pull" : "aa";
  overhead.reads_solid_nodes = gpu;
  overhead.memory = {{"solid", stored - 1, dense_boxes}};
  if (two_copies) overhead.memory.push_back({"copy", stored, dense_boxes});
  overhead.memory.push_back({"index", per_node.memory(records), gpu ? places_of_tiles : in_rows});
  overhead.bandwidth = {{"solid", solid, dense_boxes},
                        {"index", per_node.traffic(records), gpu ? places_of_tiles : in_rows}};
  overhead.bursts = {{"solid", solid, dense_boxes}};
  return overhead;
}

/// Bytes of a GPU's compact tiles that a step reads: like node types in eq. 33, records of a tile and of its neighbours
/// are read once for each tile. In AA every other step stays in the node and reads those of its own tile only.
double tile_reads(const Inputs& in, const StorageCounts& counts, bool every_step) {
  const double neighbours = in.lattice.neighbouring_tiles();
  const double around = neighbours * (tile_record_bytes + tile_neighbour_bytes);
  return static_cast<double>(counts.tiles) * (tile_record_bytes + (every_step ? around : around / 2));
}

enum class Copies { one, two, sliding };

Overhead compact_tiles(const Inputs& in, const StorageCounts& counts, Copies copies) {
  const PerNode per_node{in, counts};
  const auto tiles = static_cast<double>(counts.tiles);
  const double records = tiles * (tile_record_bytes + tile_neighbour_bytes * in.lattice.neighbouring_tiles());
  const double stored = static_cast<double>(counts.tile_nodes) / static_cast<double>(counts.fluid_nodes);
  Overhead overhead;
  overhead.memory = {{"gaps", stored - 1, places_of_tiles}};
  if (copies == Copies::two) overhead.memory.push_back({"copy", stored, places_of_tiles});
  if (copies == Copies::sliding) {
    const double room = static_cast<double>(counts.slide_nodes) * in.node_memory();
    overhead.memory.push_back(
        {"slide", per_node.memory(room + static_cast<double>(counts.slide_counter_bytes)), sliding_array});
  }
  overhead.scheme = copies == Copies::two ? "compact-pull" : copies == Copies::one ? "compact-aa" : "compact-sliding";
  overhead.memory.push_back({"index", per_node.memory(records), places_of_tiles});
  const double read = tile_reads(in, counts, copies != Copies::one);
  overhead.bandwidth = {{"index", per_node.traffic(read), places_of_tiles}};
  // A tile's run of each slot is read and written in bursts, at most one more than it fills.
  const double ends = 2.0 * in.lattice.populations() * in.burst_bytes * tiles;
  overhead.bursts = {{"run ends", per_node.traffic(ends), places_of_tiles}};
  return overhead;
}

Overhead compact_rows(const Inputs& in, const StorageCounts& counts, bool two_copies) {
  const PerNode per_node{in, counts};
  const double records = directory_bytes * static_cast<double>(counts.row_segments) +
                         segment_bytes * static_cast<double>(counts.fluid_row_segments);
  Overhead overhead;
  overhead.scheme = two_copies ? "compact-pull" : "compact-aa";
  if (two_copies) overhead.memory.push_back({"copy", 1, in_rows});
  overhead.memory.push_back({"index", per_node.memory(records), in_rows});
  overhead.bandwidth = {{"index", per_node.traffic(records), in_rows}};
  overhead.bursts = {{"run ends", cache_line_bytes / (block_nodes * in.value_bytes), in_rows}};
  return overhead;
}

/// The 16 (2D: 8) rows of a tile that hold fluid, one bit each.
std::uint64_t rows_with_fluid(const NodeMap::Tile& tile, int row_nodes) {
  std::uint64_t occupied = 0;
  for (int r = 0; r < nodes_per_tile / row_nodes; ++r)
    if (tile.mask >> (r * row_nodes) & ((std::uint64_t{1} << row_nodes) - 1)) occupied |= std::uint64_t{1} << r;
  return occupied;
}

/// Tiles full of fluid in a neighbourhood full of fluid.
std::vector<unsigned char> deep_tiles(const NodeMap& nodes) {
  std::vector<unsigned char> deep(nodes.tiles.size());
#pragma omp parallel for schedule(static)
  for (std::size_t t = 0; t < nodes.tiles.size(); ++t) deep[t] = is_surrounded(nodes, nodes.tiles[t]);
  return deep;
}

/// Segments of 32 nodes along x all of whose tiles are deep.
std::uint64_t open_warp_segments(const NodeMap& nodes) {
  const std::vector<unsigned char> deep = deep_tiles(nodes);
  const Int3 shape = tile_shape(nodes.dimension);
  const int rows = nodes_per_tile / shape[0], in_segment = 32 / shape[0];
  std::uint64_t open = 0;
  for (std::size_t first = 0; first < nodes.tiles.size();) {
    const Int3 position = nodes.tiles[first].position;
    const int segment = position[0] / in_segment;
    std::size_t end = first;
    int inside = 0;
    for (; end < nodes.tiles.size() && nodes.tiles[end].position[1] == position[1] &&
           nodes.tiles[end].position[2] == position[2] && nodes.tiles[end].position[0] / in_segment == segment;
         ++end)
      inside += deep[end];
    if (inside == std::min(in_segment, nodes.tiles_in_box[0] - segment * in_segment)) open += rows;
    first = end;
  }
  return open;
}

}  // namespace

FluidRows fluid_rows(const NodeMap& nodes) {
  const Int3 shape = tile_shape(nodes.dimension);
  const int tiles_per_segment = 64 / shape[0];
  FluidRows rows;
  std::uint64_t occupied = 0;
  Int3 last = {-1, -1, -1};
  const auto finish = [&] {
    const auto count = static_cast<std::uint64_t>(std::popcount(occupied));
    rows.segments += count;
    rows.nodes += count * static_cast<std::uint64_t>(std::min(64, nodes.size[0] - 64 * last[0]));
  };
  for (const NodeMap::Tile& tile : nodes.tiles) {
    const Int3 segment = {tile.position[0] / tiles_per_segment, tile.position[1], tile.position[2]};
    if (segment != last) {
      finish();
      occupied = 0;
      last = segment;
    }
    occupied |= rows_with_fluid(tile, shape[0]);
  }
  finish();
  return rows;
}

StorageCounts count_storage(const NodeMap& nodes) {
  const auto rows = static_cast<std::uint64_t>(nodes.size[1]) * nodes.size[2];
  StorageCounts counts;
  counts.fluid_nodes = nodes.fluid_nodes;
  counts.box_nodes = nodes.box_nodes();
  counts.dense_nodes = counts.box_nodes;
  counts.stream_nodes = DenseStreams(nodes.size, 1).slot;
  counts.tile_nodes = counts.fluid_nodes;
  counts.tiles = nodes.tiles.size();
  counts.row_segments = static_cast<std::uint64_t>((nodes.size[0] + 63) / 64) * rows;
  const FluidRows fluid = fluid_rows(nodes);
  counts.fluid_row_segments = fluid.segments;
  counts.fluid_row_nodes = fluid.nodes;
  counts.warp_segments = static_cast<std::uint64_t>((nodes.size[0] + 31) / 32) * rows;
  counts.walled_warp_segments = counts.warp_segments - open_warp_segments(nodes);
  return counts;
}

std::vector<Overhead> fluvia_overheads(const Inputs& in, const StorageCounts& counts, bool gpu) {
  std::vector<Overhead> overheads = {dense(in, counts, gpu, true), dense(in, counts, gpu, false)};
  if (gpu) {
    overheads.push_back(compact_tiles(in, counts, Copies::two));
    overheads.push_back(compact_tiles(in, counts, Copies::one));
  } else {
    overheads.push_back(compact_rows(in, counts, true));
    overheads.push_back(compact_rows(in, counts, false));
  }
  overheads.push_back(compact_tiles(in, counts, Copies::sliding));
  return overheads;
}

}  // namespace fluvia::model
