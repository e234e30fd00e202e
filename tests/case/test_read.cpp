// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>

#include "fluvia/base/error.hpp"
#include "fluvia/case/case.hpp"

namespace {

using namespace fluvia;
namespace fs = std::filesystem;

const std::string minimal = "[units]\nviscosity = 0.1\n[domain]\nnodes = [8, 8, 8]\n[run]\nsteps = 10\n";

/// A folder of case files that goes away with the test.
class Folder {
 public:
  Folder() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ = fs::path(testing::TempDir()) / (std::string("fluvia_") + test->name());
    fs::remove_all(path_);
    fs::create_directories(path_ / "sub");
  }
  ~Folder() { fs::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  [[nodiscard]] fs::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }
  [[nodiscard]] std::string at(const std::string& name) const { return (path_ / name).string(); }

 private:
  fs::path path_;
};

std::string refusal(const fs::path& file) {
  try {
    read_case(file);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

std::string refusal_of(const std::string& text, const std::string& setting) {
  try {
    parse_case(text, "case.toml", {setting});
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Settings, ReachEntriesByNameOrNumber) {
  const std::string text = minimal +
                           "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nspeed = 0.01\n"
                           "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n"
                           "[[geometry.shape]]\nkind = \"sphere\"\nname = \"ball\"\ncenter = [4, 4, 4]\nradius = 2\n"
                           "[[output.slice]]\nfield = \"velocity\"\n[[output.slice]]\nfield = \"pressure\"\n";
  const Case c = parse_case(text, "case.toml",
                            {"boundary.x_min.speed=0.02", "boundary.2.type=wall", "geometry.shape.ball.radius=1.5",
                             "output.slice.2.field=vorticity", "output.slice.1.axis=x"});
  EXPECT_EQ(c.boundaries.at(0).speed, 0.02);
  EXPECT_EQ(c.boundaries.at(0).type, "velocity");
  EXPECT_EQ(c.boundaries.at(1).type, "wall");
  EXPECT_EQ(c.boundaries.size(), 2u);
  ASSERT_EQ(c.output.slices.size(), 2u);
  EXPECT_EQ(c.output.slices[0].field, "velocity");
  EXPECT_EQ(c.output.slices[0].axis, 0);
  EXPECT_EQ(c.output.slices[1].field, "vorticity");
  EXPECT_EQ(
      refusal_of(text, "boundary.x_mim.speed=1"),
      "--set boundary.x_mim.speed=1: 'x_mim' is none of the 2 entries of [[boundary]]; give a name (x_min, x_max) "
      "or a number from 1; did you mean 'x_min'?");
  for (const char* number : {"0", "3", "-1", "2x"})
    EXPECT_NE(
        refusal_of(text, std::string("output.slice.") + number + ".field=velocity")
            .find(std::string("'") + number + "' is none of the 2 entries of [[output.slice]]; give a number from 1"),
        std::string::npos)
        << number;
  EXPECT_EQ(refusal_of(text, "boundary.x_min=1"),
            "--set boundary.x_min=1: boundary.x_min is a table; set one of its keys, boundary.x_min.KEY=VALUE");
  EXPECT_NE(refusal_of(text, "boundary.x_min.spead=1").find("did you mean 'speed'?"), std::string::npos);
  EXPECT_NE(refusal_of(minimal, "boundary.x_mim.speed=1").find("[[boundary]]"), std::string::npos);
}

TEST(Settings, GiveFacesOfTheBoxAnEntry) {
  const std::string text = minimal + "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nspeed = 0.01\n";
  const Case c = parse_case(text, "case.toml", {"boundary.x_max.type=pressure", "boundary.x_max.pressure=0.001"});
  ASSERT_EQ(c.boundaries.size(), 2u);
  EXPECT_EQ(c.boundaries[1].surface, "x_max");
  EXPECT_EQ(c.boundaries[1].type, "pressure");
  EXPECT_EQ(c.boundaries[1].values.at("pressure"), 0.001);
  EXPECT_EQ(parse_case(minimal, "case.toml", {"boundary.y_min.type=free_slip"}).boundaries.at(0).surface, "y_min");
  EXPECT_NE(refusal_of(minimal, "boundary.x_min.speed=1").find("'type' is missing"), std::string::npos)
      << refusal_of(minimal, "boundary.x_min.speed=1");
}

TEST(Read, FillsEveryKindOfValue) {
  const Case c = parse_case(minimal + R"(
[numerics]
collision = "mrt"
mrt_rates = { energy = 1.5, cubic = 1 }
[physics]
acceleration = [0, 1e-6, 0]
[monitor]
permeability_axis = "y"
forces = ["ball"]
every = 1
average_from = 5
[[monitor.probe]]
name = "p"
position = [1, 2.5, 3]
[output]
region = [[0, 1, 2], [3, 4, 5]]
fields = ["average_velocity"]
[[geometry.shape]]
name = "ball"
kind = "sphere"
center = [1, 2, 3]
radius = 2
[geometry.voxels]
file = "sub/a.raw"
shape = [4, 5, 6]
fluid_labels = [0, 7]
[[boundary]]
surface = "ball"
type = "moving_wall"
rotation_center = [1, 2, 3]
angular_velocity = [0, 0, 0.1]
)",
                            "folder/full.toml");
  EXPECT_EQ(c.directory, fs::path("folder"));
  EXPECT_EQ(c.units.viscosity, 0.1);
  EXPECT_EQ(c.domain.nodes, (Int3{8, 8, 8}));
  EXPECT_EQ(c.numerics.mrt_rates.at("energy"), 1.5);
  EXPECT_EQ(c.numerics.mrt_rates.at("cubic"), 1.0);
  EXPECT_EQ(c.monitors.permeability_axis, 1);
  EXPECT_EQ(c.monitors.probes.at(0).position, (Real3{1, 2.5, 3}));
  EXPECT_EQ((*c.output.region)[1], (Real3{3, 4, 5}));
  EXPECT_EQ(c.geometry.shapes.at(0).radius, 2);
  EXPECT_EQ(c.geometry.voxels->file, fs::path("sub/a.raw"));
  EXPECT_EQ(*c.geometry.voxels->fluid_labels, (std::vector<int>{0, 7}));
  EXPECT_EQ((*c.boundaries.at(0).angular_velocity)[2], 0.1);
  EXPECT_FALSE(c.run.steady);
  EXPECT_EQ(c.run.steps, 10);
  EXPECT_NE(c.hash, 0u);
}

TEST(Read, TwoEntriesAreEnoughIn2D) {
  const Case c = parse_case(
      "[units]\ntau = 0.8\n[domain]\ndimension = 2\nnodes = [8, 9]\nperiodic = [true, false]\n[run]\nsteps = 1\n"
      "[physics]\nacceleration = [1e-5, 0.0]\n",
      "flat.toml");
  EXPECT_EQ(c.domain.nodes, (Int3{8, 9, 1}));
  EXPECT_EQ(c.domain.periodic, (Bool3{true, false, false}));
  EXPECT_EQ(c.physics.acceleration, (Real3{1e-5, 0, 0}));
}

TEST(Read, CylinderOf2DNeedsNoSecondPoint) {
  const Case c = parse_case(
      "[units]\ntau = 0.8\n[domain]\ndimension = 2\nnodes = [8, 9]\n[run]\nsteps = 1\n"
      "[[geometry.shape]]\nkind = \"cylinder\"\nfrom = [4, 4]\nradius = 2\n",
      "disc.toml");
  EXPECT_EQ(c.geometry.shapes.at(0).to, (Real3{4, 4, 0}));
}

TEST(Read, RemembersWhereKeysAre) {
  const Case c = parse_case(minimal + "[[boundary]]\nsurface = \"x_min\"\ntype = \"pressure\"\n", "a/place.toml");
  EXPECT_EQ(c.place("units.viscosity"), "a/place.toml:2:13");
  EXPECT_EQ(c.place("boundary[0].surface"), "a/place.toml:8:11");
  EXPECT_EQ(c.place("boundary[0].speed"), "a/place.toml:7:1");  // not given: the table
  EXPECT_EQ(c.place("output.stride"), "a/place.toml");          // no such table: the file
  EXPECT_TRUE(c.given("run.steps"));
  EXPECT_FALSE(c.given("run.time"));
  EXPECT_EQ(Case{}.place("units.tau"), "case");
}

TEST(Include, IncludingFileWinsAndArraysGrow) {
  const Folder folder;
  (void)folder.write("base.toml", "title = \"base\"\n" + minimal +
                                      "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nspeed = 0.01\n"
                                      "[[output.slice]]\naxis = \"x\"\n");
  const auto file =
      folder.write("top.toml",
                   "include = \"base.toml\"\n[units]\nviscosity = 0.2\n[[boundary]]\nsurface = \"x_min\"\n"
                   "type = \"velocity\"\nspeed = 0.02\n[[boundary]]\nsurface = \"x_max\"\n"
                   "type = \"pressure\"\n[[output.slice]]\naxis = \"y\"\n");
  const Case c = read_case(file);
  EXPECT_EQ(c.title, "base");
  EXPECT_EQ(c.units.viscosity, 0.2);
  ASSERT_EQ(c.boundaries.size(), 2u);  // the same surface again replaces the included boundary
  EXPECT_EQ(c.boundaries[0].speed, 0.02);
  ASSERT_EQ(c.output.slices.size(), 2u);
  EXPECT_EQ(c.output.slices[1].axis, 1);
  EXPECT_EQ(c.place("units.viscosity"), folder.at("top.toml") + ":3:13");
  EXPECT_EQ(c.place("run.steps"), folder.at("base.toml") + ":7:9");
}

TEST(Include, PathsBelongToTheFileThatStatesThem) {
  const Folder folder;
  (void)folder.write("sub/base.toml", minimal + "[[geometry.stl]]\nfile = \"wall.stl\"\n");
  const auto file = folder.write("top.toml", "include = [\"sub/base.toml\"]\n[[geometry.stl]]\nfile = \"other.stl\"\n");
  const Case c = read_case(file);
  ASSERT_EQ(c.geometry.stl.size(), 2u);
  EXPECT_EQ(c.geometry.stl[0].file, fs::path("sub/wall.stl"));
  EXPECT_EQ(c.geometry.stl[1].file, fs::path("other.stl"));
}

TEST(Include, ErrorsNameTheIncludedFile) {
  const Folder folder;
  (void)folder.write("base.toml", "[units]\nviscosity = 0.1\nspeed = 3\n");
  const auto file = folder.write("top.toml", "include = \"base.toml\"\n");
  EXPECT_TRUE(refusal(file).starts_with(folder.at("base.toml") + ":3:1: units: unknown key 'speed'")) << refusal(file);
}

TEST(Include, CyclesAreRefusedNamingTheChain) {
  const Folder folder;
  const auto a = folder.write("a.toml", "include = \"sub/b.toml\"\n");
  (void)folder.write("sub/b.toml", "title = \"b\"\ninclude = \"../a.toml\"\n");
  EXPECT_EQ(refusal(a), folder.at("sub/b.toml") + ":2:11: include: '../a.toml' includes itself: " +
                            folder.at("a.toml") + " -> " + folder.at("sub/b.toml") + " -> " + folder.at("a.toml"));
  const auto self = folder.write("self.toml", "include = \"self.toml\"\n");
  EXPECT_NE(refusal(self).find("includes itself"), std::string::npos);
}

TEST(Include, TheSameFileTwiceIsNoCycle) {
  const Folder folder;
  (void)folder.write("base.toml", minimal);
  (void)folder.write("left.toml", "include = \"base.toml\"\n[physics]\nsmagorinsky = 0.1\n");
  const auto file = folder.write("top.toml", "include = [\"left.toml\", \"base.toml\"]\n");
  EXPECT_EQ(read_case(file).physics.smagorinsky, 0.1);
}

TEST(Include, MissingAndNonsense) {
  const Folder folder;
  const auto missing = folder.write("a.toml", "include = \"none.toml\"\n");
  EXPECT_EQ(refusal(missing),
            folder.at("a.toml") + ":1:11: include: 'none.toml': " + folder.at("none.toml") + ": no such file");
  const auto number = folder.write("b.toml", "include = [1]\n");
  EXPECT_EQ(refusal(number),
            folder.at("b.toml") + ":1:12: include: give the name of a file, or a list of names, in quotes");
}

TEST(Hash, FollowsThePhysicsOnly) {
  const auto hash = [](const std::string& more) { return parse_case(minimal + more, "h.toml").hash; };
  const std::uint64_t base = hash("");
  EXPECT_EQ(base, hash("# a comment\n"));
  EXPECT_EQ(base, hash("check_every = 7\n[output]\nevery = 3\n[checkpoint]\nevery = 4\n[monitor]\nevery = 5\n"));
  EXPECT_EQ(base, hash("[numerics]\nthreads = 3\nscheme = \"aa\"\ndevice = \"cpu\"\ngpu_threads = 256\ngpu_rows = 8\n"
                       "gpu_blocks = 4\nmemory_limit = 1000\n"));
  EXPECT_EQ(base, hash("[physics]\nsmagorinsky = 0.0\n"));  // the default, stated
  EXPECT_NE(base, hash("[physics]\nsmagorinsky = 0.1\n"));
  EXPECT_NE(base, hash("[numerics]\nformat = \"fp64\"\n"));
  EXPECT_NE(base, hash("[[boundary]]\nsurface = \"x_min\"\ntype = \"pressure\"\n"));
  EXPECT_NE(hash("[[boundary]]\nsurface = \"x_min\"\ntype = \"pressure\"\n"),
            hash("[[boundary]]\nsurface = \"x_min\"\ntype = \"pressure\"\npressure = 0.01\n"));
  Case built = parse_case(minimal, "h.toml");
  built.where.clear();
  EXPECT_EQ(case_hash(built), base);
}

}  // namespace
