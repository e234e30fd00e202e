// SPDX-License-Identifier: Apache-2.0
// Lines and planes through a flow: which points they have, and what is found there.
#include "fluvia/output/sections.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "fluvia/core/lattice/lattice.hpp"
#include "output/fake_solver.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// Two channels along x, 6 and 4 nodes wide, with a wall of two nodes between them.
bool channels(const Int3& x) {
  return x[1] < 6 || x[1] >= 8;
}

constexpr double dx = 0.5;
const Real3 origin = {10, -3, 2};

struct Flow {
  explicit Flow(const Int3& size = {20, 12, 9}, const std::function<bool(const Int3&)>& fluid = channels,
                const Bool3& periodic = {})
      : solver(size[2] == 1 ? 2 : 3, size, fluid, periodic), grid(grid_of(solver, dx, origin)) {
    units.spacing = dx;
    solver.velocity = [](const Int3& x) { return Real3{0.01 * (x[0] + 0.5), 0.02 * (x[1] + 0.5), 0.03}; };
    solver.density = [](const Int3& x) { return 1 + 0.003 * (x[1] + 0.5); };
  }
  [[nodiscard]] OutputContext output() const { return {solver, units, grid}; }
  FakeSolver solver;
  Grid grid;
  Units units;
};

std::optional<Real3> at_rest(int, const Real3&) {
  return Real3{};
}

TEST(PointValues, AreLinearBetweenNodes) {
  const Flow flow;
  const std::vector<Real3> points = {{12.3, -1.1, 4.2}, {15, -0.9, 3.3}, {15, 0.6, 3.3}, {9.9, -1.1, 4.2}};
  const PointValues values(flow.solver.shape.nodes, flow.grid, points);
  EXPECT_TRUE(values.in_fluid(0));
  EXPECT_TRUE(values.in_fluid(1));
  EXPECT_FALSE(values.in_fluid(2)) << "in the wall";
  EXPECT_FALSE(values.in_fluid(3)) << "outside of the box";
  EXPECT_EQ(values.count_in_fluid(), 2u);
  const auto numbers = values.evaluate(flow.output(), select_fields({"velocity", "pressure"}, flow.units));
  for (const std::size_t point : {0u, 1u}) {
    const Real3 place = (1 / dx) * (points[point] - origin);
    EXPECT_NEAR(numbers[0][3 * point], dx * 0.01 * place[0], 1e-8);
    EXPECT_NEAR(numbers[0][3 * point + 1], dx * 0.02 * place[1], 1e-8);
    EXPECT_NEAR(numbers[0][3 * point + 2], dx * 0.03, 1e-8);
    EXPECT_NEAR(numbers[1][point], flow.units.si_pressure(core::sound_speed_squared * 0.003 * place[1]), 1e-8);
  }
  for (const std::size_t k : {6u, 7u, 8u, 9u}) EXPECT_TRUE(std::isnan(numbers[0][k]));
  EXPECT_TRUE(std::isnan(numbers[1][2]));
}

/// Beside a wall, and at the end of the box, only nodes in the fluid count; across a periodic face those behind it.
TEST(PointValues, TakeOnlyNodesThatAreThere) {
  const auto velocity_at = [](const Flow& flow, const Real3& point) {
    const PointValues values(flow.solver.shape.nodes, flow.grid, {point});
    return values.evaluate(flow.output(), select_fields({"velocity"}, flow.units))[0];
  };
  const Flow flow;
  EXPECT_NEAR(velocity_at(flow, {12.25, -0.05, 4.25})[1], dx * 0.02 * 5.5, 1e-8);
  EXPECT_NEAR(velocity_at(flow, {10.1, -1.25, 4.25})[0], dx * 0.01 * 0.5, 1e-8);
  const Flow periodic({20, 12, 9}, channels, {true, false, false});
  EXPECT_NEAR(velocity_at(periodic, {10.1, -1.25, 4.25})[0], dx * 0.01 * (0.7 * 0.5 + 0.3 * 19.5), 1e-8);
}

TEST(Sections, LinesHaveOnePointANodeOrAsManyAsAsked) {
  const Flow flow;
  Case::Line line{"a", {10.25, -1, 4}, {14.25, -1, 4}, 0};
  EXPECT_EQ(points_of(line, flow.grid).size(), 9u);
  line.points = 5;
  const std::vector<Real3> points = points_of(line, flow.grid);
  ASSERT_EQ(points.size(), 5u);
  EXPECT_EQ(points[0], line.from);
  EXPECT_EQ(points[1], (Real3{11.25, -1, 4}));
  EXPECT_EQ(points[4], line.to);
  EXPECT_EQ(error_of(ExitCode::input, [&] { check_section(line, flow.grid, flow.solver.shape.nodes, "here"); }), "");
  line.from[1] = line.to[1] = 0.5;
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { check_section(line, flow.grid, flow.solver.shape.nodes, "here"); }),
                  "here: line 'a': no point of it is in the fluid");
}

TEST(Sections, PlanesAreOfOneVesselOrOfAll) {
  const Flow flow;
  const NodeMap& nodes = flow.solver.shape.nodes;
  Case::Plane plane{"p", {14.1, -1.4, 4.3}, {2, 0, 0}, 0, true};
  EXPECT_EQ(points_of(plane, flow.grid, nodes).size(), 6u * 9u);
  for (const Real3& x : points_of(plane, flow.grid, nodes)) {
    EXPECT_NEAR(x[0], 14.1, 1e-12);
    const double y = (x[1] - origin[1]) / dx - 0.5, z = (x[2] - origin[2]) / dx - 0.5;
    EXPECT_NEAR(y, std::round(y), 1e-9) << "middles of nodes";
    EXPECT_NEAR(z, std::round(z), 1e-9);
  }
  plane.connected = false;
  EXPECT_EQ(points_of(plane, flow.grid, nodes).size(), 10u * 9u);
  plane.center = {14.1, -1.25, 4.25};
  plane.radius = 2 * dx + 1e-9;  // points up to two nodes away
  EXPECT_EQ(points_of(plane, flow.grid, nodes).size(), 13u);
  plane = {"p", {14.1, 0.5, 4.3}, {1, 0, 0}, 0, true};
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { check_section(plane, flow.grid, nodes, "here"); }),
                  "here: plane 'p': its centre is not in the fluid");
  plane.connected = false;
  EXPECT_EQ(error_of(ExitCode::input, [&] { check_section(plane, flow.grid, nodes, "here"); }), "");
  plane.center[0] = 9;
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { check_section(plane, flow.grid, nodes, "here"); }),
                  "no point of it is in the fluid");
}

/// At 45 degrees the cut through a channel is longer by the square root of two; in 2D a plane is a line.
TEST(Sections, ObliquePlanesHaveTheirArea) {
  const Flow flow({60, 12, 9});
  const Case::Plane oblique{"p", {24.9, -1.4, 4.3}, {1, 1, 0}, 0, true};
  const double area = static_cast<double>(points_of(oblique, flow.grid, flow.solver.shape.nodes).size());
  EXPECT_NEAR(area, 6 * 9 * std::sqrt(2.0), 9 + 1e-9);
  const Flow flat({60, 12, 1});
  for (const Real3 normal : {Real3{1, 0, 0}, Real3{1, 1, 0}, Real3{0, 1, 0}}) {
    const Case::Plane cut{"p", {24.9, -1.4, 0}, normal, 0, true};
    const double expected = normal[0] == 0 ? 60 : 6 * norm(normal);
    EXPECT_NEAR(static_cast<double>(points_of(cut, flat.grid, flat.solver.shape.nodes).size()), expected, 1);
  }
}

TEST(Sections, TablesHaveAPlaceAndTheFieldsInEachRow) {
  const Flow flow;
  const TemporaryFolder folder;
  Case::Output wanted;
  wanted.fields = {"pressure", "velocity"};
  wanted.lines = {{"across", {14.25, -2.75, 4.25}, {14.25, 2.75, 4.25}, 0}};
  wanted.planes = {{"cut", {14.1, -1.4, 4.3}, {1, 0, 0}, 0, true}};
  const auto files = write_sections(flow.output(), wanted, [](const OutputContext&) { return at_rest; }, folder.path(),
                                    "-000000007", {});
  EXPECT_EQ(names_in(folder.path()), "line-across-000000007.csv plane-cut-000000007.csv");
  ASSERT_EQ(files.size(), 2u);
  std::istringstream text(content_of(files[0]));
  std::string row;
  std::getline(text, row);
  EXPECT_EQ(row,
            "distance [lattice],x [lattice],y [lattice],z [lattice],pressure [lattice],velocity_x [lattice],velocity_y "
            "[lattice],velocity_z [lattice]");
  std::vector<std::string> rows;
  while (std::getline(text, row)) rows.push_back(row);
  ASSERT_EQ(rows.size(), 14u) << "12, and two on the wall between the channels";
  EXPECT_EQ(rows[0].substr(0, 19), "0,14.25,-2.75,4.25,");
  EXPECT_EQ(rows[2].substr(0, 19), "1,14.25,-1.75,4.25,");
  double distance = 0, x = 0, y = 0, z = 0, pressure = 0, u = 0;
  const auto read = [&](std::size_t row_number) {
    ASSERT_EQ(std::sscanf(rows[row_number].c_str(), "%lf,%lf,%lf,%lf,%lf,%lf", &distance, &x, &y, &z, &pressure, &u),
              6);
  };
  // On the wall: its velocity, and what the pressure of the nodes grows to.
  for (const std::size_t on_wall : {6u, 9u}) {
    read(on_wall);
    EXPECT_NEAR(y, on_wall == 6 ? 0 : 1, 1e-12);
    EXPECT_NEAR(distance, y + 2.75, 1e-12);
    EXPECT_EQ(u, 0);
    EXPECT_NEAR(pressure, flow.units.si_pressure(0.003 * (on_wall == 6 ? 6 : 8) / 3), 1e-7);
  }
  ASSERT_EQ(std::sscanf(rows[7].c_str(), "%lf,%lf,%lf,%lf", &distance, &x, &y, &z), 4);
  EXPECT_NEAR(y, 0.25, 1e-15);  // processors that multiply and add at once differ in the last digit
  EXPECT_EQ(rows[7].substr(rows[7].size() - 21), ",4.25,nan,nan,nan,nan");
  read(11);
  EXPECT_NEAR(u, dx * 0.01 * 8.5, 1e-8);
  EXPECT_NEAR(pressure, flow.units.si_pressure(0.003 * 9.5 / 3), 1e-7);
  const std::string plane = content_of(files[1]);
  EXPECT_EQ(std::count(plane.begin(), plane.end(), '\n'), 1 + 6 * 9);
  EXPECT_EQ(plane.substr(0, 12), "x [lattice],");
}

}  // namespace
}  // namespace fluvia::test
