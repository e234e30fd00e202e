// SPDX-License-Identifier: Apache-2.0
// The solver of several levels against the reference solver with levels: patches with edges and corners, notches, three
// levels, walls and solids across interfaces; every lattice, collision and scheme that levels can have.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <memory>
#include <numbers>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/backend/levels.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "levels/arrangements.hpp"

namespace {

using namespace levels_test;

class LevelsFlow : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(LevelsFlow, IsThatOfTheReference) {
  const auto& [lattice, name] = GetParam();
  const bool flat = fluvia::facts_of_lattice(lattice).dimension == 2;
  const Arrangement setup = setup_of(name, flat);
  if (setup.slip >= 0 && lattice == "D3Q15") return;  // no fluid slides there
  const bool dear =
      !flat && (name == "three levels" || name == "lid across" || name == "slip");  // to the reference solver
  for (const std::string collision : {"bgk", "trt", "mrt", "regularized", "recursive-regularized", "cumulant"}) {
    if (!fluvia::collision_problem(collision, lattice).empty() || (dear && collision != "regularized")) continue;
    Case c = case_of(setup, lattice, collision, "compact-pull");
    if (collision == "regularized") c.physics.smagorinsky = 0.15;
    Flow flow(std::move(c));
    const fluvia::LevelMap map =
        fluvia::make_level_map(flow.settings, flow.grid, fluvia::build_geometry(flow.settings, flow.grid));
    oracle::LevelSolver expected(scene_of(setup, flow, map));
    start(*flow.solver, expected, flat);
    const double mass = flow.solver->totals().mass;
    const int steps = dear ? 4 : 8;
    flow.solver->step(steps);
    for (int t = 0; t < steps; ++t) expected.step();
    // slide() adds 1e-13 to a tensor of 1/18.
    EXPECT_LT(difference(*flow.solver, expected), setup.slip >= 0 ? 1e-12 : 1e-13) << collision;
    if (setup.sponge > 0) continue;  // which holds back mass, too
    if (setup.turn != 0) continue;   // the steps of its surface push the flow
    EXPECT_NEAR(flow.solver->totals().mass, mass, 1e-13 * setup.size[0] * setup.size[1] * setup.size[2]) << collision;
  }
}
INSTANTIATE_TEST_SUITE_P(Levels, LevelsFlow,
                         ::testing::Combine(::testing::Values("D2Q9", "D3Q15", "D3Q19", "D3Q27"),
                                            ::testing::Values("patch", "notch", "three levels", "solid", "hollow",
                                                              "lid", "forces", "sponge", "sheets", "lid across",
                                                              "turning", "slip")),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param) + "_" + std::get<1>(info.param);
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

/// Fluids whose viscosity follows from the shear rate, which is that of a node in its own steps.
TEST(LevelsFlow, OfFluidsWithRheologyIsThatOfTheReference) {
  for (const std::string model : {"carreau-yasuda", "power-law", "casson"})
    for (const bool flat : {true, false}) {
      const Arrangement setup = setup_of("patch", flat);
      Case c = case_of(setup, flat ? "D2Q9" : "D3Q19", "recursive-regularized", "compact-pull");
      Case::Physics::Rheology& fluid = c.physics.rheology.emplace();
      fluid.model = model;
      if (model == "carreau-yasuda")
        fluid.values = {{"zero_shear_viscosity", 0.03},
                        {"infinite_shear_viscosity", 0.01},
                        {"relaxation_time", 80},
                        {"yasuda_exponent", 2},
                        {"power_index", 0.4}};
      if (model == "power-law") fluid.values = {{"consistency", 0.004}, {"flow_index", 0.7}};
      if (model == "casson") fluid.values = {{"yield_stress", 1e-5}, {"plastic_viscosity", 0.01}};
      if (model != "carreau-yasuda") fluid.least_viscosity = 0.005, fluid.most_viscosity = 0.05;
      Flow flow(std::move(c));
      const fluvia::LevelMap map =
          fluvia::make_level_map(flow.settings, flow.grid, fluvia::build_geometry(flow.settings, flow.grid));
      oracle::LevelSolver expected(scene_of(setup, flow, map));
      start(*flow.solver, expected, flat);
      flow.solver->step(8);
      for (int t = 0; t < 8; ++t) expected.step();
      EXPECT_LT(difference(*flow.solver, expected), 1e-12) << model << ' ' << flat;
    }
}

/// A uniform stream past a patch at a node's Reynolds number of 60, which is disturbed: `mrt` on D3Q19, which `auto`
/// takes, let the disturbances grow from step 1000 on when its moments beyond the stress relaxed with rates of 1, until
/// they had a fifth of the energy of the stream.
TEST(LevelsFlow, LetsDisturbancesOfAStreamDieOut) {
  for (const std::string collision : {"auto", "recursive-regularized"}) {
    Case c = case_of(setup_of("patch", false), "D3Q19", collision, "compact-pull");
    c.domain.nodes = {24, 16, 16};
    c.refine = {region(1, {8, 4, 4}, {16, 12, 12})};
    c.units.tau = 0.503;
    c.physics.acceleration = {};
    const double x = 2 * std::numbers::pi / 6, y = 2 * std::numbers::pi / 4;
    c.physics.initial_velocity_formula = {fmt::format("0.06+3e-3*sin({}*y)*cos({}*z)", y, x),
                                          fmt::format("3e-3*sin({}*x)*cos({}*z)", y, x),
                                          fmt::format("3e-3*cos({}*x)*sin({}*y)", 0.8 * y, 0.5 * y)};
    const Flow flow(c);
    const auto energy = [&] { return flow.solver->totals().kinetic_energy - 0.5 * 0.06 * 0.06 * 24 * 16 * 16; };
    double before = energy();
    for (const int steps : {500, 500, 500}) {
      flow.solver->step(steps);
      EXPECT_LT(energy(), 0.5 * before) << collision;
      before = energy();
    }
  }
}

/// Limits that a case does not give are the same viscosities on all levels.
TEST(LevelsFlow, HasOneLimitOfTheViscosity) {
  Case c = case_of(setup_of("three levels", true), "D2Q9", "recursive-regularized", "compact-pull");
  c.physics.rheology.emplace();
  c.physics.rheology->model = "power-law";
  c.physics.rheology->values = {{"consistency", 0.004}, {"flow_index", 0.7}};
  const Flow flow(c);
  for (std::size_t l = 0; l < 3; ++l) {
    const fluvia::LocalViscosity& viscosity = flow.solver->levels()[l].state->plan().flow().viscosity;
    EXPECT_NEAR(viscosity.least / (0.001 / 3), std::exp2(l), 1e-12);
    EXPECT_NEAR(viscosity.most / (9.5 / 3), std::exp2(l - 2.0), 1e-12);
  }
}

/// Whatever the scheme, the number of threads, and where it is saved and loaded, the flow has the same bits.
TEST(LevelsFlow, HasTheSameBitsWithAllSchemesThreadsAndAfterRestarts) {
  for (const bool flat : {true, false}) {
    const Arrangement arrangement = setup_of(flat ? "solid" : "notch", flat);
    const std::string lattice = flat ? "D2Q9" : "D3Q19";
    std::vector<std::byte> expected, half_way;
    int count = 0;
    for (const fluvia::core::Scheme& scheme : fluvia::core::schemes) {
      if (!scheme.cpu || scheme.half || !fluvia::is_splittable(scheme)) continue;
      Case c = case_of(arrangement, lattice, "recursive-regularized", scheme.name);
      c.numerics.threads = 1 + count++ % 3;
      Flow flow = started(c, flat);
      flow.solver->step(3);
      if (expected.empty()) half_way = saved(*flow.solver);
      flow.solver->step(4);
      const std::vector<std::byte> bits = saved(*flow.solver);
      if (expected.empty()) expected = bits;
      EXPECT_TRUE(bits == expected) << scheme.name;
      Flow again = started(c, flat);
      again.solver->step(count % 2);  // in either parity
      load(*again.solver, half_way);
      again.solver->resume_at(3);
      again.solver->step(4);
      EXPECT_TRUE(saved(*again.solver) == expected) << scheme.name << ", resumed";
      EXPECT_EQ(again.solver->time_step(), 7);
    }
    EXPECT_GT(count, 3);
  }
}

/// Formats differ by what they round.
TEST(LevelsFlow, RunsInAllFormats) {
  const Arrangement arrangement = setup_of("patch", true);
  Flow exact = started(case_of(arrangement, "D2Q9", "regularized", "compact-aa"), true);
  exact.solver->step(10);
  const fluvia::Totals expected = exact.solver->totals();
  for (const std::string& format : fluvia::format_names()) {
    Case c = case_of(arrangement, "D2Q9", "regularized", "compact-aa");
    c.numerics.format = format;
    Flow flow = started(c, true);
    flow.solver->step(10);
    const fluvia::Totals totals = flow.solver->totals();
    EXPECT_TRUE(totals.finite) << format;
    EXPECT_NEAR(totals.kinetic_energy / expected.kinetic_energy, 1, 2e-3) << format;
  }
}

/// The state that a case begins with crosses interfaces as it is: a uniform flow stays uniform from its first step on.
TEST(LevelsFlow, BeginsWithWhatTheCaseSays) {
  Case c = case_of(setup_of("three levels", true), "D2Q9", "auto", "auto");
  c.physics.acceleration = {};
  c.physics.initial_velocity = {0.05, 0.03, 0};
  Flow flow(c);
  flow.solver->step(10);
  fluvia::Moments moments;
  for (const fluvia::FlowLevel& level : flow.solver->levels()) {
    level.state->moments(0, level.state->geometry().nodes.tiles.size(), false, moments);
    for (const Real3& u : moments.velocity) {
      ASSERT_NEAR(u[0], 0.05, 1e-13);
      ASSERT_NEAR(u[1], 0.03, 1e-13);
    }
  }
  EXPECT_EQ(flow.solver->plan().flow().collision->name, "mrt");
  flow.solver->moments(0, flow.solver->geometry().nodes.tiles.size(), true, moments);
  for (const Real3& u : moments.velocity) ASSERT_NEAR(u[0], 0.05, 1e-13);
}

/// In a steady flow a body takes what the body force gives to all fluid: forces of links on two levels are in one unit.
TEST(LevelsFlow, ForcesBalanceTheBodyForceOverAllLevels) {
  for (const bool across : {false, true}) {
    Arrangement arrangement = setup_of("solid", true);
    arrangement.periodic = {true, true, false};
    arrangement.center = across ? Real3{12, 17, 0} : Real3{16, 17, 0};
    arrangement.radius = 2.6;
    Case c = case_of(arrangement, "D2Q9", "recursive-regularized", "compact-pull");
    c.walls.method = across ? "half-way" : "auto";
    c.units.tau = 0.8;
    c.physics.acceleration = {1e-6, 0, 0};
    c.monitors.forces = {"ball"};
    Flow flow(c);
    for (int k = 0; k < 30; ++k) flow.solver->step(500);
    double volume = 0;
    for (std::size_t l = 0; l < 2; ++l)
      volume += std::pow(0.25, l) * static_cast<double>(flow.solver->levels()[l].state->geometry().nodes.fluid_nodes);
    const int ball = 7;
    ASSERT_EQ(flow.solver->geometry().surfaces[ball], "ball");
    const fluvia::SurfaceForce force = flow.solver->surface_force(ball, {16, 16, 0});
    EXPECT_NEAR(force.force[0], 1e-6 * volume, (across ? 1e-2 : 1e-4) * 1e-6 * volume) << across;
    EXPECT_NEAR(force.force[1], 0, (across ? 1e-2 : 1e-6) * 1e-6 * volume) << across;
  }
}

/// What is seen of a linear function on the coarsest level is that function, and sums are those of all levels.
TEST(LevelsFlow, IsSeenOnTheCoarsestLevel) {
  for (const bool flat : {true, false}) {
    Case c = case_of(setup_of("three levels", flat), flat ? "D2Q9" : "D3Q19", "bgk", "compact-pull");
    c.physics.acceleration = {};
    Flow flow(c);
    for (const fluvia::FlowLevel& level : flow.solver->levels())
      const_cast<fluvia::Solver&>(*level.state).initialise([&](const Int3& node, double& density, Real3& velocity) {
        const Real3 x = position(level, node);
        density = 1 + 1e-3 * x[0];
        velocity = {1e-3 * x[1], -1e-3 * x[0], 0};
      });
    const fluvia::NodeMap& nodes = flow.solver->geometry().nodes;
    EXPECT_EQ(nodes.fluid_nodes, nodes.box_nodes());
    double mass = 0;
    for (std::uint64_t first = 0; first < nodes.tiles.size(); first += 9) {
      fluvia::Moments moments;
      const std::uint64_t count = std::min<std::uint64_t>(9, nodes.tiles.size() - first);
      flow.solver->moments(first, count, false, moments);
      std::size_t k = 0;
      for (std::uint64_t t = first; t < first + count; ++t)
        for (std::uint64_t rest = nodes.tiles[t].mask; rest != 0; rest &= rest - 1, ++k) {
          const Int3 x = nodes.node_position(nodes.tiles[t], std::countr_zero(rest));
          ASSERT_NEAR(moments.density[k], 1 + 1e-3 * (x[0] + 0.5), 1e-13);
          ASSERT_NEAR(moments.velocity[k][0], 1e-3 * (x[1] + 0.5), 1e-13);
          mass += moments.density[k] - 1;
        }
    }
    EXPECT_NEAR(flow.solver->totals().mass, mass, 1e-12 * mass);
  }
}

TEST(LevelMap, MakesLevelsBetweenAndKeepsInterfacesApart) {
  for (const bool flat : {true, false}) {
    Case c = case_of(setup_of("patch", flat), flat ? "D2Q9" : "D3Q19", "bgk", "auto");
    const int s = flat ? 8 : 4;
    c.domain.nodes = {12 * s, 12 * s, flat ? 1 : 12 * s};
    c.refine = {region(3, {5.9 * s, 6.1 * s, flat ? 0 : 6.1 * s}, {6.05 * s, 6.2 * s, flat ? 1 : 6.2 * s})};
    const Grid grid = fluvia::make_grid(c);
    const fluvia::LevelMap map = fluvia::make_level_map(c, grid, fluvia::build_geometry(c, grid));
    ASSERT_EQ(map.finest(), 3);
    for (int level = 0; level < 2; ++level) {
      const Int3 count = map.tiles(level + 1);
      Int3 t{};
      for (t[2] = 0; t[2] < count[2]; ++t[2])
        for (t[1] = 0; t[1] < count[1]; ++t[1])
          for (t[0] = 0; t[0] < count[0]; ++t[0]) {
            if (!map.is_refined(level + 1, t)) continue;
            for (int a = 0; a < (flat ? 2 : 3); ++a)
              for (int step = -2; step <= 2; ++step) {
                Int3 there = t;
                there[a] += step;
                ASSERT_TRUE(map.is_refined(level, map.parent(there))) << level;
              }
          }
    }
  }
}

/// Walls that move along with a uniform flow leave it alone where interfaces cross them, also at a part of their speed
/// that the case says, and as it changes.
TEST(LevelsFlow, StaysUniformBesideWallsThatMoveAlong) {
  for (const std::string lattice : {"D2Q9", "D3Q15", "D3Q19", "D3Q27"}) {
    const bool flat = lattice == "D2Q9";
    Arrangement setup = setup_of("lid across", flat);
    setup.lid = setup.floor = 0.05;
    Case c = case_of(setup, lattice, lattice == "D3Q15" ? "regularized" : "recursive-regularized", "compact-aa");
    c.physics.acceleration = {};
    c.monitors.forces = {flat ? "y_max" : "z_max"};
    for (const double part : {1.0, 0.4}) {
      c.physics.initial_velocity = {0.05 * part, 0, 0};
      const Flow flow(c);
      const int lower = flat ? 2 : 4;
      for (const int surface : {lower, lower + 1}) flow.solver->apply(fluvia::BoundaryValue{surface, part});
      flow.solver->step(6);
      const Real3 force = flow.solver->surface_force(lower + 1, {}).force;
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(force[a], 0, 1e-11) << lattice << ' ' << a;
      fluvia::Moments moments;
      for (const fluvia::FlowLevel& level : flow.solver->levels()) {
        level.state->moments(0, level.state->geometry().nodes.tiles.size(), false, moments);
        for (const Real3& u : moments.velocity) {
          ASSERT_NEAR(u[0], 0.05 * part, 1e-13) << lattice;
          ASSERT_NEAR(u[1], 0, 1e-13) << lattice;
          ASSERT_NEAR(u[2], 0, 1e-13) << lattice;
        }
      }
    }
  }
}

/// A slab of solid across interfaces along which the fluid slides, so thick; beyond periodic faces it has another side.
Case slab_across(const std::string& lattice, const std::string& type, double thickness) {
  const bool flat = lattice == "D2Q9";
  const int last = flat ? 1 : 2;
  Case c = case_of(setup_of("notch", flat), lattice, "recursive-regularized", "compact-aa");
  c.physics.acceleration = {};
  Case::Shape& slab = c.geometry.shapes.emplace_back();
  slab.name = "slab";
  slab.kind = "box";
  const double wide = (*c.domain.nodes)[0];
  slab.center = {0.5 * wide, 0.5 * wide, flat ? 0.5 : 0.5 * wide};
  slab.size = {2 * wide, 2 * wide, 2 * wide};
  slab.center[last] = 0.5 * thickness;
  slab.size[last] = thickness;
  Case::Boundary& sliding = c.boundaries.emplace_back();
  sliding.surface = "slab";
  sliding.type = type;
  if (type == "half_slip") sliding.values["slip_length"] = 1.5;
  return c;
}

/// Uniform flows stay what they are along walls without friction, whatever interfaces end at them. Where there is
/// friction, no mass is lost.
TEST(LevelsFlow, SlidesAlongWallsAcrossInterfaces) {
  for (const std::string lattice : {"D2Q9", "D3Q19", "D3Q27"}) {
    const bool flat = lattice == "D2Q9";
    for (const std::string type : {"free_slip", "half_slip", "wall_function"}) {
      Case c = slab_across(lattice, type, flat ? 12 : 6);
      const Real3 velocity{0.05, flat ? 0 : -0.03, 0};
      c.physics.initial_velocity = velocity;
      if (type == "wall_function") c.units.tau = 0.5003;
      const Flow flow(c);
      const double mass = flow.solver->totals().mass, speed = fluvia::norm(flow.solver->totals().momentum);
      flow.solver->step(20);
      const double volume = std::pow((*c.domain.nodes)[0], flat ? 2 : 3);
      EXPECT_NEAR(flow.solver->totals().mass, mass, 1e-13 * volume) << lattice << ' ' << type;
      fluvia::Moments moments;
      for (const fluvia::FlowLevel& level : flow.solver->levels()) {
        level.state->moments(0, level.state->geometry().nodes.tiles.size(), false, moments);
        for (const Real3& u : moments.velocity)
          for (int a = 0; a < 3 && type == "free_slip"; ++a)
            ASSERT_NEAR(u[a], velocity[a], 1e-12) << lattice;  // as without levels, see slide()
      }
      const double left = fluvia::norm(flow.solver->totals().momentum) / speed;
      EXPECT_TRUE(type == "free_slip" ? std::abs(left - 1) < 1e-11 : left < 0.9999) << lattice << ' ' << type << left;
    }
  }
}

/// A body that interfaces cross in a periodic box gets all of the force that drives the flow, once that is steady.
TEST(LevelsFlow, BringsAllMomentumToBodiesAcrossInterfaces) {
  for (const bool flat : {true, false}) {
    Arrangement setup = setup_of("solid", flat);
    setup.periodic = {true, true, true};
    if (!flat) setup.radius = 2.3;
    Case c = case_of(setup, flat ? "D2Q9" : "D3Q19", "regularized", "compact-pull");
    c.units.tau = 2.0;
    c.physics.acceleration = {1e-5, 2e-6, 0};
    c.monitors.forces = {"ball"};
    const Flow flow(c);
    flow.solver->step(flat ? 10000 : 4000);
    double volume = 0;
    for (const fluvia::FlowLevel& level : flow.solver->levels())
      volume +=
          std::pow(level.units.spacing, flat ? 2 : 3) * static_cast<double>(level.state->geometry().nodes.fluid_nodes);
    const int ball = static_cast<int>(flow.solver->geometry().surfaces.size()) - 1;
    const Real3 force = flow.solver->surface_force(ball, setup.center).force;
    const double tolerance = flat ? 1e-9 : 1e-6;
    for (int a = 0; a < 3; ++a)
      EXPECT_NEAR(force[a] / volume, c.physics.acceleration[a], 1e-5 * tolerance) << flat << ' ' << a;
  }
}

/// Each by one sentence that names the place and what would be right.
TEST(Levels, RefuseWhatTheyCannot) {
  const auto message = [](const std::function<void(Case&)>& change) -> std::string {
    Case c = case_of(setup_of("patch", true), "D2Q9", "regularized", "compact-pull");
    change(c);
    try {
      fluvia::validate(c);
      const Flow flow(c);
    } catch (const fluvia::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message([](Case&) {}), "");
  const auto expect = [&](const std::function<void(Case&)>& change, const char* text) {
    EXPECT_NE(message(change).find(text), std::string::npos) << message(change);
  };
  expect([](Case& c) { c.refine[0].box.reset(); }, "refine[0]: none of 'box', 'around'");
  expect([](Case& c) { (*c.refine[0].box)[1][0] = 1; }, "the upper corner must lie above the lower one");
  expect([](Case& c) { c.refine[0] = region(1, {40, 1, 0}, {50, 2, 1}); }, "lies outside of the domain");
  expect([](Case& c) { c.refine[0] = region(7, {1, 1, 0}, {5, 2, 1}); }, "refine[0].level");
  expect([](Case& c) { c.refine[0] = region(1, {0, 0, 0}, {32, 32, 1}); }, "leave some to the coarsest level");
  expect([](Case& c) { c.refine[0].box.reset(), c.refine[0].around = "bal"; }, "there is no surface 'bal'");
  expect([](Case& c) { c.numerics.steps_per_pass = 3; }, "numerics.steps_per_pass");
  expect([](Case& c) { c.numerics.scheme = "soa-pull"; }, "numerics.scheme");
  expect([](Case& c) { c.numerics.scheme = "moments"; }, "numerics.scheme: moments keeps moments instead of");
  expect(
      [](Case& c) {
        c.physics.acceleration_formula = {"x > 9.1 && x < 9.4 ? 1/0 : 0", "0", "0"};
      },
      "refine: on level 1: case: physics.acceleration_formula: is no finite number at node");
  const auto lid = [](Case& c) {
    c.domain.periodic = {true, false, false};
    Case::Boundary b;
    b.surface = "y_max";
    b.type = "moving_wall";
    b.velocity = {0.01, 0, 0};
    c.boundaries = {b};
  };
  expect([](Case& c) { c = slab_across("D2Q9", "half_slip", 12.3); },
         "the surface 'slab' of type 'half_slip' comes too near to where level 0 ends; walls along which the fluid "
         "slides may meet two levels only where these have them at the same place");
  EXPECT_EQ(message([](Case& c) { c = slab_across("D2Q9", "half_slip", 12); }), "");
  EXPECT_EQ(message(lid), "");
}

}  // namespace
