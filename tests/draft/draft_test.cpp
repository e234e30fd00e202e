// SPDX-License-Identifier: Apache-2.0
// Cases made of a file with a shape: what they say, and what is refused instead.
#include <cmath>

#include "draft/draft_support.hpp"
#include "fluvia/draft/tunnel/bodies.hpp"
#include "fluvia/geometry/levels/level_map.hpp"

namespace fluvia::test {
namespace {

TEST(VesselDraft, HasOpeningsSpacingTimeStepAndRamp) {
  const Made made = make(bend());
  EXPECT_EQ(made.draft.name, "bend");
  EXPECT_EQ(made.c.title, "Flow through bend") << "a title is no file name";
  ASSERT_EQ(made.c.openings.size(), 2U);
  ASSERT_EQ(made.c.boundaries.size(), 2U);
  EXPECT_EQ(made.c.boundaries[0].surface, "inlet");
  EXPECT_EQ(made.c.boundaries[0].profile, "developed");
  EXPECT_GT(made.c.boundaries[0].ramp, 500 * made.units.time_step);
  EXPECT_EQ(made.c.boundaries[1].surface, "outlet");
  EXPECT_EQ(made.c.boundaries[1].type, "pressure");
  // A tube of 6 mm, which the bend's facets make a little narrower: 16 nodes across.
  EXPECT_NEAR(6e-3 / *made.c.units.spacing, 16, 2);
  EXPECT_GT(made.units.tau, 0.51);
  EXPECT_LT(made.units.tau, 1);
  EXPECT_TRUE(advise(made.units).empty());
  EXPECT_EQ(made.c.physics.smagorinsky, 0);
  // What was chosen for whoever said nothing of the flow.
  const std::string said = "through the inlet, Re = ";
  const std::size_t at = made.draft.text.find(said);
  ASSERT_NE(at, std::string::npos) << made.draft.text;
  const double reynolds = *made.c.units.reference_velocity * *made.c.units.reference_length / *made.c.units.viscosity;
  EXPECT_NEAR(std::stod(made.draft.text.substr(at + said.size())) / reynolds, 1, 0.01);
  const std::string fastest = "the largest Mach number about ";
  const std::size_t mach = made.draft.text.find(fastest);
  ASSERT_NE(mach, std::string::npos) << made.draft.text;
  const double largest = std::stod(made.draft.text.substr(mach + fastest.size()));
  EXPECT_GT(largest, 1.7 * *made.c.units.lattice_velocity);
  EXPECT_LT(largest, 0.35);
  // The two openings are found, with the area of the tube's cross-section.
  const Geometry geometry = build(made.c);
  ASSERT_EQ(geometry.openings.size(), 2U);
  for (const Opening& opening : geometry.openings)
    EXPECT_NEAR(opening.area * std::pow(*made.c.units.spacing, 2), 2.8e-5, 0.05e-5);
  EXPECT_LT(geometry.nodes.fluid_nodes, 100000U);
}

TEST(VesselDraft, FollowsTheFlowThatIsGiven) {
  DraftRequest request = bend();
  request.flow_rate = 100e-6 / 60;
  const Made made = make(request);
  EXPECT_DOUBLE_EQ(*made.c.boundaries[0].flow_rate, *request.flow_rate);
  EXPECT_NEAR(*made.c.units.reference_velocity, *request.flow_rate / 2.795e-5, 1e-4);
  // Faster than 16 nodes across resolve, so there are more.
  EXPECT_LT(*made.c.units.spacing, 6e-3 / 20);
  EXPECT_EQ(made.c.physics.smagorinsky, 0);
  request.nodes_across = 8;  // not resolved then: eddies are modelled, and the case says so
  const Made coarse = make(request);
  EXPECT_GT(coarse.c.physics.smagorinsky, 0);
  expect_parts(coarse.draft.text, {"there is no wall model", "Resolved would be --spacing"});
  request.flow_rate.reset();
  request.nodes_across.reset();
  request.speed = 0.02;
  request.fluid = "water";
  const Made slow = make(request);
  EXPECT_DOUBLE_EQ(*slow.c.boundaries[0].speed, 0.02);
  EXPECT_EQ(*slow.c.units.viscosity, 1e-6);
  // So slow that sound is through long before the fluid has passed the inlet twice.
  EXPECT_NEAR(slow.c.boundaries[0].ramp / (2 * *slow.c.units.reference_length / 0.02), 1, 0.05);
}

TEST(VesselDraft, HasTheAgeOfTheFluidIfAsked) {
  DraftRequest request = bend();
  request.age = true;
  const Made made = make(request);
  ASSERT_EQ(made.c.scalars.size(), 1U);
  EXPECT_EQ(made.c.scalars[0].source, "age");
  EXPECT_EQ(made.c.boundaries[0].scalars.at("age").value->number, 0);
  EXPECT_EQ(made.c.run.steady->quantity, "scalar:age");
  EXPECT_EQ(made.c.output.fields.back(), "age");
  request.wind = 3;
  expect_parts(refusal(request), {"--age: is for a vessel"});
}

TEST(VesselDraft, NumbersOpeningsForTheInlet) {
  DraftRequest request = bend();
  const Made first = make(request);
  request.inlet = "2";
  const Made second = make(request);
  EXPECT_EQ(*first.c.openings[0].center, *second.c.openings[0].center);
  EXPECT_EQ(first.c.openings[0].name, "inlet");
  EXPECT_EQ(second.c.openings[0].name, "outlet");
  request.inlet = "3";
  expect_parts(refusal(request), {"--inlet: '3' is no opening of this vessel", "\n  1  5.97 mm wide, at (", "\n  2"});
}

TEST(VesselDraft, WithoutUnitSaysWhatEachWouldGive) {
  DraftRequest request = bend();
  request.unit.reset();
  expect_parts(refusal(request),
               {"--unit is missing", "bend.stl", "--unit mm   30 x 30 x 6 mm", "--unit m    30 x 30 x 6 m"});
  request.wind = 3;
  expect_parts(refusal(request), {"--unit is missing"});
}

TEST(VesselDraft, OutOfReachIsRefusedWithWhatCanBeHad) {
  DraftRequest request = bend();
  request.spacing = 0.4e-3;
  request.flow_rate = 5e-3 / 60;
  const std::string message = refusal(request);
  expect_parts(message, {"--flow: out of reach", "there is no wall model", "or give --spacing "});
  // What it proposes is accepted.
  const std::string key = "--flow ";
  request.flow_rate = std::stod(message.substr(message.find(key) + key.size())) * 1e-6 / 60;
  EXPECT_GT(make(request).c.physics.smagorinsky, 0);
  request.flow_rate = 5e-3 / 60;
  const std::string finer = "--spacing ";
  request.spacing = std::stod(message.substr(message.find(finer) + finer.size()));
  EXPECT_GT(make(request).c.physics.smagorinsky, 0);
}

TEST(VesselDraft, OfAWallAndPatches) {
  const TemporaryFolder folder;
  DraftRequest request;
  request.files = {folder.write("a_inlet.stl", binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, false, true, false))),
                   folder.write("b_outlet.stl", binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, false, false, true))),
                   folder.write("c_wall.stl", binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, true, false, false)))};
  request.folder = folder.path() / "new" / "deeper";
  std::filesystem::create_directories(request.folder);
  request.unit = 1e-3;
  request.inlet = "b_outlet";
  const Made made = make(request);
  EXPECT_EQ(made.draft.name, folder.path().filename());
  ASSERT_EQ(made.c.geometry.stl.size(), 3U);
  EXPECT_EQ(made.c.geometry.stl[0].file, "../../c_wall.stl");
  EXPECT_EQ(made.c.geometry.stl[0].role, "wall");
  EXPECT_EQ(made.c.geometry.stl[1].role, "opening");
  EXPECT_TRUE(made.c.openings.empty());
  EXPECT_EQ(made.c.boundaries[0].surface, "b_outlet");
  EXPECT_EQ(made.c.boundaries[1].surface, "a_inlet");
}

TEST(VesselDraft, OfTheSolidsOfOneFile) {
  const TemporaryFolder folder;
  const auto solid = [](const std::string& name, bool wall, bool start, bool end) {
    std::string text = text_stl(tube_soup(0, 60, {0, 8, 8}, 5, wall, start, end));
    return text.replace(text.find("test"), 4, name);
  };
  const std::string wall = solid("artery wall", true, false, false),
                    ends = solid("in.1", false, true, false) + solid("out 1", false, false, true);
  DraftRequest request = request_for(folder.write("vessel.stl", wall + ends));
  request.unit = 1e-3;
  const Draft draft = make_draft(request);
  expect_parts(draft.text, {"part = \"artery wall\"", "part = \"in.1\"", "name = \"in_1\"", "part = \"out 1\"",
                            "name = \"out_1\"", "role = \"opening\""});
  EXPECT_EQ(draft.text.find("[[opening]]"), std::string::npos) << "the patches are the openings";
  // Solids that are no patches are one surface.
  request.files = {folder.write("two.stl", wall + solid("more of it", true, false, false))};
  EXPECT_EQ(make_draft(request).text.find("part = "), std::string::npos);
}

TEST(VesselDraft, AJetInANarrowThroatSetsTheTimeStep) {
  // Two tubes, of 16 and of 8 mm; a conical piece between them.
  const auto cone = [](double throat) {
    geometry::TriangleSoup soup;
    const auto point = [&](int ring, int i) {
      const double x[] = {0, 20, 30, 40, 60}, r[] = {8, 8, throat, 8, 8}, angle = 2 * std::numbers::pi * (i % 32) / 32;
      return Real3{x[ring], r[ring] * std::cos(angle), r[ring] * std::sin(angle)};
    };
    for (int ring = 0; ring < 4; ++ring)
      for (int i = 0; i < 32; ++i) {
        soup.push_back({point(ring, i), point(ring + 1, i), point(ring + 1, i + 1)});
        soup.push_back({point(ring, i), point(ring + 1, i + 1), point(ring, i + 1)});
      }
    return soup;
  };
  const TemporaryFolder folder;
  DraftRequest request;
  request.folder = folder.path();
  request.unit = 1e-3;
  request.flow_rate = 50e-6 / 60;
  request.files = {folder.write("wide.stl", binary_stl(cone(8)))};
  const Made wide = make(request);
  request.files = {folder.write("throat.stl", binary_stl(cone(4)))};
  const Made narrow = make(request);
  // Half the width: four times the speed, so a quarter of the lattice speed at the inlet.
  EXPECT_NEAR(*wide.c.units.lattice_velocity / *narrow.c.units.lattice_velocity, 4, 0.7);
  EXPECT_NEAR(*wide.c.units.spacing / *narrow.c.units.spacing, 2, 0.2);
}

TEST(ImageDraft, DrivesCreepingFlowAlongAnAxisThatPercolates) {
  DraftRequest request = request_for(data / "rock.raw.gz");
  request.voxels.shape = {64, 64, 64};
  request.voxel = 5e-6;
  request.axis = "y";
  const Made made = make(request);
  EXPECT_EQ(made.draft.name, "rock");
  EXPECT_EQ(made.c.domain.periodic, (Bool3{false, true, false}));
  EXPECT_EQ(made.c.geometry.voxels->mirror, (Bool3{false, true, false}));
  EXPECT_EQ(*made.c.geometry.percolating_axis, 1);
  EXPECT_EQ(*made.c.monitors.permeability_axis, 1);
  EXPECT_GT(made.c.physics.acceleration[1], 0);
  EXPECT_EQ(*made.c.units.spacing * made.c.geometry.voxels->refine, 5e-6);
  request.most_nodes = 20000;  // a part from the middle
  const Made part = make(request);
  ASSERT_TRUE(part.c.geometry.voxels->crop_size);
  EXPECT_LT((*part.c.geometry.voxels->crop_size)[0], 50);
  EXPECT_LT(build(part.c).nodes.fluid_nodes, 30000U);
}

/// A duct of 24 x 24 voxels, 8 long, in a wall of one voxel.
std::string duct_image() {
  std::string bytes;
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 26; ++y)
      for (int x = 0; x < 26; ++x) bytes += x % 25 == 0 || y % 25 == 0 ? '\1' : '\0';
  return bytes;
}

TEST(ImageDraft, CreepsInWidePoresAndHardlyCompressesInLongOnes) {
  const TemporaryFolder folder;
  DraftRequest request = request_for(folder.write("duct.raw", duct_image()));
  request.voxels.shape = {26, 26, 8};
  request.voxel = 1e-4;
  request.voxels.labels = {0};
  request.axis = "z";
  const Made wide = make(request);
  // Twice the gap between plane walls, four times area by perimeter: the width of the duct.
  EXPECT_NEAR(*wide.c.units.reference_length, 24e-4, 1e-9);
  const auto reynolds = [](const Case& c) {
    return *c.units.reference_velocity * *c.units.reference_length / *c.units.viscosity;
  };
  EXPECT_NEAR(reynolds(wide.c), 0.01, 5e-4);
  request = request_for(data / "rock.raw.gz");
  request.voxels.shape = {64, 64, 64};
  request.voxel = 5e-6;
  request.axis = "y";
  const Made rock = make(request);
  EXPECT_LT(reynolds(rock.c), 0.005);
  // The pressure drop over the image and over its mirror image, as a share of that of the fluid at rest: 1/3.
  const double pull = rock.c.physics.acceleration[1] * std::pow(rock.units.time_step, 2) / *rock.c.units.spacing;
  EXPECT_NEAR(3 * pull * make_grid(rock.c).size[1], 1e-3, 1e-5);
}

TEST(ImageDraft, OfAMaskIsFlat) {
  DraftRequest request = request_for(data / "channel_network.png");
  request.voxel = 1e-5;
  const Made made = make(request);
  EXPECT_EQ(made.c.domain.dimension, 2);
  EXPECT_TRUE(made.c.domain.periodic[0]);
  EXPECT_GT(build(made.c).nodes.fluid_nodes, 1000U);
  request.axis = "z";
  expect_parts(refusal(request), {"--axis: 'z' is not an axis of this image"});
}

TEST(ImageDraft, SaysWhatTheFileHoldsWhereTheShapeDoesNotFit) {
  DraftRequest request = request_for(data / "rock.raw.gz");
  expect_parts(refusal(request), {"--voxel is missing", "--voxel 5um"});
  request.voxel = 5e-6;
  expect_parts(refusal(request), {"--shape is missing", "262144 voxels of 8 bits", "--shape 64 64 64 would fit"});
  request.voxels.shape = {64, 64, 32};
  expect_parts(refusal(request), {"--shape 64 64 32: is 131072 voxels", "holds 262144", "--shape 64 64 64 would fit"});
  request.voxels.shape = {64, 64, 64};
  request.voxels.labels = {7};
  expect_parts(refusal(request), {"--labels: no voxel of", "has the value 7, which are:\n  0 "});
  const TemporaryFolder folder;
  request.files = {folder.write("few.raw", std::string(3, '\0') + std::string(5, '\4'))};
  request.voxels.shape = {2, 2, 2};
  expect_parts(refusal(request), {"which are:\n  0     37.5% of the voxels\n  4     62.5% of the voxels"});
  std::string grey;
  for (int i = 0; i < 4 * 5 * 6; ++i) grey += static_cast<char>(i);
  request = request_for(folder.write("grey_4x5x6.raw", grey));
  request.voxel = 5e-6;
  expect_parts(refusal(request), {"--shape 4 5 6 would fit, as in its name"});
  request.voxels.shape = {4, 5, 6};
  expect_parts(refusal(request), {"has 120 different values from 0 to 119, a grey image: give --below V or --above V"});
}

TEST(ImageDraft, WithoutAWayThroughIsRefused) {
  const TemporaryFolder folder;
  std::string solid(8 * 8 * 8, '\1');
  solid[100] = '\0';
  DraftRequest request = request_for(folder.write("solid.raw", solid));
  request.voxels.shape = {8, 8, 8};
  request.voxel = 1e-6;
  expect_message([&] { make_draft(request); }, {"solid.raw: no fluid reaches from one side", "--labels"});
}

DraftRequest cube(const TemporaryFolder& folder) {
  DraftRequest request = request_for(folder.write("cube.stl", binary_stl(box_soup({10, 20, 30}, {14, 22, 31}))));
  request.folder = folder.path();
  request.unit = 0.1;
  request.wind = 30;
  request.most_nodes = 40000;
  return request;
}

TEST(TunnelDraft, HasABoxWindAndCoefficients) {
  const TemporaryFolder folder;
  DraftRequest request = cube(folder);
  const Made made = make(request);
  EXPECT_NEAR(*made.c.monitors.reference_area, 0.2 * 0.1, 1e-5);
  EXPECT_EQ(*made.c.monitors.drag_axis, (Real3{1, 0, 0}));
  EXPECT_EQ(made.c.monitors.forces, std::vector<std::string>{"body"});
  EXPECT_EQ(made.c.geometry.stl[0].fluid, "outside");
  const Grid grid = make_grid(made.c);
  EXPECT_LT(1.0 * grid.size[0] * grid.size[1] * grid.size[2], 50000);
  EXPECT_NEAR(1.0 - grid.origin[0], 1.5 * 0.4, grid.spacing);  // before the body
  EXPECT_LE(0.02 / (grid.size[1] * grid.size[2] * grid.spacing * grid.spacing), 0.055);
  EXPECT_GT(made.c.physics.smagorinsky, 0);
  expect_parts(made.draft.text, {"out of reach of these nodes", "do not believe them"});
  ASSERT_EQ(made.c.boundaries.size(), 6U);
  for (const std::size_t side : {2, 3, 4, 5}) EXPECT_EQ(made.c.boundaries[side].type, "symmetry");
  EXPECT_EQ(made.c.domain.periodic, Bool3{});
  // What was replaced stays in the case, beside what is computed.
  EXPECT_EQ(*made.c.units.physical_viscosity, 1.5e-5);
  EXPECT_GT(*made.c.units.viscosity, 2 * 1.5e-5);
  EXPECT_NEAR(made.units.physical_reynolds(), 30 * 0.4 / 1.5e-5, 1);
  // Whatever the plan says the nodes resolve is what the case says.
  const std::string said = "Resolved without a model: Re up to ";
  const std::size_t at = made.draft.text.find(said);
  ASSERT_NE(at, std::string::npos) << made.draft.text;
  const double resolved = std::stod(made.draft.text.substr(at + said.size()));
  EXPECT_NEAR(resolved / resolved_reynolds(made.units.reference_length), 1, 0.01);
  for (const UnitsAdvice& each : advise(made.units, made.c.physics.smagorinsky)) {
    const std::size_t number = each.message.find("resolves Re up to ");
    if (number == std::string::npos) continue;
    EXPECT_NEAR(std::stod(each.message.substr(number + 18)) / resolved, 1, 0.01) << each.message;
  }
  EXPECT_EQ(made.c.boundaries[1].type, "non_reflecting");
  EXPECT_GT(made.c.boundaries[1].sponge, 0);
  // A breeze in a dense fluid that creeps is resolved: no model, the fluid's own viscosity.
  request.wind = 1e-4;
  EXPECT_EQ(make(request).c.physics.smagorinsky, 0);
  EXPECT_EQ(*make(request).c.units.viscosity, 1.5e-5);
  EXPECT_FALSE(make(request).c.units.physical_viscosity);
}

/// Nodes are finest at the body, where all of the case is that is said of nodes along it.
TEST(TunnelDraft, OnLevelsIsFinestAtTheBody) {
  const TemporaryFolder folder;
  DraftRequest request = cube(folder);
  const Made uniform = make(request);
  request.levels = 2;
  const Made made = make(request);
  ASSERT_TRUE(made.c.units.finest_spacing);
  EXPECT_FALSE(made.c.units.spacing);
  EXPECT_LT(*made.c.units.finest_spacing, 0.75 * *uniform.c.units.spacing);
  ASSERT_EQ(made.c.refine.size(), 2U);
  EXPECT_EQ(made.c.refine[0].around, "body");
  EXPECT_EQ(made.c.refine[0].level, 2);
  EXPECT_EQ(made.c.refine[1].level, 1);
  EXPECT_GT((*made.c.refine[1].box)[1][0], 1.4 + 0.3);  // the wake
  const Grid grid = make_grid(made.c);
  const Geometry geometry = build(made.c);
  const std::vector<GeometryReport::Level>& levels = geometry.report.levels;
  ASSERT_EQ(levels.size(), 3U);
  EXPECT_DOUBLE_EQ(levels[2].spacing, *made.c.units.finest_spacing);
  // A step of the finest level computes about as many nodes as were asked for.
  const double work = levels[0].nodes / 4 + levels[1].nodes / 2 + levels[2].nodes;
  EXPECT_NEAR(work / *request.most_nodes, 1, 0.4);
  const LevelMap map = make_level_map(made.c, grid, geometry);
  std::vector<Geometry> parts;
  for (int level = 0; level <= 2; ++level) parts.push_back(build_level_geometry(made.c, map, level, geometry));
  EXPECT_NO_THROW(check_level_conditions(made.c, map, {&parts[0], &parts[1], &parts[2]}));
  // The wind blows from the start, and no face sends sound back.
  EXPECT_EQ(made.c.physics.initial_velocity, (Real3{made.c.boundaries[0].speed.value(), 0, 0}));
  ASSERT_EQ(made.c.boundaries.size(), 6U);
  for (const Case::Boundary& b : made.c.boundaries) {
    EXPECT_GT(b.sponge, 0) << b.surface;
    EXPECT_EQ(b.ramp, 0) << b.surface;
  }
  EXPECT_EQ(uniform.c.boundaries[2].sponge, 0);
  EXPECT_GT(uniform.c.boundaries[0].ramp, 0);
  request.ground = "free_slip";
  const Made on_ground = make(request);
  for (const Case::Boundary& b : on_ground.c.boundaries) EXPECT_EQ(b.sponge > 0, b.surface != "z_min") << b.surface;
  request.ground = "moving";  // as fast as the wind from the start
  const Made on_road = make(request);
  for (const Case::Boundary& b : on_road.c.boundaries) EXPECT_EQ(b.ramp, 0) << b.surface;
  EXPECT_EQ(on_road.c.physics.initial_velocity, made.c.physics.initial_velocity);
  request.ground = "none";
  request.nodes_across = 72;
  request.levels = 4;
  expect_parts(refusal(request), {"--levels: ", "nodes of the coarsest level lie before the body"});
}

/// A plate 6 cm thick between nodes 13 cm apart had a case that no run could begin.
TEST(TunnelDraft, OfAPlateHasNodesInIt) {
  const TemporaryFolder folder;
  DraftRequest request = cube(folder);
  request.files = {folder.write("plate.stl", binary_stl(box_soup({0, 0, 0}, {0.6, 10, 10})))};
  expect_parts(refusal(request),
               {"--most-nodes: the body is 6 cm thin", "could vanish between them", "with --spacing 0.0"});
  request.spacing = 0.07;
  expect_parts(refusal(request), {"--spacing: the body is 6 cm thin, and nodes would be 7 cm apart"});
  request.spacing = 0.04;
  const Geometry geometry = build(make(request).c);
  EXPECT_LT(geometry.nodes.fluid_nodes, geometry.nodes.box_nodes());
  geometry::TriangleSoup sheet;
  sheet.push_back({Real3{0, 0, 0}, Real3{0, 10, 0}, Real3{0, 0, 10}});
  request.files = {folder.write("sheet.stl", binary_stl(sheet))};
  expect_message([&] { make(request); }, {"sheet.stl: the body has no thickness"});
}

TEST(TunnelDraft, StandsOnMovingGround) {
  const TemporaryFolder folder;
  DraftRequest request = cube(folder);
  request.ground = "moving";
  request.direction = "-y";
  const Made made = make(request);
  const Grid grid = make_grid(made.c);
  EXPECT_NEAR(grid.origin[2], 3.0, 1e-6 * grid.spacing);
  EXPECT_EQ(made.c.boundaries[0].surface, "y_max");
  const auto ground = std::find_if(made.c.boundaries.begin(), made.c.boundaries.end(),
                                   [](const Case::Boundary& b) { return b.surface == "z_min"; });
  ASSERT_NE(ground, made.c.boundaries.end());
  EXPECT_EQ(ground->type, "moving_wall");
  EXPECT_EQ(ground->velocity, (Real3{0, -30, 0}));
  EXPECT_GT(ground->ramp, 0);
  EXPECT_EQ(made.c.domain.periodic, Bool3{});
  EXPECT_EQ(made.c.boundaries.back().surface, "z_max");
  EXPECT_EQ(made.c.boundaries.back().type, "symmetry");
  EXPECT_NEAR(*made.c.monitors.reference_area, 0.4 * 0.1, 1e-4);
  request.ground = "grass";
  expect_parts(refusal(request), {"--ground: 'grass' is not one of none, free_slip, no_slip, moving"});
  request.ground = "none";
  request.direction = "up";
  expect_parts(refusal(request), {"--direction: 'up' is not one of x, -x"});
}

TEST(TunnelDraft, ShadowsOverlap) {
  const auto soup = box_soup({0, 0, 0}, {1, 2, 3});
  EXPECT_NEAR(draft::shadow(soup, 0), 6, 0.01);
  EXPECT_NEAR(draft::shadow(soup, 1), 3, 0.01);
  auto two = soup;
  for (const auto& triangle : box_soup({5, 1, 0}, {6, 3, 3})) two.push_back(triangle);
  EXPECT_NEAR(draft::shadow(two, 0), 9, 0.01);
  EXPECT_EQ(draft::shadow({}, 0), 0);
  // Edges in all directions: of 48 triangles around the middle of a disc, and of one that lies across.
  EXPECT_NEAR(draft::shadow(tube_soup(0, 40, {0, 9, 7}, 8, false, true, false), 0),
              24 * std::sin(2 * std::numbers::pi / 48) * 64, 0.3);
  EXPECT_NEAR(draft::shadow(geometry::TriangleSoup{{Real3{0, 5, 1}, {1, 9, 2}, {2, 6, 7}}}, 0), 0.5 * (4 * 6 - 1 * 1),
              0.03);
}

TEST(Draft, RefusesWhatTheKindOfShapeHasNoUseFor) {
  const auto refused = [](DraftRequest request, const auto& set) {
    set(request);
    return refusal(request);
  };
  expect_parts(refused(bend(), [](auto& r) { r.voxel = 1e-6; }), {"--voxel: is for an image of voxels or mask"});
  expect_parts(refused(bend(), [](auto& r) { r.ground = "moving"; }),
               {"--direction, --ground and --roughness: is for a body"});
  expect_parts(refused(bend(), [](auto& r) { r.flow_rate = 1, r.speed = 1; }), {"--speed: contradicts --flow"});
  expect_parts(refused(bend(), [](auto& r) { r.flow_rate = 1, r.wind = 1; }), {"--flow: is for a vessel"});
  expect_parts(refused(bend(), [](auto& r) { r.fluid = "honey"; }),
               {"--fluid: 'honey' is not one of water, blood, air"});
  expect_parts(refused(bend(), [](auto& r) { r.spacing = 1e-3, r.nodes_across = 8; }), {"contradicts --spacing"});
  expect_parts(refused(request_for("car.igz"), [](auto&) {}), {"is none of the shapes", ".stl, .obj", ".vti", ".pgm"});
  expect_parts(refused(request_for("case.toml"), [](auto&) {}), {"is a case already"});
  expect_parts(refused(request_for("picture.gif"), [](auto&) {}), {"is none of the shapes"});
}

TEST(VesselDraft, OfABodyIsRefused) {
  const TemporaryFolder folder;
  DraftRequest request = cube(folder);
  request.wind.reset();
  request.files = {folder.write("tetrahedron.stl", binary_stl({{Real3{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                                               {Real3{0, 0, 0}, {0, 0, 1}, {1, 0, 0}},
                                                               {Real3{0, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                                                               {Real3{1, 0, 0}, {0, 0, 1}, {0, 1, 0}}}))};
  expect_message([&] { make_draft(request); }, {"tetrahedron.stl: there is no opening", "give --wind"});
}

}  // namespace
}  // namespace fluvia::test
