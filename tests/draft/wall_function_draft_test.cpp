// SPDX-License-Identifier: Apache-2.0
// Bodies in a wind at their own Reynolds number, with the friction of the law of the wall.
#include <gtest/gtest.h>

#include "draft/draft_support.hpp"

namespace fluvia::test {
namespace {

DraftRequest plate(const TemporaryFolder& folder) {
  DraftRequest request = request_for(folder.write("plate.stl", binary_stl(box_soup({0, 0, 2}, {10, 4, 5}))));
  request.folder = folder.path();
  request.unit = 1;
  request.wind = 20;
  request.ground = "moving";
  request.most_nodes = 40000;
  return request;
}

TEST(WallFunctionDraft, KeepsTheReynoldsNumber) {
  const TemporaryFolder folder;
  DraftRequest request = plate(folder);
  EXPECT_GT(make(request).c.units.viscosity.value_or(0), 1e-3);  // a larger one, which says so
  request.wall_functions = true;
  const Made made = make(request);
  EXPECT_DOUBLE_EQ(made.c.units.viscosity.value_or(0), 1.5e-5);
  EXPECT_EQ(boundary_at(made.c, "body").type, "wall_function");
  EXPECT_EQ(boundary_at(made.c, "z_min").type, "moving_wall");
  EXPECT_EQ(made.c.numerics.lattice, "D3Q27");
  EXPECT_EQ(made.c.numerics.collision, "cumulant");
  EXPECT_GT(made.c.physics.smagorinsky, 0);
  EXPECT_TRUE(made.c.output.wall) << "the stress of the law";
  for (const std::string& note : made.draft.notes) EXPECT_EQ(note.find("out of reach"), std::string::npos) << note;
}

TEST(WallFunctionDraft, WritesNoStressOnLevels) {
  const TemporaryFolder folder;
  DraftRequest request = plate(folder);
  request.wall_functions = true;
  request.levels = 1;
  request.most_nodes = 400000;
  EXPECT_FALSE(make(request).c.output.wall);
}

TEST(WallFunctionDraft, AGroundIsAsRoughAsTheWindAboveIt) {
  const TemporaryFolder folder;
  DraftRequest request = plate(folder);
  request.ground = "no_slip";
  request.roughness = 0.002;
  request.wall_functions = true;
  const Made made = make(request);
  EXPECT_EQ(boundary_at(made.c, "z_min").type, "wall_function");
  EXPECT_DOUBLE_EQ(boundary_at(made.c, "z_min").values.at("sand_grain"), 0.06);
}

TEST(WallFunctionDraft, HasNoHeat) {
  const TemporaryFolder folder;
  DraftRequest request = plate(folder);
  request.heat = 40;
  request.wall_functions = true;
  expect_parts(refusal(request), {"--wall-functions: have no law for heat"});
}

TEST(Clearance, LiesBetweenTheGroundAndTheBody) {
  const TemporaryFolder folder;
  DraftRequest request = plate(folder);
  request.clearance = 0.3;
  const Made made = make(request);
  EXPECT_NEAR(make_grid(made.c).origin[2], 1.7, 1e-9);
  EXPECT_NEAR((*made.c.monitors.torque_center)[2], 1.7, 1e-6);
  request.ground = "none";
  expect_parts(refusal(request), {"--clearance: is that of a ground", "--ground moving"});
  request.ground = "moving";
  request.clearance = -1;
  expect_parts(refusal(request), {"--clearance: the ground lies below the body"});
}

}  // namespace
}  // namespace fluvia::test
