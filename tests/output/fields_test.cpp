// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/fields.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "fluvia/case/names.hpp"
#include "output/fake_solver.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

Units water() {
  Units units;
  units.si = true;
  units.spacing = 1e-4;
  units.time_step = 1e-5;
  units.density = 1000;
  units.viscosity = 0.1;
  units.tau = 0.8;
  return units;
}

struct Value {
  FieldSample sample;
  std::array<float, 3> value{};
};

/// All values of one field over a sampling.
std::vector<Value> evaluate(const FakeSolver& solver, const Units& units, const Grid& grid, const Sampling& sampling,
                            const Field& field) {
  FieldEvaluator evaluator({solver, units, grid}, sampling, {field});
  std::vector<Value> result;
  std::vector<float> values;
  for (const auto& slab : evaluator.slabs()) {
    evaluator.load(slab);
    evaluator.evaluate(0, values);
    for (std::size_t i = 0; i < evaluator.samples().size(); ++i) {
      Value& entry = result.emplace_back();
      entry.sample = evaluator.samples()[i];
      for (int c = 0; c < field.components; ++c) {
        entry.value[static_cast<std::size_t>(c)] =
            values[i * static_cast<std::size_t>(field.components) + static_cast<std::size_t>(c)];
      }
    }
  }
  return result;
}

std::vector<Value> evaluate(const FakeSolver& solver, const Units& units, const std::string& name) {
  const Grid grid = grid_of(solver, units.spacing);
  return evaluate(solver, units, grid, make_sampling(grid, 1, {}), find_field(name, units));
}

TEST(Fields, LocalQuantitiesInSiUnits) {
  FakeSolver solver(3, {9, 6, 10}, [](const Int3& n) { return n[0] != 4; });
  solver.density = [](const Int3& n) { return 1 + 0.001 * n[2]; };
  solver.velocity = [](const Int3& n) { return Real3{0.01 * n[0], 0.02, -0.01 * n[1]}; };
  const auto pressure = evaluate(solver, water(), "pressure");
  ASSERT_EQ(pressure.size(), 8u * 6 * 10);
  for (const Value& v : pressure) {  // 1000 kg/m3 * (10 m/s)^2 / 3 * 0.001 a node
    ASSERT_NEAR(v.value[0], 1e5 / 3 * 0.001 * v.sample.node[2], 1e-4);
  }
  for (const Value& v : evaluate(solver, water(), "density")) ASSERT_NEAR(v.value[0], 1000 + v.sample.node[2], 1e-3);
  for (const Value& v : evaluate(solver, water(), "velocity")) {
    ASSERT_NEAR(v.value[0], 0.1 * v.sample.node[0], 1e-6);
    ASSERT_NEAR(v.value[1], 0.2, 1e-6);
    ASSERT_NEAR(v.value[2], -0.1 * v.sample.node[1], 1e-6);
  }
}

TEST(Fields, UnitsOfFields) {
  EXPECT_EQ(find_field("pressure", water()).unit, "Pa");
  EXPECT_EQ(find_field("pressure", Units{}).unit, "lattice");
}

TEST(Fields, UnknownNameListsTheChoices) {
  const std::vector<Field> extra{make_array_field("average_velocity", 3, "m/s", [](std::uint64_t, double*) {})};
  const std::string message = error_of(ExitCode::input, [&] { find_field("presure", water(), extra); });
  EXPECT_CONTAINS(message, "no field 'presure'");
  EXPECT_CONTAINS(
      message, "pressure, density, velocity, vorticity, strain_rate, viscosity, wall_shear_stress, average_velocity");
  EXPECT_EQ(select_fields({"velocity", "average_velocity", "velocity"}, water(), extra).size(), 2u);
}

/// A quadratic flow with exact second-order differences, also at the walls of a ragged geometry.
TEST(Fields, VorticityIsExactForQuadraticFlow) {
  FakeSolver solver(3, {18, 15, 22}, [](const Int3& n) { return n[0] > 2 || n[1] > 5 || n[2] % 9 > 3; });
  solver.velocity = [](const Int3& n) {
    const double x = n[0], y = n[1], z = n[2];
    return Real3{y * z + z * z, 3 * x * x - y, x * y + 0.5 * y * y};
  };
  for (const Value& v : evaluate(solver, Units{}, "vorticity")) {
    const double x = v.sample.node[0], y = v.sample.node[1], z = v.sample.node[2];
    ASSERT_NEAR(v.value[0], x + y, 1e-4) << x << " " << y << " " << z;
    ASSERT_NEAR(v.value[1], y + 2 * z - y, 1e-4) << x << " " << y << " " << z;
    ASSERT_NEAR(v.value[2], 6 * x - z, 1e-4) << x << " " << y << " " << z;
  }
}

TEST(Fields, VorticityInNarrowPassages) {
  FakeSolver solver(2, {10, 3, 1}, [](const Int3& n) { return n[0] > 7 || n[1] == 1 || (n[0] < 3 && n[1] == 0); });
  solver.velocity = [](const Int3& n) { return Real3{5.0 * n[1], 2.0 * n[0], 0}; };
  for (const Value& v : evaluate(solver, Units{}, "vorticity")) {
    const bool closed = v.sample.node[0] > 2 && v.sample.node[0] < 8;  // one node high: no derivative along y
    ASSERT_NEAR(v.value[2], closed ? 2 : -3, 1e-5) << v.sample.node[0] << " " << v.sample.node[1];
  }
}

/// Differences reach across periodic faces, also when the last tile layer holds a single plane.
TEST(Fields, VorticityAcrossPeriodicFaces) {
  for (const int depth : {2, 3, 5, 8, 9}) {
    FakeSolver solver(3, {6, 7, depth}, everywhere, {true, true, true});
    solver.velocity = [depth](const Int3& n) {
      return Real3{std::sin(2 * M_PI * n[2] / depth), std::sin(2 * M_PI * n[0] / 6), std::sin(2 * M_PI * n[1] / 7)};
    };
    const auto slope = [](int i, int n) { return std::cos(2 * M_PI * i / n) * std::sin(2 * M_PI / n); };
    for (const Value& v : evaluate(solver, Units{}, "vorticity")) {
      ASSERT_NEAR(v.value[0], slope(v.sample.node[1], 7), 1e-6);
      ASSERT_NEAR(v.value[1], slope(v.sample.node[2], depth), 1e-6);
      ASSERT_NEAR(v.value[2], slope(v.sample.node[0], 6), 1e-6);
    }
  }
}

/// One-sided differences read two nodes on: with a wall plane at the seam they cross the periodic face.
TEST(Fields, VorticityNextToAWallAtThePeriodicSeam) {
  for (const int wall : {0, 1, 7, 8}) {
    FakeSolver solver(3, {4, 4, 9}, [wall](const Int3& n) { return n[2] != wall; }, {false, false, true});
    solver.velocity = [wall](const Int3& n) {
      const double d = (n[2] - wall + 9) % 9;
      return Real3{d * d, 0, 0};
    };
    for (const Value& v : evaluate(solver, Units{}, "vorticity")) {
      ASSERT_NEAR(v.value[1], 2.0 * ((v.sample.node[2] - wall + 9) % 9), 1e-5) << wall << " " << v.sample.node[2];
    }
  }
}

/// Vorticity in a domain of several slabs whose last tile layer holds one plane: two nodes on may be two layers away.
TEST(Fields, VorticityAcrossSlabsAndASeam) {
  for (const auto& [width, depth, wall] : {Int3{132, 29, 1}, Int3{180, 17, 14}}) {
    const int half = width / 2;  // the wall covers half of the plane
    const auto is_fluid = [half, wall = wall](const Int3& n) { return n[0] >= half || n[2] != wall; };
    FakeSolver solver(3, {width, width, depth}, is_fluid, {false, false, true});
    solver.velocity = [depth = depth, wall = wall](const Int3& n) {
      const double d = (n[2] - wall + depth) % depth;
      return Real3{d * d, 0, 0};
    };
    const Grid grid = grid_of(solver);
    const Units units;
    const FieldEvaluator evaluator({solver, units, grid}, make_sampling(grid, 1, {}), {});
    ASSERT_EQ(evaluator.slabs().size(), 3u);
    for (const Value& v : evaluate(solver, units, "vorticity")) {
      if (v.sample.node[0] >= half) continue;
      ASSERT_NEAR(v.value[1], 2.0 * ((v.sample.node[2] - wall + depth) % depth), 1e-4) << v.sample.node[2];
    }
  }
}

/// Plane Couette flow along x, shear rate G, wall normal y: Pi_xy = -2 rho cs2 / omega * G/2.
TEST(Fields, StrainRateAndWallShearOfCouetteFlow) {
  const double rate = 0.002, omega = 1.25;
  FakeSolver solver(3, {8, 12, 8}, everywhere, {true, false, true});
  solver.numbers.distributions[0].parameters.omega = omega;
  solver.density = [](const Int3&) { return 1.02; };
  solver.stress = [&](const Int3&) { return std::array<double, 6>{0, 0, 0, -1.02 / 3 / omega * rate, 0, 0}; };
  for (const Value& v : evaluate(solver, water(), "strain_rate")) ASSERT_NEAR(v.value[0], rate / 1e-5, 1e-3);
  const double viscosity = (1 / omega - 0.5) / 3;
  const double shear = 1.02 * viscosity * rate * 1000 * 100;  // density * (dx/dt)^2
  for (const Value& v : evaluate(solver, water(), "wall_shear_stress")) {
    const bool at_wall = v.sample.node[1] == 0 || v.sample.node[1] == 11;
    ASSERT_NEAR(v.value[0], at_wall ? shear : 0, 1e-6 * shear);
  }
  solver.numbers.distributions[0].equilibrium = &facts_of_equilibrium("incompressible");
  for (const Value& v : evaluate(solver, water(), "strain_rate")) ASSERT_NEAR(v.value[0], 1.02 * rate / 1e-5, 1e-3);
}

/// Not that of a node, nor that of a wall beside it: of the place of the wall that is next.
TEST(Fields, WallShearIsThatOfTheWallsNearestPoint) {
  FakeSolver solver(2, {16, 12, 1}, everywhere);
  const auto at_floor = [&](double along, double up) {
    solver.stress = [=](const Int3& n) {
      return std::array<double, 6>{0, 0, 0, 1 + along * (n[0] - 8) + up * (n[1] + 0.5), 0, 0};
    };
    for (const Value& v : evaluate(solver, Units{}, "wall_shear_stress"))
      if (v.sample.node == Int3{8, 0, 0}) return v.value[0];
    return 0.0f;
  };
  const float even = at_floor(0, 0);
  EXPECT_GT(even, 0.1);
  EXPECT_NEAR(at_floor(0.1, 0) / even, 1, 1e-3);
  EXPECT_NEAR(at_floor(0, 0.1) / even, 1, 1e-3);
}

/// Stresses in a mirror are those of the mirrored flow, around walls in all directions. Where several walls are equally
/// near, one of them counts: not compared.
TEST(Fields, WallShearKnowsNoAxis) {
  constexpr int edge = 15;
  FakeSolver solver(3, {edge, edge, edge},
                    [](const Int3& n) {
                      const Int3 d = {n[0] - 7, n[1] - 7, n[2] - 7};
                      return d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > 10;
                    },
                    {true, true, true});
  const auto nearest_walls = [&](const Int3& n) {
    std::array<int, 4> count{};  // by length of the step
    for (int k = 0; k < 27; ++k) {
      const Int3 step{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1}, x{n[0] + step[0], n[1] + step[1], n[2] + step[2]};
      if (!solver.shape.nodes.is_fluid(x)) ++count[std::abs(step[0]) + std::abs(step[1]) + std::abs(step[2])];
    }
    return count[1] > 0 ? count[1] : count[2];
  };
  const auto shear = [](const Int3& n) { return 1 + 0.1 * n[0] - 0.02 * n[1] * n[1] + 0.003 * n[0] * n[1] * n[2]; };
  const auto values = [&](int mirrored) {
    solver.stress = [=](Int3 n) {
      if (mirrored >= 0) n[mirrored] = edge - 1 - n[mirrored];
      const double sign = mirrored == 0 || mirrored == 1 ? -1 : 1;
      return std::array<double, 6>{0, 0, 0, sign * shear(n), 0, 0};
    };
    std::map<Int3, float> result;
    for (const Value& v : evaluate(solver, Units{}, "wall_shear_stress")) result[v.sample.node] = v.value[0];
    return result;
  };
  const auto plain = values(-1);
  for (int axis = 0; axis < 3; ++axis) {
    std::size_t compared = 0;
    for (const auto& [n, value] : values(axis)) {
      if (nearest_walls(n) > 1) continue;
      Int3 there = n;
      there[axis] = edge - 1 - n[axis];
      ASSERT_NEAR(value, plain.at(there), 1e-4 * (1 + std::abs(value)))
          << axis << ": " << n[0] << " " << n[1] << " " << n[2];
      compared += value != 0;
    }
    EXPECT_GT(compared, 20u);
  }
}

TEST(Fields, WallShearLeavesOutNormalStressAndOpenings) {
  FakeSolver solver(2, {16, 8, 1}, everywhere);
  solver.stress = [](const Int3&) { return std::array<double, 6>{0.3, 0.2, 0, 0, 0, 0}; };
  solver.shape.openings.push_back({"in", surface_id::x_min, {}, {}, 0, {}});
  solver.shape.surface_of = [](const Int3& node, const Int3& offset) {
    return node[0] + offset[0] < 0 ? surface_id::x_min : surface_id::wall;
  };
  for (const Value& v : evaluate(solver, Units{}, "wall_shear_stress")) {
    const bool corner = v.sample.node[1] == 0 || v.sample.node[1] == 7;
    if (!corner || (v.sample.node[0] > 0 && v.sample.node[0] < 15)) {
      ASSERT_NEAR(v.value[0], 0, 1e-7);
    }
  }
  solver.stress = [](const Int3&) { return std::array<double, 6>{0, 0, 0, 0.5, 0, 0}; };
  for (const Value& v : evaluate(solver, Units{}, "wall_shear_stress")) {
    const Int3& n = v.sample.node;
    const bool wall = n[1] == 0 || n[1] == 7 || n[0] == 15;
    if (n[0] == 15 && (n[1] == 0 || n[1] == 7)) continue;  // in a corner the normal is diagonal: no shear on it
    ASSERT_EQ(v.value[0] > 0.1, wall) << n[0] << " " << n[1];
  }
}

TEST(Sampling, RegionAndStride) {
  const Grid grid{3, {20, 10, 8}, {}, {1, 0, -1}, 0.5};
  const Sampling all = make_sampling(grid, 1, {});
  EXPECT_EQ(all.count, grid.size);
  EXPECT_EQ(all.origin, grid.origin);
  const Sampling part = make_sampling(grid, 3, std::array<Real3, 2>{Real3{2, 1, -1}, Real3{6, 9, 9}});
  EXPECT_EQ(part.first, (Int3{3, 3, 1}));  // nodes 2..9, 2..9, 0..7; the middle node of each block of three
  EXPECT_EQ(part.count, (Int3{3, 3, 3}));
  EXPECT_EQ(part.origin, (Real3{2, 1, -1}));
  EXPECT_EQ(part.spacing, (Real3{1.5, 1.5, 1.5}));
  for (int axis = 0; axis < 3; ++axis) {  // cell centres are node centres
    const Int3 node = part.node({1, 1, 1});
    EXPECT_DOUBLE_EQ(part.origin[axis] + 1.5 * part.spacing[axis], grid.origin[axis] + (node[axis] + 0.5) * 0.5);
  }
  Int3 sample{};
  EXPECT_TRUE(part.find({6, 9, 4}, sample));
  EXPECT_EQ(sample, (Int3{1, 2, 1}));
  EXPECT_FALSE(part.find({12, 3, 1}, sample));
  EXPECT_FALSE(part.find({4, 3, 1}, sample));
  EXPECT_EQ(make_sampling(grid, 100, {}).count, (Int3{1, 1, 1}));
}

TEST(Sampling, BadInput) {
  const Grid grid{3, {20, 10, 8}, {}, {}, 0.5};
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { make_sampling(grid, 0, {}); }), "output.stride = 0");
  const std::string empty = error_of(ExitCode::input, [&] {
    make_sampling(grid, 1, std::array<Real3, 2>{Real3{0, 20, 0}, Real3{9, 30, 9}});
  });
  EXPECT_CONTAINS(empty, "output.region: [20, 30] along y holds no node; the box spans [0, 5]");
  const double nan = std::nan("");
  EXPECT_NE(error_of(ExitCode::input,
                     [&] {
                       make_sampling(grid, 1, std::array<Real3, 2>{Real3{nan, 0, 0}, Real3{nan, 1, 1}});
                     }),
            "");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { make_plane_sampling(grid, 0, 11.0, 1); }),
                  "position = 11 is outside the box, which spans [0, 10] along x");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { make_plane_sampling(grid, 3, {}, 1); }), "axis = 3");
}

/// Every sample is met once, whatever the slabs.
TEST(Sampling, SlabsCoverEverySampleOnce) {
  FakeSolver solver(3, {70, 65, 70}, [](const Int3& n) { return (n[0] + n[1] + n[2]) % 5 != 0; });
  for (const int stride : {1, 2, 3, 7, 40}) {
    const Grid grid = grid_of(solver);
    const Sampling sampling = make_sampling(grid, stride, {});
    std::uint64_t expected = 0;
    for (int z = 0; z < sampling.count[2]; ++z) {
      for (int y = 0; y < sampling.count[1]; ++y) {
        for (int x = 0; x < sampling.count[0]; ++x) expected += solver.shape.nodes.is_fluid(sampling.node({x, y, z}));
      }
    }
    const Field index = make_array_field("index", 1, "", [](std::uint64_t i, double* out) { out[0] = double(i); });
    const auto values = evaluate(solver, Units{}, grid, sampling, index);
    ASSERT_EQ(values.size(), expected) << stride;
    for (std::size_t i = 0; i < values.size(); ++i) {
      ASSERT_EQ(values[i].sample.index,
                static_cast<std::uint64_t>(solver.shape.nodes.node_index(values[i].sample.node)));
      ASSERT_EQ(values[i].value[0], static_cast<float>(values[i].sample.index));
      if (i > 0) {
        ASSERT_LT(values[i - 1].sample.index, values[i].sample.index);
      }
    }
  }
}

/// Fields have their names in three lists: here, in case files, in pages of `fluvia report`.
TEST(Fields, HaveTheSameNamesEverywhere) {
  std::vector<std::string> expected = field_names(), asked = names::fields, shown = names::slice_fields;
  for (const std::string& name : field_names()) expected.push_back("average_" + name);
  for (std::vector<std::string>* list : {&expected, &asked, &shown}) std::sort(list->begin(), list->end());
  EXPECT_EQ(asked, expected);
  const std::string pages = read_text(FLUVIA_SOURCE_DIR "/python/fluvia/_report/fields.py");
  for (const std::string& name : field_names()) {
    const Field field = find_field(name, water());
    EXPECT_CONTAINS(pages, '"' + name + "\": \"" + field.unit + '"');
    for (const char* component : {"", "_x", "_y", "_z"}) {
      const bool exists = *component == '\0' || field.components == 3;
      EXPECT_EQ(std::binary_search(shown.begin(), shown.end(), name + component), exists) << name << component;
    }
  }
}

}  // namespace
}  // namespace fluvia::test
