// SPDX-License-Identifier: Apache-2.0
// Counts of tiles and ghost buffers against a slow count, value by value, that knows nothing of masks.
#include <gtest/gtest.h>

#include <bit>
#include <set>

#include "fluvia/base/error.hpp"
#include "fluvia/core/lattice/registry.hpp"
#include "fluvia/model/tile_statistics.hpp"
#include "reference/scenes.hpp"

namespace fluvia::model {
namespace {

/// All velocities with components -1, 0, 1 and `components` of them not 0.
std::vector<Int3> ways(int dimension, int components) {
  std::vector<Int3> all;
  for (int z = dimension == 3 ? -1 : 0; z <= (dimension == 3 ? 1 : 0); ++z)
    for (int y = -1; y <= 1; ++y)
      for (int x = -1; x <= 1; ++x)
        if (std::abs(x) + std::abs(y) + std::abs(z) == components) all.push_back({x, y, z});
  return all;
}

struct SlowTiles {
  const NodeMap& nodes;
  int edge;
  std::set<Int3> occupied;
  Int3 count{};

  SlowTiles(const NodeMap& map, int a) : nodes(map), edge(a) {
    const auto depth = [&](int axis) { return axis == 2 && nodes.dimension == 2 ? 1 : edge; };
    for (int axis = 0; axis < 3; ++axis) count[axis] = (nodes.size[axis] + depth(axis) - 1) / depth(axis);
    for (int z = 0; z < nodes.size[2]; ++z)
      for (int y = 0; y < nodes.size[1]; ++y)
        for (int x = 0; x < nodes.size[0]; ++x)
          if (nodes.is_fluid({x, y, z})) occupied.insert({x / depth(0), y / depth(1), z / depth(2)});
  }
  [[nodiscard]] bool holds_fluid(Int3 tile) const {
    for (int axis = 0; axis < nodes.dimension; ++axis)
      if (nodes.periodic[axis]) tile[axis] = (tile[axis] + count[axis]) % count[axis];
    return occupied.contains(tile);
  }
  /// Fewest faces of a tile whose buffers, written with every value of the population that leaves through them, offer
  /// each value to the tile that wants it, if that holds fluid.
  [[nodiscard]] int buffers(const Int3& tile, const Int3& way) const {
    std::set<int> wanted;  // sets of faces that a value leaves through, one bit an axis
    const Int3 end = {edge, edge, nodes.dimension == 3 ? edge : 1};
    for (int z = 0; z < end[2]; ++z)
      for (int y = 0; y < end[1]; ++y)
        for (int x = 0; x < end[0]; ++x) {
          const Int3 to = {x + way[0], y + way[1], z + way[2]};
          Int3 neighbour = tile;
          int faces = 0;
          for (int axis = 0; axis < 3; ++axis) {
            if (to[axis] >= 0 && to[axis] < end[axis]) continue;
            faces |= 1 << axis;
            neighbour[axis] += way[axis];
          }
          if (faces != 0 && holds_fluid(neighbour)) wanted.insert(faces);
        }
    int fewest = 3;
    for (int chosen = 0; chosen < 8; ++chosen) {
      bool serves = true;
      for (const int faces : wanted) serves = serves && (faces & chosen) != 0;
      if (serves) fewest = std::min(fewest, std::popcount(static_cast<unsigned>(chosen)));
    }
    return fewest;
  }
  /// Values read of the population: whole buffers but for a corner's one value.
  [[nodiscard]] double read(const Int3& tile, const Int3& way, double full) const {
    double values = 0;
    for (int faces = 1; faces < 8; ++faces) {
      Int3 from = tile;
      int crossed = 0;
      bool exists = true;
      for (int axis = 0; axis < 3; ++axis) {
        if ((faces >> axis & 1) == 0) continue;
        exists = exists && way[axis] != 0;
        from[axis] -= way[axis];
        ++crossed;
      }
      if (exists && holds_fluid(from)) values += crossed == nodes.dimension ? 1 : full;
    }
    return values;
  }
};

void compare(const NodeMap& nodes, int edge) {
  const SlowTiles slow(nodes, edge);
  const TileStatistics found = measure_tiles(nodes, edge);
  ASSERT_EQ(found.occupied_tiles, slow.occupied.size());
  EXPECT_EQ(found.tiles, static_cast<std::uint64_t>(slow.count[0]) * slow.count[1] * slow.count[2]);
  EXPECT_EQ(found.fluid_nodes, nodes.fluid_nodes);
  const double full = found.tile_nodes() / edge;
  std::array<double, 3> written{}, read{};
  for (int k = 1; k <= nodes.dimension; ++k) {
    std::uint64_t neighbours = 0, buffers = 0, behind_faces = 0;
    for (const Int3& tile : slow.occupied)
      for (const Int3& way : ways(nodes.dimension, k)) {
        neighbours += slow.holds_fluid({tile[0] + way[0], tile[1] + way[1], tile[2] + way[2]}) ? 1 : 0;
        buffers += static_cast<std::uint64_t>(slow.buffers(tile, way));
        for (int axis = 0; axis < 3; ++axis) {
          Int3 face = tile;
          face[axis] += way[axis];
          behind_faces += way[axis] != 0 && slow.holds_fluid(face) ? 1 : 0;
        }
        read[k - 1] += slow.read(tile, way, full);
      }
    EXPECT_EQ(found.neighbours[k - 1], neighbours) << k;
    EXPECT_EQ(found.ghost_buffers[k - 1], buffers) << k;
    EXPECT_EQ(found.reduced_buffers[k - 1], buffers - behind_faces) << k;
    written[k - 1] = static_cast<double>(buffers);
  }
  for (const LatticeCounts& lattice : lattice_counts()) {
    if (lattice.dimension != nodes.dimension) continue;
    double allocated = 0, transferred = 0;
    for (int k = 1; k <= 3; ++k) {
      if (lattice.with(k) == 0) continue;
      allocated += written[k - 1];
      transferred += written[k - 1] * full + read[k - 1];
    }
    const auto tiles = static_cast<double>(found.occupied_tiles);
    EXPECT_NEAR(memory_coefficient(found, lattice), allocated / (tiles * lattice.written_buffers()), 1e-12);
    // Everything but corners in full, eqs 39 and 40.
    const double most = (lattice.buffer_indices() - lattice.corner_reads()) * full + lattice.corner_reads();
    EXPECT_NEAR(bandwidth_coefficient(found, lattice), transferred / (tiles * most), 1e-12) << lattice.name;
  }
}

TEST(Tiles, AreCountedAsASlowCountDoes) {
  for (const int dimension : {2, 3})
    for (const scene::Scene& s : scene::all_scenes(dimension)) {
      const NodeMap nodes = scene::make_geometry(s).nodes;
      for (const int edge : dimension == 2 ? std::vector<int>{3, 8, 16} : std::vector<int>{3, 4, 8}) {
        SCOPED_TRACE(s.name + ", edge " + std::to_string(edge));
        compare(nodes, edge);
      }
    }
}

TEST(Tiles, ThatTouchAtEdgesAndCornersOnlyNeedBuffersToo) {
  // Two tiles that meet in a corner: of each diagonal population towards the other one buffer, not two.
  const auto diagonal = NodeMap::build(2, {32, 32, 1}, {false, false, true}, [](const Int3& tile) {
    return tile[0] / 2 == tile[1] / 2 ? ~std::uint64_t{0} : std::uint64_t{0};
  });
  const TileStatistics tiles = measure_tiles(diagonal, 16);
  EXPECT_EQ(tiles.occupied_tiles, 2u);
  EXPECT_EQ(tiles.neighbours, (std::array<std::uint64_t, 3>{0, 2, 0}));
  EXPECT_EQ(tiles.ghost_buffers, (std::array<std::uint64_t, 3>{0, 2, 0}));
  EXPECT_DOUBLE_EQ(reduced_share(tiles, lattice_counts("D2Q9")), 1);
  compare(diagonal, 16);
}

TEST(Tiles, AreToldApartInLongRows) {
  // More than 64 of them in a row, two of which hold fluid.
  const auto row = NodeMap::build(2, {1000, 24, 1}, {false, false, true}, [](const Int3& tile) {
    return tile[0] == 3 || tile[0] == 68 ? ~std::uint64_t{0} : std::uint64_t{0};
  });
  EXPECT_EQ(measure_tiles(row, 8).neighbours[0], 2u * 2 * 2) << "along y only";
  compare(row, 8);
}

TEST(Tiles, OfAnEndlessBoxNeedEveryBuffer) {
  for (const int dimension : {2, 3}) {
    const Int3 size = {32, 32, dimension == 3 ? 32 : 1};
    const auto nodes =
        NodeMap::build(dimension, size, {true, true, true}, [](const Int3&) { return ~std::uint64_t{0}; });
    const TileStatistics tiles = measure_tiles(nodes, 8);
    EXPECT_DOUBLE_EQ(tiles.tile_porosity(), 1);
    for (const LatticeCounts& lattice : lattice_counts()) {
      if (lattice.dimension != dimension) continue;
      EXPECT_DOUBLE_EQ(memory_coefficient(tiles, lattice), 1);
      EXPECT_DOUBLE_EQ(bandwidth_coefficient(tiles, lattice), 1);
    }
  }
}

TEST(Tiles, RefuseEdgesThatMakeNoTile) {
  const NodeMap nodes = scene::make_geometry(scene::channel({20, 12, 1})).nodes;
  for (const int edge : {-1, 0, 1, 65}) EXPECT_THROW((void)measure_tiles(nodes, edge), Error) << edge;
}

TEST(LatticeCounts, AreThoseOfTheVelocities) {
  core::for_each_type(core::Lattices{}, []<class Lattice>(Lattice) {
    const LatticeCounts& counts = lattice_counts(std::string(Lattice::name));
    std::array<int, 4> found{};
    for (int i = 0; i < Lattice::Q; ++i)
      ++found[(Lattice::c[i][0] != 0) + (Lattice::c[i][1] != 0) + (Lattice::c[i][2] != 0)];
    EXPECT_EQ(found[0], 1);
    EXPECT_EQ(counts.dimension, Lattice::D);
    EXPECT_EQ(counts.populations(), Lattice::Q) << Lattice::name;
    for (int k = 1; k <= 3; ++k) EXPECT_EQ(counts.with(k), found[k]) << Lattice::name;
  });
  EXPECT_THROW((void)lattice_counts("D3Q7"), Error);
}

}  // namespace
}  // namespace fluvia::model
