// SPDX-License-Identifier: Apache-2.0
// Where nodes are on a GPU, computed on the host. Nothing here needs a GPU.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/geometry/node_map.hpp"
#include "fluvia/solver/node_records.hpp"

namespace fluvia::cuda {

/// Arrays behind kernels::DenseBox.
struct DenseLayout {
  kernels::DenseBox box{};  ///< without addresses
  std::vector<std::uint32_t> segments, words;
  std::uint64_t stride = 0;    ///< elements from slot to slot
  std::uint64_t elements = 0;  ///< of one copy
};
/// Nodes that a row of `nodes` takes: rows start at multiples of 128 bytes for every format, where that costs at most
/// 3% of the memory, else at even nodes, for pairs.
constexpr int row_pitch(int nodes) {
  const int padded = (nodes + 63) / 64 * 64;
  return padded - nodes <= nodes / 32 ? padded : nodes + nodes % 2;
}
/// Throws Error(resource) if the box is too large for 32-bit indices.
DenseLayout make_dense_layout(const NodeMap& nodes, const std::vector<Int3>& velocities);

/// Arrays behind kernels::CompactTiles.
struct CompactLayout {
  kernels::CompactTiles tiles{};  ///< without addresses
  std::vector<kernels::Tile> records;
  std::vector<std::uint32_t> neighbours;
  std::vector<std::uint16_t> margin;
  /// Tile of the GPU's order for each canonical tile, and the reverse; empty for schemes that keep the canonical order.
  std::vector<std::uint32_t> order, canonical;
  std::uint64_t elements = 0;  ///< of one copy
  bool cut_tiles = false;      ///< a periodic axis ends inside of a tile

  [[nodiscard]] std::uint32_t place_of(std::uint64_t canonical_tile) const {
    return order.empty() ? static_cast<std::uint32_t>(canonical_tile) : order[canonical_tile];
  }
};
/// `neighbour_bits`: kernels::tile_neighbour_bits of the lattice. `folded`: order layers of tiles so that neighbours
/// across a periodic last axis are near each other: 0, n-1, 1, n-2, ... Within groups of some tiles that follow each
/// other, inner ones come first, then full ones, so that few gaps suffice to align those and few blocks mix them.
CompactLayout make_compact_layout(const NodeMap& nodes, int directions, std::uint32_t neighbour_bits, bool folded);

/// Arrays behind kernels::Boundaries.
struct BoundaryLayout {
  std::vector<kernels::BoundaryRecord> records;
  std::vector<std::uint32_t> links;  ///< of records: changing_links()
  std::vector<kernels::BoundaryTile> tiles;
  std::vector<std::uint32_t> first_records;
  std::uint64_t memory = 0;  ///< numbers that conditions keep from step to step
};
/// `place_of` gives the place of a canonical tile.
BoundaryLayout make_boundary_layout(const BoundarySetup& setup,
                                    const std::function<std::uint32_t(std::uint64_t)>& place_of);

/// How far an array slides and how its progress is counted; see kernels/slide.hpp.
struct SlidePlan {
  std::uint32_t block_tiles = 1;  ///< that a block of threads updates, all rounds together
  std::uint32_t rounds = 1;
  std::uint32_t chunk_log2 = 0;  ///< blocks of a chunk
  std::uint64_t shift = 0;       ///< nodes

  [[nodiscard]] std::uint64_t blocks(std::uint64_t tiles) const { return (tiles + block_tiles - 1) / block_tiles; }
};
/// Tiles of a chunk, at least: more than are on their way on a GPU at a time, or blocks wait for each other. Domains of
/// less than two chunks slide by their own length, which takes as much memory as two copies.
inline constexpr int least_chunk_log2 = 12;
/// `teams`: tiles that a block updates at a time, a power of two. `least_log2` is for tests with small domains.
SlidePlan plan_slide(const CompactLayout& layout, std::uint32_t teams, int least_log2 = least_chunk_log2);
/// Bytes of the counters of that many tiles, for one sweep; the next one needs its own.
std::uint64_t counter_bytes(const SlidePlan& plan, std::uint64_t tiles);

}  // namespace fluvia::cuda
