// SPDX-License-Identifier: Apache-2.0
// Levels that a run on one level finds.
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "fluvia/geometry/levels/regions.hpp"
#include "fluvia/run/adaptive/adaptive_levels.hpp"
#include "fluvia/run/adaptive/box_cover.hpp"
#include "fluvia/units/units.hpp"
#include "support/errors.hpp"

namespace fluvia::test {
namespace {

using Cells = std::set<std::tuple<int, int, int>>;

Cells cells_of(const std::vector<CellBox>& boxes) {
  Cells cells;
  for (const CellBox& box : boxes)
    for (int z = box.first[2]; z <= box.last[2]; ++z)
      for (int y = box.first[1]; y <= box.last[1]; ++y)
        for (int x = box.first[0]; x <= box.last[0]; ++x) EXPECT_TRUE(cells.emplace(x, y, z).second) << "twice";
  return cells;
}

TEST(BoxCover, HoldsWhatIsWantedAndLittleElse) {
  const Int3 count{20, 16, 3};
  // Two blocks, one with a step, and a hole between them that nothing may cover.
  const auto wanted = [](const Int3& c) {
    return (c[0] < 6 && c[1] < 5) || (c[0] < 3 && c[1] < 9) || (c[0] > 12 && c[1] > 8 && c[2] > 0);
  };
  const auto forbidden = [](const Int3& c) { return c[0] >= 3 && c[0] < 6 && c[1] == 5; };
  const std::vector<CellBox> boxes = cover_with_boxes(count, wanted, forbidden, 0.75);
  const Cells covered = cells_of(boxes);
  int all = 0;
  for (int z = 0; z < count[2]; ++z)
    for (int y = 0; y < count[1]; ++y)
      for (int x = 0; x < count[0]; ++x) {
        if (wanted({x, y, z})) {
          ++all;
          EXPECT_TRUE(covered.contains({x, y, z})) << x << " " << y << " " << z;
        } else if (forbidden({x, y, z})) {
          EXPECT_FALSE(covered.contains({x, y, z})) << x << " " << y << " " << z;
        }
      }
  EXPECT_LE(static_cast<double>(covered.size()), all / 0.75);
  EXPECT_LE(boxes.size(), 4U);
}

/// A cylinder in a channel.
const std::string in_channel = R"(
[units]
viscosity = 0.05
reference_velocity = 0.05
[domain]
dimension = 2
nodes = [128, 64]
[[geometry.shape]]
name = "cylinder"
kind = "cylinder"
from = [40, 32]
radius = 6
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.05
profile = "parabolic"
[[boundary]]
surface = "x_max"
type = "pressure"
[run]
steps = 400
)";

TEST(AdaptiveLevels, LieWhereTheFlowNeedsThem) {
  const Case c = parse_case(in_channel, "case.toml");
  for (const std::string& quantity : adaptive_quantities()) {
    AdaptiveRequest request;
    request.quantity = quantity;
    request.levels = 2;
    request.nodes = 24000;
    const AdaptiveLevels found = find_levels(c, request);
    const double nodes = std::accumulate(found.nodes.begin(), found.nodes.end(), 0.0);
    EXPECT_LE(nodes, 24000) << quantity;
    EXPECT_GE(nodes, 12000) << quantity;
    EXPECT_EQ(found.steps, 400) << quantity;
    // The text is a case that can be planned, and its levels lie around the cylinder.
    const Case levels = parse_case(in_channel + text_of(found.regions, 2), "levels.toml");
    const Grid grid = make_grid(levels);
    const Geometry geometry = build_geometry(levels, grid);
    const Units units = make_units(levels, grid.spacing);
    EXPECT_GE(plan_case({levels, units, geometry}).levels.size(), 2U) << quantity;
    const LevelMap map = make_level_map(levels, grid, geometry);
    EXPECT_GE(map.level_at({33, 32, 0}), 1) << quantity;
    EXPECT_EQ(map.level_at({120, 32, 0}), 0) << quantity;
  }
}

/// An interface that crosses a body spoils its force.
TEST(AdaptiveLevels, HoldBodiesInOneLevel) {
  const std::string text = in_channel + "[monitor]\nforces = [\"cylinder\"]\n";
  AdaptiveRequest request;
  request.nodes = 18000;
  const AdaptiveLevels found = find_levels(parse_case(text, "case.toml"), request);
  const Case levels = parse_case(text + text_of(found.regions, 2), "levels.toml");
  const Grid grid = make_grid(levels);
  const Geometry geometry = build_geometry(levels, grid);
  const LevelMap map = make_level_map(levels, grid, geometry);
  std::set<int> at_body;
  for (const Int3& node : geometry::nodes_beside(geometry, surface_id::first_named)) at_body.insert(map.level_at(node));
  EXPECT_EQ(at_body.size(), 1U);
  EXPECT_GE(*at_body.begin(), 1);
}

TEST(AdaptiveLevels, SaysWhatCannotBe) {
  const Case c = parse_case(in_channel, "case.toml");
  AdaptiveRequest request;
  request.steps = 5;
  request.nodes = 1000;
  const auto message = [&] { return error_of(ExitCode::input, [&] { find_levels(c, request); }); };
  EXPECT_CONTAINS(message(), "no more than");
  request.nodes = 0;
  request.quantity = "vortcity";
  EXPECT_CONTAINS(message(), "is not one of vorticity, wall-shear-stress, grid-error");
  request.quantity = "vorticity";
  request.levels = 7;
  EXPECT_CONTAINS(message(), "ask for 1 to 6");
}

}  // namespace
}  // namespace fluvia::test
