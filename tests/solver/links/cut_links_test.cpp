// SPDX-License-Identifier: Apache-2.0
// Links that walls cut, counted and collected, against counts by hand.
#include "fluvia/solver/links/cut_links.hpp"

#include <gtest/gtest.h>

#include "fluvia/case/physics/registered_physics.hpp"
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

TEST(CutLinks, CountNodesThatAreTheOnlyOnesOfTheirTiles) {
  // Lone cells of fluid in solid, at the same place of many tiles that follow each other; one has a neighbour.
  constexpr int tiles = 300, length = 4 * tiles;
  std::string bytes(16 * length, '\1');
  for (int t = 0; t < tiles; ++t) bytes[4 * t + 1 + length * (1 + 4 * 2)] = '\0';
  bytes[2 + length * (1 + 4 * 2)] = '\0';
  const TemporaryFolder folder;
  folder.write("bubbles.raw", bytes);
  Case c;
  c.directory = folder.path();
  c.geometry.voxels = Case::Voxels{};
  c.geometry.voxels->file = "bubbles.raw";
  c.geometry.voxels->shape = {length, 4, 4};
  c.geometry.voxels->fluid_labels = std::vector<int>{0};
  c.geometry.keep_isolated = true;
  const Geometry g = build(c);
  std::vector<bool> wanted(g.surfaces.size(), false);
  wanted[surface_id::wall] = true;
  const auto& velocities = facts_of_lattice("D3Q19").velocities;
  const CutLinkCount count = count_cut_links(g, velocities, wanted)[surface_id::wall];
  EXPECT_EQ(count.nodes, tiles + 1u);
  EXPECT_EQ(count.opposed, tiles + 1u);
  EXPECT_EQ(count.links, (tiles + 1u) * 18 - 2);
  EXPECT_EQ(collect_cut_links(g, velocities, wanted).size(), count.links);
}

}  // namespace
}  // namespace fluvia::test
