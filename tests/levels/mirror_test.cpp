// SPDX-License-Identifier: Apache-2.0
// Interfaces that cross planes of symmetry: a part of a flow between mirrors is that part of the whole flow.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "fluvia/cuda/layout/block_nodes.hpp"
#include "levels/arrangements.hpp"

namespace {

using namespace levels_test;

/// A flow that is symmetric about the planes x = 0 and y = 0, and about those half a period away.
void begin_symmetric(fluvia::Solver& solver, const Real3& middle, double half_period) {
  for (const fluvia::FlowLevel& level : solver.levels())
    const_cast<fluvia::Solver&>(*level.state).initialise([&](const Int3& node, double& density, Real3& velocity) {
      Real3 x = position(level, node), sign{1, 1, 1};
      for (std::size_t a = 0; a < 2; ++a) {
        x[a] -= middle[a];
        sign[a] = x[a] < 0 ? -1 : 1;
        x[a] = std::abs(x[a]);
      }
      const double k = 3.14159265358979 / half_period;
      density = 1 + 0.01 * std::cos(0.4 * x[0] + 0.2) * std::cos(0.3 * x[1]);
      velocity = {sign[0] * 0.03 * std::sin(k * x[0]) * std::cos(0.5 * x[1]),
                  sign[1] * 0.02 * std::cos(0.7 * x[0]) * std::sin(2 * k * x[1]), 0.02 * std::sin(0.5 * x[0] + x[1])};
      if (level.grid.dimension == 2) velocity[2] = 0;
    });
}

class LevelsAtMirrors : public ::testing::TestWithParam<std::string> {};

TEST_P(LevelsAtMirrors, AreAPartOfTheWholeFlow) {
  const std::string& lattice = GetParam();
  const bool flat = fluvia::facts_of_lattice(lattice).dimension == 2;
  const int s = flat ? 8 : 4, tiles = 5, half = s * tiles;
  for (const int level : {1, 2})
    for (const bool walls : {false, true}) {
      Arrangement whole{"whole", flat, {2 * half, 2 * half, flat ? 1 : 3 * s}, {true, true, true}, {}, 0, {}, 0};
      const double reach = level == 1 ? 1.5 * s : 0.5 * s;
      const double top = flat ? 1 : 3 * s;
      whole.regions = {region(level, {half - reach, half - reach, 0}, {half + reach, half + reach, top})};
      Arrangement part = whole;
      part.size = {half, half, whole.size[2]};
      part.periodic = {false, false, true};
      part.regions = {region(level, {0, 0, 0}, {reach, reach, top})};
      const auto settings = [&](const Arrangement& setup) {
        Case c = case_of(setup, lattice, "regularized", "compact-pull");
        c.physics.acceleration = {};
        if (walls) {  // a solid that both the interface and a mirror cross
          Case::Shape shape;
          shape.name = "bar";
          shape.kind = "box";
          const double middle = setup.periodic[0] ? half : 0;
          const auto bar = [&](double from, double to) {
            shape.center = {0.5 * (from + to), middle, 0.5 * top};
            shape.size = {to - from, 2, top + 2};
            c.geometry.shapes.push_back(shape);
          };
          bar(middle + reach - 1, middle + 2.4 * s);
          shape.name = "image";
          if (setup.periodic[0]) bar(middle - 2.4 * s, middle - reach + 1);
        }
        return c;
      };
      Case of_part = settings(part);
      for (const char* face : {"x_min", "x_max", "y_min", "y_max"}) {
        Case::Boundary mirror;
        mirror.surface = face;
        mirror.type = "symmetry";
        of_part.boundaries.push_back(mirror);
      }
      Flow all(settings(whole)), one(of_part);
      begin_symmetric(*all.solver, {1.0 * half, 1.0 * half, 0}, half);
      begin_symmetric(*one.solver, {0, 0, 0}, half);
      all.solver->step(6);
      one.solver->step(6);
      double largest = 0;
      for (std::size_t l = 0; l <= static_cast<std::size_t>(level); ++l) {
        const fluvia::Solver &in_part = *one.solver->levels()[l].state, &in_all = *all.solver->levels()[l].state;
        const fluvia::NodeMap &nodes = in_part.geometry().nodes, &others = in_all.geometry().nodes;
        fluvia::Moments moments, expected;
        in_part.moments(0, nodes.tiles.size(), true, moments);
        in_all.moments(0, others.tiles.size(), true, expected);
        ASSERT_EQ(4 * nodes.fluid_nodes, others.fluid_nodes) << l;
        const int shift = half << l;
        for_each_node(*one.solver, [&](std::size_t of, const Int3& node, std::uint64_t index) {
          if (of != l) return;
          const auto k = static_cast<std::size_t>(others.node_index({node[0] + shift, node[1] + shift, node[2]}));
          largest = std::max(largest, std::abs(moments.density[index] - expected.density[k]));
          for (int a = 0; a < 3; ++a)
            largest = std::max(largest, std::abs(moments.velocity[index][a] - expected.velocity[k][a]));
          for (std::size_t a = 0; a < 6; ++a)
            largest = std::max(largest, std::abs(moments.stress[index][a] - expected.stress[k][a]));
        });
      }
      EXPECT_LT(largest, walls ? 1e-12 : 1e-13) << level << (walls ? ", with a solid" : "");
      EXPECT_GT(one.solver->totals().kinetic_energy, 0.01);
    }
}
INSTANTIATE_TEST_SUITE_P(Levels, LevelsAtMirrors, ::testing::Values("D2Q9", "D3Q15", "D3Q19", "D3Q27"),
                         [](const auto& info) { return info.param; });

/// On a GPU the border's stream lets pairs change places before it packs messages, and so must have stepped both ends.
TEST(LevelsAtMirrors, HaveBothEndsOfWhatMessagesTakeInTheBorder) {
  Case c = case_of(setup_of("patch", true), "D2Q9", "bgk", "compact-pull");
  c.refine.clear();
  c.domain.periodic = {true, false, true};
  Case::Boundary mirror;
  mirror.surface = "y_min";
  mirror.type = "symmetry";
  c.boundaries = {mirror};
  const fluvia::NodeMap nodes = fluvia::build_geometry(c, fluvia::make_grid(c)).nodes;
  const std::vector<Int3>& velocities = fluvia::facts_of_lattice("D2Q9").velocities;
  const auto along =
      static_cast<std::uint8_t>(std::find(velocities.begin(), velocities.end(), Int3{-1, 1, 0}) - velocities.begin());
  const fluvia::NodeMap::Node last =
      *nodes.find_fluid({7, 0, 0});  // of its tile: the image of what arrives is in the next
  fluvia::Block block = fluvia::whole_domain(nodes);
  fluvia::Neighbour finer;
  finer.link = fluvia::ExchangeLink::fine_to_coarse;
  finer.leaves = {{last.tile, static_cast<std::uint8_t>(last.bit), along, true, {}}};
  block.neighbours = {finer};
  const fluvia::cuda::BlockNodes stored = fluvia::cuda::make_block_nodes(nodes, velocities, block);
  const auto role = [&](int x) { return stored.roles[stored.tile(nodes.tiles[nodes.find_fluid({x, 0, 0})->tile])]; };
  EXPECT_EQ(role(0), fluvia::cuda::TileRole::border);
  EXPECT_EQ(role(8), fluvia::cuda::TileRole::border);
  EXPECT_EQ(role(16), fluvia::cuda::TileRole::interior);
}

}  // namespace
