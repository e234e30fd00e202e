// SPDX-License-Identifier: Apache-2.0
// What a case becomes before its first step: initial flows, layers in front of openings.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fluvia/case/physics/initial_flows.hpp"
#include "fluvia/case/validate.hpp"
#include "fluvia/cpu/make_solver.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"

namespace fluvia {
namespace {

struct Made {
  Case c;
  Grid grid;
  Units units;
  Geometry geometry;
};

Made make(const std::string& text) {
  Made made;
  made.c = parse_case(text, "/nowhere/case.toml");
  made.grid = make_grid(made.c);
  made.units = make_units(made.c, made.grid.spacing);
  made.geometry = build_geometry(made.c, made.grid);
  return made;
}

/// Nodes lie in the middle of their cells: what is odd about the middle of the box is so node by node.
TEST(InitialFlow, IsThatOfTheMiddleOfCells) {
  Made made = make(R"([units]
tau = 0.8
[domain]
dimension = 2
nodes = [14, 10]
periodic = [true, true]
[physics]
initial_flow = "taylor-green"
initial_speed = 0.05
[numerics]
format = "fp64"
threads = 1
[run]
steps = 1
)");
  const Plan plan = make_plan({made.c, made.units, made.geometry}, "cpu");
  const auto solver = cpu::make_solver({made.c, made.units, std::move(made.geometry)}, plan);
  const NodeMap& nodes = solver->geometry().nodes;
  Moments moments;
  solver->moments(0, nodes.tiles.size(), false, moments);
  const auto at = [&](int x, int y) { return moments.velocity[static_cast<std::size_t>(nodes.node_index({x, y, 0}))]; };
  double fastest = 0;
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 14; ++x)
      for (int a = 0; a < 2; ++a) {
        EXPECT_NEAR(at(x, y)[a], -at(13 - x, 9 - y)[a], 1e-15);
        EXPECT_NEAR(std::abs(at(x, y)[a]), std::abs(at(13 - x, y)[a]), 1e-15);
        fastest = std::max(fastest, std::abs(at(x, y)[a]));
      }
  EXPECT_GT(fastest, 0.045);
}

/// M. E. Brachet et al., J. Fluid Mech. 130 (1983) 411; the pressure balances it at t = 0.
TEST(InitialFlow, TaylorGreenIsThatOfTheLiterature) {
  const InitialFlow* flow = find_initial_flow("taylor-green");
  ASSERT_NE(flow, nullptr);
  const double turn = 2 * std::numbers::pi, x = 0.13, y = 0.31, z = 0.42;
  const double waves = std::cos(2 * turn * x) + std::cos(2 * turn * y);
  const FlowAtPoint in_space = flow->at({x, y, z}, 3), in_plane = flow->at({x, y, z}, 2);
  const double along = std::sin(turn * x) * std::cos(turn * y), across = -std::cos(turn * x) * std::sin(turn * y);
  EXPECT_NEAR(in_space.velocity[0], along * std::cos(turn * z), 1e-14);
  EXPECT_NEAR(in_space.velocity[1], across * std::cos(turn * z), 1e-14);
  EXPECT_NEAR(in_space.pressure, waves * (2 + std::cos(2 * turn * z)) / 16, 1e-14);
  EXPECT_NEAR(in_plane.velocity[0], along, 1e-14);
  EXPECT_NEAR(in_plane.velocity[1], across, 1e-14);
  EXPECT_NEAR(in_plane.pressure, waves / 4, 1e-14);
}

/// M. L. Minion and D. L. Brown, J. Comput. Phys. 138 (1997) 734, eq. 2.1: layers at a quarter and three quarters.
TEST(InitialFlow, ShearLayersAreThoseOfThePaper) {
  const InitialFlow* flow = find_initial_flow("shear-layer");
  ASSERT_NE(flow, nullptr);
  const auto u = [&](double x, double y) { return flow->at({x, y, 0}, 2).velocity; };
  for (const double d : {-0.02, 0.0, 0.01}) {
    EXPECT_NEAR(u(0.3, 0.25 + d)[0], std::tanh(80 * d), 1e-14);
    EXPECT_NEAR(u(0.3, 0.75 - d)[0], std::tanh(80 * d), 1e-14);
  }
  for (const double x : {0.0, 0.1, 0.6}) EXPECT_NEAR(u(x, 0.4)[1], 0.05 * std::cos(2 * std::numbers::pi * x), 1e-14);
}

/// Whole layers in front of the opening but the one whose links it cuts, along every axis.
TEST(SpongeNodes, AreTheLayersInFrontOfTheOpening) {
  for (int axis = 0; axis < 3; ++axis) {
    const std::string name(1, "xyz"[axis]);
    const Made made = make(R"([units]
tau = 0.8
[domain]
nodes = [14, 10, 12]
[[boundary]]
surface = ")" + name + R"(_min"
type = "velocity"
velocity = )" +
                           (axis == 0   ? "[0.01, 0.0, 0.0]"
                            : axis == 1 ? "[0.0, 0.01, 0.0]"
                                        : "[0.0, 0.0, 0.01]") +
                           R"(
[[boundary]]
surface = ")" + name + R"(_max"
type = "pressure"
sponge = 4.0
[run]
steps = 1
)");
    const BoundarySetup setup = make_boundary_setup({made.c, made.units, made.geometry}, "D3Q19");
    const NodeMap& nodes = made.geometry.nodes;
    EXPECT_EQ(setup.sponge.size(), 3u * nodes.box_nodes() / static_cast<unsigned>(nodes.size[axis])) << name;
    for (const auto& node : setup.sponge) {
      const int layer = nodes.size[axis] - 1 - nodes.node_position(nodes.tiles[node.tile], node.bit)[axis];
      EXPECT_TRUE(layer >= 1 && layer <= 3) << layer;
    }
  }
}

}  // namespace
}  // namespace fluvia
