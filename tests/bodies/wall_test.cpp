// SPDX-License-Identifier: Apache-2.0
// Surfaces of bodies as they are written: where they are, and what acts on them there.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/output/pictures/slice_picture.hpp"
#include "fluvia/output/walls/body_mesh.hpp"
#include "fluvia/output/walls/wall_stress.hpp"
#include "fluvia/solver/links/surface_roles.hpp"
#include "fluvia/units/units.hpp"

namespace {

using fluvia::Case;
using fluvia::cross;
using fluvia::dot;
using fluvia::norm;
using fluvia::operator+;
using fluvia::operator-;
using fluvia::operator*;
using fluvia::Real3;
using fluvia::WallMesh;

Case::Shape wall_shape(const std::string& kind, const Real3& center, double radius) {
  Case::Shape shape;
  shape.name = "body";
  shape.kind = kind;
  shape.center = center;
  shape.radius = radius;
  return shape;
}

Case wall_case(const std::vector<Case::Shape>& shapes) {
  Case c;
  c.domain.nodes = {40, 32, 32};
  c.domain.periodic = {true, true, true};
  c.units.tau = 0.9;
  c.numerics.lattice = "D3Q19";
  c.numerics.scheme = "pull";
  c.numerics.format = "fp64";
  c.numerics.device = "cpu";
  c.geometry.shapes = shapes;
  c.bodies.resize(1);
  c.bodies[0].surface = "body";
  return c;
}

struct WallMeasure {
  double area = 0, volume = 0;
};

/// By the divergence of the place: normals lead out of the fluid.
WallMeasure measure_walls(const WallMesh& mesh) {
  WallMeasure sum;
  for (const WallMesh::Patch& patch : mesh.patches) {
    const auto corner = [&](std::size_t k) { return mesh.points[patch.rim[k]]; };
    const Real3 twice = patch.is_triangle() ? cross(corner(1) - corner(0), corner(2) - corner(0))
                                            : cross(corner(2) - corner(0), corner(3) - corner(1));
    EXPECT_GT(dot(twice, patch.normal), 0.9 * norm(twice));
    sum.area += 0.5 * norm(twice);
    sum.volume -= dot(patch.point, 0.5 * twice) / 3;
  }
  return sum;
}

WallMesh wall_mesh_of(const Case& c) {
  return fluvia::make_body_mesh(c, fluvia::make_grid(c), "body", 7);
}

TEST(BodyWalls, HaveAreaAndVolumeOfShapes) {
  constexpr double pi = std::numbers::pi;
  const Real3 middle{20, 16, 16};
  const auto expect = [&](const Case::Shape& shape, double area, double volume, double error) {
    const WallMeasure m = measure_walls(wall_mesh_of(wall_case({shape})));
    EXPECT_NEAR(m.area, area, error * area) << shape.kind;
    EXPECT_NEAR(m.volume, volume, error * volume) << shape.kind;
  };
  expect(wall_shape("sphere", middle, 8), 4 * pi * 64, 4 * pi / 3 * 512, 0.01);
  Case::Shape box = wall_shape("box", middle, 0);
  box.size = {12.3, 0.5, 7};
  expect(box, 2 * (12.3 * 0.5 + 12.3 * 7 + 0.5 * 7), 12.3 * 0.5 * 7, 1e-9);
  Case::Shape rod = wall_shape("cylinder", {}, 4);
  rod.from = {10, 10, 12};
  rod.to = {18, 19, 24};
  const double length = 17;
  expect(rod, 2 * pi * 4 * (length + 4), pi * 16 * length, 0.02);
  rod.kind = "capsule";
  expect(rod, 2 * pi * 4 * length + 4 * pi * 16, pi * 16 * length + 4 * pi / 3 * 64, 0.02);
}

/// What lies within another shape is left out, to the size of a patch.
TEST(BodyWalls, LeaveOutWhatLiesWithin) {
  Case::Shape box = wall_shape("box", {20, 16, 16}, 0), arm = box;
  box.size = {8, 8, 8};
  arm.size = {20, 2, 2};
  const WallMeasure m = measure_walls(wall_mesh_of(wall_case({box, arm})));
  EXPECT_NEAR(m.area, 6 * 64 + 2 * 6 * 8 + 2 * 4 - 2 * 4, 1e-9);
  EXPECT_NEAR(m.volume, 8 * 8 * 8 + 2 * 6 * 4, 1e-9);
}

/// Pressure and friction on a mesh, summed over it.
Real3 force_on(const WallMesh& mesh, const std::vector<fluvia::WallLoad>& loads, int surface) {
  Real3 force{};
  for (std::size_t p = 0; p < loads.size(); ++p) {
    const WallMesh::Patch& patch = mesh.patches[p];
    if (patch.surface != surface) continue;
    const auto corner = [&](std::size_t i) { return mesh.points[patch.rim[i]]; };
    const double area = 0.5 * norm(patch.is_triangle() ? cross(corner(1) - corner(0), corner(2) - corner(0))
                                                       : cross(corner(2) - corner(0), corner(3) - corner(1)));
    force = force + area * (loads[p].pressure * patch.normal + loads[p].shear);
  }
  return force;
}

struct WallFlow {
  explicit WallFlow(const Case& c)
      : grid(fluvia::make_grid(c)),
        units(fluvia::make_units(c, grid.spacing)),
        solver(fluvia::make_solver({c, units, fluvia::build_geometry(c, grid)})),
        surface(fluvia::find_surface(solver->geometry(), "body")) {}
  fluvia::Grid grid;
  fluvia::Units units;
  std::unique_ptr<fluvia::Solver> solver;
  int surface;
};

/// What acts on a sphere that moves, turns and goes over a periodic face is what acts on a wall at rest that the fluid
/// comes to with the opposite velocity, and is extrapolated by the same rule: 4% more at ten nodes across.
TEST(BodyWalls, CarryTheForceOfWallsAtRest) {
  const Real3 velocity{0.03, 0.006, 0}, center{30, 16.3, 15.8};
  Case c = wall_case({wall_shape("sphere", center, 5)});
  c.bodies[0].motion.center = center;
  c.bodies[0].motion.velocity = velocity;
  c.bodies[0].motion.angular_velocity = {1e-6, 0, 0};
  Case still = c;
  still.bodies.clear();
  still.walls.method = "interpolated";
  still.physics.initial_velocity = -1.0 * velocity;
  WallFlow moved(c), held(still);
  Real3 on_body{}, on_wall{};
  const WallMesh at_rest = wall_mesh_of(c), of_wall = fluvia::make_wall_mesh(held.solver->geometry());
  const fluvia::WallStress stress_at_wall(held.solver->geometry(), of_wall);
  moved.solver->step(150);
  held.solver->step(150);
  for (int k = 0; k < 12; ++k) {  // over which the noise of covering goes
    moved.solver->step(5);
    held.solver->step(5);
    std::vector<bool> has_fluid;
    const fluvia::MovingBodies& bodies = *moved.solver->bodies();
    const WallMesh mesh = fluvia::place_body_mesh(at_rest, moved.solver->geometry(), bodies, 0, has_fluid);
    EXPECT_TRUE(std::all_of(has_fluid.begin(), has_fluid.end(), [](bool has) { return has; }));
    EXPECT_NEAR(norm(mesh.patches[0].point - bodies.pose(0).center), 5, 0.02);
    const fluvia::WallStress stress(moved.solver->geometry(), mesh, fluvia::WallFit(moved.solver->geometry(), bodies));
    on_body = on_body + force_on(mesh, stress.evaluate(*moved.solver), 7);
    on_wall = on_wall + force_on(of_wall, stress_at_wall.evaluate(*held.solver), held.surface);
  }
  EXPECT_LT(norm(on_body - on_wall), 0.06 * norm(on_wall))
      << on_body[0] / on_wall[0] << ' ' << on_body[1] / on_wall[1] << ' ' << on_body[2];
}

/// A picture has a body where it is: in the middle of it its color, and as many pixels as its area.
TEST(BodyWalls, AreWherePicturesShowThem) {
  constexpr double radius = 5;
  const Real3 center{12, 16.3, 15.5};
  Case c = wall_case({wall_shape("sphere", center, radius)});
  c.bodies[0].motion.velocity = {0.05, 0.02, 0};
  WallFlow flow(c);
  flow.solver->step(60);
  Case::Output::Slice slice;
  slice.position = 15.5;
  const fluvia::Figure figure = fluvia::slice_figure({*flow.solver, flow.units, flow.grid}, slice, "");
  ASSERT_EQ(figure.legend.size(), 1);
  double count = 0;
  Real3 middle{};
  for (std::size_t k = 0; k < figure.cells.size(); ++k) {
    if (figure.cells[k] != figure.legend[0].color) continue;
    const std::size_t width = static_cast<std::size_t>(figure.width * figure.detail);
    ++count;
    middle = middle + Real3{0.5 + static_cast<double>(k % width), 0.5 + static_cast<double>(k / width), 0};
  }
  middle = (1 / (count * figure.detail)) * middle;
  EXPECT_NEAR(count / (figure.detail * figure.detail), std::numbers::pi * radius * radius, 3);
  EXPECT_NEAR(middle[0], center[0] + 60 * 0.05, 0.1);
  EXPECT_NEAR(middle[1], center[1] + 60 * 0.02, 0.1);
}

}  // namespace
