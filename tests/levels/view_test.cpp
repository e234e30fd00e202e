// SPDX-License-Identifier: Apache-2.0
// Flows with levels as readers see them: at the nodes of one level everywhere, whatever level computes them.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fluvia/output/levels/flow_view.hpp"
#include "fluvia/output/sections.hpp"
#include "fluvia/run/files/wall_output.hpp"
#include "fluvia/run/monitors/monitors.hpp"
#include "levels/arrangements.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace levels_test;

/// Three levels between walls, with a linear flow.
Flow linear_flow(bool flat, double curvature = 0) {
  Arrangement setup = setup_of("three levels", flat);
  setup.periodic = {false, false, flat};
  Case c = case_of(setup, flat ? "D2Q9" : "D3Q19", "bgk", "compact-pull");
  c.physics.acceleration = {};
  Flow flow(c);
  for (const fluvia::FlowLevel& level : flow.solver->levels())
    const_cast<fluvia::Solver&>(*level.state).initialise([&](const Int3& node, double& density, Real3& velocity) {
      const Real3 x = position(level, node);
      density = 1 + 1e-4 * x[0] + curvature * x[0] * x[1];
      velocity = {1e-3 * x[1], -2e-3 * x[0], flat ? 0 : 1e-3 * x[1]};
    });
  return flow;
}

TEST(LevelViews, SeeALinearFlowOnEveryLevel) {
  for (const bool flat : {true, false}) {
    const Flow flow = linear_flow(flat);
    for (int level = 0; level < 3; ++level) {
      const auto view = flow.solver->seen_at(level, [](const Int3&) { return true; });
      ASSERT_NE(view, nullptr);
      EXPECT_EQ(view->level(), level);
      const fluvia::NodeMap& nodes = view->geometry().nodes;
      EXPECT_EQ(nodes.fluid_nodes, nodes.box_nodes());
      const fluvia::FlowLevel& own = flow.solver->levels()[static_cast<std::size_t>(level)];
      for (std::uint64_t first = 0; first < nodes.tiles.size(); first += 11) {
        const std::uint64_t count = std::min<std::uint64_t>(11, nodes.tiles.size() - first);
        fluvia::Moments moments;
        view->moments(first, count, true, moments);
        std::size_t k = 0;
        for (std::uint64_t t = first; t < first + count; ++t)
          for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1, ++k) {
            const Real3 x = position(own, nodes.node_position(nodes.tiles[t], std::countr_zero(rest)));
            ASSERT_NEAR(moments.density[k], 1 + 1e-4 * x[0], 1e-13) << level;
            ASSERT_NEAR(moments.velocity[k][0], 1e-3 * x[1], 1e-13) << level;
            ASSERT_NEAR(moments.velocity[k][1], -2e-3 * x[0], 1e-13) << level;
          }
      }
    }
    EXPECT_EQ(flow.solver->levels()[0].state->seen_at(0, [](const Int3&) { return true; }), nullptr);
  }
}

/// Fields that need neighbours are as right beside interfaces as elsewhere.
TEST(LevelViews, HaveDerivativesAcrossInterfaces) {
  for (const bool flat : {true, false}) {
    const Flow flow = linear_flow(flat);
    const fluvia::Field vorticity = fluvia::find_field("vorticity", flow.units);
    for (int level = 0; level < 3; ++level) {
      const fluvia::FlowLevel& own = flow.solver->levels()[static_cast<std::size_t>(level)];
      const std::vector<double> values =
          fluvia::values_of_level(*flow.solver, level, fluvia::find_field("vorticity", own.units));
      ASSERT_EQ(values.size(), 3 * own.state->geometry().nodes.fluid_nodes);
      for (std::size_t k = 0; k < values.size(); k += 3) {
        ASSERT_NEAR(values[k], flat ? 0 : 1e-3, 1e-12) << level;
        ASSERT_NEAR(values[k + 2], -3e-3, 1e-12) << level;  // per step of the coarsest level
      }
    }
  }
}

/// Between coarser nodes moments are quadratic.
TEST(LevelViews, InterpolateToSecondOrder) {
  const Flow flow = linear_flow(true, 1e-5);
  const auto view = flow.solver->seen_at(2, [](const Int3&) { return true; });
  const fluvia::NodeMap& nodes = view->geometry().nodes;
  fluvia::Moments moments;
  view->moments(0, nodes.tiles.size(), false, moments);
  std::size_t k = 0;
  for (const fluvia::NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++k) {
      const Real3 x = position(flow.solver->levels()[2], nodes.node_position(tile, std::countr_zero(rest)));
      if (x[0] < 1 || x[0] > 39 || x[1] < 1 || x[1] > 39) continue;  // linear beside walls
      const double error = moments.density[k] - (1 + 1e-4 * x[0] + 1e-5 * x[0] * x[1]);
      // Beside interfaces the slopes miss what the axes have in common: 3/8 of a coarse node along both.
      ASSERT_LT(std::abs(error), 1.01e-5 * 0.375 * 0.375) << x[0] << ", " << x[1];
      if (std::abs(x[0] - 20) > 16 || std::abs(x[1] - 20) > 16) {
        ASSERT_NEAR(error, 0, 1e-13);
      }
    }
}

/// A line goes through all levels, with points as near to each other as nodes of the finest; planes, too.
TEST(LevelViews, AreOfTheFinestLevelThatAReaderTouches) {
  const Flow flow = linear_flow(false);
  const fluvia::OutputContext whole{*flow.solver, flow.units, flow.grid};
  const auto level_of = [&](const fluvia::ReadRegion& region) {
    return fluvia::read_finest(whole, region, {},
                               [](const fluvia::OutputContext& seen, const auto&) { return seen.state.level(); });
  };
  Case::Line line;
  line.from = {1, 10, 10};
  line.to = {19, 10, 10};
  EXPECT_EQ(level_of(fluvia::region_of(line, flow.grid)), 2);
  line.from[1] = line.to[1] = 7;
  EXPECT_EQ(level_of(fluvia::region_of(line, flow.grid)), 1);
  line.from[1] = line.to[1] = 1;
  EXPECT_EQ(level_of(fluvia::region_of(line, flow.grid)), 0);
  Case::Plane plane;
  plane.normal = {1, 1, 0};
  plane.center = {10, 10, 10};
  EXPECT_EQ(level_of(fluvia::region_of(plane, flow.grid)), 2);
  plane.center = {1, 1, 10};
  EXPECT_EQ(level_of(fluvia::region_of(plane, flow.grid)), 0);
  plane.normal = {1, 0, 0};
  plane.center = {10, 1, 1};
  plane.radius = 2;
  EXPECT_EQ(level_of(fluvia::region_of(plane, flow.grid)), 0);
  Case::Output::Slice slice;
  slice.axis = 2;
  EXPECT_EQ(level_of(fluvia::region_of(slice, flow.grid)), 2);
  slice.position = 1.0;
  EXPECT_EQ(level_of(fluvia::region_of(slice, flow.grid)), 0);
  const auto fits = [](const Grid& grid) { return grid.size[0] <= 50; };
  slice.position.reset();
  const auto view = fluvia::FlowView::finest(*flow.solver, fluvia::region_of(slice, flow.grid), fits);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->state().level(), 1) << "the finest that fits";
}

/// Probes have the value of the finest node at their place; the flow through a plane is that at the finest squares.
TEST(LevelViews, AreWhatMonitorsRead) {
  Flow flow = linear_flow(true);
  Case::Monitors::Probe fine{"fine", {20.2, 20.3, 0}}, coarse{"coarse", {2.2, 3.3, 0}};
  flow.settings.monitors.probes = {fine, coarse};
  Case::Plane plane;
  plane.name = "across";
  plane.center = {20, 20, 0};
  plane.normal = {1, 0, 0};
  flow.settings.monitors.planes = {plane};
  const fluvia::Monitors monitors(flow.settings, {*flow.solver, flow.units, flow.grid});
  const std::vector<double> row = monitors.sample(flow.solver->totals(), {});
  const auto value = [&](const std::string& name) {
    for (std::size_t k = 0; k < row.size(); ++k)
      if (monitors.columns()[k].name == name) return row[k];
    ADD_FAILURE() << name;
    return 0.0;
  };
  EXPECT_NEAR(value("fine_u"), 1e-3 * 20.375, 1e-12);
  EXPECT_NEAR(value("fine_v"), -2e-3 * 20.125, 1e-12);
  EXPECT_NEAR(value("coarse_u"), 1e-3 * 3.5, 1e-12);
  EXPECT_NEAR(value("coarse_v"), -2e-3 * 2.5, 1e-12);
  const double through = 1e-3 * 40 * 40 / 2 * (1 + 1e-4 * 20);
  EXPECT_NEAR(value("flow_across"), through, 2e-4 * through);
}

/// What acts on walls comes from the level beside each: triangles are as small as its nodes, and cover them once.
TEST(LevelViews, AreWhatWallsRead) {
  Arrangement setup = setup_of("solid", false);
  setup.center = {8, 8, 8};
  setup.radius = 2.3;  // in the finer level
  setup.periodic = {true, true, false};
  const Flow flow(case_of(setup, "D3Q19", "bgk", "compact-pull"));
  const fluvia::WallOutput walls({*flow.solver, flow.units, flow.grid});
  const fluvia::test::TemporaryFolder folder;
  walls.write(*flow.solver, folder.path() / "wall.vtp");
  std::size_t triangles = 0;
  for (std::size_t l = 0; l < 2; ++l) {
    const fluvia::Geometry& own = flow.solver->levels()[l].state->geometry();
    const std::vector<Int3> offsets = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
    for_each_node(*flow.solver, [&](std::size_t level, const Int3& node, std::uint64_t) {
      if (level != l) return;
      for (const Int3& c : offsets) {
        const fluvia::NodeMap::Landing there = own.nodes.land({node[0] + c[0], node[1] + c[1], node[2] + c[2]});
        if (there.inside && own.nodes.is_fluid(there.node)) continue;
        triangles += own.surface_of(node, c) != own.level_surface ? 2 : 0;
      }
    });
  }
  const std::string text = fluvia::test::read_text(folder.path() / "wall.vtp");
  EXPECT_NE(text.find("NumberOfPolys=\"" + std::to_string(triangles) + "\""), std::string::npos)
      << triangles << ": " << text.substr(0, 300);
}

}  // namespace
