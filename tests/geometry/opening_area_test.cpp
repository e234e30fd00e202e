// SPDX-License-Identifier: Apache-2.0
// Openings on faces of the box that walls between the nodes cut: as large as they are, not as many nodes as lie in
// them.
#include <cmath>
#include <numbers>

#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

/// A round pipe along x.
Case pipe_of(double diameter, const std::string& method) {
  Case c;
  const int across = static_cast<int>(diameter) + 6;
  c.domain.nodes = Int3{6, across, across};
  c.walls.method = method;
  Case::Shape bore = shape("cylinder", "fluid");
  bore.from = {-5, 0.5 * across, 0.5 * across};
  bore.to = {20, bore.from[1], bore.from[2]};
  bore.radius = 0.5 * diameter;
  c.geometry.shapes = {bore};
  c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure")};
  return c;
}

TEST(OpeningArea, OfARoundPipeIsThatOfTheCircle) {
  double worst = 0, worst_counted = 0;
  for (double diameter = 11.3; diameter < 40; diameter *= 1.17) {
    const double exact = std::numbers::pi / 4 * diameter * diameter;
    for (const Opening& opening : build(pipe_of(diameter, "interpolated")).openings)
      worst = std::max(worst, std::abs(opening.area / exact - 1));
    const Geometry counted = build(pipe_of(diameter, "half-way"));
    EXPECT_EQ(counted.openings[0].area * 6, static_cast<double>(counted.nodes.fluid_nodes));
    worst_counted = std::max(worst_counted, std::abs(counted.openings[0].area / exact - 1));
  }
  EXPECT_LT(worst, 0.002);
  EXPECT_GT(worst_counted, 0.015) << "what nodes alone say";
}

TEST(OpeningArea, OfAChannelIsItsWidth) {
  Case c;
  c.domain.dimension = 2;
  c.domain.nodes = Int3{12, 20, 1};
  c.walls.method = "interpolated";
  Case::Shape channel = shape("channel", "fluid");
  channel.from = {0, 3.2, 0};
  channel.normal = {0, 1, 0};
  channel.height = 13.7;
  c.geometry.shapes = {channel};
  c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure")};
  for (const Opening& opening : build(c).openings) EXPECT_NEAR(opening.area, 13.7, 0.004);
  // Faces of the box lie half-way.
  c.geometry.shapes.clear();
  EXPECT_EQ(build(c).openings[0].area, 20);
}

/// Flat walls count along their normal, not half along it and half beside.
TEST(OpeningArea, OfADuctIsThatOfTheRectangle) {
  for (const double width : {9.1, 9.3, 9.7, 10.9}) {
    Case c;
    c.domain.nodes = Int3{4, 16, 16};
    c.walls.method = "interpolated";
    Case::Shape duct = shape("box", "fluid");
    duct.center = {2, 8, 8};
    duct.size = {20, width, width + 1};
    c.geometry.shapes = {duct};
    c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure")};
    const double exact = width * (width + 1);
    // Corners have a quarter of a node each at most.
    for (const Opening& opening : build(c).openings) EXPECT_NEAR(opening.area, exact, 1.1) << width;
  }
}

/// The plane of symmetry through its middle leaves half.
TEST(OpeningArea, OfHalfAPipeIsHalf) {
  Case c = pipe_of(15, "interpolated");
  c.geometry.shapes[0].from[1] = c.geometry.shapes[0].to[1] = 0;
  c.domain.nodes = Int3{6, 10, 21};
  c.boundaries.push_back(boundary("y_min", "symmetry"));
  Case whole = c;
  whole.boundaries.pop_back();
  whole.domain.nodes = Int3{6, 20, 21};
  whole.geometry.shapes[0].from[1] = whole.geometry.shapes[0].to[1] = 10;
  EXPECT_NEAR(2 * build(c).openings[0].area, build(whole).openings[0].area, 1e-9);
}

}  // namespace
}  // namespace fluvia::test
