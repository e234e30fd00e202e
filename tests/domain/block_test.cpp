// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/blocks/block.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "reference/scenes.hpp"

namespace {

using fluvia::TileRange;
using fluvia::TileSum;
using fluvia::TileSums;

struct Sum {
  double value = 0;
  friend Sum operator+(const Sum& a, const Sum& b) { return {a.value + b.value}; }
};

/// Values of very different size, whose sum depends on its order; some tiles give nothing.
TileSums<Sum> values(std::uint64_t tiles) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> exponent(-9, 9);
  TileSums<Sum> result;
  for (std::uint64_t t = 0; t < tiles; ++t)
    if (random() % 4 != 0) result.push_back({t, 0, {(random() % 2 == 0 ? 1 : -1) * std::pow(10, exponent(random))}});
  return result;
}

TEST(TileSums, HaveTheSameBitsFromAnyPartition) {
  std::mt19937 random(11);
  for (const std::uint64_t tiles : {1u, 2u, 3u, 7u, 64u, 100u, 1025u}) {
    const TileSums<Sum> all = values(tiles);
    const double expected = total(all).value;
    double in_order = 0;
    for (const auto& sum : all) in_order += sum.value.value;
    if (tiles == 1025) {
      EXPECT_NE(expected, in_order) << "no test of the order";
    }
    for (int turn = 0; turn < 50; ++turn) {
      TileSums<Sum> joined;
      for (std::uint64_t first = 0; first < tiles;) {
        const TileRange range{first, std::min<std::uint64_t>(tiles, first + 1 + random() % tiles)};
        TileSums<Sum> own;
        for (const auto& sum : all)
          if (range.contains(sum.first)) own.push_back(sum);
        const TileSums<Sum> share = reduced(own, range);
        EXPECT_LE(share.size(), 2u * static_cast<unsigned>(fluvia::tree_levels(tiles) + 1));
        joined.insert(joined.end(), share.begin(), share.end());
        first = range.end;
      }
      ASSERT_EQ(total(joined).value, expected) << tiles;
    }
  }
}

TEST(Partition, IsBalancedToATile) {
  const fluvia::NodeMap nodes = scene::make_geometry(scene::porous({67, 37, 29})).nodes;
  for (const int parts : {1, 2, 3, 7, 16}) {
    const auto cuts = fluvia::cut_tiles(nodes, parts);
    ASSERT_EQ(cuts.size(), static_cast<std::size_t>(parts) + 1);
    EXPECT_EQ(cuts.back(), nodes.tiles.size());
    for (int k = 0; k < parts; ++k) {
      const double own = static_cast<double>(nodes.nodes_of(cuts[k], cuts[k + 1] - cuts[k]));
      EXPECT_NEAR(own, static_cast<double>(nodes.fluid_nodes) / parts, fluvia::nodes_per_tile) << k << " of " << parts;
    }
  }
}

/// Parts between others have two borders, those at the ends one, unless the box continues there.
TEST(Partition, IsBalancedWithItsBorders) {
  scene::Scene s = scene::channel({40, 30, 800});
  for (const bool periodic : {false, true}) {
    s.periodic = {false, false, periodic};
    const fluvia::NodeMap nodes = scene::make_geometry(s).nodes;
    const double mean = static_cast<double>(nodes.fluid_nodes) / 4, plane = 40 * 30;
    for (const double cost : {1.0, 3.0, 1000.0}) {
      const auto cuts = fluvia::cut_tiles(nodes, 4, cost);
      std::vector<double> own, all;
      for (std::size_t k = 0; k < 4; ++k) {
        own.push_back(static_cast<double>(nodes.nodes_of(cuts[k], cuts[k + 1] - cuts[k])));
        all.push_back(own.back() + (periodic || (k > 0 && k < 3) ? 2 : 1) * cost * plane);
        EXPECT_NEAR(own.back(), mean, 0.027 * mean) << cost;
      }
      if (cost < 4) {  // but for an obstacle, whose planes have fewer nodes, and whole tiles
        EXPECT_LT(std::ranges::max(all) - std::ranges::min(all), 0.35 * cost * plane + 64);
      } else if (!periodic) {
        EXPECT_GT(own[0], 1.02 * own[1]);
      }
    }
  }
}

/// The two sides of a border list the same populations in the same order.
TEST(Partition, SidesAgreeAboutWhatCrosses) {
  const fluvia::NodeMap nodes = scene::make_geometry(scene::porous({67, 9, 13})).nodes;
  const std::vector<fluvia::Int3>& velocities = fluvia::facts_of_lattice("D3Q27").velocities;
  const auto cuts = fluvia::cut_tiles(nodes, 5);
  std::vector<fluvia::Block> parts;
  for (int k = 0; k < 5; ++k) parts.push_back(fluvia::make_block(nodes, velocities, cuts, k));
  std::size_t halo_populations = 0, mirrored = 0;
  for (const fluvia::Block& part : parts)
    for (const fluvia::Neighbour& neighbour : part.neighbours) {
      bool found = false;
      for (const fluvia::Neighbour& back : parts[neighbour.block].neighbours) {
        if (back.block != part.number) continue;
        found = true;
        ASSERT_EQ(neighbour.leaves.size(), back.arrives.size());
        for (std::size_t k = 0; k < back.arrives.size(); ++k) {
          // For halo populations that arrive over a plane of symmetry each side knows its own end, and both where it
          // arrives.
          ASSERT_EQ(neighbour.leaves[k].arrival.tile, back.arrives[k].tile);
          ASSERT_EQ(neighbour.leaves[k].arrival.bit, back.arrives[k].bit);
          ASSERT_EQ(neighbour.leaves[k].arrival.direction, back.arrives[k].direction);
          mirrored += neighbour.leaves[k].tile != back.arrives[k].tile;
        }
      }
      EXPECT_TRUE(found);
      halo_populations += neighbour.arrives.size();
    }
  EXPECT_GT(halo_populations, 0u);
  EXPECT_GT(mirrored, 0u);
}

/// Of a flat border: the populations that arrive from other parts at nodes which are stepped, or all numbers of nodes
/// that are read.
TEST(Partition, CountsWhatCrosses) {
  struct Row {
    const char* lattice;
    int numbers;                             ///< that a node keeps as moments
    std::vector<std::uint64_t> populations;  ///< for each node of the border, by the steps between exchanges
  };
  for (const Row& row : {Row{"D3Q19", 10, {5, 19, 38}}, Row{"D3Q27", 10, {9, 27, 54}}, Row{"D3Q15", 10, {5, 15, 30}},
                         Row{"D2Q9", 6, {3, 9, 18, 27}}}) {
    SCOPED_TRACE(row.lattice);
    const bool flat = row.lattice == std::string("D2Q9");
    scene::Scene s =
        scene::base_scene("box", flat ? fluvia::Int3{16, 64, 1} : fluvia::Int3{16, 8, 32}, {true, !flat, false});
    s.solid = [](const fluvia::Int3&) { return false; };
    const fluvia::NodeMap nodes = scene::make_geometry(s).nodes;
    const std::vector<fluvia::Int3>& velocities = fluvia::facts_of_lattice(row.lattice).velocities;
    const std::uint64_t border = flat ? 16 : 16 * 8;
    for (int steps = 1; steps <= static_cast<int>(row.populations.size()); ++steps) {
      SCOPED_TRACE(steps);
      const auto crosses = [&](int numbers) {
        return fluvia::partition_facts(nodes, velocities, fluvia::cut_tiles(nodes, 2), steps, numbers).halo_populations;
      };
      const std::uint64_t populations = row.populations[static_cast<std::size_t>(steps) - 1] * border,
                          moments = static_cast<std::uint64_t>(row.numbers * steps) * border;
      EXPECT_EQ(crosses(0), std::vector<std::uint64_t>(2, populations));
      EXPECT_EQ(crosses(row.numbers), std::vector<std::uint64_t>(2, moments));
    }
  }
}

/// A part holds what it stores and what is beside that, at the numbers of the whole, and says so if it is asked for
/// more.
TEST(Partition, HoldsItsPart) {
  for (const fluvia::Bool3& periodic : {fluvia::Bool3{true, true, true}, fluvia::Bool3{false, false, false}}) {
    fluvia::NodeMap whole = scene::make_geometry(scene::without_mirrors(scene::porous({30, 21, 121}))).nodes;
    whole.periodic = periodic;
    const std::vector<fluvia::Int3>& velocities = fluvia::facts_of_lattice("D3Q19").velocities;
    const auto cuts = fluvia::cut_tiles(whole, 5);
    for (int part = 0; part < 5; ++part) {
      const fluvia::Block block = fluvia::make_block(whole, velocities, cuts, part, 4);
      fluvia::NodeMap held = whole;
      fluvia::keep_local_part(held, block);
      EXPECT_LT(held.bytes(), whole.bytes() / 2);
      EXPECT_EQ(held.tiles.size(), whole.tiles.size());
      EXPECT_EQ(held.directory.size(), whole.directory.size());
      EXPECT_EQ(held.nodes_of(block.tiles.first, block.tiles.count()),
                whole.nodes_of(block.tiles.first, block.tiles.count()));
      for (const fluvia::NodeMap::Tile& tile : fluvia::stored_nodes(whole, block).tiles)
        for (int bit = 0; bit < fluvia::nodes_per_tile; ++bit) {
          const fluvia::Int3 x = whole.node_position(tile, bit);
          for (const fluvia::Int3& c : velocities) {
            const fluvia::Int3 y = {x[0] + c[0], x[1] + c[1], x[2] + c[2]};
            ASSERT_EQ(held.node_index(y), whole.node_index(y));
          }
        }
      const std::uint64_t far = block.tiles.first < whole.tiles.size() / 2 ? whole.tiles.size() * 4 / 5 : 0;
      if (!held.tiles.holds(far)) {
        EXPECT_THROW(static_cast<void>(held.tiles[far].mask), fluvia::Error);
      }
      EXPECT_FALSE(held.tiles.holds(far) && held.tiles.holds(whole.tiles.size() / 2));
    }
  }
}

}  // namespace
