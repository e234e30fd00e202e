// SPDX-License-Identifier: Apache-2.0
// Links between two nodes of fluid that sheets cross.
#include "fluvia/geometry/mesh/parts/sheets.hpp"

#include <random>

#include "fluvia/geometry/layers/layer.hpp"
#include "fluvia/geometry/map/components.hpp"
#include "fluvia/geometry/map/link_search.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

using geometry::Sheet;
using geometry::TriangleSoup;

constexpr Int3 box_size{14, 11, 9};

NodeMap full_box(const Bool3& periodic, int dimension = 3) {
  Int3 size = box_size;
  if (dimension == 2) size[2] = 1;
  return NodeMap::build(dimension, size, periodic, [](const Int3&) { return ~std::uint64_t{0}; });
}

/// A large square around a point, across a normal, of two triangles.
Sheet plane(const Real3& point, const Real3& normal, double half = 100) {
  const Real3 across = std::abs(normal[0]) < 0.5 * norm(normal) ? Real3{1, 0, 0} : Real3{0, 1, 0};
  Real3 u = cross(normal, across), v = cross(normal, u);
  u = (half / norm(u)) * u;
  v = (half / norm(v)) * v;
  Sheet sheet;
  sheet.mesh.vertices = {point - u - v, point + u - v, point + u + v, point - u + v};
  sheet.mesh.triangles = {{{0, 1, 2}, 7}, {{0, 2, 3}, 7}};
  return sheet;
}

NodeMap with_sheets(NodeMap nodes, const std::vector<Sheet>& sheets) {
  std::vector<GeometryReport::Refusal> refusals;
  nodes.barred = std::make_shared<const BarredLinks>(geometry::find_barred_links(nodes, sheets, refusals));
  EXPECT_TRUE(refusals.empty()) << refusals.front().message;
  return nodes;
}

/// What hangs together by the links to all neighbours that are not barred.
std::vector<int> parts_by_links(const NodeMap& nodes) {
  std::vector<int> part(nodes.fluid_nodes, -1);
  int count = 0;
  const auto visit = [&](const Int3& first) {
    std::vector<Int3> list = {first};
    part[static_cast<std::size_t>(nodes.node_index(first))] = count++;
    while (!list.empty()) {
      const Int3 x = list.back();
      list.pop_back();
      for (const Int3& o : neighbour_offsets(nodes.dimension, 3)) {
        if (nodes.barring_surface(x, o) >= 0) continue;
        const NodeMap::Landing there = nodes.land({x[0] + o[0], x[1] + o[1], x[2] + o[2]});
        const std::int64_t n = there.inside ? nodes.node_index(there.node) : -1;
        if (n < 0 || part[static_cast<std::size_t>(n)] >= 0) continue;
        part[static_cast<std::size_t>(n)] = count - 1;
        list.push_back(there.node);
      }
    }
  };
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (int bit = 0; bit < nodes_per_tile; ++bit) {
      if ((tile.mask >> bit & 1) == 0) continue;
      const Int3 x = nodes.node_position(tile, bit);
      if (part[static_cast<std::size_t>(nodes.node_index(x))] < 0) visit(x);
    }
  return part;
}

int count_of(const std::vector<int>& parts) {
  return *std::max_element(parts.begin(), parts.end()) + 1;
}

/// Planes through nodes and faces between nodes as well, along axes and askew: none of the links to all neighbours
/// leads through, and none is barred that does not.
TEST(Sheets, PlanesDivideTheFlowWhateverTheyGoThrough) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int k = 0; k < 300; ++k) {
    Real3 normal{any(random), any(random), any(random)},
        point{7 + 2 * any(random), 5 + 2 * any(random), 4.5 + any(random)};
    if (k % 3 != 0)
      for (double& n : normal) n = std::round(1.5 * n);
    if (k % 3 == 2)
      for (double& p : point) p = std::round(2 * p) / 2;  // nodes lie at a half, and links end at whole numbers
    if (norm(normal) == 0) continue;
    const NodeMap nodes = with_sheets(full_box({false, false, false}), {plane(point, normal)});
    SCOPED_TRACE(testing::Message() << k << ": " << geometry::format_point(normal) << ' '
                                    << geometry::format_point(point));
    EXPECT_EQ(count_of(parts_by_links(nodes)), 2);
    const geometry::Components components(nodes);
    EXPECT_EQ(components.count(), 2u);
    const std::vector<int> parts = parts_by_links(nodes);
    std::uint64_t barred = 0;
    for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t)
      for (int bit = 0; bit < nodes_per_tile; ++bit) {
        if ((nodes.tiles[t].mask >> bit & 1) == 0) continue;
        const Int3 x = nodes.node_position(nodes.tiles[t], bit);
        const int own = parts[static_cast<std::size_t>(nodes.node_index(x))];
        EXPECT_EQ(components.of(t, bit), static_cast<std::uint32_t>(own));
        for (const Int3& o : neighbour_offsets(3, 3)) {
          const std::int64_t n = nodes.node_index({x[0] + o[0], x[1] + o[1], x[2] + o[2]});
          const bool leads_across = n >= 0 && parts[static_cast<std::size_t>(n)] != own;
          ASSERT_EQ(nodes.barring_surface(x, o), leads_across ? 7 : -1);
          barred += leads_across ? 1 : 0;
        }
      }
    std::uint64_t known = 0;
    for (const BarredLinks::Node& node : nodes.barred->nodes())
      known += static_cast<std::uint64_t>(std::popcount(node.offsets));
    EXPECT_EQ(known, barred);
  }
}

/// A sheet as large as a box that is periodic along it, or has planes of symmetry there, has no gap at its ends.
TEST(Sheets, GoOnBeyondPeriodicFacesAndPlanesOfSymmetry) {
  for (const bool periodic : {true, false})
    for (const double x : {6.0, 6.3, 6.5}) {
      NodeMap nodes = full_box({false, periodic, periodic});
      if (!periodic) nodes.mirrors = {false, false, true, true, true, true};
      Sheet sheet = plane({x, 0, 0}, {1, 0, 0});
      sheet.mesh.vertices = {{x, 0, 0}, {x, 11, 0}, {x, 11, 9}, {x, 0, 9}};
      EXPECT_EQ(count_of(parts_by_links(with_sheets(nodes, {sheet}))), 2) << periodic << ' ' << x;
      // Around a periodic axis two are needed.
      nodes.periodic[0] = periodic;
      EXPECT_EQ(count_of(parts_by_links(with_sheets(nodes, {sheet}))), periodic ? 1 : 2);
      Sheet second = sheet;
      for (Real3& vertex : second.mesh.vertices) vertex[0] = 14 - 1e-4;
      if (!periodic) continue;
      EXPECT_EQ(count_of(parts_by_links(with_sheets(nodes, {sheet, second}))), 2);
    }
}

TEST(Sheets, DivideFlowsInTwoDimensions) {
  const NodeMap nodes = with_sheets(full_box({false, false, true}, 2), {plane({7, 5, 0.5}, {1, 1, 0})});
  EXPECT_EQ(count_of(parts_by_links(nodes)), 2);
  EXPECT_EQ(geometry::Components(nodes).count(), 2u);
}

/// Cut links are those that end in solid, and barred ones.
TEST(Sheets, AreFoundWhereCutLinksAreLookedFor) {
  const std::vector<Int3> offsets = neighbour_offsets(3, 2);
  const Bool3 all{true, true, true};
  NodeMap nodes = NodeMap::build(3, {24, 24, 24}, all, [](const Int3&) { return ~std::uint64_t{0}; });
  nodes = with_sheets(std::move(nodes), {plane({9, 11, 13}, {1, 0, 0}, 3)});
  std::uint64_t cut = 0;
  LinkSearch search(nodes, offsets);
  for (std::uint64_t t = 0; t < nodes.tiles.size(); ++t)
    search.visit_tile(t, [&](const NodeWithCuts& at) {
      at.for_each_cut([&](std::size_t k) {
        EXPECT_EQ(nodes.barring_surface(at.node, offsets[k]), 7);
        ++cut;
      });
    });
  EXPECT_EQ(cut, 2u * 36 * 5);
}

class SheetCase : public ::testing::Test {
 protected:
  Case with(const TriangleSoup& soup) const {
    Case c;
    c.directory = folder_.path();
    c.domain.nodes = Int3{24, 12, 12};
    c.domain.origin = Real3{0, 0, 0};
    c.domain.periodic = {true, true, true};
    folder_.write("shell.stl", binary_stl(soup));
    c.geometry.stl = {stl("shell.stl", "shell")};
    c.geometry.stl[0].fluid = "both";
    return c;
  }
  TemporaryFolder folder_;
};

/// A tube without ends stays open; with both ends it encloses fluid that no flow reaches, whose walls are its own.
TEST_F(SheetCase, FluidThatAShellEnclosesIsDropped) {
  const Geometry open = build(with(tube_soup(4, 20, {0, 6, 6}, 4.3, true, false, false)));
  EXPECT_EQ(open.nodes.fluid_nodes, 24u * 144);
  EXPECT_EQ(open.report.fluid_components, 1u);
  EXPECT_EQ(open.report.hole_count, 0u);
  const Geometry closed = build(with(tube_soup(4, 20, {0, 6, 6}, 4.3, true, true, true)));
  EXPECT_EQ(closed.report.dropped_components, 1u);
  EXPECT_EQ(closed.report.dropped_nodes, 16u * 52);  // nodes within 4.3 of the axis
  EXPECT_FALSE(closed.nodes.is_fluid({12, 6, 6}));
  ASSERT_TRUE(closed.nodes.is_fluid({3, 6, 6}));
  EXPECT_EQ(closed.surfaces[static_cast<std::size_t>(closed.surface_of({3, 6, 6}, {1, 0, 0}))], "shell");
}

TEST_F(SheetCase, WhatASheetCannotBeIsRefused) {
  Case c = with(tube_soup(4, 20, {0, 6, 6}, 4.3, true, false, false));
  c.boundaries = {boundary("shell", "moving_wall")};
  c.boundaries[0].velocity = {0.01, 0, 0};
  expect_message([&] { build(c); }, {"shell", "moving_wall", "a sheet", "wall at rest"});
  c = with(tube_soup(4, 20, {0, 6, 6}, 4.3, true, false, false));
  c.geometry.stl[0].role = "opening";
  expect_message([&] { build(c); }, {"shell.stl", "no sheet", "fluid = \"both\""});
  // Without that word it is a body with holes, and the message offers it.
  c = with(tube_soup(4, 20, {0, 6, 6}, 4.3, true, false, false));
  c.geometry.stl[0].fluid = "outside";
  expect_message([&] { build(c); }, {"2 holes", "fluid = \"both\""});
}

}  // namespace
}  // namespace fluvia::test
