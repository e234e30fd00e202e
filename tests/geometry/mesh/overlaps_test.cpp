// SPDX-License-Identifier: Apache-2.0
// Closed surfaces that overlap, lie in each other, or are there twice.
#include <algorithm>
#include <random>

#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using geometry::TriangleSoup;

struct Block {
  Real3 low, high;
  [[nodiscard]] bool has(const Real3& p) const {
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) inside = inside && p[axis] > low[axis] && p[axis] < high[axis];
    return inside;
  }
  [[nodiscard]] TriangleSoup soup() const { return box_soup(low, high); }
};

TriangleSoup joined(const std::vector<TriangleSoup>& parts) {
  TriangleSoup all;
  for (const TriangleSoup& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

TriangleSoup inverted(TriangleSoup soup) {
  for (auto& triangle : soup) std::swap(triangle[0], triangle[1]);
  return soup;
}

/// A box of 20 x 20 x 20 nodes with surfaces in it, from files with the fluid inside.
class Overlapping : public ::testing::Test {
 protected:
  Case with(const std::vector<TriangleSoup>& files) const {
    Case c;
    c.directory = folder_.path();
    c.domain.nodes = Int3{20, 20, 20};
    c.domain.origin = Real3{0, 0, 0};
    for (std::size_t i = 0; i < files.size(); ++i) {
      const std::string name = "part" + std::to_string(i);
      folder_.write(name + ".stl", binary_stl(files[i]));
      c.geometry.stl.push_back(stl(name + ".stl", name));
    }
    return c;
  }
  /// Fluid nodes where `expected` does not say so, or the other way round.
  template <class Expected>
  static int count_wrong(const Geometry& g, const Expected& expected) {
    int wrong = 0;
    for (int z = 0; z < 20; ++z)
      for (int y = 0; y < 20; ++y)
        for (int x = 0; x < 20; ++x) wrong += g.nodes.is_fluid({x, y, z}) != expected(Real3{x + 0.5, y + 0.5, z + 0.5});
    return wrong;
  }
  TemporaryFolder folder_;
};

bool has_warning(const Geometry& g, const std::string& part) {
  return std::any_of(g.report.warnings.begin(), g.report.warnings.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST_F(Overlapping, SurfacesAreUnitedWhateverTheirOrientation) {
  const Block a{{2, 2, 2}, {10, 10, 10}};
  // The second one crosses the first, or has sides in the same planes.
  for (const Block& b : {Block{{6.25, 4.1, 4.2}, {14, 8, 8}}, Block{{6, 2, 2}, {14, 10, 10}}}) {
    std::mt19937 random(5);
    TriangleSoup shuffled = b.soup();
    for (auto& triangle : shuffled)
      if (random() % 2 == 0) std::swap(triangle[1], triangle[2]);
    for (const TriangleSoup& second : {b.soup(), inverted(b.soup()), shuffled}) {
      for (const bool one_file : {true, false}) {
        const Case c = with(one_file ? std::vector<TriangleSoup>{joined({a.soup(), second})}
                                     : std::vector<TriangleSoup>{a.soup(), second});
        const Geometry g = build(c);
        EXPECT_EQ(count_wrong(g, [&](const Real3& p) { return a.has(p) || b.has(p); }), 0);
        EXPECT_EQ(g.report.overlaps, 1u);
        EXPECT_TRUE(has_warning(g, "2 closed surfaces overlap"));
        EXPECT_NE(format_report(g, c, make_grid(c)).find("overlaps            1"), std::string::npos);
        Case body = with({joined({a.soup(), second})});
        body.geometry.stl[0].fluid = "outside";
        EXPECT_EQ(count_wrong(build(body), [&](const Real3& p) { return !a.has(p) && !b.has(p); }), 0);
      }
    }
  }
}

TEST_F(Overlapping, WhatLiesInAnotherOneIsAHole) {
  const Block wall{{2, 2, 2}, {16, 16, 16}}, lumen{{5, 5, 5}, {12, 12, 12}}, core{{7, 7, 7}, {10, 10, 10}};
  const auto expected = [&](const Real3& p) { return (wall.has(p) && !lumen.has(p)) || core.has(p); };
  for (const bool turned : {false, true}) {
    const Geometry g =
        build(with({joined({wall.soup(), turned ? inverted(lumen.soup()) : lumen.soup(), core.soup()})}));
    EXPECT_EQ(count_wrong(g, expected), 0);
    EXPECT_EQ(g.report.overlaps, 0u);
    EXPECT_FALSE(has_warning(g, "closed surfaces overlap"));
    // Two bodies would face the same way, too: of all three, or only of none that has a neighbour inside out.
    EXPECT_EQ(has_warning(g, "2 closed surfaces lie inside another one"), !turned);
    EXPECT_EQ(has_warning(g, "taken for a hole in it"), !turned);
  }
}

/// Two hollow bodies: each keeps its hollow where the other one's wall does not cross it.
TEST_F(Overlapping, HollowBodiesThatOverlapStayHollow) {
  const Block a{{2, 2, 2}, {12, 12, 12}}, in_a{{4, 4, 4}, {10, 10, 10}}, b{{8, 3, 3}, {18, 13, 13}},
      in_b{{9, 5, 5}, {16, 11, 11}};
  const auto expected = [&](const Real3& p) { return (a.has(p) && !in_a.has(p)) || (b.has(p) && !in_b.has(p)); };
  const Geometry g = build(with({joined({a.soup(), in_a.soup(), b.soup(), in_b.soup()})}));
  EXPECT_EQ(g.report.overlaps, 4u);
  EXPECT_EQ(count_wrong(g, expected), 0);
}

TEST_F(Overlapping, SurfacesThatOnlyTouchStayAsTheyAre) {
  const Block a{{2, 2, 2}, {8, 8, 8}}, b{{8, 2, 2}, {14, 8, 8}}, c{{8, 9, 3}, {12, 14, 9}};
  const Geometry g = build(with({joined({a.soup(), b.soup(), c.soup()})}));
  EXPECT_EQ(count_wrong(g, [&](const Real3& p) { return a.has(p) || b.has(p) || c.has(p); }), 0);
  EXPECT_EQ(g.report.overlaps, 0u);
}

TEST_F(Overlapping, OneSurfaceWithOtherTrianglesIsThereOnce) {
  const Block block{{2.2, 2.2, 2.2}, {13, 14, 15}};
  TriangleSoup other;
  const TriangleSoup one = block.soup();
  for (std::size_t k = 0; k < one.size(); k += 2) {
    // The other diagonal of each side.
    other.push_back({one[k][0], one[k][1], one[k + 1][2]});
    other.push_back({one[k][1], one[k][2], one[k + 1][2]});
  }
  const Geometry g = build(with({joined({one, other})}));
  EXPECT_EQ(count_wrong(g, [&](const Real3& p) { return block.has(p); }), 0);
}

/// Links end at the outside of what is united, and belong to the file that it comes from there.
TEST_F(Overlapping, LinksEndAtTheUnionsSurface) {
  const Block a{{2.3, 2.3, 2.3}, {10.2, 10.2, 10.2}}, b{{9.9, 4.1, 4.1}, {16.4, 8.6, 8.6}};
  Case c = with({a.soup(), b.soup()});
  c.walls.method = "interpolated";
  const Geometry g = build(c);
  int checked = 0;
  for_each_fluid(g.nodes, [&](const Int3& node) {
    for (int axis = 0; axis < 3; ++axis) {
      for (const int sign : {-1, 1}) {
        Int3 offset{}, far = node;
        offset[axis] = sign;
        far[axis] += sign;
        if (g.nodes.is_fluid(far)) continue;
        const Real3 p{node[0] + 0.5, node[1] + 0.5, node[2] + 0.5};
        double way = 0;
        int owner = 0;
        for (int which : {0, 1}) {
          const Block& block = which == 0 ? a : b;
          if (!block.has(p)) continue;
          const double own = sign > 0 ? block.high[axis] - p[axis] : p[axis] - block.low[axis];
          if (own > way) owner = which;
          way = std::max(way, own);
        }
        ASSERT_NEAR(g.distance_of(node, offset), way, 1e-4) << node[0] << " " << node[1] << " " << node[2];
        ASSERT_EQ(g.surfaces[g.surface_of(node, offset)], owner == 0 ? "part0" : "part1");
        ++checked;
      }
    }
  });
  EXPECT_GT(checked, 300);
}

/// What lies within the union bounds nothing, and is not drawn.
TEST_F(Overlapping, WallsThatAreDrawnBoundTheUnion) {
  Case c = with({joined({Block{{2, 2, 2}, {10, 10, 10}}.soup(), Block{{6, 4, 4}, {14, 8, 8}}.soup()})});
  c.output.wall = true;
  const Geometry g = build(c);
  EXPECT_EQ(g.wall_triangles.triangles.size(), 22u) << "the side of the second that lies in the first has two";
}

}  // namespace
}  // namespace fluvia::test
