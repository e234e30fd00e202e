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
  // Across gaps that the grid may see nothing is joined: each triangle is a sheet, which the plan says, and between
  // them fluid passes.
  write_text(folder / "box.stl", torn_box(0.2));
  const Outcome hollow = run_fluvia(plan);
  EXPECT_EQ(hollow.code, 0) << hollow.text;
  EXPECT_NE(hollow.text.find("'box': a sheet: "), std::string::npos) << hollow.text;
}

}  // namespace
}  // namespace fluvia::test
