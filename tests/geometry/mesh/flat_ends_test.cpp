// SPDX-License-Identifier: Apache-2.0
// Ends of closed vessels, which openings may name like holes.
#include "fluvia/geometry/mesh/flat_ends.hpp"

#include <algorithm>

#include "fluvia/geometry/mesh/mesh.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using geometry::FlatEnd;
using geometry::TriangleSoup;

geometry::Mesh mesh_of(const TriangleSoup& soup) {
  const geometry::Patch patch{soup, 0};
  return geometry::weld({&patch, 1}, 1e-6);
}

TriangleSoup sphere_soup(double radius, int rings) {
  TriangleSoup soup;
  const auto point = [&](int i, int j) {
    const double theta = std::numbers::pi * i / rings, phi = std::numbers::pi * j / rings;
    return radius * Real3{std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta)};
  };
  for (int i = 0; i < rings; ++i)
    for (int j = 0; j < 2 * rings; ++j) {
      soup.push_back({point(i, j), point(i + 1, j), point(i + 1, j + 1)});
      soup.push_back({point(i, j), point(i + 1, j + 1), point(i, j + 1)});
    }
  return soup;
}

TEST(FlatEnds, AreTheDiscsOfAClosedTube) {
  const auto ends = geometry::find_flat_ends(mesh_of(tube_soup(0, 40, {0, 9, 7}, 8, true, true, true)));
  ASSERT_EQ(ends.size(), 2U);
  const double area = 24 * std::sin(2 * std::numbers::pi / 48) * 64;  // of the polygon
  for (const FlatEnd& end : ends) {
    EXPECT_NEAR(end.area, area, 1e-9);
    EXPECT_NEAR(std::abs(end.normal[0]), 1, 1e-12);
    EXPECT_NEAR(end.centroid[1], 9, 1e-9);
    EXPECT_EQ(end.triangles.size(), 48U);
  }
  EXPECT_NEAR(ends[0].centroid[0] + ends[1].centroid[0], 40, 1e-9);
}

TEST(FlatEnds, AreTheSameWhicheverTriangleComesFirst) {
  TriangleSoup soup = tube_soup(0, 40, {0, 9, 7}, 8, true, true, true, 12);
  for (std::size_t turn = 0; turn < soup.size(); ++turn) {
    std::rotate(soup.begin(), soup.begin() + 1, soup.end());
    const auto ends = geometry::find_flat_ends(mesh_of(soup));
    ASSERT_EQ(ends.size(), 2U) << turn;
    for (const FlatEnd& end : ends) EXPECT_EQ(end.triangles.size(), 12U) << turn;
  }
}

/// A square is no disc: it counts since its rim is sharp, in whatever unit the duct is given.
TEST(FlatEnds, AreTheSquaresOfAClosedDuctOfAnySize) {
  for (const double size : {1e-3, 1.0, 1e3}) {
    const auto ends = geometry::find_flat_ends(mesh_of(box_soup({0, 0, 0}, {10 * size, size, size})));
    ASSERT_EQ(ends.size(), 2U) << size;
    for (const FlatEnd& end : ends) {
      EXPECT_NEAR(end.area / (size * size), 1, 1e-9);
      EXPECT_NEAR(end.perimeter / size, 4, 1e-9);
      EXPECT_NEAR(std::abs(end.normal[0]), 1, 1e-12);
    }
  }
}

TEST(FlatEnds, NeitherOpenTubesNorRoundBodiesHaveAny) {
  EXPECT_TRUE(geometry::find_flat_ends(mesh_of(tube_soup(0, 40, {0, 9, 7}, 8, true, false, false))).empty());
  for (const int sides : {8, 12, 48})  // facets of a coarse wall are no ends, whatever the angle between them
    EXPECT_EQ(geometry::find_flat_ends(mesh_of(tube_soup(0, 40, {0, 9, 7}, 8, true, true, true, sides))).size(), 2U)
        << sides;
  for (const int rings : {6, 10, 40})
    EXPECT_TRUE(geometry::find_flat_ends(mesh_of(sphere_soup(5, rings))).empty()) << rings;
}

TEST(FlatEnds, OpeningsNameThem) {
  const TemporaryFolder folder;
  Case c;
  c.directory = folder.path();
  folder.write("closed.stl", binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, true, true, true)));
  folder.write("open.stl", binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, true, false, false)));
  c.openings = {{"in", Real3{0, 9.5, 7}, {}, {}}, {"out", Real3{40, 9, 7.5}, {}, {}}};
  c.boundaries = {boundary("in", "pressure"), boundary("out", "pressure")};
  std::vector<Geometry> made;
  for (const char* file : {"closed.stl", "open.stl"}) {
    c.geometry.stl = {stl(file)};
    made.push_back(build(c));
    const Geometry& g = made.back();
    ASSERT_EQ(g.openings.size(), 2U);
    for (const Opening& opening : g.openings) {
      EXPECT_NEAR(opening.area, 200.5, 0.5) << file;
      EXPECT_NEAR(opening.normal[0], opening.name == "in" ? -1 : 1, 1e-9) << file;
    }
  }
  EXPECT_EQ(made[0].report.hole_count, 0U);
  EXPECT_EQ(made[0].nodes.fluid_nodes, made[1].nodes.fluid_nodes);
  const auto links = [](const Geometry& g, const std::string& name) {
    return count_links(g).at(static_cast<std::size_t>(surface_number(g, name)));
  };
  for (const char* name : {"in", "out", "wall"}) EXPECT_EQ(links(made[0], name), links(made[1], name)) << name;
}

}  // namespace
}  // namespace fluvia::test
