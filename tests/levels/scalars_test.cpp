// SPDX-License-Identifier: Apache-2.0
// Scalars on levels of refinement: those of the reference solver, what they keep, how good they are.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <vector>

#include "levels/arrangements.hpp"
#include "reference/levels/level_scalars.hpp"
#include "support/errors.hpp"

namespace {

using namespace levels_test;

double scalar_at(const Real3& x) {
  return 2 + 0.3 * std::sin(0.4 * x[0] + 0.1) * std::cos(0.3 * x[1]);
}

/// A case with a scalar of scalar_at() and a source.
Case with_scalar(Case c) {
  Case::Scalar& scalar = c.scalars.emplace_back();
  scalar.name = "heat";
  scalar.diffusivity = 0.05;
  scalar.initial = 2;
  scalar.initial_formula = "0.3*sin(0.4*x + 0.1)*cos(0.3*y)";
  scalar.reference = 0;
  scalar.source = "1e-3";
  return c;
}

/// Largest difference of the scalar of all nodes from that of the reference solver.
double difference_of_scalars(const fluvia::Solver& solver, const oracle::ScalarLevels& expected) {
  double largest = 0;
  std::vector<fluvia::Moments> moments(solver.levels().size());
  for (std::size_t l = 0; l < moments.size(); ++l) {
    const fluvia::FlowState& state = *solver.levels()[l].state;
    state.moments(0, state.geometry().nodes.tiles.size(), false, moments[l]);
  }
  for_each_node(solver, [&](std::size_t l, const Int3& node, std::uint64_t index) {
    const oracle::Cells& cells = expected.solver().levels()[l];
    largest = std::max(largest, std::abs(expected.value(cells, cells.index(node)) - moments[l].scalars[index]));
  });
  return largest;
}

class ScalarsOnLevels : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {};

/// Every scheme of the levels in turn.
TEST_P(ScalarsOnLevels, AreThoseOfTheReference) {
  const auto& [lattice, name] = GetParam();
  const bool flat = fluvia::facts_of_lattice(lattice).dimension == 2;
  const Arrangement setup = setup_of(name, flat);
  for (const char* scheme : {"compact-pull", "aa", "pull", "esoteric-pull"}) {
    Flow flow(with_scalar(case_of(setup, lattice, "regularized", scheme)));
    const fluvia::LevelMap map =
        fluvia::make_level_map(flow.settings, flow.grid, fluvia::build_geometry(flow.settings, flow.grid));
    const oracle::Scene scene = scene_of(setup, flow, map);
    oracle::LevelSolver expected(scene);
    oracle::ScalarLevels scalar(scene, expected, {flat ? "D2Q5" : "D3Q7", 0.05, 0.25, 1e-3});
    start(*flow.solver, expected, flat);
    scalar.set(scalar_at, [&](const Real3& x) { return velocity_at(x, flat); });
    EXPECT_LT(difference_of_scalars(*flow.solver, scalar), 1e-14) << scheme;
    const double before = scalar.total(), content = flow.solver->scalar_summary(0).content;
    EXPECT_NEAR(content, before, 1e-12 * before);
    const int steps = 8;
    flow.solver->step(steps);
    for (int t = 0; t < steps; ++t) expected.step();
    EXPECT_LT(difference_of_scalars(*flow.solver, scalar), 1e-13) << scheme;
    const fluvia::ScalarSummary now = flow.solver->scalar_summary(0);
    EXPECT_NEAR(now.content, content + steps * now.source, 1e-13 * content * steps) << scheme;
    if (!flat) break;
  }
}
INSTANTIATE_TEST_SUITE_P(Levels, ScalarsOnLevels,
                         ::testing::Combine(::testing::Values("D2Q9", "D3Q19"),
                                            ::testing::Values("patch", "notch", "three levels", "solid", "hollow",
                                                              "forces")),
                         [](const auto& info) {
                           std::string name = std::get<0>(info.param) + "_" + std::get<1>(info.param);
                           std::replace(name.begin(), name.end(), ' ', '_');
                           return name;
                         });

/// What is alike everywhere stays so in a uniform stream, past edges and corners.
TEST(ScalarsOnLevels, StayWhereNothingChangesThem) {
  for (const bool flat : {true, false}) {
    Case c = with_scalar(case_of(setup_of("notch", flat), flat ? "D2Q9" : "D3Q19", "mrt", "compact-pull"));
    c.physics.acceleration = {};
    c.physics.initial_velocity = {0.04, -0.03, flat ? 0 : 0.02};
    c.scalars[0].initial_formula.clear();
    c.scalars[0].source.clear();
    Flow flow(c);
    flow.solver->step(50);
    const fluvia::ScalarSummary now = flow.solver->scalar_summary(0);
    EXPECT_NEAR(now.least, 2, 1e-13);
    EXPECT_NEAR(now.most, 2, 1e-13);
  }
}

/// The error of a spot that spreads across a patch in a stream, of which the box has so many nodes, in the mean of
/// squares over its area. Steps go by the square of the spacing.
double error_of_spot(int nodes, bool refined) {
  constexpr double diffusivity = 0.03, width = 0.08;  // the one in lattice units, the other in edges of the box
  const double edge = nodes, speed = 0.03 * 48 / edge;
  const int steps = 200 * nodes * nodes / (48 * 48);
  Case c;
  c.domain.dimension = 2;
  c.domain.nodes = {nodes, nodes, 1};
  c.domain.periodic = {true, true, true};
  c.units.tau = 0.6;
  c.numerics.lattice = "D2Q9";
  c.numerics.format = "fp64";
  c.numerics.device = "cpu";
  c.numerics.threads = 1;
  c.numerics.trial = false;
  c.numerics.collision = "recursive-regularized";
  c.physics.initial_velocity = {speed, 0.6 * speed, 0};
  Case::Scalar& scalar = c.scalars.emplace_back();
  scalar.name = "dye";
  scalar.diffusivity = diffusivity;
  scalar.initial_formula =
      fmt::format("exp(-((x-{0})^2+(y-{1})^2)/{2})", 0.36 * edge, 0.42 * edge, 2 * width * width * edge * edge);
  if (refined) c.refine = {region(1, {0.3 * edge, 0.3 * edge, 0}, {0.6 * edge, 0.6 * edge, 1})};
  c.run.steps = steps;
  const Flow flow(c);
  flow.solver->step(steps);
  const double before = width * width, spread = before + 2 * diffusivity * steps / (edge * edge);
  const Real3 middle{0.36 + speed * steps / edge, 0.42 + 0.6 * speed * steps / edge, 0};
  double sum = 0;
  const auto add = [&](const fluvia::FlowState& state, double spacing) {
    const fluvia::NodeMap& map = state.geometry().nodes;
    fluvia::Moments m;
    state.moments(0, map.tiles.size(), false, m);
    for (const fluvia::NodeMap::Tile& tile : map.tiles) {
      std::uint64_t n = tile.first_node;
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1, ++n) {
        const Int3 node = map.node_position(tile, std::countr_zero(rest));
        double exact = 0;
        for (int image = 0; image < 9; ++image) {
          const double dx = spacing * (node[0] + 0.5) - middle[0] + image % 3 - 1,
                       dy = spacing * (node[1] + 0.5) - middle[1] + image / 3 - 1;
          exact += before / spread * std::exp(-(dx * dx + dy * dy) / (2 * spread));
        }
        sum += spacing * spacing * (m.scalars[n] - exact) * (m.scalars[n] - exact);
      }
    }
  };
  if (!refined) add(*flow.solver, 1 / edge);
  for (const fluvia::FlowLevel& level : flow.solver->levels()) add(*level.state, level.units.spacing / edge);
  return std::sqrt(sum);
}

/// Second order across interfaces.
TEST(ScalarsOnLevels, SpreadAcrossInterfacesWithSecondOrder) {
  const double coarse = error_of_spot(48, true), fine = error_of_spot(96, true);
  RecordProperty("coarse", std::to_string(coarse));
  RecordProperty("fine", std::to_string(fine));
  EXPECT_GT(std::log2(coarse / fine), 1.9) << coarse << ' ' << fine;
  EXPECT_LT(coarse, 1.5 * error_of_spot(48, false));
}

/// The Nusselt number of a heated cavity (Ra 1e4, Pr 0.71; G. de Vahl Davis 1983 has 2.243) at its warm wall, of which
/// the height has so many nodes. `strips`: of cells half as large, along both walls that hold values.
double nusselt_of_cavity(int nodes, bool strips) {
  constexpr double rayleigh = 1e4, prandtl = 0.71, speed = 0.08;
  const double height = nodes, viscosity = speed * height * std::sqrt(prandtl / rayleigh);
  Case c;
  c.domain.dimension = 2;
  c.domain.nodes = {nodes, nodes, 1};
  c.domain.periodic = {false, false, true};
  c.units.viscosity = viscosity;
  c.numerics.lattice = "D2Q9";
  c.numerics.format = "fp64";
  c.numerics.device = "cpu";
  c.numerics.threads = 2;
  c.numerics.trial = false;
  c.numerics.collision = "mrt";
  c.physics.gravity = {0, -speed * speed / height, 0};
  Case::Scalar& scalar = c.scalars.emplace_back();
  scalar.name = "temperature";
  scalar.prandtl = prandtl;
  scalar.expansion = 1;
  scalar.reference = 0;
  for (const bool warm : {true, false}) {
    Case::Boundary& wall = c.boundaries.emplace_back();
    wall.surface = warm ? "x_min" : "x_max";
    wall.type = "wall";
    wall.scalars["temperature"].value.emplace();
    wall.scalars["temperature"].value->number = warm ? 0.5 : -0.5;
  }
  if (strips) c.refine = {region(1, {0, 0, 0}, {1, height, 1}), region(1, {height - 1, 0, 0}, {height, height, 1})};
  const auto steps = static_cast<std::int64_t>(0.35 * height * height / (viscosity / prandtl));
  c.run.steps = steps;
  const Flow flow(c);
  flow.solver->step(steps);
  const fluvia::ScalarPassage passed = flow.solver->scalar_passage(0, fluvia::surface_id::x_min);
  EXPECT_NEAR(passed.area, height, 1e-9);
  EXPECT_NEAR(flow.solver->scalar_passage(0, fluvia::surface_id::x_max).rate, -passed.rate, 2e-3 * passed.rate);
  return passed.rate / (viscosity / prandtl);
}

/// Finer cells along the walls that heat and cool are as good as finer ones everywhere.
TEST(ScalarsOnLevels, LoseNothingToFinerCellsEverywhere) {
  const double everywhere = nusselt_of_cavity(64, false), strips = nusselt_of_cavity(32, true),
               coarse = nusselt_of_cavity(32, false);
  RecordProperty("nusselt", fmt::format("{} {} {}", everywhere, strips, coarse));
  EXPECT_NEAR(strips / everywhere, 1, 3e-3) << strips << ' ' << everywhere << ' ' << coarse;
  EXPECT_NEAR(everywhere, 2.243, 0.005 * 2.243);
}

/// What a step adds to the content is what has passed the surfaces in it, whatever level these are on. Of a surface on
/// a finer level the passage is that of its own last step, which changes by less than a hundredth in a step of the
/// coarsest once a scalar has begun to enter.
void expect_balance(const Flow& flow, const std::vector<int>& surfaces, int steps) {
  flow.solver->step(8);
  double before = flow.solver->scalar_summary(0).content;
  for (int t = 0; t < steps; ++t) {
    flow.solver->step(1);
    const double now = flow.solver->scalar_summary(0).content;
    double passed = flow.solver->scalar_summary(0).source;
    for (const int surface : surfaces) passed += flow.solver->scalar_passage(0, surface).rate;
    EXPECT_NEAR((now - before) / passed, 1, 0.01) << "step " << t;
    before = now;
  }
}

/// Inlets and outlets that strips, corners and bars of finer levels divide, in a uniform stream: what came in all along
/// stays, and of more that comes in nothing is lost.
TEST(ScalarsOnLevels, PassOpeningsThatLevelsDivide) {
  for (const bool flat : {true, false}) {
    const double s = flat ? 8 : 4, deep = flat ? 1 : 5 * s;
    for (const auto& regions : std::vector<std::vector<Case::Refine>>{
             {region(1, {0, s, flat ? 0 : s}, {5 * s, 3 * s, flat ? 1 : 3 * s})},
             {region(2, {0, 2 * s, 0}, {5 * s, 2.5 * s, deep})},
             {region(1, {0, 0, 0}, {1.5 * s, 5 * s, deep}), region(1, {3.5 * s, s, 0}, {5 * s, 3 * s, deep})}}) {
      Case c = with_scalar(case_of(setup_of("patch", flat), flat ? "D2Q9" : "D3Q19", "mrt", "compact-pull"));
      c.domain.nodes = {static_cast<int>(5 * s), static_cast<int>(5 * s), static_cast<int>(deep)};
      c.domain.periodic = {false, true, !flat};
      c.physics.acceleration = {};
      c.physics.initial_velocity = {0.05, 0, 0};
      c.scalars[0].initial_formula.clear();
      c.scalars[0].source.clear();
      Case::Boundary& in = c.boundaries.emplace_back();
      in.surface = "x_min";
      in.type = "velocity";
      in.speed = 0.05;
      in.scalars["heat"].value.emplace();
      in.scalars["heat"].value->number = 2;
      Case::Boundary& out = c.boundaries.emplace_back();
      out.surface = "x_max";
      out.type = "pressure";
      c.refine = regions;
      const Flow same(c);
      same.solver->step(30);
      EXPECT_NEAR(same.solver->scalar_summary(0).least, 2, 1e-12);
      EXPECT_NEAR(same.solver->scalar_summary(0).most, 2, 1e-12);
      c.boundaries[0].scalars["heat"].value->number = 3;
      const Flow more(c);
      expect_balance(more, {fluvia::surface_id::x_min, fluvia::surface_id::x_max}, 8);
      EXPECT_GT(more.solver->scalar_summary(0).mean, 2.02);
    }
  }
}

/// Walls that give a flux and walls that exchange, with an interface across both.
TEST(ScalarsOnLevels, LoseNothingAtWallsThatInterfacesCross) {
  for (const bool flat : {true, false}) {
    const double s = flat ? 8 : 4, deep = flat ? 1 : 5 * s;
    Case c = with_scalar(case_of(setup_of("patch", flat), flat ? "D2Q9" : "D3Q19", "mrt", "compact-pull"));
    c.domain.nodes = {static_cast<int>(5 * s), static_cast<int>(5 * s), static_cast<int>(deep)};
    c.domain.periodic = {true, false, !flat};
    for (const bool lower : {true, false}) {
      Case::Boundary& wall = c.boundaries.emplace_back();
      wall.surface = lower ? "y_min" : "y_max";
      wall.type = "wall";
      if (lower) {
        wall.scalars["heat"].flux.emplace();
        wall.scalars["heat"].flux->number = 0.01;
      } else {
        wall.scalars["heat"].exchange = 0.02;
        wall.scalars["heat"].ambient.emplace();
        wall.scalars["heat"].ambient->number = 1;
      }
    }
    c.refine = {region(2, {2 * s, 0, 0}, {3 * s, 5 * s, deep}), region(1, {s, 0, 0}, {4 * s, 5 * s, deep})};
    const Flow flow(c);
    expect_balance(flow, {fluvia::surface_id::y_min, fluvia::surface_id::y_max}, 8);
    EXPECT_NEAR(flow.solver->scalar_passage(0, fluvia::surface_id::y_min).rate, 0.01 * 5 * s * deep, 1e-11 * s * deep);
  }
}

/// Several parts of each level, all schemes, with the bits of one, from one number of parts to another.
TEST(ScalarsOnLevels, HaveTheSameBitsInAnyNumberOfParts) {
  for (const auto& [name, flat, format] : {std::tuple("three levels", true, "fp32"),
                                           {"three levels", false, "fp16s"},
                                           {"solid", true, "fp16s"},
                                           {"solid", false, "fp32"}}) {
    Case c = with_scalar(case_of(setup_of(name, flat), flat ? "D2Q9" : "D3Q19", "recursive-regularized", "aa"));
    c.numerics.format = format;
    c.scalars[0].expansion = 1e-2;
    c.physics.gravity = {0, -1e-3, 0};
    c.scalars.push_back(c.scalars[0]);
    c.scalars[1].name = "age";
    c.scalars[1].source = "age";
    const Flow whole = started(c, flat);
    whole.solver->step(5);
    const std::vector<std::byte> half = saved(*whole.solver);
    whole.solver->step(4);
    for (const int parts : {2, 3}) {
      c.numerics.scheme = parts == 2 ? "compact-pull" : "esoteric-pull";
      const Flow split = started(c, flat, parts);
      split.solver->step(5);
      EXPECT_TRUE(saved(*split.solver) == half) << name << ' ' << parts;
      const Flow other = started(c, flat, parts);
      other.solver->step(2);
      load(*other.solver, half);
      other.solver->resume_at(5);
      other.solver->step(4);
      EXPECT_TRUE(saved(*other.solver) == saved(*whole.solver)) << name << ' ' << parts;
      for (std::size_t k = 0; k < 2; ++k) {
        const fluvia::ScalarSummary a = whole.solver->scalar_summary(k), b = other.solver->scalar_summary(k);
        EXPECT_EQ(a.mean, b.mean);
        EXPECT_EQ(a.most, b.most);
      }
    }
  }
}

/// Bad input names the key.
TEST(ScalarsOnLevels, RefuseWhatTheyCannotHave) {
  using fluvia::test::error_of;
  Case c = with_scalar(case_of(setup_of("patch", true), "D2Q9", "mrt", "compact-pull"));
  c.scalars[0].lattice = "D2Q9";
  EXPECT_CONTAINS(error_of(fluvia::ExitCode::input, [&] { Flow flow(c); }), "scalar[0].lattice: 'D2Q9' has no levels");
  c.scalars[0].lattice = "auto";
  c.solids.push_back({.surface = "wall", .scalar = "", .diffusivity = 0.1, .capacity_ratio = 1, .source = ""});
  EXPECT_CONTAINS(error_of(fluvia::ExitCode::input, [&] { Flow flow(c); }), "solid[0]: solids in which scalars spread");
}

}  // namespace
