// SPDX-License-Identifier: Apache-2.0
// Triangles that add nothing to a surface, and parts of surfaces that no node feels.
#include <algorithm>

#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using geometry::TriangleSoup;

/// A surface in a box of 24 x 12 x 12 nodes.
class SurfaceInBox : public ::testing::Test {
 protected:
  Case with(const TriangleSoup& soup, const std::string& fluid = "inside") const {
    Case c;
    c.directory = folder_.path();
    c.domain.nodes = Int3{24, 12, 12};
    c.domain.origin = Real3{0, 0, 0};
    folder_.write("surface.stl", binary_stl(soup));
    c.geometry.stl = {stl("surface.stl", "surface")};
    c.geometry.stl[0].fluid = fluid;
    return c;
  }
  TemporaryFolder folder_;
};

void append(TriangleSoup& soup, const TriangleSoup& more) {
  soup.insert(soup.end(), more.begin(), more.end());
}

TriangleSoup turned_around(TriangleSoup soup) {
  for (auto& triangle : soup) triangle = {triangle[1], triangle[0], triangle[2]};
  return soup;
}

std::string warnings_of(const Geometry& g) {
  std::string all;
  for (const std::string& text : g.report.warnings) all += text + "\n";
  return all;
}

TEST_F(SurfaceInBox, TrianglesThatAreThereTwiceCountOnce) {
  const TriangleSoup block = box_soup({2, 2, 2}, {10, 8, 8});
  TriangleSoup twice = block, both_sides = block, thrice = block, one_again = block;
  append(twice, block);
  append(both_sides, turned_around(block));
  append(thrice, twice);
  one_again.push_back({block[5][1], block[5][2], block[5][0]});
  for (const auto& [soup, doubled] : {std::pair{twice, "12"}, {both_sides, "12"}, {thrice, "24"}, {one_again, "1"}}) {
    const Geometry g = build(with(soup));
    EXPECT_EQ(g.nodes.fluid_nodes, 8u * 6 * 6) << doubled;
    EXPECT_EQ(g.report.hole_count, 0u) << doubled;
    EXPECT_EQ(g.report.non_manifold_edges, 0u) << doubled;
    EXPECT_NE(warnings_of(g).find(std::string(doubled) + " triangles lie on another one"), std::string::npos);
  }
}

/// The face between them is there twice, once for each: without one of the two it would be a wall.
TEST_F(SurfaceInBox, BodiesThatShareAFaceKeepIt) {
  TriangleSoup soup = box_soup({2, 2, 2}, {8, 8, 8});
  append(soup, box_soup({8, 2, 2}, {14, 8, 8}));
  const auto [a, b, c, d] = std::array{Real3{8, 2, 2}, Real3{8, 8, 2}, Real3{8, 8, 8}, Real3{8, 2, 8}};
  std::erase_if(soup, [](const auto& t) { return t[0][0] == 8 && t[1][0] == 8 && t[2][0] == 8; });
  append(soup, {{a, b, c}, {a, c, d}, {c, b, a}, {d, c, a}});
  const Geometry g = build(with(soup));
  EXPECT_EQ(g.nodes.fluid_nodes, 12u * 6 * 6);
  EXPECT_EQ(g.report.hole_count, 0u);
  EXPECT_EQ(warnings_of(g).find("lie on another one"), std::string::npos);
}

TEST_F(SurfaceInBox, TrianglesWithoutAreaAreLeftOut) {
  TriangleSoup soup = box_soup({0, 0, 0}, {10, 10, 10});
  append(soup, {{Real3{0, 0, 0}, Real3{0, 0, 0}, Real3{0, 0, 0}},
                {Real3{0, 0, 0}, Real3{10, 0, 0}, Real3{5, 0, 0}},
                {Real3{0, 0, 0}, Real3{5, 0, 0}, Real3{2, 0, 0}},
                {Real3{1, 1, 1}, Real3{1, 1, 1}, Real3{9, 9, 9}}});
  const Geometry g = build(with(soup));
  EXPECT_EQ(g.nodes.fluid_nodes, 1000u);
  EXPECT_EQ(g.report.hole_count, 0u);
  EXPECT_EQ(g.report.non_manifold_edges, 0u);
  EXPECT_TRUE(g.report.warnings.empty()) << warnings_of(g);
}

/// A side of one triangle meets two sides of its neighbours, joined by a triangle without area: that one is needed.
TEST_F(SurfaceInBox, TrianglesWithoutAreaThatCloseTheSurfaceStay) {
  TriangleSoup soup = box_soup({2, 2, 2}, {10, 10, 10});
  const Real3 a{2, 2, 2}, b{10, 2, 2}, middle{6, 2, 2};
  const auto lies_below = [&](const auto& t) {
    const bool below = t[0][2] == 2 && t[1][2] == 2 && t[2][2] == 2;
    return below && std::count(t.begin(), t.end(), a) + std::count(t.begin(), t.end(), b) == 2;
  };
  const auto split = std::find_if(soup.begin(), soup.end(), lies_below);
  ASSERT_NE(split, soup.end());
  const Real3 third = *std::find_if(split->begin(), split->end(), [&](const Real3& p) { return p != a && p != b; });
  soup.erase(split);
  append(soup, {{a, middle, third}, {middle, b, third}, {a, middle, b}});
  const Geometry g = build(with(soup));
  EXPECT_EQ(g.nodes.fluid_nodes, 512u);
  EXPECT_EQ(g.report.hole_count, 0u);
  EXPECT_TRUE(g.report.warnings.empty()) << warnings_of(g);
  // Without it the slit has no width: it is closed, and no gap to speak of.
  soup.pop_back();
  const Geometry slit = build(with(soup));
  EXPECT_EQ(slit.nodes.fluid_nodes, 512u);
  EXPECT_EQ(slit.report.hole_count, 0u);
  EXPECT_TRUE(slit.report.warnings.empty()) << warnings_of(slit);
}

/// The number of barred links along the directions of D3Q19, of one sheet; -1 if there are none or several.
int links_of_sheet(const Geometry& g) {
  return g.report.sheets.size() == 1 ? static_cast<int>(g.report.sheets.front().links) : -1;
}

TEST_F(SurfaceInBox, SolidsWithoutANodeAreSheets) {
  const auto links = [&](const TriangleSoup& soup) {
    const Geometry g = build(with(soup, "outside"));
    EXPECT_EQ(g.nodes.fluid_nodes, 24u * 144);
    return links_of_sheet(g);
  };
  // 10 x 10 links along x, and as many along each of the four directions askew in which they meet no rim.
  EXPECT_EQ(links(box_soup({12.6, 1, 1}, {12.8, 11, 11})), 500);
  // A node that lies in its hinder side alone is not in it.
  EXPECT_EQ(links(box_soup({12.3, 1, 1}, {12.5, 11, 11})), 500);
  // One that touches the faces of the box: 12 x 12, and 11 x 12 askew.
  EXPECT_EQ(links(box_soup({12.6, -1, -1}, {12.8, 13, 13})), 144 + 4 * 132);
  // A node in it, or as thick as a node: it is there.
  EXPECT_EQ(build(with(box_soup({12.4, 1, 1}, {12.6, 11, 11}), "outside")).nodes.fluid_nodes, 24u * 144 - 100);
  const Geometry thick = build(with(box_soup({12.1, 1, 1}, {13.2, 11, 11}), "outside"));
  EXPECT_EQ(thick.nodes.fluid_nodes, 24u * 144 - 100);
  EXPECT_EQ(thick.nodes.barred, nullptr);
}

/// A wire between lines of nodes would let the flow through along all axes.
TEST_F(SurfaceInBox, PartsThatCrossNoLinkAreRefused) {
  Case c = with(box_soup({2, 5.6, 5.6}, {22, 5.9, 5.9}), "outside");
  expect_message([&] { build(c); },
                 {"surface.stl", "(12, 5.75, 5.75)", "no node inside", "crosses no link along an axis",
                  "at least one node", "times as many nodes along each axis"});
  c.units.system = "si";
  c.units.spacing = 1;
  expect_message([&] { build(c); }, {"choose a spacing of at most 0.14"});
  c = with(box_soup({2, 5.6, 5.6}, {22, 5.9, 5.9}), "both");
  expect_message([&] { build(c); }, {"surface.stl", "the sheet crosses no link"});
}

TEST_F(SurfaceInBox, ThinSolidsBesideOthersAreSheetsAndSpecksWarnedOf) {
  TriangleSoup soup = box_soup({2, 2, 2}, {6, 6, 6});
  append(soup, box_soup({15.6, 1, 1}, {15.8, 11, 11}));
  Geometry g = build(with(soup, "outside"));
  EXPECT_EQ(g.nodes.fluid_nodes, 24u * 144 - 64);
  EXPECT_EQ(links_of_sheet(g), 500);
  soup = box_soup({2, 2, 2}, {6, 6, 6});
  append(soup, box_soup({15.6, 3.6, 3.6}, {15.8, 3.9, 3.9}));
  g = build(with(soup, "outside"));
  EXPECT_EQ(g.nodes.fluid_nodes, 24u * 144 - 64);
  EXPECT_TRUE(g.report.sheets.empty());
  EXPECT_NE(warnings_of(g).find("1 parts of the surface are smaller than 2 nodes"), std::string::npos);
  expect_message([&] { build(with(box_soup({15.6, 3.6, 3.6}, {15.8, 3.9, 3.9}), "outside")); }, {"no node inside"});
}

TEST_F(SurfaceInBox, SurfacesWithoutThicknessAreSheets) {
  const TriangleSoup duct = box_soup({1, 1, 1}, {23, 11, 11});
  const TriangleSoup sheet{{Real3{12, 2, 2}, Real3{12, 10, 2}, Real3{12, 10, 6}},
                           {Real3{12, 2, 2}, Real3{12, 10, 6}, Real3{12, 2, 6}}};
  TriangleSoup soup = duct;
  append(soup, sheet);
  // 8 x 4 links along x, and as many along each of the four directions askew.
  Geometry g = build(with(soup));
  EXPECT_EQ(g.nodes.fluid_nodes, 22u * 100);
  EXPECT_EQ(links_of_sheet(g), 160);
  EXPECT_EQ(g.report.hole_count, 0u);
  EXPECT_EQ(g.report.sheets.front().line(),
            "'surface': a sheet: 160 links with fluid on both sides; walls half-way, at rest");
  g = build(with(sheet, "outside"));
  EXPECT_EQ(g.nodes.fluid_nodes, 24u * 144);
  EXPECT_EQ(links_of_sheet(g), 160);
  // Both sides of it in the file, as two layers of triangles.
  soup = sheet;
  append(soup, turned_around(sheet));
  EXPECT_EQ(links_of_sheet(build(with(soup, "outside"))), 160);
  // With vertices in common: the duct's sides are cut where the sheet meets them.
  soup = box_soup({1, 1, 1}, {12, 11, 11}, {1});
  append(soup, box_soup({12, 1, 1}, {23, 11, 11}, {0}));
  append(soup, {{Real3{12, 1, 1}, Real3{12, 11, 1}, Real3{12, 11, 11}},
                {Real3{12, 1, 1}, Real3{12, 11, 11}, Real3{12, 1, 11}}});
  g = build(with(soup));
  EXPECT_EQ(g.nodes.fluid_nodes, 22u * 100);
  EXPECT_EQ(links_of_sheet(g), 100 + 4 * 90);
  // Outside of the flow it does no harm.
  soup = box_soup({1, 1, 1}, {10, 11, 11});
  append(soup, sheet);
  Case c = with(soup);
  c.geometry.allow_defects = true;
  g = build(c);
  EXPECT_EQ(g.nodes.fluid_nodes, 9u * 100);
  EXPECT_EQ(g.nodes.barred, nullptr);
}

}  // namespace
}  // namespace fluvia::test
