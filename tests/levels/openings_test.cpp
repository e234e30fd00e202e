// SPDX-License-Identifier: Apache-2.0
// Openings that finer levels meet, alone or together with coarser ones: what is uniform stays so, channels are those of
// one spacing, and what passes is what the case prescribes.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/case/validate.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "levels/arrangements.hpp"
#include "support/errors.hpp"

namespace {

using namespace levels_test;

Case::Boundary inlet(double speed, const std::string& profile = "uniform") {
  Case::Boundary b;
  b.surface = "x_min";
  b.type = "velocity";
  b.speed = speed;
  b.profile = profile;
  return b;
}
Case::Boundary outlet() {
  Case::Boundary b;
  b.surface = "x_max";
  b.type = "pressure";
  return b;
}

/// A stream along x; regions are boxes in tiles of the coarsest level.
Case stream(bool flat, const std::string& lattice, const std::vector<Case::Refine>& regions) {
  Case c = case_of(setup_of("patch", flat), lattice, "recursive-regularized", "compact-pull");
  const int s = flat ? 8 : 4;
  c.domain.nodes = {5 * s, 5 * s, flat ? 1 : 5 * s};
  c.domain.periodic = {false, true, !flat};
  c.physics.acceleration = {};
  c.boundaries = {inlet(0.05), outlet()};
  c.refine = regions;
  return c;
}
Case::Refine tiles(bool flat, int level, const Real3& lower, const Real3& upper) {
  const double s = flat ? 8 : 4;
  return region(level, {s * lower[0], s * lower[1], flat ? 0 : s * lower[2]},
                {s * upper[0], s * upper[1], flat ? 1 : s * upper[2]});
}

/// Calls visit(velocity, density, position) for all nodes that levels compute.
void for_each_state(const fluvia::Solver& solver,
                    const std::function<void(const Real3& u, double density, const Real3& x)>& visit) {
  std::vector<fluvia::Moments> moments(solver.levels().size());
  for (std::size_t l = 0; l < moments.size(); ++l) {
    const fluvia::FlowState& state = *solver.levels()[l].state;
    state.moments(0, state.geometry().nodes.tiles.size(), false, moments[l]);
  }
  for_each_node(solver, [&](std::size_t l, const Int3& node, std::uint64_t index) {
    visit(moments[l].velocity[index], moments[l].density[index], position(solver.levels()[l], node));
  });
}

/// Strips, bars with edges and notches that end at both openings, with several levels.
TEST(LevelsOpenings, LetAUniformStreamPass) {
  for (const std::string lattice : {"D2Q9", "D3Q15", "D3Q19", "D3Q27"}) {
    const bool flat = lattice == "D2Q9";
    const std::vector<std::vector<Case::Refine>> all = {
        {tiles(flat, 1, {0, 1, 1}, {5, 3, 3})},
        {tiles(flat, 1, {0, 1, 1}, {5, 3, 2}), tiles(flat, 1, {0, 1, 1}, {5, 2, 3})},
        {tiles(flat, 2, {0, 2, 2}, {5, 2.5, 2.5})},
        {tiles(flat, 1, {0, 0, 0}, {1.5, 5, 5})},
        {tiles(flat, 1, {3.5, 1, 1}, {5, 3, 3}), tiles(flat, 1, {0, 2, 2}, {1, 4, 4})}};
    for (std::size_t k = 0; k < all.size(); ++k) {
      if (!flat && lattice != "D3Q19" && k != 1) continue;  // edges, along which populations move on all lattices
      Case c = stream(flat, lattice, all[k]);
      if (lattice == "D3Q15") c.numerics.collision = "regularized";
      c.physics.initial_velocity = {0.05, 0, 0};
      c.boundaries[1].sponge = flat ? 20 : 10;
      const Flow flow(c);
      flow.solver->step(flat ? 40 : 16);
      double largest = 0;
      for_each_state(*flow.solver, [&](const Real3& u, double density, const Real3&) {
        largest = std::max({largest, std::abs(u[0] - 0.05), std::abs(u[1]), std::abs(u[2]), std::abs(density - 1)});
      });
      EXPECT_LT(largest, 1e-12) << lattice << ' ' << k;
      const double area = flat ? 40 : 400;
      EXPECT_NEAR(flow.solver->opening_flow(0).flow_rate, 0.05 * area, 1e-11 * area) << lattice << ' ' << k;
      EXPECT_NEAR(flow.solver->opening_flow(1).flow_rate, -0.05 * area, 1e-11 * area) << lattice << ' ' << k;
      EXPECT_NEAR(flow.solver->opening_flow(1).mean_pressure, 0, 1e-12) << lattice << ' ' << k;
    }
  }
}

/// The largest difference of a plane channel of 40 nodes from Poiseuille's flow, of the largest speed.
double error_of_channel(const Flow& flow, double* density_slope = nullptr) {
  double largest = 0, low = 0, high = 0;
  for_each_state(*flow.solver, [&](const Real3& u, double density, const Real3& x) {
    const double expected = 0.005 * 1.5 * 4 * x[1] / 40 * (1 - x[1] / 40);
    largest = std::max({largest, std::abs(u[0] - expected) / 0.0075, std::abs(u[1]) / 0.0075});
    if (x[0] < 1 && std::abs(x[1] - 20) < 1) low = density;
    if (x[0] > 79 && std::abs(x[1] - 20) < 1) high = density;
  });
  if (density_slope != nullptr) *density_slope = (low - high) / 79;
  return largest;
}

/// Channels between walls whose openings are divided along walls and in the middle, or lie on the finer level.
TEST(LevelsOpenings, HaveThePoiseuilleFlowOfOneSpacing) {
  const auto channel = [](const std::vector<Case::Refine>& regions) {
    Case c = stream(true, "D2Q9", regions);
    c.domain.nodes = {80, 40, 1};
    c.domain.periodic = {false, false, true};
    c.units.tau = 0.8;
    c.boundaries = {inlet(0.005, "parabolic"), outlet()};
    c.physics.initial_velocity_formula = {"0.03*y/ly*(1-y/ly)", "0"};
    return c;
  };
  double slope = 0;
  for (const auto& regions :
       {std::vector{region(1, {0, 0, 0}, {80, 8, 1})}, std::vector{region(1, {0, 16, 0}, {80, 32, 1})},
        std::vector{region(1, {0, 0, 0}, {20, 40, 1})}, std::vector{region(1, {60, 0, 0}, {80, 40, 1})},
        std::vector{region(2, {0, 36, 0}, {80, 40, 1})}}) {
    const Flow flow(channel(regions));
    ASSERT_GT(flow.solver->levels().size(), 1U);
    flow.solver->step(6000);
    const bool across = (*regions[0].box)[0][0] > 0 || (*regions[0].box)[1][0] < 80;
    EXPECT_LT(error_of_channel(flow, &slope), across ? 4e-3 : 2.5e-3) << (*regions[0].box)[0][1];
    // dp/dx = 12 rho nu U / H^2 with nu = 0.1
    EXPECT_NEAR(slope / 3, 12 * 0.1 * 0.005 / 1600, 0.005 * 12 * 0.1 * 0.005 / 1600) << (*regions[0].box)[0][1];
    EXPECT_NEAR(flow.solver->opening_flow(0).flow_rate, 0.005 * 40, 1e-12);
    EXPECT_NEAR(flow.solver->opening_flow(1).flow_rate, -0.005 * 40, 1e-3 * 0.2);
  }
}

/// What levels let in together is what a case prescribes, whatever the profile, and leaves again.
TEST(LevelsOpenings, LetInWhatIsPrescribed) {
  Case c = stream(true, "D2Q9", {tiles(true, 1, {0, 1, 0}, {5, 3, 1})});
  c.domain.periodic = {false, false, true};
  c.units.tau = 0.8;
  c.boundaries = {inlet(0.01, "parabolic"), outlet()};
  const Flow flow(c);
  flow.solver->step(4000);
  const double in = flow.solver->opening_flow(0).flow_rate, out = flow.solver->opening_flow(1).flow_rate;
  EXPECT_NEAR(in, 0.01 * 40, 1e-12);
  EXPECT_NEAR(out, -0.01 * 40, 0.01 * 0.4);
  const double before = flow.solver->totals().mass;
  flow.solver->step(4);
  EXPECT_NEAR((flow.solver->totals().mass - before) / 4, in + out, 5e-4 * in) << "while it still changes";
}

/// What conditions keep on each level is a part of the flow, whatever the scheme and the threads, and after a restart.
TEST(LevelsOpenings, HaveTheSameBitsWithAllSchemesAndAfterRestarts) {
  for (const bool flat : {true, false}) {
    std::vector<std::byte> expected, half_way;
    int count = 0;
    for (const fluvia::core::Scheme& scheme : fluvia::core::schemes) {
      if (!scheme.cpu || scheme.half || !fluvia::is_splittable(scheme)) continue;
      Case c = stream(flat, flat ? "D2Q9" : "D3Q19", {tiles(flat, 1, {0, 1, 1}, {5, 3, 3})});
      c.domain.periodic = {false, false, !flat};
      c.boundaries[1].sponge = flat ? 14 : 7;
      c.numerics.scheme = scheme.name;
      c.numerics.threads = 1 + count++ % 3;
      Flow flow = started(c, flat);
      flow.solver->step(3);
      if (expected.empty()) half_way = saved(*flow.solver);
      flow.solver->step(4);
      const std::vector<std::byte> bits = saved(*flow.solver);
      if (expected.empty()) expected = bits;
      EXPECT_TRUE(bits == expected) << scheme.name;
      Flow again = started(c, flat);
      again.solver->step(count % 2);
      load(*again.solver, half_way);
      again.solver->resume_at(3);
      again.solver->step(4);
      EXPECT_TRUE(saved(*again.solver) == expected) << scheme.name << ", resumed";
    }
    Case c = stream(flat, flat ? "D2Q9" : "D3Q19", {tiles(flat, 1, {0, 1, 1}, {5, 3, 3})});
    const Flow flow(c);
    int kept = 0;
    for (const fluvia::NodeArray& array : flow.solver->arrays()) kept += array.name.starts_with("conditions") ? 1 : 0;
    EXPECT_EQ(kept, 2) << "conditions of both levels keep numbers";
  }
}

/// How much of a pulse of pressure comes back from an outlet before which finer levels lie in a sponge; all does
/// without one, and as much as on one level with it.
TEST(LevelsOpenings, TakeSoundOutOnSeveralLevels) {
  const auto came_back = [](double sponge, const std::vector<Case::Refine>& regions,
                            const std::string& type = "pressure") {
    Case c = stream(true, "D2Q9", regions);
    c.domain.nodes = {160, 16, 1};
    c.units.tau = 0.51;
    c.boundaries[0].speed = 0;
    c.boundaries[1].type = type;
    c.boundaries[1].sponge = sponge;
    Flow flow(c);
    const auto pulse = [](double x) { return 1e-3 * std::exp(-(x - 50) * (x - 50) / 72); };
    std::vector<fluvia::FlowLevel> levels(flow.solver->levels().begin(), flow.solver->levels().end());
    const auto start = [&](fluvia::Solver& solver, double spacing) {
      solver.initialise([&](const Int3& node, double& density, Real3& velocity) {
        density = 1 + pulse(spacing * (node[0] + 0.5));
        velocity = {std::sqrt(1.0 / 3) * (density - 1), 0, 0};
      });
    };
    for (const fluvia::FlowLevel& level : levels) start(const_cast<fluvia::Solver&>(*level.state), level.units.spacing);
    if (levels.empty()) start(*flow.solver, 1);
    flow.solver->step(static_cast<int>(230 * std::sqrt(3.0)));  // to the outlet and back to x = 40
    fluvia::Moments moments;
    flow.solver->moments(0, flow.solver->geometry().nodes.tiles.size(), false, moments);
    const fluvia::NodeMap& nodes = flow.solver->geometry().nodes;
    double largest = 0;
    std::uint64_t index = 0;
    for (const fluvia::NodeMap::Tile& tile : nodes.tiles)
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++index)
        if (nodes.node_position(tile, std::countr_zero(rest))[0] < 100)
          largest = std::max(largest, std::abs(moments.density[index] - 1));
    return largest / 1e-3;
  };
  const std::vector<Case::Refine> strip = {region(1, {120, 0, 0}, {160, 8, 1})},
                                  inside = {region(2, {128, 4, 0}, {140, 12, 1})};
  EXPECT_GT(came_back(0, strip), 0.5);
  const double on_one = came_back(60, {});
  EXPECT_LT(on_one, 0.03);
  for (const auto& regions : {strip, inside}) EXPECT_NEAR(came_back(60, regions), on_one, 0.002);
  EXPECT_GT(came_back(0, strip, "symmetry"), 0.5);
  EXPECT_LT(came_back(60, strip, "symmetry"), 0.03);
}

TEST(LevelsOpenings, AreRefusedWhereTheyCannotBe) {
  const auto message = [](const Case& c) {
    return fluvia::test::error_of(fluvia::ExitCode::input, [&] {
      fluvia::validate(c);
      const Flow flow(c);
    });
  };
  Case c = stream(true, "D2Q9", {tiles(true, 1, {0, 1, 0}, {5, 3, 1})});
  EXPECT_EQ(message(c), "");
  c = stream(true, "D2Q9", {tiles(true, 1, {0, 1, 0}, {4.9, 3, 1})});
  (*c.domain.nodes)[0] = 42;  // so that what is left of the coarsest level is two nodes thick
  EXPECT_CONTAINS(message(c), "of openings only faces of the box may meet two levels");
}

}  // namespace
