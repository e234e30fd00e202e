// SPDX-License-Identifier: Apache-2.0
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

/// Fluid nodes of a 20^3 box with the given shapes must be those of `expected(centre of the node)`.
void expect_fluid(const std::vector<Case::Shape>& shapes, const std::function<bool(const Real3&)>& expected,
                  int dimension = 3) {
  Case c;
  c.domain.dimension = dimension;
  c.domain.nodes = Int3{21, 22, dimension == 3 ? 19 : 1};
  c.geometry.shapes = shapes;
  const Geometry g = build(c);
  for (int z = 0; z < g.nodes.size[2]; ++z) {
    for (int y = 0; y < 22; ++y) {
      for (int x = 0; x < 21; ++x) {
        ASSERT_EQ(g.nodes.is_fluid({x, y, z}), expected({x + 0.5, y + 0.5, z + 0.5})) << x << " " << y << " " << z;
      }
    }
  }
}

TEST(Shapes, SolidBodies) {
  Case::Shape s = shape("sphere", "solid");
  s.center = {10, 11, 9.2};
  s.radius = 6.3;
  expect_fluid({s}, [&](const Real3& p) { return norm(p - s.center) > s.radius; });

  s = shape("box", "solid");
  s.center = {10, 11, 9};
  s.size = {8, 6, 4.5};
  expect_fluid({s}, [&](const Real3& p) {
    return std::abs(p[0] - 10) > 4 || std::abs(p[1] - 11) > 3 || std::abs(p[2] - 9) > 2.25;
  });

  s = shape("half_space", "solid");
  s.from = {8, 8, 8.3};
  s.normal = {0, 3, 4};
  expect_fluid({s}, [&](const Real3& p) { return 3 * (p[1] - 8) + 4 * (p[2] - 8.3) > 1e-9; });

  s = shape("cylinder", "solid");
  s.from = {3, 4, 5};
  s.to = {13, 14, 12};
  s.radius = 4.2;
  const Real3 axis = s.to - s.from;
  const auto along = [&](const Real3& p) { return dot(p - s.from, axis) / dot(axis, axis); };
  expect_fluid({s}, [&](const Real3& p) {
    const double t = along(p);
    return t < 0 || t > 1 || norm(p - s.from - t * axis) > s.radius;
  });
  s.kind = "capsule";
  expect_fluid({s},
               [&](const Real3& p) { return norm(p - s.from - std::clamp(along(p), 0.0, 1.0) * axis) > s.radius; });
}

TEST(Shapes, ChannelIsItsWallsOrItsGap) {
  Case::Shape s = shape("channel", "solid");
  s.from = {0, 0, 4};
  s.height = 9;
  const auto gap = [](const Real3& p) { return p[2] > 4 && p[2] < 13; };
  expect_fluid({s}, gap);
  s.operation = "fluid";
  expect_fluid({s}, gap);
}

TEST(Shapes, LaterEntriesWinAndAFluidStartMeansSolidGround) {
  Case::Shape ball = shape("sphere", "solid"), bore = shape("cylinder", "fluid"), plug = shape("box", "solid");
  ball.center = {10, 11, 9};
  ball.radius = 7;
  bore.from = {-5, 11, 9};
  bore.to = {30, 11, 9};
  bore.radius = 3;
  plug.center = {10, 11, 9};
  plug.size = {2, 20, 20};
  const auto in_bore = [](const Real3& p) { return std::hypot(p[1] - 11, p[2] - 9) <= 3; };
  const auto in_ball = [&](const Real3& p) { return norm(p - ball.center) <= 7; };
  const auto in_plug = [](const Real3& p) {
    return std::abs(p[0] - 10) <= 1 && std::abs(p[1] - 11) <= 10 && std::abs(p[2] - 9) <= 10;
  };
  expect_fluid({ball, bore}, [&](const Real3& p) { return !in_ball(p) || in_bore(p); });
  expect_fluid({bore, ball}, [&](const Real3& p) { return in_bore(p) && !in_ball(p); });
  expect_fluid({ball, bore, plug}, [&](const Real3& p) { return (!in_ball(p) || in_bore(p)) && !in_plug(p); });
}

TEST(Shapes, TwoDimensionsIgnoreZ) {
  Case::Shape disc = shape("sphere", "solid"), post = shape("cylinder", "solid");
  disc.center = {6, 7, 0};
  disc.radius = 3;
  post.from = {15, 12, 0};
  post.to = {15, 12, 1};
  post.radius = 2.5;
  expect_fluid(
      {disc, post},
      [&](const Real3& p) { return std::hypot(p[0] - 6, p[1] - 7) > 3 && std::hypot(p[0] - 15, p[1] - 12) > 2.5; }, 2);
}

TEST(Shapes, UseCaseUnitsAndOrigin) {
  Case c;
  c.units.system = "si";
  c.units.spacing = 0.001;
  c.domain.size = Real3{0.02, 0.02, 0.02};
  c.domain.origin = Real3{-0.01, -0.01, 1};
  Case::Shape s = shape("sphere", "solid");
  s.center = {0, 0, 1.01};
  s.radius = 0.005;
  c.geometry.shapes = {s};
  const Geometry g = build(c);
  EXPECT_EQ(g.nodes.size, (Int3{20, 20, 20}));
  EXPECT_FALSE(g.nodes.is_fluid({10, 10, 10}));
  EXPECT_FALSE(g.nodes.is_fluid({5, 10, 10}));
  EXPECT_TRUE(g.nodes.is_fluid({4, 10, 10}));
  EXPECT_NEAR(8000.0 - static_cast<double>(g.nodes.fluid_nodes), 4.0 / 3 * std::numbers::pi * 125, 30);
}

TEST(Shapes, NamedSurfacesOwnTheirLinks) {
  Case c;
  c.domain.nodes = Int3{24, 24, 24};
  Case::Shape ball = shape("sphere", "solid", "ball"), floor = shape("half_space", "solid");
  ball.center = {12, 12, 12};
  ball.radius = 5;
  floor.from = {0, 0, 3};
  c.geometry.shapes = {floor, ball};
  Case::Shape hole = shape("cylinder", "fluid");
  hole.from = {12, 12, 7};
  hole.to = {12, 12, 17};
  hole.radius = 2;
  c.geometry.shapes.push_back(hole);
  const Geometry g = build(c);
  const int ball_surface = surface_number(g, "ball");
  EXPECT_GE(ball_surface, static_cast<int>(surface_id::first_named));
  std::vector<int> expected(g.surfaces.size(), 0);
  for_each_fluid(g.nodes, [&](const Int3& node) {
    for (const Int3& o : link_offsets(3)) {
      const Int3 far{node[0] + o[0], node[1] + o[1], node[2] + o[2]};
      if (g.nodes.is_fluid(far)) continue;
      const Real3 centre{far[0] + 0.5, far[1] + 0.5, far[2] + 0.5};
      const int surface = g.surface_of(node, o);
      bool outside = false;
      for (int axis = 0; axis < 3; ++axis) outside = outside || far[axis] < 0 || far[axis] >= 24;
      if (outside) {
        EXPECT_LT(surface, 6);
      } else {
        // The unnamed bore through the ball leaves its wall with the ball.
        EXPECT_EQ(surface, norm(centre - ball.center) <= 5 ? ball_surface : surface_id::wall);
      }
      ++expected[surface];
    }
  });
  EXPECT_GT(expected[ball_surface], 500);
  EXPECT_GT(expected[surface_id::wall], 500);
}

TEST(Shapes, NamedFluidShapeOwnsItsWall) {
  Case c;
  c.domain.nodes = Int3{16, 16, 16};
  Case::Shape pipe = shape("cylinder", "fluid", "pipe");
  pipe.from = {-1, 8, 8};
  pipe.to = {17, 8, 8};
  pipe.radius = 5;
  c.geometry.shapes = {pipe};
  const Geometry g = build(c);
  const std::vector<int> links = count_links(g);
  EXPECT_GT(links[surface_number(g, "pipe")], 0);
  EXPECT_EQ(links[surface_id::wall], 0);
  EXPECT_EQ(links[surface_id::y_min], 0);
  EXPECT_GT(links[surface_id::x_min], 0);
}

TEST(Shapes, NameWhatIsWrong) {
  const auto fails = [](Case::Shape s, const std::vector<std::string>& parts) {
    Case c;
    c.domain.nodes = Int3{8, 8, 8};
    c.geometry.shapes = {shape("half_space", "solid"), std::move(s)};
    c.geometry.shapes[0].from = {0, 0, 1};
    expect_message([&] { build(c); }, parts);
  };
  fails(shape("sphere", "solid"), {"geometry.shapes[1] (sphere)", "radius is 0", "positive"});
  fails(shape("box", "solid", "brick"), {"geometry.shapes[1] (brick)", "size along x is 0"});
  fails(shape("cube", "solid"), {"unknown kind \"cube\"", "half_space"});
  fails(shape("box", "hollow"), {"operation is \"hollow\""});
  Case::Shape s = shape("cylinder", "solid");
  s.radius = 1;
  fails(s, {"from and to are the same point (0, 0, 0)"});
  s = shape("half_space", "solid");
  s.normal = {0, 0, 0};
  fails(s, {"normal (0, 0, 0) has no direction"});
  s = shape("sphere", "solid");
  s.center = {std::nan(""), 0, 0};
  fails(s, {"center is (nan", "finite"});
  fails(shape("channel", "solid"), {"height is 0"});
  s = shape("sphere", "solid", "x_min");
  s.radius = 1;
  fails(s, {"x_min", "face of the box"});
  s.name = "";
  s.radius = 100;
  fails(s, {"none of the 8 x 8 x 8 nodes"});
}

/// They vanished: a plate of 0.3 across a channel left no trace, and the run was trusted.
TEST(Shapes, BetweenNodesAreRefused) {
  const auto built = [](Case::Shape s, int dimension) {
    Case c;
    c.domain.dimension = dimension;
    c.domain.nodes = Int3{21, 22, dimension == 3 ? 19 : 1};
    c.geometry.shapes = {std::move(s)};
    build(c);
  };
  const auto fails = [&](const Case::Shape& s, int dimension) {
    expect_message([&] { built(s, dimension); }, {"geometry.shapes[0]", "no node lies in it", "nodes are 1 apart"});
  };
  for (const int dimension : {2, 3}) {
    Case::Shape plate = shape("box", "solid", "plate");
    plate.center = {10, 4, 9};
    plate.size = {0.3, 8, 7};
    fails(plate, dimension);
    plate.center[0] = 10.5;
    EXPECT_NO_THROW(built(plate, dimension));
    plate.size[0] = 1;
    plate.center[0] = 10.4;
    EXPECT_NO_THROW(built(plate, dimension));
    Case::Shape ball = shape("sphere", "solid", "ball");
    ball.center = {8, 8, 8};
    ball.radius = dimension == 3 ? 0.8 : 0.7;
    fails(ball, dimension);
    ball.radius = 0.9;
    EXPECT_NO_THROW(built(ball, dimension));
    // Outside of the box, and ending at its face from there: nothing of it belongs to the flow.
    ball.center = {-3, 8, 8};
    EXPECT_NO_THROW(built(ball, dimension));
    Case::Shape floor = shape("box", "solid", "floor");
    floor.center = {-2, 8, 8};
    floor.size = {4, 30, 30};
    EXPECT_NO_THROW(built(floor, dimension));
  }
  Case::Shape rod = shape("capsule", "solid", "rod");
  rod.from = {3, 3, 3};
  rod.to = {12, 3, 3};
  rod.radius = 0.3;
  fails(rod, 3);
}

}  // namespace
}  // namespace fluvia::test
