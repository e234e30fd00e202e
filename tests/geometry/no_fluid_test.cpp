// SPDX-License-Identifier: Apache-2.0
// What is said where no node of the box is fluid: which input is the cause, and the values found in it.
#include "geometry/test_support.hpp"

namespace fluvia::test {
namespace {

Case box(const TemporaryFolder& folder) {
  Case c;
  c.directory = folder.path();
  c.domain.nodes = Int3{20, 20, 20};
  c.domain.origin = Real3{};
  c.domain.periodic = {true, true, true};
  return c;
}

TEST(NoFluid, NamesTheShapeThatFillsTheBox) {
  const TemporaryFolder folder;
  Case c = box(folder);
  Case::Shape hole = shape("sphere", "solid", "small"), rock = shape("sphere", "solid");
  hole.center = rock.center = {10, 10, 10};
  hole.radius = 4;
  rock.radius = 40;
  c.geometry.shapes = {hole, rock};
  expect_message(
      [&] { build(c); },
      {"none of the 20 x 20 x 20 nodes of the box is fluid", "from (0, 0, 0) to (20, 20, 20): 8000 fluid nodes",
       "then geometry.shapes[0] (small), operation = \"solid\": 7720 fluid nodes",
       "then geometry.shapes[1] (sphere), operation = \"solid\": 0 fluid nodes", "check its place and size"});
}

TEST(NoFluid, NamesLabelsThatNoVoxelHas) {
  const TemporaryFolder folder;
  folder.write("rock.raw", std::string(600, '\3') + std::string(400, '\7'));
  Case c = box(folder);
  c.domain.nodes.reset();
  Case::Voxels voxels;
  voxels.file = "rock.raw";
  voxels.shape = {10, 10, 10};
  voxels.fluid_labels = {0, 1};
  c.geometry.voxels = voxels;
  expect_message([&] { build(c); }, {"geometry.voxels (rock.raw), fluid_labels = [0, 1]; labels: 3 60%, 7 40%",
                                     "0 fluid nodes", "labels, or a threshold, that voxels of the image have"});
  c.geometry.voxels->fluid_labels = {7};
  c.geometry.voxels->crop_size = Int3{10, 10, 5};
  expect_message([&] { build(c); }, {"7 40% (fluid)", "crop_from"});
}

TEST(NoFluid, NamesTheThresholdAndTheGreyValuesOfAMask) {
  const TemporaryFolder folder;
  folder.write("mask.pgm", "P2 2 2 255 10 20 30 90");
  Case c = box(folder);
  c.domain.dimension = 2;
  c.domain.nodes.reset();
  Case::Mask mask;
  mask.file = "mask.pgm";
  c.geometry.mask = mask;
  expect_message([&] { build(c); },
                 {"geometry.mask (mask.pgm), threshold = 128, white_is_fluid = true; grey values from 10 to 90",
                  "choose a threshold"});
}

TEST(NoFluid, NamesTheUnitAndTheExtentOfASurface) {
  const TemporaryFolder folder;
  folder.write("tube.stl", binary_stl(tube_soup(0, 20, {0, 10, 10}, 6, true, true, true)));
  Case c = box(folder);
  c.geometry.stl = {stl("tube.stl")};
  c.geometry.stl[0].unit = 0.01;
  c.geometry.stl[0].translate = {10.02, 9.92, 9.92};
  expect_message([&] { build(c); },
                 {"geometry.stl (tube.stl), fluid = \"inside\", unit = 0.01; it reaches from (10.02, ",
                  "x 0.12 nodes: 0", "check geometry.stl.unit"});
  c.geometry.stl[0].unit = 100;
  c.geometry.stl[0].translate = {-1000, -1000, -1000};
  c.geometry.stl[0].fluid = "outside";
  expect_message([&] { build(c); }, {"fluid = \"outside\", unit = 100;", "the whole box lies inside of it"});
}

TEST(Coordinates, FarFromZeroIn32BitsAreWarnedOf) {
  const TemporaryFolder folder;
  const double far = 4e6;  // steps of 0.25 in 32 bits
  folder.write("far.stl", binary_stl(tube_soup(far, far + 20, {0, far + 10, 10}, 6, true, true, true)));
  folder.write("near.stl", binary_stl(tube_soup(0, 20, {0, 10, 10}, 6, true, true, true)));
  folder.write("text.stl", text_stl(tube_soup(far, far + 20, {0, far + 10, 10}, 6, true, true, true)));
  const auto warnings = [&](const char* file, const Real3& origin) {
    Case c = box(folder);
    c.domain.origin = origin;
    c.geometry.stl = {stl(file)};
    int count = 0;
    for (const std::string& warning : build(c).report.warnings)
      count += warning.find("in steps of 0.25 nodes") != std::string::npos;
    return count;
  };
  EXPECT_EQ(warnings("far.stl", {far, far, 0}), 1);
  EXPECT_EQ(warnings("text.stl", {far, far, 0}), 0);
  EXPECT_EQ(warnings("near.stl", {0, 0, 0}), 0);
}

}  // namespace
}  // namespace fluvia::test
