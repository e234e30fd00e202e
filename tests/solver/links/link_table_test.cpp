// SPDX-License-Identifier: Apache-2.0
// Cut links that change while a flow runs: which may, and that they have the bits of links that were there at the
// start.
#include "fluvia/solver/links/link_table.hpp"

#include <gtest/gtest.h>

#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "reference/moved_links.hpp"
#include "support/errors.hpp"

namespace fluvia {
namespace {

constexpr double tau = 0.7;

scene::MovedLinks moved(const scene::Scene& s, const std::string& scheme, int steps_per_pass = 0) {
  scene::Options options;
  options.physics.lattice = s.dimension == 2 ? "D2Q9" : "D3Q19";
  options.scheme = scheme;
  options.steps_per_pass = steps_per_pass;
  return {s, scene::make_case(s, options), tau};
}

void compare(const scene::MovedLinks& links) {
  scene::compare_moved(links, links.scene.dimension == 2 ? 9 : 19, "fp64");
}

TEST(LinkTable, AnyConditionThatMayMoveHasTheBitsOfAFreshSolver) {
  int moving = 0, staying = 0;
  core::for_each_type(core::Boundaries{}, [&]<class Condition>(Condition) {
    constexpr core::ConditionFacts facts = Condition::facts;
    if (facts.only_on_faces) return;
    if (is_movable(facts)) {
      ++moving;
      for (const int dimension : {2, 3})
        for (const bool between : {false, true})
          compare(moved(scene::stray_bodies(dimension, facts.name, between), "pull"));
      return;
    }
    ++staying;
    scene::Scene s = scene::channel({37, 29, 1});
    s.conditions[facts.velocity == core::VelocityKeys::opening ? 0 : 1].type = facts.name;
    const scene::MovedLinks links = moved(s, "pull");
    LinkTable table(links.problem(links.before), "D2Q9");
    const auto face = static_cast<std::uint32_t>(facts.velocity == core::VelocityKeys::opening ? 0 : 4);
    const std::vector<std::uint32_t> tiles = {face};
    const std::string why = test::error_of(ExitCode::input, [&] { table.replace(tiles, table.links_of(tiles)); });
    EXPECT_CONTAINS(why, facts.velocity == core::VelocityKeys::opening ? "x_min" : "x_max");
    EXPECT_EQ(table.version(), 0);
  });
  EXPECT_GT(moving, 3);
  EXPECT_GT(staying, 3);
}

TEST(LinkTable, AnySchemeTakesThem) {
  for (const core::Scheme& scheme : core::schemes) {
    if (!scheme.cpu || scheme.half) continue;
    for (const int dimension : {2, 3}) {
      if (dimension == 3 && scheme.uses_index_map()) continue;
      for (const bool between : {false, true})
        for (const int steps : {1, 4}) {
          const bool stores_rows_together = scheme.is_compact() && dimension == 2;  // and takes no passes
          if (steps == 1 || (steps <= scheme.most_steps_on_cpu && !stores_rows_together))
            compare(moved(scene::stray_bodies(dimension, "moving_wall", between), scheme.name, steps));
        }
    }
  }
}

TEST(LinkTable, RefusesWhatCannotMove) {
  const scene::MovedLinks links = moved(scene::stray_bodies(2, "moving_wall", false), "pull");
  LinkTable table(links.problem(links.before), "D2Q9");
  // The link along which the population to the right would arrive at a node with fluid at its left.
  const NodeMap& nodes = links.before.nodes;
  Int3 x = {1, 1, 0};
  while (!nodes.is_fluid(x) || !nodes.is_fluid({x[0] - 1, x[1], 0})) ++x[0];
  const std::uint32_t tile = nodes.find_fluid(x)->tile;
  const std::vector<std::uint32_t> tiles = {tile};
  TileLinks between_fluid;
  between_fluid.acting.at = {{tile, surface_id::first_named, nodes.find_fluid(x)->bit, 1}};
  between_fluid.acting.velocity = {{}};
  ASSERT_EQ(facts_of_lattice("D2Q9").velocities[1], (Int3{1, 0, 0}));
  EXPECT_CONTAINS(test::error_of(ExitCode::input, [&] { table.replace(tiles, between_fluid); }), "two fluid nodes");
  const std::vector<std::uint32_t> at_lid = {table.setup().links.at.back().tile};
  EXPECT_CONTAINS(test::error_of(ExitCode::input, [&] { table.replace(at_lid, TileLinks{}); }), "face of the box");
  EXPECT_EQ(table.version(), 0);
}

}  // namespace
}  // namespace fluvia
