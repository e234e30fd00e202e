// SPDX-License-Identifier: Apache-2.0
// Points in velocities that are known: how exact they go, and what surfaces do to them.
#include <gtest/gtest.h>
#include <omp.h>

#include <bit>
#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "fluvia/solver/tracers/tracer_cloud.hpp"
#include "support/errors.hpp"

namespace fluvia::test {
namespace {

using std::numbers::pi;

Case box_of(int dimension, const Int3& size) {
  Case c;
  c.domain.dimension = dimension;
  c.domain.nodes = size;
  c.units.tau = 0.8;
  return c;
}

Case::Tracer points_at(const Real3& place, std::int64_t count = 1) {
  Case::Tracer tracer;
  tracer.name = "points";
  tracer.box = {place, place};
  tracer.count = count;
  return tracer;
}

void add_half_space(Case& c, const Real3& from, const Real3& normal) {
  Case::Shape shape;
  shape.name = "plate";
  shape.kind = "half_space";
  shape.from = from;
  shape.normal = normal;
  c.geometry.shapes.push_back(shape);
}

/// Points of the only tracer of a case, in velocities that a function gives at nodes.
class Points {
 public:
  explicit Points(Case c, const std::function<Real3(const Real3&)>& velocity)
      : case_(std::move(c)),
        grid_(make_grid(case_)),
        units_(make_units(case_, grid_.spacing)),
        geometry_(build_geometry(case_, grid_)),
        cells_({case_, units_, geometry_}),
        cloud_({case_, units_, geometry_}, cells_, 0),
        velocities_(geometry_.nodes.fluid_nodes) {
    const NodeMap& nodes = geometry_.nodes;
    for (const NodeMap::Tile& tile : nodes.tiles)
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1) {
        const Int3 x = nodes.node_position(tile, std::countr_zero(rest));
        velocities_[static_cast<std::size_t>(nodes.node_index(x))] = velocity({x[0] + 0.5, x[1] + 0.5, x[2] + 0.5});
      }
    cloud_.begin(0, velocities_);
  }
  void go(std::int64_t steps) {
    for (std::int64_t k = 0; k < steps; ++k) cloud_.advance(++step_, velocities_);
  }
  [[nodiscard]] const TracerCloud& cloud() const { return cloud_; }
  [[nodiscard]] const TracerPoint& point() const { return cloud_.points().at(0); }
  [[nodiscard]] const NodeCells& cells() const { return cells_; }
  [[nodiscard]] const std::vector<Real3>& velocities() const { return velocities_; }

 private:
  Case case_;
  Grid grid_;
  Units units_;
  Geometry geometry_;
  NodeCells cells_;
  TracerCloud cloud_;
  std::vector<Real3> velocities_;
  std::int64_t step_ = 0;
};

/// A circle in solid-body rotation: the velocities between nodes are exact, so the error is that of the steps.
TEST(TracerCloud, GoesRoundInSecondOrder) {
  constexpr double radius = 12;
  const auto error_of_steps = [&](int steps) {
    Case c = box_of(2, {40, 40, 1});
    const Real3 center{20, 20, 0};
    c.tracers.push_back(points_at({center[0] + radius, center[1], 0}));
    const double rate = 2 * pi / steps;
    Points points(c, [&](const Real3& x) { return Real3{-rate * (x[1] - 20), rate * (x[0] - 20), 0}; });
    points.go(steps);
    return norm(points.point().place - Real3{center[0] + radius, center[1], 0.5});
  };
  const double coarse = error_of_steps(200), fine = error_of_steps(400);
  EXPECT_NEAR(coarse / fine, 4, 0.1);
  EXPECT_LT(coarse, 0.02);  // after 75 nodes of way
}

/// Between plates a point at the height of a node goes exactly as far as the fluid there, and through periodic faces.
TEST(TracerCloud, GoesAsFarAsPoiseuilleFlow) {
  Case c = box_of(2, {16, 12, 1});
  c.domain.periodic = {true, false, true};
  c.tracers.push_back(points_at({3, 2.5, 0}));
  const auto speed = [](double y) { return 0.01 * y * (12 - y); };
  Points points(c, [&](const Real3& x) { return Real3{speed(x[1]), 0, 0}; });
  constexpr int steps = 1000;
  points.go(steps);
  EXPECT_NEAR(points.point().place[0], std::fmod(3 + steps * speed(2.5), 16), 1e-9);
  EXPECT_NEAR(points.point().place[1], 2.5, 1e-12);
}

/// Beside a slanted plate that lies between the nodes, a shear flow and the distance from the plate are exact
/// everywhere, up to the plate itself.
TEST(NodeCells, AreExactBesideASlantedPlate) {
  for (const bool flat : {true, false}) {
    SCOPED_TRACE(flat);
    Case c = box_of(flat ? 2 : 3, flat ? Int3{32, 32, 1} : Int3{20, 20, 20});
    const Real3 from{10.3, 9.2, flat ? 0.0 : 8.9};
    Real3 normal{0.3, 0.9, flat ? 0.0 : 0.45};
    normal = (1 / norm(normal)) * normal;
    add_half_space(c, from, normal);
    c.walls.method = "interpolated";
    c.tracers.push_back(points_at({10, 15, flat ? 0.0 : 14}));
    const Real3 along{normal[1], -normal[0], 0};
    const auto distance = [&](const Real3& x) { return dot(x - from, normal); };
    Points points(c, [&](const Real3& x) { return (0.01 * distance(x)) * along; });
    std::mt19937 random(1);
    std::uniform_real_distribution<double> inside(3, flat ? 29 : 17);
    int beside = 0;
    for (int k = 0; k < 20000; ++k) {
      const Real3 place{inside(random), inside(random), flat ? 0.5 : inside(random)};
      const double away = distance(place);
      if (away < 0 || away > 0.8) continue;
      ++beside;
      EXPECT_LT(norm(points.cells().velocity(place, points.velocities()) - (0.01 * away) * along), 1e-3 * 0.01);
      if (const auto wall = points.cells().beside(place)) {
        EXPECT_NEAR(wall->distance, away, 0.01);
        EXPECT_EQ(wall->surface, surface_id::first_named);
      }
      EXPECT_TRUE(points.cells().in_fluid(place));
      EXPECT_FALSE(points.cells().in_fluid(place - (away + 0.02) * normal));
    }
    EXPECT_GT(beside, 100);
  }
}

/// A flow against a wall, which no flow is, does not bring points into it; at rest in a random walk none is lost, and
/// they stay as even as they were.
TEST(TracerCloud, StaysInTheFluid) {
  Case c = box_of(2, {24, 24, 1});
  Case::Shape ball;
  ball.name = "ball";
  ball.kind = "sphere";
  ball.center = {12, 12, 0};
  ball.radius = 5.3;
  c.geometry.shapes.push_back(ball);
  c.walls.method = "interpolated";
  Case::Boundary plane;
  plane.surface = "y_max";
  plane.type = "symmetry";
  c.boundaries.push_back(plane);
  Case::Tracer tracer;
  tracer.name = "points";
  tracer.box = {Real3{0, 0, 0}, Real3{24, 24, 0}};
  tracer.count = 4000;
  tracer.diffusivity = 0.03;
  tracer.every = 1;
  c.tracers.push_back(tracer);
  for (const double speed : {0.0, 0.3}) {
    SCOPED_TRACE(speed);
    Points points(c, [&](const Real3& x) {
      const Real3 way = Real3{12, 12, x[2]} - x;
      return (speed / norm(way)) * way;
    });
    points.go(400);
    ASSERT_EQ(points.cloud().points().size(), 4000U);
    int left = 0;
    for (const TracerPoint& point : points.cloud().points()) {
      EXPECT_GT(norm(point.place - Real3{12, 12, 0.5}), 5.3 - 0.1);
      for (const int axis : {0, 1}) {
        EXPECT_GE(point.place[axis], 0);
        EXPECT_LE(point.place[axis], 24);
      }
      left += point.place[0] < 3 ? 1 : 0;
    }
    if (speed != 0) continue;
    EXPECT_NEAR(left, 4000 * 3 * 24 / (24 * 24 - pi * 5.3 * 5.3), 4 * std::sqrt(600.0));
  }
}

/// The mean square of the way of a random walk along an axis is 2 D t.
TEST(TracerCloud, SpreadsByItsDiffusivity) {
  Case c = box_of(3, {40, 40, 40});
  c.tracers.push_back(points_at({20, 20, 20}, 20000));
  c.tracers[0].diffusivity = 0.02;
  c.tracers[0].every = 1;
  Points points(c, [](const Real3&) { return Real3{0.01, 0, 0}; });
  constexpr int steps = 200;
  points.go(steps);
  for (int axis = 0; axis < 3; ++axis) {
    double mean = 0, squares = 0;
    for (const TracerPoint& point : points.cloud().points()) mean += point.place[axis] / 20000;
    for (const TracerPoint& point : points.cloud().points()) squares += std::pow(point.place[axis] - mean, 2) / 20000;
    EXPECT_NEAR(mean, axis == 0 ? 20 + 0.01 * steps : 20, 0.08);
    EXPECT_NEAR(squares / (2 * 0.02 * steps), 1, 0.04);
  }
}

/// Points stick where they come nearer than their radius, and are counted; the bits depend on no number of threads,
/// nor on a pause.
TEST(TracerCloud, SticksAndGoesOnBitByBit) {
  Case c = box_of(2, {24, 24, 1});
  c.domain.periodic = {true, false, true};
  Case::Tracer tracer;
  tracer.name = "points";
  tracer.sphere = Case::Tracer::Sphere{{12, 12, 0}, 6};
  tracer.rate = 7;
  tracer.end = 300;
  tracer.diffusivity = 0.02;
  tracer.every = 1;
  tracer.stick = {"y_min"};
  tracer.radius = 0.3;
  c.tracers.push_back(tracer);
  const auto velocity = [](const Real3& x) { return Real3{0.05, -0.06 * (24 - x[1]) * x[1] / 144, 0}; };
  std::vector<double> states[2];
  const int before = omp_get_max_threads();
  for (const int threads : {1, 3}) {
    omp_set_num_threads(threads);
    Points points(c, velocity);
    points.go(500);
    states[threads == 1 ? 0 : 1] = points.cloud().state();
    EXPECT_EQ(points.cloud().appeared(), 2100U);
    EXPECT_GT(points.cloud().stuck_to(surface_id::y_min), 100U);
    EXPECT_EQ(points.cloud().stuck_to(surface_id::y_min) + points.cloud().moving(), 2100U);
    for (const TracerPoint& point : points.cloud().points())
      EXPECT_EQ(point.stuck_to >= 0, point.place[1] <= 0.3) << point.place[1];
  }
  omp_set_num_threads(before);
  EXPECT_TRUE(states[0] == states[1]);
}

}  // namespace
}  // namespace fluvia::test
