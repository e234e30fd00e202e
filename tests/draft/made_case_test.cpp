// SPDX-License-Identifier: Apache-2.0
// A case that was just made lives: drafts of all shipped shapes, and of the shared ones where they are there, are
// planned and run for a while. Set FLUVIA_SHARED to the folder that holds geometry/.
#include <nlohmann/json.hpp>

#include "geometry/test_support.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

struct Shape {
  std::string name, file, options;  ///< file below cases/data, or "shared/..." below the shared folder
  int steps;
};

void PrintTo(const Shape& shape, std::ostream* stream) {
  *stream << shape.name;
}

const Shape shapes[] = {
    {"bend", "bend.stl", "--unit mm --nodes-across 8", 300},
    {"bend_fast", "bend.stl", "--unit mm --nodes-across 8 --flow 150ml/min", 300},
    {"bend_slow", "bend.stl", "--unit mm --nodes-across 8 --flow 0.1ml/min --fluid water", 100},
    {"bend_in_wind", "bend.stl", "--unit mm --wind 20m/s --most-nodes 4e4", 300},
    {"bend_in_wind_on_levels", "bend.stl", "--unit mm --wind 20m/s --most-nodes 6e4 --levels 1", 60},
    {"bend_on_ground", "bend.stl", "--unit mm --wind 20m/s --most-nodes 4e4 --ground moving --direction -y", 300},
    {"bend_on_ground_on_levels", "bend.stl",
     "--unit mm --wind 20m/s --most-nodes 6e4 --ground moving --direction -y --levels 1", 60},
    {"rock", "rock.raw.gz", "--shape 64 64 64 --voxel 5um --most-nodes 3e4", 200},
    {"channels", "channel_network.png", "--voxel 10um", 200},
    {"vessels", "vessel_network.png", "--voxel 10um", 200},
    {"palabos", "shared/vessels/palabos_aneurysm.stl.gz", "--unit m --most-nodes 3e4", 200},
    {"palabos_closed", "shared/vessels/palabos_aneurysm_closed.stl.gz", "--unit m --most-nodes 3e4 --speed 0.06m/s",
     200},
    {"gmsh", "shared/vessels/gmsh_aneurysm_data.stl.gz", "--unit mm --most-nodes 3e4", 200},
    {"aorta", "shared/vessels/openlb_aorta3d.stl", "--unit mm --most-nodes 3e4", 200},
    {"coarctation_closed", "shared/vessels/coarctation_closed.stl.gz", "--unit mm --most-nodes 4e4", 200},
    {"coarctation_on_levels", "shared/vessels/coarctation", "--unit mm --most-nodes 4e4 --levels 2", 60},
    {"coarctation", "shared/vessels/coarctation", "--unit mm --most-nodes 4e4", 200},
    {"patient", "shared/vessels/aorta_patient1", "--unit mm --most-nodes 4e4", 200},
    {"berea", "shared/rock/berea_dpm_110x110x110_u8.raw.gz", "--shape 110 110 110 --voxel 5um --most-nodes 3e4", 100},
    {"calcite", "shared/rock/calcite_post_gcf_536x300x40_u8.raw.gz",
     "--shape 536 300 40 --pore 0 --voxel 5um --most-nodes 3e4", 100},
    {"fiberform", "shared/rock/fiberform_puma_100x100x100_u8.raw.gz",
     "--shape 100 100 100 --pore 0 --voxel 1.3um --most-nodes 3e4", 100},
    {"ketton", "shared/rock/ketton_icl_256x256x256_u8.raw.gz", "--shape 256 256 256 --voxel 15.2um --most-nodes 6e4",
     100},
    {"spheres", "shared/masks/slice_spherepack.png", "--voxel 5um --most-nodes 3e4", 100},
    {"micromodel", "shared/masks/hm12_micromodel.png", "--voxel 30um --most-nodes 3e4", 100},
    {"car", "shared/bodies/openfoam_simpleCar.stl.gz", "--unit m --wind 30m/s --ground moving --most-nodes 3e4", 200},
    {"car_with_wall_functions", "shared/bodies/openfoam_simpleCar.stl.gz",
     "--unit m --wind 30m/s --ground moving --clearance 0.1m --most-nodes 3e4 --wall-functions", 200},
    {"bend_with_wall_functions", "bend.stl",
     "--unit mm --wind 90m/s --ground no_slip --direction -y --most-nodes 4e4 --levels 1 --wall-functions", 400},
    {"bunny_on_levels", "shared/bodies/bunny_closed.stl.gz",
     "--unit m --wind 5m/s --ground no_slip --most-nodes 6e4 --levels 1", 60},
    {"bunny", "shared/bodies/bunny_closed.stl.gz", "--unit m --wind 5m/s --most-nodes 3e4", 200},
};

class JustMade : public testing::TestWithParam<Shape> {};

TEST_P(JustMade, IsPlannedAndLives) {
  const Shape& shape = GetParam();
  std::filesystem::path file = std::filesystem::path(FLUVIA_SOURCE_DIR) / "cases" / "data" / shape.file;
  if (shape.file.starts_with("shared/")) {
    const auto shared = shared_folder();
    if (!shared) GTEST_SKIP() << "there is no folder with shared geometries (FLUVIA_SHARED)";
    file = *shared / shape.file.substr(7);
    if (!std::filesystem::exists(file)) GTEST_SKIP() << file << " is not there";
  }
  const Folder folder;
  const Outcome made =
      run_fluvia("new --from " + file.string() + " " + shape.options + " " + (folder / "case").string());
  ASSERT_EQ(made.code, 0) << made.text;
  std::string name;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "case")) name = entry.path().string();
  ASSERT_TRUE(name.ends_with(".toml")) << name;
  const std::string text = read_text(name);
  const std::size_t time = text.find("\n# About "), section = text.find("\n[run]\n");
  EXPECT_NE(section, std::string::npos) << text;
  EXPECT_EQ(text.find('\n', time + 1), section) << text;  // the line above the section
  const Outcome plan = run_fluvia("plan " + name);
  EXPECT_EQ(plan.code, 0) << plan.text;
  EXPECT_EQ(plan.text.find("will not run"), std::string::npos) << plan.text;
  // Short, so the ramp is short, too; that is harder than what the draft asks for.
  const bool has_means = text.find("\naverage_from") != std::string::npos;  // which would begin after the end
  const Outcome run = run_fluvia("run " + name + (has_means ? " --set monitor.average_from=1" : "") +
                                 " --try 0 --set output.vtk=none --set output.wall=false --set checkpoint.at_end=false "
                                 "--steps " +
                                 std::to_string(shape.steps) + " --output " + (folder / "out").string());
  ASSERT_EQ(run.code, 0) << run.text;
  const auto summary = nlohmann::json::parse(read_text(folder / "out" / "summary.json"));
  EXPECT_EQ(summary["results"]["ended_because"], "last step");
}

INSTANTIATE_TEST_SUITE_P(All, JustMade, testing::ValuesIn(shapes),
                         [](const auto& instance) { return instance.param.name; });

TEST(NewFrom, SaysWhatIsWrongInOneLine) {
  const Folder folder;
  const std::string bend = std::string(FLUVIA_SOURCE_DIR) + "/cases/data/bend.stl";
  const auto refused = [&](const std::string& arguments, int code, const std::string& part) {
    const Outcome outcome = run_fluvia("new " + arguments + " " + (folder / "case").string());
    EXPECT_EQ(outcome.code, code) << arguments << '\n' << outcome.text;
    EXPECT_NE(outcome.text.find(part), std::string::npos) << arguments << '\n' << outcome.text;
    EXPECT_FALSE(std::filesystem::exists(folder / "case")) << arguments;
  };
  refused("--from " + bend, 2, "--unit is missing");
  refused("--from " + bend + " --unit mm --flow 250", 2, "--flow: '250' has no unit; expected a flow rate");
  refused("--from " + bend + " --unit inch", 2, "--unit: 'inch' is not one of m, cm, mm, um, nm, in");
  refused("--from " + folder.string(), 2, "has no surface (.stl, .obj, ");
  refused("--from " + (folder / "nothing.stl").string() + " --unit mm", 3, "nothing.stl");
  refused("stl --unit mm", 2, "--from");
  refused("--from " + bend + " --unit mm one", 2, "only a folder to write to may follow");
}

TEST(NewFrom, TakesFoldersWhoseFilesAreNamedInCapitals) {
  const Folder folder;
  const auto write = [&](const std::string& name, bool side, bool low, bool high) {
    write_text(folder / name, binary_stl(tube_soup(0, 40, {0, 9, 7}, 8, side, low, high)));
  };
  write("INLET.STL", false, true, false);
  write("outlet.stl", false, false, true);
  write("Wall.Stl", true, false, false);
  const Outcome made =
      run_fluvia("new --from " + folder.string() + " --unit mm --nodes-across 8 " + (folder / "case").string());
  ASSERT_EQ(made.code, 0) << made.text;
  EXPECT_NE(made.text.find("INLET "), std::string::npos) << made.text;
}

/// Surveyors' coordinates are millions of metres from the origin, and positions in the case need all their digits.
TEST(NewFrom, LivesFarFromTheOrigin) {
  const Folder folder;
  geometry::TriangleSoup tube = tube_soup(0, 40, {0, 9, 7}, 8, true, true, true);
  for (auto& triangle : tube)
    for (Real3& corner : triangle) corner = corner + Real3{512344, 5403210, 250};
  write_text(folder / "tube.stl", text_stl(tube));
  const std::string file = (folder / "case/tube.toml").string();
  const Outcome made = run_fluvia("new --from " + (folder / "tube.stl").string() +
                                  " --unit m --nodes-across 8 --fluid water " + (folder / "case").string());
  ASSERT_EQ(made.code, 0) << made.text;
  EXPECT_EQ(run_fluvia("plan " + file).code, 0);
}

TEST(NewFrom, WarnsAsPlanDoes) {
  const Folder folder;
  geometry::TriangleSoup tube = tube_soup(0, 40, {0, 9, 7}, 8, true, true, true);
  for (auto& triangle : tube)
    for (Real3& corner : triangle) corner = corner + Real3{512344, 5403210, 250};
  write_text(folder / "tube.stl", binary_stl(tube));  // in 32 bits, which have steps of half a metre there
  const Outcome made = run_fluvia("new --from " + (folder / "tube.stl").string() +
                                  " --unit m --nodes-across 8 --fluid water " + (folder / "case").string());
  ASSERT_EQ(made.code, 0) << made.text;
  const Outcome planned = run_fluvia("plan " + (folder / "case/tube.toml").string());
  const std::string warning = "so far from zero that they come in steps of";
  EXPECT_NE(made.text.find(warning), std::string::npos) << made.text;
  EXPECT_NE(planned.text.find(warning), std::string::npos) << planned.text;
  EXPECT_NE(made.text.find(", 5403219, 257) m"), std::string::npos) << made.text;  // all digits that --end needs
}

TEST(NewFrom, NeverOverwrites) {
  const Folder folder;
  const std::string arguments = "new --from " + std::string(FLUVIA_SOURCE_DIR) +
                                "/cases/data/bend.stl --unit mm --nodes-across 6 " + folder.string();
  ASSERT_EQ(run_fluvia(arguments).code, 0);
  const std::string before = read_text(folder / "bend.toml");
  const Outcome again = run_fluvia(arguments);
  EXPECT_EQ(again.code, 2) << again.text;
  EXPECT_NE(again.text.find("bend.toml' exists already"), std::string::npos) << again.text;
  EXPECT_EQ(read_text(folder / "bend.toml"), before);
}

}  // namespace
}  // namespace fluvia::test
