// SPDX-License-Identifier: Apache-2.0
// Pairs of populations that change places after each step: where streamings have them, and what sheets make of a flow.
#include "fluvia/solver/links/exchanged_links.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "fluvia/base/error.hpp"
#include "fluvia/core/streaming/registry.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"

namespace {

using fluvia::Int3;
using fluvia::Real3;
using fluvia::operator-;

/// What arrives over the link between x and x + c_i lies in two places, whether the streaming takes the link for cut or
/// not. Both are named by a node, x or x + c_i, and a slot.
TEST(ExchangedLinks, AreInTheSamePlacesWhetherCutOrNot) {
  using namespace fluvia::core;
  using Place = std::pair<int, int>;  // 0: x, 1: x + c_i; slot
  for_each_type(Streamings{}, [&]<class Streaming>(Streaming) {
    for (int parity = 0; parity < Streaming::parities; ++parity)
      for (int i = 1; i < 27; ++i) {
        const int back = opposite(i);
        // f_i arrives at x + c_i, and its side -1 is x; f_back arrives at x, and its side -1 is x + c_i.
        const auto at_far = [](Access a) { return Place{1 + a.side, a.slot}; };
        const auto at_near = [](Access a) { return Place{-a.side, a.slot}; };
        const std::set<Place> whole{at_far(Streaming::read_from(parity, i)),
                                    at_near(Streaming::read_from(parity, back))},
            cut{at_far(Streaming::read_cut(parity, i)), at_near(Streaming::read_cut(parity, back))};
        EXPECT_EQ(whole, cut) << Streaming::name << ' ' << parity << ' ' << i;
        EXPECT_EQ(whole.size(), 2u);
      }
  });
}

scene::Scene two_channels(bool apart, const Int3& size) {
  scene::Scene s = scene::base_scene("two channels", size, {true, false, true});
  s.initial = [](const Int3&) { return reference::NodeState{}; };
  s.force = {1e-5, 0, 0};
  s.bodies = {"plate"};
  s.monitored = {"plate"};
  if (!apart) return s;
  const int behind = size[1] / 2 - 1;
  return scene::with_sheets(std::move(s),
                            {{1, behind, {-100, 0, -100}, {1000, 0, 1000}, fluvia::surface_id::first_named}});
}

/// Two channels with a sheet between them are two channels: each has the flow of a channel of half the width, to the
/// last bit, in every scheme; and the sheet takes half of the force that drives them.
TEST(ExchangedLinks, ASheetInAChannelMakesTwo) {
  for (const bool flat : {true, false}) {
    const Int3 size = flat ? Int3{9, 12, 1} : Int3{9, 12, 5};
    for (const auto& variant : scene::variants(flat ? 2 : 3)) {
      SCOPED_TRACE(variant.scheme.name);
      scene::Options o;
      o.physics.lattice = flat ? "D2Q9" : "D3Q19";
      o.physics.tau = 0.9;
      o.scheme = variant.scheme.name;
      o.tile = variant.tile;
      const auto divided = scene::make_solver(two_channels(true, size), o);
      scene::Options plain = o;
      plain.scheme = "aa";
      plain.tile = 0;
      const auto narrow = scene::make_solver(two_channels(false, {size[0], size[1] / 2, size[2]}), plain);
      constexpr int steps = 1001;
      divided->step(steps);
      narrow->step(steps);
      const fluvia::Moments both = scene::moments(*divided), one = scene::moments(*narrow);
      double fastest = 0;
      scene::for_each_fluid_node(divided->geometry().nodes, [&](const Int3& x, std::uint64_t n) {
        const auto k =
            static_cast<std::size_t>(narrow->geometry().nodes.node_index({x[0], x[1] % (size[1] / 2), x[2]}));
        ASSERT_EQ(both.velocity[n], one.velocity[k]) << x[0] << ' ' << x[1] << ' ' << x[2];
        ASSERT_EQ(both.density[n], one.density[k]);
        fastest = std::max(fastest, both.velocity[n][0]);
      });
      // Poiseuille: u = G h^2 / (8 nu), with the walls half-way; h = 6, nu = (0.9 - 0.5) / 3.
      EXPECT_NEAR(fastest, 1e-5 * 36 / (8 * 0.4 / 3), 0.06 * fastest);
      const Real3 force = divided->surface_force(fluvia::surface_id::first_named, {}).force;
      const double driven = 1e-5 * size[0] * size[1] * size[2];
      EXPECT_NEAR(force[0], driven / 2, 1e-3 * driven);
      EXPECT_NEAR(force[1], 0, 1e-9);
    }
  }
}

/// Forces and torques on sheets are sums over what both sides exchange; sheets that move, and walls that lie anywhere
/// on their links, as well.
TEST(ExchangedLinks, ForcesOnSheetsAreThoseOfTheReference) {
  for (const int dimension : {2, 3})
    for (const scene::Scene& s : scene::sheet_scenes(dimension)) {
      SCOPED_TRACE(testing::Message() << s.name << ' ' << dimension);
      reference::Physics physics;
      physics.lattice = dimension == 2 ? "D2Q9" : "D3Q19";
      const auto solver = scene::make_solver(s, {physics, "compact-aa", "fp64", 1});
      reference::Solver oracle = scene::make_reference(s, physics);
      solver->step(9);
      oracle.step(9);
      const std::vector<std::string> surfaces = s.surfaces();
      const Real3 center{4, 5, 2};
      for (const std::string& name : s.monitored) {
        const auto surface = static_cast<int>(std::find(surfaces.begin(), surfaces.end(), name) - surfaces.begin());
        const fluvia::SurfaceForce found = solver->surface_force(surface, center);
        const auto [force, torque] = oracle.force_and_torque_on(surface, center);
        EXPECT_GT(fluvia::norm(force), 1e-4) << name;
        EXPECT_LT(fluvia::norm(found.force - force), 1e-12) << name;
        EXPECT_LT(fluvia::norm(found.torque - torque), 1e-11) << name;
      }
    }
}

/// Steps of a pass and why there are no more, or the message why there is no plan.
std::string plan_beside_sheets(const std::string& device, const std::string& scheme, int asked, int parts = 1) {
  const scene::Scene s = scene::sheet_scenes(3).front();
  scene::Options o;
  o.physics.lattice = "D3Q19";
  o.scheme = scheme;
  o.format = "fp32";
  o.steps_per_pass = asked;
  try {
    const fluvia::Plan plan =
        fluvia::make_plan({scene::make_case(s, o), scene::make_units(o.physics.tau), scene::make_geometry(s)}, device,
                          0, {parts, fluvia::BlockPlace::ranks});
    return std::to_string(plan.steps_per_pass) + (plan.pass_reason.empty() ? "" : ": " + plan.pass_reason);
  } catch (const fluvia::Error& error) {
    EXPECT_EQ(error.code(), fluvia::ExitCode::input);
    return error.what();
  }
}

TEST(ExchangedLinks, PlansSayWherePassesDoNotGoBesideSheets) {
  EXPECT_EQ(plan_beside_sheets("cpu", "aa", 4), "4");
  EXPECT_EQ(plan_beside_sheets("cuda", "fused", 0), "1: sheets are met after every step on a GPU");
  EXPECT_EQ(plan_beside_sheets("cuda", "fused", 2),
            "numerics.steps_per_pass: is 2, but sheets are met after every step on a GPU: at most 1 here; use 0, which "
            "takes what is possible, or scheme \"pull\"");
  scene::Scene s = scene::sheet_scenes(3).front();
  s.conditions.clear();
  s.periodic = {false, false, false};
  scene::Options o;
  o.physics.lattice = "D3Q13";
  o.scheme = "fcc";
  try {
    (void)fluvia::stored_geometry(scene::make_case(s, o), scene::make_geometry(s));
    ADD_FAILURE() << "fcc knows no sheets";
  } catch (const fluvia::Error& error) {
    EXPECT_NE(std::string(error.what()).find("a sheet"), std::string::npos) << error.what();
  }
}

/// On GPUs what leaves a tile may wait in a buffer, not where a cut link has it.
TEST(ExchangedLinks, BuffersOfTilesOnGpusRefuseSheets) {
  const scene::Scene s = scene::sheet_scenes(2).front();
  const fluvia::Geometry geometry = scene::make_geometry(s);
  for (const char* scheme : {"t2c", "tgb"}) {
    scene::Options o;
    o.physics.lattice = "D2Q9";
    o.scheme = scheme;
    const fluvia::Case c = scene::make_case(s, o);
    std::string text;
    try {
      fluvia::make_plan({c, scene::make_units(o.physics.tau), geometry}, "cuda");
    } catch (const fluvia::Error& e) {
      text = e.what();
    }
    EXPECT_EQ(text.find("on a GPU tgb keeps what leaves a tile in buffers") != std::string::npos, o.scheme == "tgb")
        << text;
  }
}

}  // namespace
