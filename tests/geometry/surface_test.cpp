// SPDX-License-Identifier: Apache-2.0
#include <random>

#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using std::numbers::pi;

Case box_case(const Int3& size, std::vector<Case::Boundary> boundaries, int dimension = 3) {
  Case c;
  c.domain.dimension = dimension;
  c.domain.nodes = size;
  c.boundaries = std::move(boundaries);
  return c;
}

TEST(BoxFaces, OrderAtEdges) {
  const Geometry g = build(box_case({6, 6, 6}, {boundary("x_min", "velocity"), boundary("x_max", "pressure"),
                                                boundary("y_max", "moving_wall"), boundary("z_min", "free_slip")}));
  EXPECT_EQ(g.surface_of({0, 3, 3}, {-1, 0, 0}), surface_id::x_min);
  EXPECT_EQ(g.surface_of({0, 3, 3}, {-1, 1, -1}), surface_id::x_min) << "leaves through one face only";
  EXPECT_EQ(g.surface_of({0, 0, 3}, {-1, -1, 0}), surface_id::y_min) << "wall before velocity";
  EXPECT_EQ(g.surface_of({0, 5, 3}, {-1, 1, 0}), surface_id::y_max) << "moving wall before velocity";
  EXPECT_EQ(g.surface_of({0, 3, 0}, {-1, 0, -1}), surface_id::x_min) << "velocity before free slip";
  EXPECT_EQ(g.surface_of({5, 3, 0}, {1, 0, -1}), surface_id::x_max) << "what a plane of symmetry reflects";
  EXPECT_EQ(g.surface_of({5, 5, 5}, {1, 1, 1}), surface_id::z_max) << "stationary wall before all";
}

TEST(BoxFaces, OpeningsAreMeasured) {
  const Geometry g = build(box_case({8, 10, 12}, {boundary("x_min", "velocity"), boundary("x_max", "pressure"),
                                                  boundary("z_min", "free_slip"), boundary("z_max", "free_slip")}));
  ASSERT_EQ(g.openings.size(), 2u);
  const Opening& in = g.openings[0];
  EXPECT_EQ(in.name, "x_min");
  EXPECT_EQ(in.surface, static_cast<int>(surface_id::x_min));
  EXPECT_DOUBLE_EQ(in.area, 120);
  EXPECT_NEAR(norm(in.centroid - Real3{0, 5, 6}), 0, 1e-12);
  EXPECT_EQ(in.normal, (Real3{-1, 0, 0}));
  // Parabola between the walls y = 0 and y = 10, uniform between the slipping faces.
  for (const double z : {0.5, 6.0, 11.5}) {
    EXPECT_NEAR(in.parabola({0, 5, z}), 1, 1e-12);
    EXPECT_NEAR(in.parabola({0, 2.5, z}), 0.75, 1e-12);
    EXPECT_NEAR(in.parabola({0, 10, z}), 0, 1e-12);
  }
  EXPECT_EQ(g.openings[1].normal, (Real3{1, 0, 0}));
}

TEST(BoxFaces, TwoDimensionalChannel) {
  Case c = box_case({20, 11, 1}, {boundary("x_min", "velocity"), boundary("x_max", "pressure")}, 2);
  Case::Shape block = shape("box", "solid", "block");
  block.center = {0, 0, 0};
  block.size = {40, 4, 1};  // the lowest two rows
  c.geometry.shapes = {block};
  const Geometry g = build(c);
  EXPECT_TRUE(g.nodes.periodic[2]);
  const Opening& in = g.openings[0];
  EXPECT_DOUBLE_EQ(in.area, 9);
  EXPECT_NEAR(in.parabola({0, 6.5, 0.5}), 1, 1e-12);
  EXPECT_NEAR(in.parabola({0, 2, 0.5}), 0, 1e-12);
  EXPECT_EQ(g.surface_of({5, 2, 0}, {1, -1, 0}), surface_number(g, "block"));
  // Beside the inlet the block goes on outside the box.
  EXPECT_EQ(g.surface_of({0, 2, 0}, {-1, -1, 0}), surface_number(g, "block"));
  EXPECT_EQ(g.surface_of({0, 2, 0}, {-1, 1, 0}), surface_id::x_min);
}

TEST(BoxFaces, ParabolaOfAHalfAndOfAnOddOpening) {
  Case c = box_case({8, 20, 20}, {boundary("x_min", "velocity"), boundary("y_max", "free_slip")});
  const Geometry half = build(c);
  EXPECT_NEAR(half.openings[0].parabola({0, 20, 10}), 1, 1e-12) << "the middle of a symmetric channel";
  EXPECT_NEAR(half.openings[0].parabola({0, 0, 10}), 0, 1e-12);
  const Geometry upper = build(box_case({8, 20, 20}, {boundary("x_min", "velocity"), boundary("y_min", "free_slip")}));
  EXPECT_NEAR(upper.openings[0].parabola({0, 0, 10}), 1, 1e-12);
  EXPECT_NEAR(upper.openings[0].parabola({0, 10, 10}), 0.75, 1e-12);
  Case::Shape corner = shape("box", "solid");
  corner.center = {4, 20, 20};
  corner.size = {20, 20, 20};
  c.geometry.shapes = {corner};
  c.boundaries.pop_back();  // no plane of symmetry, whose image would belong to the opening
  const Geometry cut = build(c);
  const Opening& in = cut.openings[0];
  EXPECT_DOUBLE_EQ(in.area, 300);
  EXPECT_NEAR(in.parabola(in.centroid), 1, 1e-12);
  for (int y = 0; y < 20; ++y) {
    for (int z = 0; z < 20; ++z) {
      const double value = in.parabola({0, y + 0.5, z + 0.5});
      EXPECT_GE(value, 0);
      EXPECT_LE(value, 1);
    }
  }
}

TEST(BoxFaces, NameWhatIsWrong) {
  Case c = box_case({6, 6, 6}, {boundary("x_mim", "velocity")});
  expect_message([&] { build(c); }, {"x_mim", "no such surface", "did you mean 'x_min'"});
  c.boundaries = {boundary("x_min", "velocity"), boundary("x_min", "pressure")};
  expect_message([&] { build(c); }, {"x_min", "given twice"});
  c.boundaries = {boundary("x_min", "velocity")};
  c.domain.periodic = {true, false, false};
  expect_message([&] { build(c); }, {"x_min", "x axis is periodic"});
  c.domain.periodic = {};
  Case::Shape wall = shape("half_space", "solid");
  wall.from = {2, 0, 0};
  wall.normal = {1, 0, 0};
  c.geometry.shapes = {wall};
  expect_message([&] { build(c); }, {"x_min", "no fluid node lies on this face"});
}

TEST(Isolated, ComponentsAreDroppedWithAWarning) {
  Case c = box_case({24, 12, 12}, {boundary("x_min", "velocity"), boundary("x_max", "pressure")});
  Case::Shape bulk = shape("box", "solid"), bore = shape("cylinder", "fluid"), bubble = shape("sphere", "fluid");
  bulk.center = {12, 6, 6};
  bulk.size = {40, 40, 40};
  bore.from = {-1, 3, 6};
  bore.to = {25, 3, 6};
  bore.radius = 2.2;
  bubble.center = {12, 9, 6};
  bubble.radius = 2;
  c.geometry.shapes = {bulk, bore, bubble};
  const Geometry g = build(c);
  EXPECT_EQ(g.report.fluid_components, 2u);
  EXPECT_EQ(g.report.dropped_components, 1u);
  EXPECT_EQ(g.report.dropped_nodes, 32u);
  EXPECT_FALSE(g.nodes.is_fluid({12, 9, 6}));
  ASSERT_FALSE(g.report.warnings.empty());
  EXPECT_NE(g.report.warnings[0].find("keep_isolated"), std::string::npos);
  c.geometry.keep_isolated = true;
  EXPECT_TRUE(build(c).nodes.is_fluid({12, 9, 6}));
  // A closed cavity has no opening at all; nothing is dropped.
  c.geometry.keep_isolated = false;
  c.boundaries.clear();
  EXPECT_TRUE(build(c).nodes.is_fluid({12, 9, 6}));
}

/// A pocket that touches the rest of the fluid across an edge only: links into it end at the body beside them.
TEST(Isolated, LinksAcrossAnEdgeEndAtTheBodyBesideThem) {
  for (const auto& [first, second] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 2}}) {
    const int third = 3 - first - second;
    Case c = box_case({14, 14, 14}, {boundary(std::string(1, "xyz"[first]) + "_max", "pressure")});
    Case::Shape a = shape("box", "solid", "a"), b = shape("box", "solid", "b");
    a.center[first] = 5, a.center[second] = 2, a.center[third] = 7;
    b.center[first] = 2, b.center[second] = 5, b.center[third] = 7;
    a.size[first] = 2, a.size[second] = 4, a.size[third] = 40;
    b.size[first] = 4, b.size[second] = 2, b.size[third] = 40;
    c.geometry.shapes = {a, b};
    const Geometry g = build(c);
    EXPECT_EQ(g.report.dropped_nodes, 4u * 4 * 14);
    Int3 node{7, 7, 7}, offset{};
    node[first] = node[second] = 4;
    offset[first] = offset[second] = -1;
    ASSERT_TRUE(g.nodes.is_fluid(node));
    // The lower axis is looked along first: there lies the body that bounds the pocket across the higher one.
    EXPECT_EQ(g.surfaces[g.surface_of(node, offset)], "b");
    ASSERT_TRUE(g.normal_of);
    EXPECT_NEAR(norm(g.normal_of(node, offset)), 1, 1e-9);
    EXPECT_GT(g.distance_of(node, offset), 0);
    EXPECT_LE(g.distance_of(node, offset), 1);
  }
}

TEST(StlVessel, HolesBecomeOpenings) {
  const TemporaryFolder folder;
  Case c;
  c.directory = folder.path();
  folder.write("tube.stl", binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, true, false, false)));
  c.geometry.stl = {stl("tube.stl")};
  expect_message([&] { build(c); },
                 {"tube.stl", "2 holes that no opening names", "area 200.", "[[opening]]", "allow_defects"});
  c.openings = {{"in", Real3{0, 9, 7}, std::nullopt, std::nullopt},
                {"out", Real3{41, 8, 7}, std::nullopt, std::nullopt}};
  c.boundaries = {boundary("in", "velocity"), boundary("out", "pressure")};
  const Geometry g = build(c);
  ASSERT_EQ(g.openings.size(), 2u);
  const double polygon = 0.5 * 48 * 64 * std::sin(2 * pi / 48);
  for (const Opening& o : g.openings) {
    EXPECT_NEAR(o.area, polygon, 1e-3);
    EXPECT_NEAR(o.normal[0], o.name == "in" ? -1 : 1, 1e-6);
    EXPECT_NEAR(o.parabola(o.centroid), 1, 1e-9);
    EXPECT_NEAR(o.parabola(o.centroid + Real3{0, 4, 0}), 0.75, 0.01);
    EXPECT_NEAR(o.parabola(o.centroid + Real3{0, 0, 8}), 0, 0.01);
  }
  EXPECT_NEAR(static_cast<double>(g.nodes.fluid_nodes), 40 * polygon, 0.04 * 40 * polygon);
  // Every link through an end belongs to the opening: count them at the first and last layer of fluid.
  const int in = surface_number(g, "in"), out = surface_number(g, "out");
  for_each_fluid(g.nodes, [&](const Int3& node) {
    const double r = std::hypot(node[1] + 0.5 - g.openings[0].centroid[1], node[2] + 0.5 - g.openings[0].centroid[2]);
    for (const Int3& o : link_offsets(3)) {
      if (g.nodes.is_fluid({node[0] + o[0], node[1] + o[1], node[2] + o[2]})) continue;
      const int surface = g.surface_of(node, o);
      if (r < 6) {
        EXPECT_EQ(surface, o[0] < 0 ? in : out);
      } else if (o[0] == 0) {
        EXPECT_EQ(surface, surface_id::wall);
      }
    }
  });
  EXPECT_EQ(g.report.hole_count, 2u);
  EXPECT_EQ(g.report.holes[0].opening.empty(), false);
  EXPECT_NE(format_report(g, c, make_grid(c)).find("opening             in: area 200."), std::string::npos);
}

TEST(StlVessel, OpeningInputsThatDoNotFit) {
  const TemporaryFolder folder;
  Case c;
  c.directory = folder.path();
  folder.write("tube.stl", binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, true, false, false)));
  folder.write("closed.stl", binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, true, true, true)));
  c.geometry.stl = {stl("tube.stl")};
  c.openings = {{"in", Real3{0, 90, 7}, std::nullopt, std::nullopt}};
  expect_message([&] { build(c); }, {"openings[0] (in)", "(0, 90, 7)", "away from the nearest hole", "(0, 9, 7)"});
  c.openings = {{"in", Real3{0, 9, 7}, std::nullopt, std::nullopt},
                {"out", Real3{1, 9, 7}, std::nullopt, std::nullopt}};
  expect_message([&] { build(c); }, {"openings[1] (out)", "\"in\" has already taken"});
  c.geometry.stl = {stl("closed.stl")};
  c.openings = {{"in", Real3{20, 9, 7}, std::nullopt, std::nullopt}};
  expect_message([&] { build(c); }, {"openings[0] (in)", "has no hole, and no flat end there"});
  c.openings = {{"in", Real3{200, 9, 7}, Real3{1, 0, 0}, 8.0}};
  expect_message([&] { build(c); }, {"openings[0] (in)", "(200, 9, 7) lies outside the box"});
  c.openings = {{"in", Real3{20, 9, 7}, Real3{1, 0, 0}, std::nullopt}};
  expect_message([&] { build(c); }, {"openings[0] (in)", "center, normal and radius"});
  c.openings = {{"in", std::nullopt, Real3{1, 0, 0}, std::nullopt}};
  expect_message([&] { build(c); }, {"openings[0] (in)", "center is missing"});
  c.openings.clear();
  c.geometry.stl = {stl("closed.stl", "in", "opening")};
  expect_message([&] { build(c); }, {"opening patch needs a wall"});
  c.geometry.stl = {stl("closed.stl")};
  c.geometry.stl[0].unit = 0;
  expect_message([&] { build(c); }, {"unit is 0"});
  c.geometry.stl[0].unit = 1e9;
  expect_message([&] { build(c); }, {"geometry.stl", "nodes along x", "check the unit"});
}

TEST(StlVessel, PatchesCloseTheWall) {
  const TemporaryFolder folder;
  Case c;
  c.directory = folder.path();
  const Real3 axis{0, 9, 7};
  folder.write("wall.stl", binary_stl(tube_soup(0, 40, axis, 8, true, false, false)));
  folder.write("in.stl", binary_stl(tube_soup(0, 40, axis, 8, false, true, false)));
  folder.write("out.stl", text_stl(tube_soup(0, 40, axis, 8, false, false, true)));
  // Another mesh of the same end: its rim shares no vertices with the wall.
  folder.write("coarse.stl", text_stl(tube_soup(0, 40, axis, 8, false, false, true, 31)));
  for (const char* outlet : {"out.stl", "coarse.stl"}) {
    SCOPED_TRACE(outlet);
    c.geometry.stl = {stl("wall.stl", "vessel"), stl("in.stl", "in", "opening"), stl(outlet, "out", "opening")};
    c.boundaries = {boundary("in", "velocity"), boundary("out", "pressure")};
    const Geometry g = build(c);
    ASSERT_EQ(g.openings.size(), 2u);
    for (const Opening& o : g.openings) {
      EXPECT_NEAR(o.area, pi * 64, 2.5);
      EXPECT_NEAR(o.normal[0], o.name == "in" ? -1 : 1, 1e-6);
    }
    const std::vector<int> links = count_links(g);
    EXPECT_EQ(links[surface_id::wall], 0);
    EXPECT_GT(links[surface_number(g, "vessel")], 1000);
    EXPECT_GT(links[surface_number(g, "in")], 5 * 190);
    EXPECT_GT(links[surface_number(g, "out")], 5 * 190);
    EXPECT_NEAR(static_cast<double>(g.nodes.fluid_nodes), 40 * pi * 64, 0.04 * 40 * pi * 64);
  }
}

TEST(StlVessel, DiscClosesAClosedVessel) {
  const TemporaryFolder folder;
  Case c;
  c.directory = folder.path();
  folder.write("closed.stl", binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, true, true, true)));
  c.geometry.stl = {stl("closed.stl")};
  c.openings = {{"in", Real3{5, 9, 7}, Real3{-1, 0, 0}, 10.0}, {"out", Real3{35, 9, 7}, Real3{1, 0, 0}, 10.0}};
  c.boundaries = {boundary("in", "velocity"), boundary("out", "pressure")};
  const Geometry g = build(c);
  ASSERT_EQ(g.openings.size(), 2u);
  for (const Opening& o : g.openings) EXPECT_NEAR(o.area, pi * 64, 0.04 * pi * 64);
  EXPECT_NEAR(static_cast<double>(g.nodes.fluid_nodes), 30 * pi * 64, 0.04 * 30 * pi * 64);
  EXPECT_EQ(g.report.dropped_components, 2u) << "the ends beyond the discs";
}

TEST(StlBody, OwnsAllItsLinksWhateverItsOrientation) {
  const TemporaryFolder folder;
  std::mt19937 random(7);
  geometry::TriangleSoup soup = tube_soup(8.3, 20.6, {0, 12.2, 11.9}, 5.4, true, true, true);
  for (auto& triangle : soup) {
    if (random() % 2 == 0) std::swap(triangle[1], triangle[2]);
  }
  folder.write("body.stl", binary_stl(soup));
  Case c = box_case({32, 24, 24}, {boundary("x_min", "velocity"), boundary("x_max", "pressure")});
  c.directory = folder.path();
  c.geometry.stl = {stl("body.stl", "body")};
  c.geometry.stl[0].fluid = "outside";
  const Geometry g = build(c);
  const int body = surface_number(g, "body");
  const std::vector<int> links = count_links(g);
  int expected = 0;
  for_each_fluid(g.nodes, [&](const Int3& node) {
    for (const Int3& o : link_offsets(3)) {
      const Int3 far{node[0] + o[0], node[1] + o[1], node[2] + o[2]};
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) inside = inside && far[axis] >= 0 && far[axis] < c.domain.nodes->at(axis);
      expected += inside && !g.nodes.is_fluid(far);
    }
  });
  EXPECT_EQ(links[body], expected);
  EXPECT_EQ(links[surface_id::wall], 0);
  const double solid = static_cast<double>(g.nodes.box_nodes() - g.nodes.fluid_nodes), exact = 12.3 * pi * 5.4 * 5.4;
  EXPECT_NEAR(solid, exact, 0.05 * exact);
}

TEST(StlBody, SmallGapsAreClosed) {
  const TemporaryFolder folder;
  geometry::TriangleSoup soup = tube_soup(4, 30, {0, 12, 12}, 8, true, true, true, 400);
  soup.erase(soup.begin() + 100, soup.begin() + 102);  // a slit of 0.13 x 26
  soup.erase(soup.begin() + 700, soup.begin() + 701);
  folder.write("slit.stl", binary_stl(soup));
  Case c = box_case({36, 24, 24}, {});
  c.directory = folder.path();
  c.geometry.stl = {stl("slit.stl")};
  c.geometry.allow_defects = true;
  c.domain.origin = Real3{0, 0, 0};
  const Geometry g = build(c);
  EXPECT_NEAR(static_cast<double>(g.nodes.fluid_nodes), 26 * pi * 64, 0.04 * 26 * pi * 64);
  EXPECT_EQ(g.report.hole_count, 2u);
  EXPECT_FALSE(g.report.defect_positions.empty());
  EXPECT_EQ(g.report.fluid_components, 1u);
}

TEST(Grid, FollowsTheInputs) {
  const TemporaryFolder folder;
  folder.write("box.stl", binary_stl(box_soup({10, 20, 30}, {14, 26, 38})));
  Case c;
  c.directory = folder.path();
  c.units.system = "si";
  c.units.spacing = 0.0005;
  c.geometry.stl = {stl("box.stl")};
  c.geometry.stl[0].unit = 0.001;
  c.geometry.stl[0].translate = {1, 0, 0};
  Grid grid = make_grid(c);
  EXPECT_EQ(grid.size, (Int3{10, 14, 18}));
  EXPECT_NEAR(grid.origin[0], 1.0095, 1e-12);
  EXPECT_NEAR(grid.origin[2], 0.0295, 1e-12);
  EXPECT_EQ(build(c).nodes.fluid_nodes, 8u * 12 * 16);
  c.domain.padding = 3;
  EXPECT_EQ(make_grid(c).size, (Int3{14, 18, 22}));
  c.domain.size = Real3{0.004, 0.006, 0.00825};
  grid = make_grid(c);
  EXPECT_EQ(grid.size, (Int3{8, 12, 17})) << "16.5 nodes are rounded";
  EXPECT_NEAR(grid.origin[0], 1.01, 1e-9) << "the corner of the surface";
  const Geometry g = build(c);
  ASSERT_FALSE(g.report.warnings.empty());
  EXPECT_NE(g.report.warnings[0].find("16.5 nodes"), std::string::npos);
  c.domain.origin = Real3{0, 0, 0};
  EXPECT_EQ(make_grid(c).origin, (Real3{0, 0, 0}));
}

TEST(Grid, NamesWhatIsWrong) {
  Case c;
  expect_message([&] { make_grid(c); }, {"size of the box", "domain.nodes"});
  c.domain.dimension = 4;
  expect_message([&] { make_grid(c); }, {"dimension is 4"});
  c.domain.dimension = 3;
  c.domain.size = Real3{1, -1, 1};
  expect_message([&] { make_grid(c); }, {"domain.size: -1 along y"});
  c.domain.nodes = Int3{1, 1, 1};
  expect_message([&] { make_grid(c); }, {"nodes and size contradict"});
  c.domain.nodes.reset();
  c.units.system = "si";
  expect_message([&] { make_grid(c); }, {"units.spacing is missing"});
  c.units.spacing = -1;
  expect_message([&] { make_grid(c); }, {"units.spacing is -1"});
  c.units.spacing = 1e-9;
  c.domain.size = Real3{1, 1, 1};
  expect_message([&] { make_grid(c); }, {"nodes along x", "spacing"});
  c.domain.padding = -1;
  expect_message([&] { make_grid(c); }, {"padding is -1"});
}

}  // namespace
}  // namespace fluvia::test
