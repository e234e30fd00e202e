// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/body_extent.hpp"

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
