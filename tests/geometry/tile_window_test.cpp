// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/map/tile_window.hpp"

#include <gtest/gtest.h>

#include <random>

namespace {

using fluvia::Bool3;
using fluvia::Int3;
using fluvia::NodeMap;
using fluvia::TileWindow;

/// Tiles that are full, empty or full of holes, at random.
NodeMap random_map(int dimension, const Int3& size, const Bool3& periodic, unsigned seed) {
  return NodeMap::build(dimension, size, periodic, [&](const Int3& p) {
    std::mt19937_64 random(seed + static_cast<unsigned>(p[0] + 101 * (p[1] + 101 * p[2])));
    const auto kind = random() % 8;
    return kind < 5 ? ~std::uint64_t{0} : kind == 5 ? std::uint64_t{0} : random();
  });
}

void expect_what_the_map_says(const NodeMap& nodes) {
  const Int3 shape = fluvia::tile_shape(nodes.dimension);
  const int depth = nodes.dimension == 3 ? 1 : 0;
  TileWindow window(nodes);
  for (const NodeMap::Tile& tile : nodes.tiles) {
    bool all = true;
    const bool loaded = window.load(tile);
    EXPECT_EQ(loaded, !is_surrounded(nodes, tile));
    for (int z = -depth; z < shape[2] + depth; ++z)
      for (int y = -1; y <= shape[1]; ++y)
        for (int x = -1; x <= shape[0]; ++x) {
          const bool fluid = nodes.is_fluid(
              {tile.position[0] * shape[0] + x, tile.position[1] * shape[1] + y, tile.position[2] * shape[2] + z});
          all = all && fluid;
          if (loaded) {
            ASSERT_EQ(window.is_fluid({x, y, z}), fluid) << x << ' ' << y << ' ' << z;
          }
        }
    EXPECT_TRUE(loaded || all);
  }
}

TEST(TileWindow, IsWhatTheMapSaysOfEachNode) {
  for (unsigned axes = 0; axes < 8; ++axes) {
    const Bool3 periodic{(axes & 1) != 0, (axes & 2) != 0, (axes & 4) != 0};
    for (const Int3& size : {Int3{40, 36, 24}, Int3{17, 22, 9}, Int3{3, 5, 2}}) {
      SCOPED_TRACE(testing::Message() << size[0] << " periodic " << axes);
      expect_what_the_map_says(random_map(3, size, periodic, axes));
      if (axes < 4)
        expect_what_the_map_says(random_map(2, {size[0], size[1], 1}, {periodic[0], periodic[1], false}, axes));
    }
  }
}

TEST(TileWindow, SkipsTilesAmongFullOnes) {
  const NodeMap nodes =
      NodeMap::build(3, {20, 20, 20}, {false, false, false}, [](const Int3&) { return ~std::uint64_t{0}; });
  TileWindow window(nodes);
  int surrounded = 0;
  for (const NodeMap::Tile& tile : nodes.tiles) surrounded += window.load(tile) ? 0 : 1;
  EXPECT_EQ(surrounded, 27);
}

TEST(NodeMap, FindsTilesBeyondPeriodicEnds) {
  const NodeMap nodes =
      NodeMap::build(3, {10, 12, 8}, {true, false, true}, [](const Int3&) { return ~std::uint64_t{0}; });
  EXPECT_EQ(nodes.tile_at({0, 0, 0}), 0U);
  EXPECT_EQ(nodes.tile_at({-1, 1, 2}), nodes.tile_at({2, 1, 0}));
  EXPECT_EQ(nodes.tile_at({3, 2, -1}), nodes.tile_at({0, 2, 1}));
  EXPECT_EQ(nodes.tile_at({0, -1, 0}), fluvia::empty_tile);
  EXPECT_EQ(nodes.tile_at({0, 3, 0}), fluvia::empty_tile);
}

}  // namespace
