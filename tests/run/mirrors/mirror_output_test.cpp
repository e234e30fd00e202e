// SPDX-License-Identifier: Apache-2.0
// What is found out of half a flow beside a plane of symmetry is that of the whole: no wall is seen in the plane, and
// what is fitted near it sees the other half.
#include <gtest/gtest.h>

#include <cmath>

#include "fluvia/case/case.hpp"
#include "fluvia/output/sections.hpp"
#include "fluvia/output/walls/wall_mesh.hpp"
#include "fluvia/output/walls/wall_stress.hpp"
#include "fluvia/run/monitors/plane_flow_rate.hpp"
#include "fluvia/run/monitors/surface_integrals.hpp"
#include "fluvia/run/monitors/wall_resolution.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "reference/scene.hpp"

namespace fluvia::test {
namespace {

/// A ball in a duct, or its half above y = 0.
Case ball_in_duct(bool half, const std::string& method) {
  return parse_case(std::string("[units]\ntau = 0.7\n[domain]\nnodes = [18, ") + (half ? "7" : "14") +
                        ", 11]\norigin = [0, " + (half ? "0" : "-7") +
                        ", 0]\nperiodic = [true, false, false]\n[physics]\nacceleration = [1e-4, 0, 2e-5]\n"
                        "[[geometry.shape]]\nname = \"ball\"\nkind = \"sphere\"\ncenter = [7.3, 0, 5.2]\nradius = 2.7\n"
                        "[numerics]\ndevice = \"cpu\"\nformat = \"fp64\"\ncollision = \"trt\"\nthreads = 1\n"
                        "[run]\nsteps = 50\n[walls]\nmethod = \"" +
                        method + "\"\n" + (half ? "[[boundary]]\nsurface = \"y_min\"\ntype = \"symmetry\"\n" : ""),
                    "duct.toml");
}

struct Halves {
  explicit Halves(const std::string& method) : cases{ball_in_duct(false, method), ball_in_duct(true, method)} {
    for (PreparedFlow* flow : {&whole, &half}) {
      flow->build();
      flow->make_solver();
      flow->solver().step(50);
    }
  }
  static OutputContext output(const PreparedFlow& flow) { return {flow.seen(), flow.units(), flow.grid()}; }
  std::array<Case, 2> cases;
  PreparedFlow whole{cases[0], {}}, half{cases[1], {}};
};

std::vector<float> values_of(const OutputContext& output, const std::string& field) {
  FieldEvaluator evaluator(output, make_sampling(output.grid, 1, {}), {find_field(field, output.units)});
  std::vector<float> all, some;
  for (const auto& slab : evaluator.slabs()) {
    evaluator.load(slab);
    evaluator.evaluate(0, some);
    all.insert(all.end(), some.begin(), some.end());
  }
  return all;
}

TEST(MirrorOutput, HalfOfTheWallIsSeen) {
  for (const char* method : {"half-way", "interpolated"}) {
    SCOPED_TRACE(method);
    const Case whole = ball_in_duct(false, method), half = ball_in_duct(true, method);
    const Geometry all = build_geometry(whole, make_grid(whole)), part = build_geometry(half, make_grid(half));
    EXPECT_EQ(all.report.boundary_nodes, 2 * part.report.boundary_nodes);
    const WallMesh mesh = make_wall_mesh(all), cut = make_wall_mesh(part);
    EXPECT_EQ(mesh.patches.size(), 2 * cut.patches.size());
    double lowest = 1;
    for (const Real3& point : cut.points) lowest = std::min(lowest, point[1]);
    EXPECT_NEAR(lowest, 0, 1e-12) << "it ends in the plane";
    for (const WallMesh::Patch& patch : cut.patches) EXPECT_GT(patch.point[1], 0.4) << "none lies in the plane";
  }
}

TEST(MirrorOutput, StressAtWallsIsThatOfTheWhole) {
  for (const char* method : {"half-way", "interpolated"}) {
    SCOPED_TRACE(method);
    const Halves flows(method);
    const OutputContext whole = Halves::output(flows.whole), half = Halves::output(flows.half);
    const std::vector<float> all = values_of(whole, "wall_shear_stress"), some = values_of(half, "wall_shear_stress");
    const float largest = *std::max_element(all.begin(), all.end());
    const NodeMap &nodes = whole.state.geometry().nodes, &cut = half.state.geometry().nodes;
    scene::for_each_fluid_node(cut, [&](const Int3& x, std::uint64_t n) {
      const std::int64_t m = nodes.node_index({x[0], x[1] + cut.size[1], x[2]});
      ASSERT_GE(m, 0);
      ASSERT_NEAR(some[n], all[static_cast<std::size_t>(m)], 1e-6 * largest) << x[0] << ' ' << x[1] << ' ' << x[2];
    });
    const auto a = resolve_walls(flows.cases[0], whole), b = resolve_walls(flows.cases[1], half);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->nodes, 2 * b->nodes);
    EXPECT_NEAR(a->mean_y_plus, b->mean_y_plus, 1e-6 * a->mean_y_plus);
  }
}

TEST(MirrorOutput, LoadsOfTheWallMeshAreThoseOfTheWhole) {
  const Halves flows("interpolated");
  const auto sums_of = [](const PreparedFlow& flow) {
    const Geometry& geometry = flow.seen().geometry();
    const WallMesh mesh = make_wall_mesh(geometry);
    const WallStress stress(geometry, mesh);
    EXPECT_EQ(stress.bytes(), WallStress::planned_bytes(geometry, mesh));
    std::array<double, 3> sums{};
    for (const WallLoad& load : stress.evaluate(flow.seen())) {
      sums[0] += load.shear[0];
      sums[1] += norm(load.shear);
      sums[2] += load.pressure;
    }
    return sums;
  };
  const auto all = sums_of(flows.whole), some = sums_of(flows.half);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(2 * some[k], all[k], 1e-6 * (std::abs(all[k]) + all[1])) << k;
}

/// Largest difference of two tables, and the largest number; where one has none the other has none.
std::array<double, 2> compare(const std::vector<double>& a, const std::vector<double>& b) {
  std::array<double, 2> result{};
  EXPECT_EQ(a.size(), b.size());
  for (std::size_t k = 0; k < std::min(a.size(), b.size()); ++k) {
    EXPECT_EQ(std::isnan(a[k]), std::isnan(b[k])) << k;
    if (std::isnan(a[k])) continue;
    result = {std::max(result[0], std::abs(a[k] - b[k])), std::max(result[1], std::abs(a[k]))};
  }
  return result;
}

/// Between the plane and the first nodes, in it, at the ball and at walls: what lines and planes have is what they have
/// in the whole, since the nodes around are there, as mirror images.
TEST(MirrorOutput, LinesAndPlanesAreThoseOfTheWhole) {
  for (const char* method : {"half-way", "interpolated"}) {
    const Halves flows(method);
    const OutputContext whole = Halves::output(flows.whole), half = Halves::output(flows.half);
    const std::vector<std::string> names = {"velocity", "pressure", "vorticity", "wall_shear_stress"};
    const std::vector<Field> fields = select_fields(names, whole.units);
    const Geometry &all = whole.state.geometry(), &part = half.state.geometry();
    const auto walls_of = [&](const PreparedFlow& flow, std::size_t k) {
      return wall_velocities({flows.cases[k], flow.units(), flow.seen().geometry()}, 0);
    };
    const LineValues long_lines(whole, walls_of(flows.whole, 0)), short_lines(half, walls_of(flows.half, 1));
    for (const auto& [from, to] : std::vector<std::pair<Real3, Real3>>{{{1, 0, 5}, {17, 0, 5}},
                                                                       {{12.2, 0.1, 0}, {12.2, 0.1, 11}},
                                                                       {{12.7, 0.3, 0}, {3.1, 0.2, 11}},
                                                                       {{7.3, 0.4, 0}, {7.3, 0.05, 11}},
                                                                       {{13.4, 0, 6}, {13.4, 7, 6}}}) {
      const Case::Line line{"a", from, to, 41};
      const LineValues::Table a = long_lines.evaluate(line, fields), b = short_lines.evaluate(line, fields);
      ASSERT_EQ(a.points.size(), b.points.size()) << method;
      for (std::size_t f = 0; f < names.size(); ++f) {
        const auto [difference, largest] = compare(a.values[f], b.values[f]);
        EXPECT_LT(difference, 2e-6 * largest) << method << ' ' << names[f] << ' ' << from[0];
        EXPECT_GT(largest, 0) << names[f];
      }
    }
    const Case::Plane plane{"b", {12, 0.7, 5.2}, {0.1, 1, 0.05}, 0, false};
    const std::vector<Real3> points = points_of(plane, half.grid, part.nodes);
    const auto a = PointValues(all.nodes, whole.grid, points).evaluate(whole, fields);
    const auto b = PointValues(part.nodes, half.grid, points).evaluate(half, fields);
    for (std::size_t f = 0; f < names.size(); ++f) {
      const auto [difference, largest] = compare(a[f], b[f]);
      EXPECT_LT(difference, 2e-6 * largest) << method << ' ' << names[f];
    }
    // What crosses it, of the momentum of the whole; a mean of products is not the product of means.
    const Real3 normal = (1 / norm(plane.normal)) * plane.normal;
    double flow = 0;
    for (std::size_t k = 0; k < points.size(); ++k)
      flow += (1 + 3 * a[1][k]) * dot(Real3{a[0][3 * k], a[0][3 * k + 1], a[0][3 * k + 2]}, normal);
    const double measured =
        PlaneFlowRate(plane, {flows.cases[1], flows.half.units(), part}).measure(flows.half.solver()).flow_rate;
    EXPECT_NEAR(measured / flow, 1, 2e-5) << method;
  }
}

TEST(MirrorOutput, PartsOfForcesAreHalfOfTheWhole) {
  const Halves flows("half-way");
  const auto parts_of = [](const PreparedFlow& flow) {
    return SurfaceIntegrals(flow.solver(), {surface_id::first_named}).evaluate().front();
  };
  const ForceParts all = parts_of(flows.whole), some = parts_of(flows.half);
  for (const int axis : {0, 2}) {
    EXPECT_NEAR(2 * some.viscous[axis], all.viscous[axis], 1e-11 * norm(all.viscous));
    EXPECT_NEAR(2 * some.pressure[axis], all.pressure[axis], 1e-11 * norm(all.pressure));
  }
  EXPECT_GT(norm(all.viscous), 1e-4);
}

}  // namespace
}  // namespace fluvia::test
