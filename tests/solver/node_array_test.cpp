// SPDX-License-Identifier: Apache-2.0
// The list of arrays that a flow consists of.
#include "fluvia/solver/node_array.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include "fluvia/solver/plan/scheme.hpp"
#include "reference/scenes.hpp"

namespace {

using fluvia::EntryRange;
using fluvia::NodeArray;
using fluvia::Over;

/// Three tiles: of 64, 1 and 2 nodes.
fluvia::NodeMap three_tiles() {
  return fluvia::NodeMap::build(2, {24, 8, 1}, {}, [](const fluvia::Int3& tile) {
    return tile[0] == 0 ? ~std::uint64_t{0} : tile[0] == 1 ? std::uint64_t{1} : std::uint64_t{3};
  });
}

void expect_entries(const NodeArray& array, std::uint64_t first_tile, std::uint64_t tiles, const EntryRange& expected) {
  const EntryRange found = array.entries(three_tiles(), first_tile, tiles);
  EXPECT_EQ(found.count, expected.count) << first_tile << ' ' << tiles;
  if (expected.count > 0) {
    EXPECT_EQ(found.first, expected.first) << first_tile << ' ' << tiles;
  }
}

TEST(NodeArray, HasANumberForEachNodeOfItsTiles) {
  const NodeArray array{.name = "force", .components = 3, .over = Over::fluid_nodes, .size = 67};
  expect_entries(array, 0, 3, {0, 67});
  expect_entries(array, 1, 1, {64, 1});
  expect_entries(array, 1, 2, {64, 3});
  expect_entries(array, 3, 0, {0, 0});
}

TEST(NodeArray, HasThoseOfStatefulNodesWhereTheyBegin) {
  const NodeArray array{.name = "conditions", .over = Over::stateful_nodes, .size = 15, .starts = {{0, 0}, {2, 13}}};
  expect_entries(array, 0, 3, {0, 15});
  expect_entries(array, 0, 1, {0, 13});
  expect_entries(array, 1, 1, {13, 0});
  expect_entries(array, 1, 2, {13, 2});
  const NodeArray none{.name = "conditions", .over = Over::stateful_nodes};
  expect_entries(none, 0, 3, {0, 0});
}

TEST(NodeArray, SavesNumbersInAFormat) {
  const NodeArray stored{.name = "populations", .number = fluvia::NumberType::storage_format};
  const NodeArray computed{.name = "conditions", .number = fluvia::NumberType::arithmetic};
  EXPECT_EQ(stored.format("fp16s"), "fp16s");
  EXPECT_EQ(computed.format("fp16s"), "fp64");
}

/// Every scheme says what its flow consists of, and gives each array in pieces as it gives it at once.
TEST(NodeArray, RangesOfTilesAddUpToTheWhole) {
  omp_set_num_threads(1);
  reference::Physics physics;
  physics.lattice = "D2Q9";
  const scene::Scene s = scene::quiet(scene::channel({37, 21, 1}), 3);
  for (const std::string& scheme : fluvia::scheme_names()) {
    if (fluvia::parse_scheme(scheme).half) continue;
    SCOPED_TRACE(scheme);
    const auto solver = scene::make_solver(s, {physics, scheme, "fp64", 1});
    solver->step(5);
    const fluvia::NodeMap& nodes = solver->geometry().nodes;
    ASSERT_EQ(solver->arrays().size(), 2u);
    EXPECT_EQ(solver->arrays()[fluvia::flow_populations].components, 9);
    EXPECT_EQ(solver->arrays()[fluvia::flow_populations].size, nodes.fluid_nodes);
    EXPECT_GT(solver->arrays()[fluvia::condition_numbers].size, 21u);
    for (std::size_t a = 0; a < solver->arrays().size(); ++a) {
      const NodeArray& array = solver->arrays()[a];
      std::vector<double> whole(array.size), pieces(array.size);
      solver->save({a, 0, 0, nodes.tiles.size()}, std::as_writable_bytes(std::span(whole)));
      EXPECT_TRUE(std::any_of(whole.begin(), whole.end(), [](double x) { return x != 0; })) << array.name;
      for (std::uint64_t first = 0; first < nodes.tiles.size(); first += 2) {
        const std::uint64_t count = std::min<std::uint64_t>(2, nodes.tiles.size() - first);
        const EntryRange entries = array.entries(nodes, first, count);
        solver->save({a, 0, first, count},
                     std::as_writable_bytes(std::span(pieces).subspan(entries.first, entries.count)));
      }
      EXPECT_EQ(whole, pieces) << array.name;
    }
  }
}

}  // namespace
