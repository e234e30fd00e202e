// SPDX-License-Identifier: Apache-2.0
// Surfaces whose triangles miss each other a little, as exporters that round leave them.
#include <gtest/gtest.h>

#include "geometry/test_support.hpp"
#include "nlohmann/json.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

/// A box of 8 x 8 x 8 nodes each of whose corners is moved by up to `gap` nodes, in every triangle another way.
std::string torn_box(double gap) {
  geometry::TriangleSoup soup = box_soup({10, 6, 6}, {18, 14, 14});
  int k = 0;
  for (auto& triangle : soup)
    for (Real3& corner : triangle)
      for (double& x : corner) x += gap * std::sin(12.9 * ++k);
  return binary_stl(soup);
}

TEST(StitchedSurface, TakesTrianglesThatMissEachOtherByAThousandthOfANode) {
  const Folder folder;
  write_text(folder / "c.toml", R"([units]
viscosity = 0.05
[domain]
nodes = [30, 20, 20]
periodic = [true, true, true]
[[geometry.stl]]
file = "box.stl"
name = "box"
fluid = "outside"
[physics]
acceleration = [1e-6, 0, 0]
[run]
steps = 10
[numerics]
device = "cpu"
)");
  const std::string plan = "plan " + (folder / "c.toml").string() + " --json " + (folder / "plan.json").string();
  for (const double gap : {0.0, 1e-5, 1e-4, 1e-3}) {
    SCOPED_TRACE(gap);
    write_text(folder / "box.stl", torn_box(gap));
    const Outcome outcome = run_fluvia(plan);
    ASSERT_EQ(outcome.code, 0) << outcome.text;
    EXPECT_EQ(nlohmann::json::parse(read_text(folder / "plan.json"))["fluid_nodes"], 30 * 20 * 20 - 8 * 8 * 8);
  }
  write_text(folder / "box.stl", torn_box(0.2));  // gaps that the grid may see are for the user to close
  const Outcome torn = run_fluvia(plan);
  EXPECT_NE(torn.code, 0) << torn.text;
  EXPECT_NE(torn.text.find("lie less than a node from each other"), std::string::npos) << torn.text;
}

}  // namespace
}  // namespace fluvia::test
