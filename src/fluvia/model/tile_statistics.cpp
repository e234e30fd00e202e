// SPDX-License-Identifier: Apache-2.0
#include "fluvia/model/tile_statistics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <vector>

#include "fluvia/base/error.hpp"

namespace fluvia::model {
namespace {

constexpr int smallest_edge = 2, largest_edge = 64;
constexpr int own_tile = 13;  ///< index of (0,0,0) among 27 neighbours

/// Which tiles of the mesh hold fluid, one bit each.
class Occupancy {
 public:
  Occupancy(const NodeMap& nodes, int edge) : periodic_(nodes.periodic) {
    const Int3 size = {edge, edge, nodes.dimension == 3 ? edge : 1};
    for (int axis = 0; axis < 3; ++axis) tiles_[axis] = (nodes.size[axis] + size[axis] - 1) / size[axis];
    if (nodes.dimension == 2) periodic_[2] = false;
    row_words_ = (static_cast<std::uint64_t>(tiles_[0]) + 63) / 64;
    bits_.assign(row_words_ * tiles_[1] * tiles_[2], 0);
    const Int3 shape = tile_shape(nodes.dimension);
    const bool whole = edge % shape[0] == 0;  // whether a tile of the map lies in one tile of the mesh
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (std::uint64_t rest = tile.mask; rest != 0; rest = whole ? 0 : rest & (rest - 1)) {
        const Int3 p = nodes.node_position(tile, std::countr_zero(rest));
        set({p[0] / size[0], p[1] / size[1], p[2] / size[2]});
      }
  }
  [[nodiscard]] const Int3& tiles() const { return tiles_; }
  [[nodiscard]] bool at(Int3 tile) const {
    for (int axis = 0; axis < 3; ++axis) {
      const int moved = tile[axis];
      tile[axis] = wrapped(moved, tiles_[axis]);
      if (tile[axis] != moved && !periodic_[axis]) return false;
    }
    return (bits_[word_of(tile)] >> (tile[0] % 64) & 1) != 0;
  }
  /// Bit 1 + x + 3 (1 + y) + 9 (1 + z): the tile at (x,y,z) from `tile` holds fluid.
  [[nodiscard]] std::uint32_t around(const Int3& tile) const {
    std::uint32_t bits = 0;
    for (int k = 0; k < 27; ++k)
      if (at({tile[0] + k % 3 - 1, tile[1] + k / 3 % 3 - 1, tile[2] + k / 9 - 1})) bits |= 1u << k;
    return bits;
  }

 private:
  [[nodiscard]] std::uint64_t word_of(const Int3& tile) const {
    return (tile[1] + static_cast<std::uint64_t>(tiles_[1]) * tile[2]) * row_words_ + tile[0] / 64;
  }
  void set(const Int3& tile) { bits_[word_of(tile)] |= std::uint64_t{1} << (tile[0] % 64); }

  Int3 tiles_{};
  Bool3 periodic_;
  std::uint64_t row_words_ = 0;
  std::vector<std::uint64_t> bits_;
};

/// One direction out of a tile: the tiles that its population reaches, by the faces they lie behind.
struct Direction {
  int components = 0;
  /// Index among 27 neighbours of the tile behind the faces in a subset of the direction's, 1 .. 2^components - 1.
  std::array<int, 8> reached{};
};

std::vector<Direction> directions_of(int dimension) {
  std::vector<Direction> directions;
  for (int k = 0; k < 27; ++k) {
    const Int3 way = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
    if (k == own_tile || (dimension == 2 && way[2] != 0)) continue;
    Direction direction;
    std::array<int, 3> axes{};
    for (int axis = 0; axis < 3; ++axis)
      if (way[axis] != 0) axes[direction.components++] = axis;
    for (int subset = 1; subset < 1 << direction.components; ++subset) {
      int reached = own_tile;
      for (int i = 0; i < direction.components; ++i)
        if ((subset >> i & 1) != 0) reached += way[axes[i]] * (axes[i] == 0 ? 1 : axes[i] == 1 ? 3 : 9);
      direction.reached[subset] = reached;
    }
    directions.push_back(direction);
  }
  return directions;
}

/// Fewest buffers, one a face, so that each tile that is there can read one of the faces it lies behind. Bit s of
/// `present`: the tile behind the subset s of faces is there. A face's own tile needs that face's buffer.
int buffers_needed(int components, unsigned present) {
  int fewest = components;
  for (unsigned chosen = 0; chosen < 1u << components; ++chosen) {
    bool serves = true;
    for (unsigned subset = 1; subset < 1u << components; ++subset)
      if ((present >> subset & 1u) != 0 && (subset & chosen) == 0) serves = false;
    if (serves) fewest = std::min(fewest, std::popcount(chosen));
  }
  return fewest;
}

/// Neighbours and ghost buffers of occupied tiles.
struct Counter {
  explicit Counter(int dimension) : directions(directions_of(dimension)) {
    for (int k = 1; k <= 3; ++k)
      for (unsigned present = 0; present < 1u << (1 << k); ++present)
        needed[k - 1].push_back(buffers_needed(k, present));
  }
  void add(std::uint32_t around, TileStatistics& s) const {
    for (const Direction& direction : directions) {
      const int k = direction.components;
      unsigned present = 0;
      for (int subset = 1; subset < 1 << k; ++subset) present |= (around >> direction.reached[subset] & 1u) << subset;
      s.neighbours[k - 1] += present >> ((1 << k) - 1);  // the tile behind all of its faces
      const int needed_here = needed[k - 1][present];
      int behind_faces = 0;
      for (int face = 0; face < k; ++face) behind_faces += present >> (1 << face) & 1u;
      s.ghost_buffers[k - 1] += static_cast<std::uint64_t>(needed_here);
      s.reduced_buffers[k - 1] += static_cast<std::uint64_t>(needed_here - behind_faces);
    }
  }
  std::vector<Direction> directions;
  std::array<std::vector<int>, 3> needed;
};

void join(const TileStatistics& part, TileStatistics& all) {
  all.occupied_tiles += part.occupied_tiles;
  for (int k = 0; k < 3; ++k) {
    all.neighbours[k] += part.neighbours[k];
    all.ghost_buffers[k] += part.ghost_buffers[k];
    all.reduced_buffers[k] += part.reduced_buffers[k];
  }
}

int binomial(int n, int k) {
  return k < 0 || k > n ? 0 : k == 0 || k == n ? 1 : binomial(n - 1, k - 1) + binomial(n - 1, k);
}

}  // namespace

TileStatistics measure_tiles(const NodeMap& nodes, int edge) {
  if (edge < smallest_edge || edge > largest_edge)
    throw_input(
        fmt::format("model: a tile of {} nodes along an edge; choose {} to {}", edge, smallest_edge, largest_edge));
  TileStatistics all;
  all.dimension = nodes.dimension;
  all.edge = edge;
  all.nodes = nodes.box_nodes();
  all.fluid_nodes = nodes.fluid_nodes;
  const Occupancy occupancy(nodes, edge);
  const Counter counter(nodes.dimension);
  const Int3 n = occupancy.tiles();
  all.tiles = static_cast<std::uint64_t>(n[0]) * n[1] * n[2];
  const std::int64_t rows = static_cast<std::int64_t>(n[1]) * n[2];
#pragma omp parallel
  {
    TileStatistics part;
#pragma omp for schedule(dynamic, 16) nowait
    for (std::int64_t row = 0; row < rows; ++row)
      for (int x = 0; x < n[0]; ++x) {
        const Int3 tile = {x, static_cast<int>(row % n[1]), static_cast<int>(row / n[1])};
        if (!occupancy.at(tile)) continue;
        ++part.occupied_tiles;
        counter.add(occupancy.around(tile), part);
      }
#pragma omp critical(fluvia_tile_statistics)
    join(part, all);
  }
  return all;
}

double memory_coefficient(const TileStatistics& tiles, const LatticeCounts& lattice) {
  double allocated = 0;
  for (int k = 1; k <= tiles.dimension; ++k)
    if (lattice.with(k) > 0) allocated += static_cast<double>(tiles.ghost_buffers[k - 1]);
  return allocated / (static_cast<double>(tiles.occupied_tiles) * lattice.written_buffers());
}

double reduced_share(const TileStatistics& tiles, const LatticeCounts& lattice) {
  double all = 0, reduced = 0;
  for (int k = 1; k <= tiles.dimension; ++k) {
    if (lattice.with(k) == 0) continue;
    all += static_cast<double>(tiles.ghost_buffers[k - 1]);
    reduced += static_cast<double>(tiles.reduced_buffers[k - 1]);
  }
  return all > 0 ? reduced / all : 0;
}

double bandwidth_coefficient(const TileStatistics& tiles, const LatticeCounts& lattice) {
  const int d = tiles.dimension;
  const double full = tiles.tile_nodes() / tiles.edge;  // values of a buffer; of a corner's only one is read
  double transferred = 0, possible = 0;
  for (int k = 1; k <= d; ++k) {
    if (lattice.with(k) == 0) continue;
    transferred += static_cast<double>(tiles.ghost_buffers[k - 1]) * full;
    possible += lattice.with(k) * k * full;
    for (int j = 1; j <= k; ++j) {
      const double values = j == d ? 1 : full;
      // Directions with k components of which j lead to a given neighbour.
      const int sharing = binomial(d - j, k - j) << (k - j);
      transferred += static_cast<double>(tiles.neighbours[j - 1]) * sharing * values;
      possible += lattice.with(k) * binomial(k, j) * values;
    }
  }
  return transferred / (static_cast<double>(tiles.occupied_tiles) * possible);
}

}  // namespace fluvia::model
