// SPDX-License-Identifier: Apache-2.0
// Bodies that stand on a ground which holds up the wind, and several bodies in one wind.
#include <gtest/gtest.h>

#include <cmath>

#include "draft/draft_support.hpp"
#include "fluvia/case/ground.hpp"

namespace fluvia::test {
namespace {

/// Houses, 10 x 20 x 30 m and 8 x 8 x 12 m.
DraftRequest houses(const TemporaryFolder& folder) {
  DraftRequest request = request_for(folder.write("tower.stl", binary_stl(box_soup({0, 0, 0}, {10, 20, 30}))));
  request.files.push_back(folder.write("hall.stl", binary_stl(box_soup({30, 0, 0}, {38, 8, 12}))));
  request.folder = folder.path();
  request.unit = 1;
  request.wind = 5;
  request.ground = "no_slip";
  request.most_nodes = 40000;
  return request;
}

const Case::Boundary& boundary_of(const Case& c, const std::string& surface) {
  for (const Case::Boundary& b : c.boundaries)
    if (b.surface == surface) return b;
  throw Error(ExitCode::internal, "no boundary at " + surface);
}

TEST(WindOnGround, IsLogarithmicWhereARoughnessIsGiven) {
  const TemporaryFolder folder;
  DraftRequest request = houses(folder);
  request.roughness = 0.03;
  for (const std::string direction : {"x", "-y"}) {
    request.direction = direction;
    const Made made = make(request);
    const Case::Boundary& in = boundary_of(made.c, direction == "x" ? "x_min" : "y_max");
    EXPECT_EQ(boundary_of(made.c, "z_min").type, "wall");
    EXPECT_EQ(in.profile, "logarithmic");
    EXPECT_NEAR(speed_at_height(in, 30), 5, 1e-12);  // the wind that was asked for, at the highest roof
    EXPECT_NEAR(speed_at_height(in, 10), 5 * std::log(10.03 / 0.03) / std::log(30.03 / 0.03), 1e-12);
    EXPECT_EQ(ground_of(made.c, in, "inlet"), surface_id::z_min);
    EXPECT_NEAR(make_grid(made.c).origin[2], 0, 1e-6);  // the lowest points lie on the ground
  }
  request.roughness.reset();
  EXPECT_EQ(boundary_of(make(request).c, "y_max").profile, "uniform");
  request.roughness = 0.03;
  request.ground = "moving";
  expect_parts(refusal(request), {"--roughness: is that of a ground which holds up the wind", "--ground no_slip"});
}

TEST(WindOnGround, EveryFileIsABodyOfItsOwn) {
  const TemporaryFolder folder;
  const Made made = make(houses(folder));
  EXPECT_EQ(made.c.monitors.forces, (std::vector<std::string>{"tower", "hall"}));
  ASSERT_EQ(made.c.geometry.stl.size(), 2U);
  EXPECT_EQ(made.c.geometry.stl[1].name, "hall");
  EXPECT_EQ(made.c.geometry.stl[1].fluid, "outside");
  EXPECT_NEAR(*made.c.monitors.reference_area, 20 * 30, 1);  // of the larger one
  EXPECT_EQ((*made.c.monitors.torque_center)[2], 0);
  EXPECT_EQ(made.draft.name, folder.path().filename().string());
  std::string notes;
  for (const std::string& note : made.draft.notes) notes += note;
  expect_parts(notes, {"body 'tower'", "body 'hall'", "frontal area 95.98"});
}

TEST(WindOnGround, ClosedPartsOfAFileAreBodies) {
  const TemporaryFolder folder;
  const auto solid = [](const std::string& name, const geometry::TriangleSoup& soup) {
    std::string text = text_stl(soup);
    return text.replace(text.find("test"), 4, name);
  };
  const std::string tower = solid("old tower", box_soup({0, 0, 0}, {10, 20, 30}));
  DraftRequest request = houses(folder);
  request.files = {folder.write("town.stl", tower + solid("wall", box_soup({30, 0, 0}, {38, 8, 12})))};
  const Made made = make(request);
  EXPECT_EQ(made.c.geometry.stl[0].part, "old tower");
  EXPECT_EQ(made.c.monitors.forces, (std::vector<std::string>{"old_tower", "wall-body"}));
  // Parts that are closed only together are one body.
  request.files = {folder.write("one.stl", solid("hood", box_soup({0, 0, 0}, {10, 20, 30}, {0, 1})) +
                                               solid("rest", box_soup({0, 0, 0}, {10, 20, 30}, {2, 3, 4, 5})))};
  EXPECT_EQ(make(request).c.monitors.forces, std::vector<std::string>{"body"});
}

/// Programs for pictures have y pointing up, and so has glTF.
TEST(WindOnGround, TheGroundIsWhereTheRequestSaysThatUpIs) {
  const TemporaryFolder folder;
  DraftRequest request = houses(folder);
  request.up = "y";
  const Made made = make(request);
  EXPECT_EQ(boundary_at(made.c, "y_min").type, "wall");
  EXPECT_EQ(boundary_at(made.c, "z_min").type, "symmetry");
  request.direction = "y";
  expect_parts(refusal(request), {"--up: the wind blows along y"});
}

/// A sphere at Reynolds 100 has a laminar wake: the draft once had a model of eddies, and the plan advised against it.
TEST(WindOnGround, SlowStreamsHaveNoModelOfEddies) {
  const TemporaryFolder folder;
  DraftRequest request = houses(folder);
  request.files.pop_back();
  request.ground = "none";
  for (const double node_reynolds : {5.0, 12.0, 19.0, 21.0, 40.0}) {
    request.spacing = 2;
    request.wind = node_reynolds * 1.5e-5 / 2;
    const Made made = make(request);
    EXPECT_EQ(made.c.physics.smagorinsky > 0, node_reynolds > 20) << node_reynolds;
    for (const UnitsAdvice& each : advise(made.units, made.c.physics.smagorinsky)) {
      EXPECT_EQ(each.message.find("without physics.smagorinsky"), std::string::npos) << each.message;
    }
  }
}

}  // namespace
}  // namespace fluvia::test
