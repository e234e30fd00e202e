// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/findings/body_extent.hpp"

#include <gtest/gtest.h>

#include <numbers>

#include "run/small_cases.hpp"

namespace fluvia::test {
namespace {

Geometry geometry_of(const std::string& text, const std::vector<std::string>& settings = {}) {
  const Case c = parse_case(text, "case.toml", settings);
  return build_geometry(c, make_grid(c));
}

const std::string space = R"(
[units]
viscosity = 0.05
[domain]
nodes = [40, 30, 20]
[[geometry.shape]]
name = "plate"
kind = "box"
center = [10, 15, 10]
size = [2, 12, 6]
[[geometry.shape]]
name = "ball"
kind = "sphere"
center = [28, 15, 10]
radius = 7
[[geometry.shape]]
name = "bed"
kind = "box"
center = [20, 15, 1]
size = [40, 30, 2]
[run]
steps = 10
)";

TEST(BodyExtent, IsThatOfThePlateAndTheBall) {
  const Geometry geometry = geometry_of(space);
  const auto along_x = measure_bodies(geometry, {"plate", "ball", "bed"}, 0);
  ASSERT_EQ(along_x.size(), 2u) << "the flow along the bed sees nothing of it";
  EXPECT_EQ(along_x[0].name, "plate");
  EXPECT_EQ(along_x[0].projected, 12 * 6);
  EXPECT_EQ(along_x[0].length, 2);
  EXPECT_EQ(along_x[0].cross_section, 30 * 18);
  EXPECT_NEAR(along_x[0].blockage(), 72.0 / 540, 1e-12);
  EXPECT_EQ(along_x[0].shadows, (Real3{12 * 6, 2 * 6, 2 * 12}));
  EXPECT_NEAR(along_x[1].projected / (std::numbers::pi * 49), 1, 0.05);
  EXPECT_NEAR(along_x[1].across, 14, 0.4);
  EXPECT_EQ(along_x[1].length, 14);
  const auto along_y = measure_bodies(geometry, {"plate"}, 1);
  ASSERT_EQ(along_y.size(), 1u);
  EXPECT_EQ(along_y[0].projected, 2 * 6);
  EXPECT_EQ(along_y[0].length, 12);
  EXPECT_EQ(along_y[0].cross_section, 40 * 18);
  EXPECT_TRUE(measure_bodies(geometry, {"x_min"}, 0).empty());
  EXPECT_TRUE(measure_bodies(geometry, {}, 0).empty());
}

/// A half and a quarter of a ball are as wide as the ball: they were taken for bodies of half the nodes across.
TEST(BodyExtent, CountsImagesBeyondPlanesOfSymmetry) {
  const std::string ball = R"(
[units]
viscosity = 0.05
[domain]
nodes = [40, 30, 20]
[[geometry.shape]]
name = "ball"
kind = "sphere"
center = [20, 0, 0]
radius = 8
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = [0.02, 0, 0]
[[boundary]]
surface = "x_max"
type = "pressure"
[[boundary]]
surface = "y_min"
type = "symmetry"
[[boundary]]
surface = "z_min"
type = "symmetry"
[run]
steps = 10
)";
  const Geometry quarter = geometry_of(ball);
  const auto bodies = measure_bodies(quarter, {"ball"}, 0);
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_NEAR(bodies[0].projected / (std::numbers::pi * 16), 1, 0.05) << "a quarter lies in the box";
  EXPECT_NEAR(bodies[0].across, 16, 0.4);
  std::vector<bool> wanted(quarter.surfaces.size(), true);
  const std::vector<int> images = count_images(quarter, wanted);
  EXPECT_EQ(images[surface_id::x_min], 4) << "the openings are quarters, too";
  EXPECT_EQ(images[static_cast<std::size_t>(quarter.openings[1].surface)], 4);
  const auto beside = measure_bodies(geometry_of(ball, {"geometry.shape.ball.center=[20,9,9]"}), {"ball"}, 0);
  ASSERT_EQ(beside.size(), 1u);
  EXPECT_NEAR(beside[0].across, 16, 0.4) << "no plane cuts it";
}

TEST(BodyExtent, IsNotOfTheWallAroundAFlow) {
  const std::string bend = R"(
[units]
viscosity = 0.05
[domain]
dimension = 2
nodes = [40, 40]
[[geometry.shape]]
name = "pipe"
kind = "box"
operation = "fluid"
center = [15, 20]
size = [10, 40]
[[geometry.shape]]
name = "pipe"
kind = "box"
operation = "fluid"
center = [25, 30]
size = [30, 10]
[run]
steps = 10
)";
  EXPECT_TRUE(measure_bodies(geometry_of(bend), {"pipe", "wall"}, 0).empty());
  EXPECT_TRUE(measure_bodies(geometry_of(bend), {"pipe", "wall"}, 1).empty());
  // Across a periodic face there is fluid on both sides, too.
  const std::string split = tunnel.substr(0, tunnel.find("[[boundary]]")) + "[run]\nsteps = 10\n";
  const auto bodies =
      measure_bodies(geometry_of(split, {"domain.periodic=[true,false]", "geometry.shape.body.from=[0,12]",
                                         "geometry.shape.body.to=[0,12,1]"}),
                     {"body"}, 0);
  ASSERT_EQ(bodies.size(), 1u);
}

TEST(BodyExtent, InThePlaneIsALength) {
  const auto bodies = measure_bodies(geometry_of(tunnel), {"body"}, 0);
  ASSERT_EQ(bodies.size(), 1u);
  EXPECT_EQ(bodies[0].projected, 8);
  EXPECT_EQ(bodies[0].across, 8);
  EXPECT_EQ(bodies[0].length, 8);
  EXPECT_EQ(bodies[0].cross_section, 24);
  EXPECT_EQ(measure_bodies(geometry_of(tunnel), {"body"}, 1)[0].cross_section, 60);
}

}  // namespace
}  // namespace fluvia::test
