// SPDX-License-Identifier: Apache-2.0
// Which nodes that are no fluid lie outside of what encloses the flow, and which are bodies.
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

/// Every node of the box: fluid, outside, or a body, as `is_inside` and `is_body` say of its place in lattice units
/// from the corner of the box.
void expect_outside(const Geometry& g, const std::function<bool(const Real3&)>& is_inside,
                    const std::function<bool(const Real3&)>& is_body) {
  ASSERT_TRUE(g.is_outside);
  const Int3 size = g.nodes.size;
  int outside = 0, bodies = 0;
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) {
        const Real3 p{x + 0.5, y + 0.5, z + 0.5};
        const bool body = is_body(p), beyond = !is_inside(p) && !body;
        outside += beyond;
        bodies += body;
        ASSERT_EQ(g.nodes.is_fluid({x, y, z}), is_inside(p) && !body) << x << " " << y << " " << z;
        ASSERT_EQ(g.is_outside({x, y, z}), beyond) << x << " " << y << " " << z;
      }
  EXPECT_GT(outside, 100);
  EXPECT_GT(bodies, 20);
}

/// Along x through the middle of a box of 24 x 20 x 20 nodes, a little off the middles of nodes.
bool in_tube(const Real3& p) {
  return std::hypot(p[1] - 10.1, p[2] - 9.8) <= 7;
}
bool in_ball(const Real3& p) {
  return norm(p - Real3{12.2, 10.1, 16.3}) <= 3;
}

Case::Shape ball() {
  Case::Shape s = shape("sphere", "solid", "ball");
  s.center = {12.2, 10.1, 16.3};  // half of it beyond the tube's wall
  s.radius = 3;
  return s;
}

Case box() {
  Case c;
  c.domain.nodes = Int3{24, 20, 20};
  c.domain.origin = Real3{};
  c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure")};
  return c;
}

TEST(Outside, OfSurfacesWithTheFluidInside) {
  const TemporaryFolder folder;
  folder.write("tube.stl", binary_stl(tube_soup(-2, 26, {0, 10.1, 9.8}, 7, true, true, true, 4000)));
  for (const char* method : {"half-way", "interpolated"}) {
    Case c = box();
    c.directory = folder.path();
    c.walls.method = method;
    c.geometry.stl = {stl("tube.stl")};
    c.geometry.shapes = {ball()};
    expect_outside(build(c), in_tube, in_ball);
    c.geometry.stl[0].fluid = "outside";
    EXPECT_FALSE(build(c).is_outside) << "a body in a box";
  }
}

TEST(Outside, OfFluidShapesInSolidGround) {
  Case c = box();
  Case::Shape bore = shape("cylinder", "fluid");
  bore.from = {-5, 10.1, 9.8};
  bore.to = {30, 10.1, 9.8};
  bore.radius = 7;
  c.geometry.shapes = {bore, ball()};
  expect_outside(build(c), in_tube, in_ball);
  c.geometry.shapes = {ball(), bore};
  EXPECT_FALSE(build(c).is_outside) << "the box is fluid";
}

TEST(Outside, OfGeneratedVessels) {
  Case c;
  c.geometry.generator = Case::Generator{};
  c.geometry.generator->kind = "pipe";
  c.geometry.generator->diameter = 14;
  c.geometry.generator->length = 24;
  c.boundaries = {boundary("inlet", "velocity"), boundary("outlet", "pressure")};
  const Geometry pipe = build(c);
  ASSERT_TRUE(pipe.is_outside);
  EXPECT_TRUE(pipe.is_outside({0, 0, 0}));
  Case with_ball = c;
  Case::Shape body = shape("sphere", "solid");
  const Grid grid = make_grid(c);
  for (int axis = 0; axis < 3; ++axis) body.center[axis] = grid.origin[axis] + 0.5 * grid.size[axis];
  body.radius = 3;
  with_ball.geometry.shapes = {body};
  const Geometry g = build(with_ball);
  const Int3 middle{grid.size[0] / 2, grid.size[1] / 2, grid.size[2] / 2};
  EXPECT_FALSE(g.nodes.is_fluid(middle));
  EXPECT_FALSE(g.is_outside(middle));
  EXPECT_TRUE(g.is_outside({0, 0, 0}));
  c = Case{};
  c.domain.nodes = Int3{24, 24, 24};
  c.geometry.generator = Case::Generator{};
  c.geometry.generator->kind = "sphere_packing";
  c.geometry.generator->diameter = 8;
  c.geometry.generator->porosity = 0.6;
  EXPECT_FALSE(build(c).is_outside) << "grains are bodies";
}

}  // namespace
}  // namespace fluvia::test
