// SPDX-License-Identifier: Apache-2.0
// What a flow begins with: formulas and files, on top of everything else.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <numbers>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/validate.hpp"
#include "fluvia/core/lattice/lattice.hpp"
#include "fluvia/initial/formula.hpp"
#include "fluvia/initial/initial_fields.hpp"
#include "fluvia/initial/regular_samples.hpp"
#include "fluvia/output/vtk/vtkhdf.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "support/npy.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

double value_of(const std::string& text) {
  return Formula(text, "here", {3, 4, 5}, 1)({0.5, 2, -1});
}

TEST(Formulas, AreOfThePositionAndTheBox) {
  EXPECT_DOUBLE_EQ(value_of("1 - (x/2)^2 + y*z"), 1 - 0.0625 - 2);
  EXPECT_DOUBLE_EQ(value_of("sin(2*pi*x/lx) + ly*lz"), std::sin(std::numbers::pi / 3) + 20);
  EXPECT_DOUBLE_EQ(value_of("y >= 2 ? 7 : 8"), 7);
  EXPECT_DOUBLE_EQ(value_of("(y == 2) + (x != 2) + (x <= 0.5)"), 3);
  EXPECT_DOUBLE_EQ(value_of("1e-3"), 1e-3);
  EXPECT_TRUE(std::isnan(value_of("sqrt(z)")));
  EXPECT_TRUE(std::isinf(value_of("1/(y-2)")));
}

TEST(Formulas, SayWhatIsWrong) {
  const auto refusal = [](const std::string& text) { return error_of(ExitCode::input, [&] { value_of(text); }); };
  EXPECT_CONTAINS(refusal("2*u"), "here: '2*u': Unexpected token \"u\"");
  EXPECT_CONTAINS(refusal("2*u"), "expected a formula of x, y, z, lx, ly, lz and pi");
  EXPECT_CONTAINS(refusal(""), "here: ''");
  EXPECT_CONTAINS(refusal("sin(x"), "here: 'sin(x'");
  EXPECT_CONTAINS(refusal("x = 3"), "'=' gives no value");
  EXPECT_CONTAINS(refusal("x <= (y = 3)"), "'=' gives no value");
  EXPECT_CONTAINS(refusal("x, y"), "more than one value");
  EXPECT_CONTAINS(refusal(std::string(2001, '1')), "longer than 2000 signs");
}

constexpr const char* box = R"([units]
system = "si"
spacing = 0.01
density = 1000
viscosity = 1e-4
time_step = 0.01
[domain]
size = [0.12, 0.1, 0.07]
origin = [1, -2, 0.5]
periodic = [true, true, true]
[geometry]
[[geometry.shape]]
kind = "sphere"
center = [1.06, -1.95, 0.53]
radius = 0.02
[numerics]
format = "fp64"
[run]
steps = 1
)";

struct Flow {
  explicit Flow(const std::string& physics, const std::string& base = box)
      : c(parse_case(base + "[physics]\n" + physics, "/case.toml")),
        flow(c, [this](const std::string& text) { warnings += text + "\n"; }) {
    flow.build();
    flow.make_solver();
  }
  /// Calls `visit` with the position, velocity and pressure of the nodes, in the units of the case, but of those beside
  /// the sphere: there half of the populations come back from it.
  template <class Visit>
  void for_each_node(const Visit& visit) const {
    const NodeMap& nodes = flow.solver().geometry().nodes;
    Moments moments;
    flow.solver().moments(0, nodes.tiles.size(), false, moments);
    for (const NodeMap::Tile& tile : nodes.tiles) {
      std::uint64_t at = tile.first_node;
      for (std::uint64_t bits = tile.mask; bits; bits &= bits - 1, ++at) {
        const Int3 node = nodes.node_position(tile, std::countr_zero(bits));
        Real3 x, u;
        for (int axis = 0; axis < 3; ++axis) {
          x[axis] = flow.grid().origin[axis] + (node[axis] + 0.5) * flow.grid().spacing;
          u[axis] = flow.units().si_velocity(moments.velocity[at][axis]);
        }
        if (std::hypot(x[0] - 1.06, x[1] + 1.95, x[2] - 0.53) < 0.04) continue;
        visit(x, u, flow.units().si_pressure(core::sound_speed_squared * (moments.density[at] - 1)));
      }
    }
  }
  void write(const std::filesystem::path& file, const std::string& kind = "auto") const {
    Case::Output settings;
    settings.vtk = kind;
    settings.fields = {"velocity", "pressure"};
    write_vtkhdf({flow.seen(), flow.units(), flow.grid()}, settings, file);
  }
  std::string warnings;
  Case c;
  PreparedFlow flow;
};

const std::string formulas = R"toml(initial_velocity = [0.01, 0, 0]
initial_velocity_formula = ["0.02*sin(2*pi*(y+2)/ly)", "0.1*(x-1)", "z < 0.53 ? 0.01 : 0"]
initial_pressure_formula = "2*(x-1) + z"
)toml";

Real3 expected_velocity(const Real3& x) {
  return {0.01 + 0.02 * std::sin(2 * std::numbers::pi * (x[1] + 2) / 0.1), 0.1 * (x[0] - 1), x[2] < 0.53 ? 0.01 : 0};
}

TEST(InitialFormulas, SetTheFlowInTheUnitsOfTheCase) {
  const Flow flow(formulas);
  int nodes = 0;
  flow.for_each_node([&](const Real3& x, const Real3& u, double pressure) {
    ++nodes;
    for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(u[axis], expected_velocity(x)[axis], 1e-12);
    EXPECT_NEAR(pressure, 2 * (x[0] - 1) + x[2], 1e-9);
  });
  EXPECT_GT(nodes, 300);
  EXPECT_EQ(flow.warnings.find("no value"), std::string::npos);
}

TEST(InitialFormulas, KnowTheEdgesOfTheBox) {
  const Flow flow("initial_pressure_formula = \"lx + 2*ly + 3*lz\"\n");
  const Grid& grid = flow.flow.grid();
  const double expected = (grid.size[0] + 2 * grid.size[1] + 3 * grid.size[2]) * grid.spacing;
  EXPECT_GT(grid.size[0], 0);
  flow.for_each_node([&](const Real3&, const Real3&, double pressure) { EXPECT_NEAR(pressure, expected, 1e-9); });
}

/// Another run, by its file or its folder, as image or cells: the same flow again, but for single precision.
TEST(InitialFiles, GoOnFromAnotherRun) {
  const Flow first(formulas);
  for (const char* kind : {"image", "unstructured"}) {
    const TemporaryFolder folder;
    std::ofstream(folder.path() / "fields-000000900.vtkhdf") << "an older one, which is not read";
    first.write(folder.path() / "fields-000001000.vtkhdf", kind);
    for (const std::string& from : {folder.path().string(), (folder.path() / "fields-000001000.vtkhdf").string()}) {
      const Flow again("initial_velocity_file = '" + from + "'\ninitial_pressure_file = '" + from + "'\n");
      again.for_each_node([&](const Real3& x, const Real3& u, double pressure) {
        for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(u[axis], expected_velocity(x)[axis], 1e-8);
        EXPECT_NEAR(pressure, 2 * (x[0] - 1) + x[2], 1e-6);
      });
      EXPECT_EQ(again.warnings.find("no value"), std::string::npos) << again.warnings;
    }
  }
}

std::string with(const std::string& from, const std::string& to) {
  std::string text = box;
  text.replace(text.find(from), from.size(), to);
  return text;
}

/// Half the spacing: what is linear stays what it is, away from where it is not.
TEST(InitialFiles, AreInterpolatedToAnotherGrid) {
  const Flow coarse("initial_velocity_formula = [\"0.1*(x-1)\", \"0.2*(y+2)\", \"0\"]\n");
  const TemporaryFolder folder;
  coarse.write(folder.path() / "coarse.vtkhdf");
  const Flow fine("initial_velocity_file = '" + (folder.path() / "coarse.vtkhdf").string() + "'\n",
                  with("spacing = 0.01", "spacing = 0.005"));
  int exact = 0, all = 0;
  fine.for_each_node([&](const Real3& x, const Real3& u, double) {
    ++all;
    exact += std::abs(u[0] - 0.1 * (x[0] - 1)) < 1e-8 && std::abs(u[1] - 0.2 * (x[1] + 2)) < 1e-8;
    EXPECT_NEAR(u[0], 0.1 * (x[0] - 1), 0.1 * 0.0075);  // beside walls and the end of the box one neighbour counts
  });
  EXPECT_GT(exact, all / 2);
  EXPECT_LT(exact, all);
}

TEST(InitialFiles, SayWhereTheyKnowNothing) {
  const Flow first("initial_velocity = [0.02, 0, 0]\n");
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "small.vtkhdf").string();
  first.write(file, "image");
  const std::string longer = with("size = [0.12, 0.1, 0.07]", "size = [0.18, 0.1, 0.07]");
  const Flow flow("initial_velocity_file = '" + file + "'\n", longer);
  EXPECT_CONTAINS(flow.warnings, "physics.initial_velocity_file: has no value at 420 of 1228 fluid nodes");
  flow.for_each_node([&](const Real3& x, const Real3& u, double) { EXPECT_NEAR(u[0], x[0] < 1.12 ? 0.02 : 0, 1e-8); });
  const std::string elsewhere = with("origin = [1, -2, 0.5]", "origin = [10, -2, 0.5]");
  std::string moved = elsewhere;
  moved.replace(moved.find("center = [1.06"), 14, "center = [10.06");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { Flow("initial_velocity_file = '" + file + "'\n", moved); }),
                  "physics.initial_velocity_file: has no value at any fluid node");
}

TEST(InitialFiles, AndFormulasAreRefusedBeforeAnythingIsComputed) {
  const auto refusal = [](const std::string& physics) {
    return error_of(ExitCode::input, [&] { Flow flow(physics); });
  };
  EXPECT_CONTAINS(refusal("initial_velocity_formula = [\"0\", \"1/(x-1.025)\", \"0\"]\n"),
                  "case.toml:21:28: physics.initial_velocity_formula: is no finite number at node (2, 0, 0)");
  EXPECT_CONTAINS(refusal("initial_velocity_formula = [\"0.001\", \"2\", \"0\"]\n"), "above run.max_mach");
  EXPECT_CONTAINS(refusal("initial_pressure_formula = \"1e6*x\"\n"), "physics.initial_pressure_formula: '");
  EXPECT_CONTAINS(refusal("initial_velocity_formula = [\"0.001\", \"q\", \"0\"]\n"),
                  "physics.initial_velocity_formula: 'q': Unexpected token");
  EXPECT_CONTAINS(refusal("initial_velocity_formula = [\"0.001\"]\n"), "'1' formulas; expected 3");
  EXPECT_CONTAINS(refusal("initial_velocity_file = \"field.dat\"\n"), "expected a .vtkhdf file, a .npy file, or the");
  EXPECT_CONTAINS(refusal("initial_velocity_file = \"missing.vtkhdf\"\n"), "missing.vtkhdf: no such file");
  const TemporaryFolder empty;
  EXPECT_CONTAINS(refusal("initial_pressure_file = '" + empty.path().string() + "'\n"), "holds no fields-*.vtkhdf");
}

TEST(InitialFiles, ArraysHaveTheShapeOfTheBox) {
  const TemporaryFolder folder;
  const auto save = [&](const char* name, const std::string& shape, const std::vector<float>& values) {
    return write_npy(folder.path() / name, shape, values);
  };
  std::vector<float> velocity;
  for (int z = 0; z < 7; ++z)
    for (int y = 0; y < 10; ++y)
      for (int x = 0; x < 12; ++x)
        for (const double u : {0.001 * x, 0.002 * y, 0.003 * z}) velocity.push_back(static_cast<float>(u));
  const std::string file = save("velocity.npy", "(7, 10, 12, 3)", velocity);
  const Flow flow("initial_velocity_file = '" + file + "'\n");
  flow.for_each_node([&](const Real3& x, const Real3& u, double) {
    EXPECT_NEAR(u[0], 0.001 * ((x[0] - 1) / 0.01 - 0.5), 1e-8);
    EXPECT_NEAR(u[1], 0.002 * ((x[1] + 2) / 0.01 - 0.5), 1e-8);
    EXPECT_NEAR(u[2], 0.003 * ((x[2] - 0.5) / 0.01 - 0.5), 1e-8);
  });
  const std::string turned = save("turned.npy", "(12, 10, 7, 3)", velocity);
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { Flow("initial_velocity_file = '" + turned + "'\n"); }),
                  "has the shape (12, 10, 7, 3); expected (7, 10, 12, 3): nodes along z, y, x, components; or 2, 4, "
                  "... times as many or as few along all axes");
}

/// Arrays of the same box with another spacing are interpolated by position.
TEST(InitialFiles, ArraysMayHaveTwiceAsManyNodes) {
  const TemporaryFolder folder;
  std::vector<float> velocity;
  for (int z = 0; z < 14; ++z)
    for (int y = 0; y < 20; ++y)
      for (int x = 0; x < 24; ++x)
        for (const double u : {0.001 * x, 0.002 * y, 0.003 * z}) velocity.push_back(static_cast<float>(u));
  const std::string file = write_npy(folder.path() / "finer.npy", "(14, 20, 24, 3)", velocity);
  const Flow flow("initial_velocity_file = '" + file + "'\n");
  flow.for_each_node([&](const Real3& x, const Real3& u, double) {
    EXPECT_NEAR(u[0], 0.001 * ((x[0] - 1) / 0.005 - 0.5), 1e-8);
    EXPECT_NEAR(u[1], 0.002 * ((x[1] + 2) / 0.005 - 0.5), 1e-8);
    EXPECT_NEAR(u[2], 0.003 * ((x[2] - 0.5) / 0.005 - 0.5), 1e-8);
  });
  velocity.resize(velocity.size() / 2);
  const std::string uneven = write_npy(folder.path() / "uneven.npy", "(7, 20, 24, 3)", velocity);
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { Flow("initial_velocity_file = '" + uneven + "'\n"); }),
                  "has the shape (7, 20, 24, 3)");
}

/// Of what was sampled with several spacings the finest is taken that knows all around a place.
TEST(InitialFiles, FieldsOfLevelsAreTheFinestThatThereAre) {
  RegularSamples coarse, fine;
  coarse.spacing = {1, 1, 1}, coarse.count = {4, 1, 1}, coarse.values = {0, 1, 2, 3};
  fine.first = {0.75, 0, 0}, fine.spacing = {0.5, 1, 1}, fine.count = {4, 1, 1};
  fine.values = {10, 20, 30, std::numeric_limits<float>::quiet_NaN()};
  const SampledField field({coarse, fine});
  const auto at = [&](double x) { return (*field.at({x, 0, 0}))[0]; };
  EXPECT_NEAR(at(1.0), 15, 1e-12);
  EXPECT_NEAR(at(1.75), 30, 1e-12);
  EXPECT_NEAR(at(0.5), 0.5, 1e-12) << "where the finer one ends the coarser one goes on";
  EXPECT_NEAR(at(2.0), 2, 1e-12);
  EXPECT_NEAR(at(3.5), 3, 1e-12) << "what knows a part of what is around is better than nothing";
  EXPECT_FALSE(field.at({5, 0, 0}));
}

}  // namespace
}  // namespace fluvia::test
