// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>

#include "fluvia/permeability/principal.hpp"
#include "fluvia/permeability/report.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

using IsFluid = std::function<bool(int, int, int)>;

/// Settings for an image of which `fluid` says what is a pore.
PermeabilitySettings settings_of(const Folder& folder, const Int3& shape, const IsFluid& fluid) {
  std::string bytes;
  for (int z = 0; z < shape[2]; ++z)
    for (int y = 0; y < shape[1]; ++y)
      for (int x = 0; x < shape[0]; ++x) bytes += fluid(x, y, z) ? '\0' : '\1';
  write_text(folder / "image.raw", bytes);
  Case::Voxels voxels;
  voxels.file = folder / "image.raw";
  voxels.shape = shape;
  voxels.fluid_labels = std::vector<int>{0};
  PermeabilitySettings s;
  s.image.geometry.voxels = voxels;
  s.image.domain.dimension = shape[2] == 1 ? 2 : 3;
  s.image.numerics.device = "cpu";
  s.image.numerics.threads = 1;
  s.image.numerics.format = "fp64";
  s.voxel = 1;
  s.axes = {0};
  s.tolerance = 0.01;
  s.refine = 1;
  return s;
}

double along_x(const PermeabilitySettings& s) {
  return measure_permeability(s).front().permeability[0];
}

TEST(Permeability, OfPlaneChannelsIsExactOnAnyGrid) {
  const Folder folder;
  // Solid for y = 0, 1, then a gap of 4. With Lambda = 1/8 half-way walls make the flux exact for any viscosity, so
  // that only what is left of the transient remains: 0.04 of the tolerance. (With 3/16 the velocity at the nodes is
  // exact, but their sum is not the integral: 1 / (2 gap^2) too much.)
  PermeabilitySettings s = settings_of(folder, {4, 6, 4}, [](int, int y, int) { return y >= 2; });
  s.voxel = 2e-6;
  s.axes = {0, 1, 2};
  s.ends = s.sides = "periodic";
  for (const int refine : {1, 2, 3})
    for (const double tau : {0.7, 1.0}) {
      s.refine = refine;
      s.tau = tau;
      const auto results = measure_permeability(s);
      const double exact = 4.0 / 6 * 16 / 12 * s.voxel * s.voxel;
      for (const int axis : {0, 2}) {
        EXPECT_NEAR(results[axis].permeability[axis] / exact, 1, 1e-3) << refine << tau;
        EXPECT_NEAR(results[axis].flows[0].tortuosity, 1, 1e-9);
        EXPECT_NEAR(results[axis].flows[0].hydraulic_diameter, 8 * s.voxel, 1e-12);
        EXPECT_LT(results[axis].flows[0].reynolds, 0.01);
      }
      EXPECT_EQ(results[1].permeability, Real3{});
      EXPECT_FALSE(results[1].percolates());
      EXPECT_NEAR(results[1].porosity, 4.0 / 6, 1e-12);
    }
}

/// In a plane channel the force is meant to make Re = 0.001 * 32 h^2 / (12 D^2), D = 2 h, whatever the grid and tau.
TEST(Permeability, FlowsCreepAtTheReynoldsNumberTheyAreMeantTo) {
  const Folder folder;
  PermeabilitySettings s = settings_of(folder, {4, 6, 4}, [](int, int y, int) { return y >= 2; });
  s.ends = s.sides = "periodic";
  for (const int refine : {1, 3})
    for (const double tau : {0.7, 1.2}) {
      s.refine = refine;
      s.tau = tau;
      const PermeabilityFlow flow = measure_permeability(s).front().flows.back();
      EXPECT_NEAR(flow.reynolds, 0.001 * 32 / 48, 0.05e-3) << refine << ' ' << tau;
      EXPECT_NEAR(flow.hydraulic_diameter, 8, 1e-9);
    }
}

TEST(Permeability, SidesDecideHowWideAChannelAtAFaceIs) {
  const Folder folder;
  PermeabilitySettings s = settings_of(folder, {4, 6, 1}, [](int, int y, int) { return y >= 2; });
  s.sides = "closed";
  EXPECT_NEAR(along_x(s) / (4.0 / 6 * 16 / 12), 1, 1e-3);
  s.sides = "mirrored";  // the gap and its mirror image make one of 8
  EXPECT_NEAR(along_x(s) / (4.0 / 6 * 64 / 12), 1, 1e-3);
}

/// An image with nothing symmetric about it; 2D.
bool scattered(int x, int y, int) {
  return std::hypot(x - 5.0, y - 4.0) > 2.6 && std::hypot(x - 11.0, y - 11.0) > 3.2 &&
         std::hypot(x - 2.0, y - 12.0) > 2.1;
}

TEST(Permeability, DoesNotDependOnTheViscosity) {
  const Folder folder;
  PermeabilitySettings s = settings_of(folder, {16, 16, 1}, scattered);
  s.tolerance = 1e-3;
  const double k = along_x(s);
  for (const double tau : {0.6, 2.0}) {
    s.tau = tau;
    EXPECT_NEAR(along_x(s) / k, 1, 2e-4) << tau;  // transients: 4e-5 each
  }
}

TEST(Permeability, MirroredIsTheImageFollowedByItsMirrorImage) {
  const Folder folder, other;
  const auto mirrored = [](int i, int n) { return i < n ? i : 2 * n - 1 - i; };
  PermeabilitySettings s = settings_of(folder, {16, 16, 1}, scattered);
  s.sides = "periodic";
  PermeabilitySettings twice =
      settings_of(other, {32, 16, 1}, [&](int x, int y, int z) { return scattered(mirrored(x, 16), y, z); });
  twice.ends = twice.sides = "periodic";
  EXPECT_DOUBLE_EQ(along_x(s), along_x(twice));
  s.sides = "mirrored";
  PermeabilitySettings four = settings_of(
      other, {32, 32, 1}, [&](int x, int y, int z) { return scattered(mirrored(x, 16), mirrored(y, 16), z); });
  four.ends = four.sides = "periodic";
  EXPECT_DOUBLE_EQ(along_x(s), along_x(four));
}

TEST(Permeability, OfASquareDuctIsExtrapolated) {
  // Mean velocity of a duct of edge a: 0.0351443 a^2 g / viscosity (White, Viscous fluid flow, eq. 3-48).
  const Folder folder;
  PermeabilitySettings s = settings_of(folder, {2, 6, 6}, [](int, int y, int z) { return y < 4 && z < 4; });
  s.ends = s.sides = "periodic";
  s.image.numerics.format = "fp32";
  s.refine = 0;
  const double exact = 16.0 / 36 * 16 * 0.0351443;
  for (const double tolerance : {0.05, 0.003}) {
    s.tolerance = tolerance;
    const AxisPermeability result = measure_permeability(s).front();
    EXPECT_TRUE(result.within_tolerance) << result.error;
    EXPECT_LE(std::abs(result.permeability[0] / exact - 1), result.error) << tolerance;
    EXPECT_LT(std::abs(result.permeability[0] / exact - 1), 0.5 * tolerance);
    EXPECT_EQ(result.flows.size(), tolerance == 0.05 ? 2u : 3u);
    EXPECT_EQ(result.extrapolation.observed, tolerance != 0.05);
  }
  // One node a voxel by itself is 2% off, and says that it may be far off.
  s.refine = 1;
  const AxisPermeability coarse = measure_permeability(s).front();
  EXPECT_GT(coarse.permeability[0] / exact, 1.01);
  EXPECT_GT(coarse.error, coarse.permeability[0] / exact - 1);
  EXPECT_FALSE(coarse.within_tolerance);
}

TEST(Permeability, OfATiltedChannelHasOffDiagonalEntries) {
  // Stripes at 45 degrees: a force along x drives as much along y.
  const Folder folder;
  PermeabilitySettings s = settings_of(folder, {12, 12, 1}, [](int x, int y, int) { return (x - y + 12) % 12 < 8; });
  s.ends = s.sides = "periodic";
  s.axes = {0, 1};
  const auto results = measure_permeability(s);
  EXPECT_NEAR(results[0].permeability[1] / results[0].permeability[0], 1, 1e-3);
  EXPECT_NEAR(results[1].permeability[0] / results[0].permeability[1], 1, 1e-3);
  const auto principal = principal_permeability(s, results);
  ASSERT_TRUE(principal);
  // Along the stripes 8 / sqrt(2) wide, with 2/3 of the box; nothing across them.
  EXPECT_NEAR(principal->values[0], 2 * results[0].permeability[0], 2e-3 * principal->values[0]);
  EXPECT_NEAR(principal->values[1], 0, 1e-3 * principal->values[0]);
  EXPECT_NEAR(principal->directions[0][0], std::sqrt(0.5), 1e-3);
  EXPECT_NEAR(principal->directions[0][1], std::sqrt(0.5), 1e-3);
  EXPECT_LT(principal->asymmetry, 1e-3);
  EXPECT_FALSE(principal_permeability(s, {results[0]})) << "one axis is no tensor";
  // Such a channel winds through the box both ways; closed at one side it leads nowhere.
  s.sides = "closed";
  s.axes = {0};
  EXPECT_FALSE(measure_permeability(s).front().percolates());
}

TEST(Permeability, PrincipalValuesOfAKnownTensor) {
  PermeabilitySettings s;
  s.image.domain.dimension = 3;
  s.ends = s.sides = "periodic";
  std::vector<AxisPermeability> results(3);
  // 3, 2 and 1 along (1, 1, 0) / sqrt 2, z, (-1, 1, 0) / sqrt 2, and an error of 0.06 in one entry.
  const Real3 rows[] = {{2, 1.06, 0}, {1, 2, 0}, {0, 0, 2}};
  for (int axis = 0; axis < 3; ++axis) {
    results[static_cast<std::size_t>(axis)].axis = axis;
    results[static_cast<std::size_t>(axis)].permeability = rows[axis];
  }
  const auto principal = principal_permeability(s, results);
  ASSERT_TRUE(principal);
  EXPECT_NEAR(principal->values[0], 3.03, 1e-12);
  EXPECT_NEAR(principal->values[1], 2, 1e-12);
  EXPECT_NEAR(principal->values[2], 0.97, 1e-12);
  EXPECT_NEAR(principal->directions[0][0], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(principal->directions[0][1], std::sqrt(0.5), 1e-12);
  EXPECT_NEAR(std::abs(principal->directions[1][2]), 1, 1e-12);
  EXPECT_NEAR(principal->asymmetry, 0.06 / 3.03, 1e-12);
  EXPECT_NEAR(principal->anisotropy(), 3.03 / 0.97, 1e-9);
  s.sides = "closed";  // no flux crosses a closed side
  EXPECT_NEAR(principal_permeability(s, results)->anisotropy(), 1, 1e-12);
}

TEST(Permeability, AnInterruptionLeavesWhatThereIs) {
  const Folder folder;
  PermeabilitySettings s = settings_of(folder, {8, 10, 8}, [](int, int y, int) { return y >= 2; });
  s.axes = {0, 2};
  int asked = 0;
  s.interrupted = [&] { return ++asked > 3; };
  const auto results = measure_permeability(s);
  ASSERT_EQ(results.size(), 1u) << "the second axis has not begun";
  ASSERT_EQ(results[0].flows.size(), 1u);
  EXPECT_FALSE(results[0].flows[0].steady);
  EXPECT_GT(results[0].permeability[0], 0);
  EXPECT_FALSE(results[0].within_tolerance);
  EXPECT_NE(results[0].notes.front().find("interrupted"), std::string::npos);
  const nlohmann::json json = permeability_json(s, results);
  EXPECT_FALSE(json["complete"].get<bool>());
  EXPECT_FALSE(json["within_tolerance"].get<bool>());
  EXPECT_TRUE(json["axes"][0]["interrupted"].get<bool>());
}

/// Dead ends beside a channel make the surface large, and so the diameter from which the force follows small: the flow
/// in the channel is faster than it was meant to be, and the result says so.
TEST(Permeability, FlowsThatDoNotCreepAreNoted) {
  const Folder folder;
  // A gap of 40, and slits in every second column on both sides of it.
  const auto notes = [&](int deep) {
    PermeabilitySettings s = settings_of(folder, {2, 40 + 2 * deep + 2, 1}, [&](int x, int y, int) {
      return (y > deep && y <= deep + 40) || (x == 0 && y > 0 && y <= 2 * deep + 40);
    });
    s.sides = s.ends = "periodic";
    s.tau = 0.8;
    s.tolerance = 0.05;
    std::string all;
    const AxisPermeability result = measure_permeability(s).front();
    for (const std::string& note : result.notes) all += note + '\n';
    return all;
  };
  EXPECT_EQ(notes(0).find("creep"), std::string::npos) << notes(0);
  const std::string fast = notes(100);
  EXPECT_NE(fast.find("at refine 1 the flow does not creep: Reynolds number 0.1"), std::string::npos) << fast;
  EXPECT_NE(fast.find("; choose a larger tau"), std::string::npos) << fast;
}

class PermeabilityCommand : public testing::Test {
 protected:
  Outcome run(const std::string& arguments) {
    return run_fluvia("permeability " + (folder_ / "image.raw").string() + " --threads 1 --device cpu " + arguments);
  }
  void expect(const std::string& arguments, int code, const std::string& part) {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << arguments << outcome.text;
    EXPECT_NE(outcome.text.find(part), std::string::npos) << arguments << "\n" << outcome.text;
  }
  Folder folder_;
};

TEST_F(PermeabilityCommand, PrintsAndWritesTheTensor) {
  settings_of(folder_, {6, 6, 6}, [](int x, int y, int) { return x >= 2 || y >= 6; });  // walls normal to x
  const auto file = folder_ / "k.json";
  const Outcome outcome =
      run("--shape 6 6 6 --pore 0 --voxel 1um --sides periodic --ends periodic --json " + file.string());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_NE(outcome.text.find("no fluid connects one end with the other"), std::string::npos) << outcome.text;
  EXPECT_EQ(outcome.text.find("nan"), std::string::npos) << outcome.text;
  const auto json = nlohmann::json::parse(read_text(file));
  const double exact = 4.0 / 6 * 16 / 12 * 1e-12;
  EXPECT_EQ(json["tensor_m2"][0], (nlohmann::json{0.0, 0.0, 0.0}));
  for (const int axis : {1, 2}) {
    EXPECT_NEAR(json["tensor_m2"][axis][axis].get<double>() / exact, 1, 0.01);
    EXPECT_NEAR(json["axes"][axis]["permeability_darcy"].get<double>() * 9.869233e-13 / exact, 1, 0.01);
    EXPECT_EQ(json["axes"][axis]["flows"].size(), 2u);
    EXPECT_LT(json["axes"][axis]["relative_error"].get<double>(), 0.05);
  }
  EXPECT_TRUE(json["within_tolerance"].get<bool>());
}

TEST_F(PermeabilityCommand, TakesAPartOfTheImage) {
  // Solid but for a channel through the part from (2, 1, 3) with 4 x 5 x 2 voxels, whose gap is 3.
  settings_of(folder_, {8, 9, 10},
              [](int x, int y, int z) { return x >= 2 && x < 6 && y >= 2 && y < 5 && z >= 3 && z < 5; });
  expect("--shape 8 9 10 --voxel 1m --axis x --sides mirrored --refine 2 --crop 2 1 3 4 5 2", 0, "0.45");  // 3/5 * 9/12
  expect("--shape 8 9 10 --voxel 1m --axis x", 0, "no fluid connects");
  expect("--shape 8 9 10 --voxel 1m --crop 2 1 3 7 5 2", 3, "along x the part from 2 to 9 is asked for");
  expect("--shape 8 9 10 --voxel 1m --crop 2 1 3 7", 2, "--crop has 4 numbers, expected 6");
}

TEST_F(PermeabilityCommand, EndsWithWhatThereIsWhenTerminated) {
  settings_of(folder_, {64, 64, 40}, [](int, int y, int) { return y > 1; });
  const auto file = folder_ / "k.json";
  const Outcome outcome = run_shell(
      "timeout --preserve-status -s TERM 2 " FLUVIA_BINARY " permeability " + (folder_ / "image.raw").string() +
      " --shape 64 64 40 --pore 0 --voxel 1m --axis x z --refine 4 --tolerance 1e-4 --threads 1 --device cpu "
      "--sides closed --ends periodic --json " +
      file.string());
  EXPECT_EQ(outcome.code, 6) << outcome.text;
  for (const char* part : {"along x, refine 4: 10485760 nodes, of which ", "interrupted: "})
    EXPECT_NE(outcome.text.find(part), std::string::npos) << outcome.text;
  const auto json = nlohmann::json::parse(read_text(file));
  EXPECT_FALSE(json["complete"].get<bool>());
  EXPECT_EQ(json["axes"].size(), 1u);
}

/// What is needed and what there is, both in GiB.
TEST_F(PermeabilityCommand, SaysWhatMemoryIsMissing) {
  settings_of(folder_, {64, 64, 40}, [](int, int y, int) { return y > 1; });
  write_text(folder_ / "meminfo", "MemTotal: 24000000 kB\nMemAvailable: 11000 kB\n");
  const std::string pretend =
      "unshare --mount sh -c 'mount --bind " + (folder_ / "meminfo").string() + " /proc/meminfo && ";
  if (run_shell(pretend + "true'").code != 0) GTEST_SKIP() << "this process may not mount";
  const Outcome outcome =
      run_shell(pretend + "exec " FLUVIA_BINARY " permeability " + (folder_ / "image.raw").string() +
                " --shape 64 64 40 --pore 0 --voxel 1m --axis x --refine 1 --threads 1 --device cpu --sides closed "
                "--ends periodic'");
  EXPECT_EQ(outcome.code, 4) << outcome.text;
  EXPECT_NE(outcome.text.find("GiB are needed for populations and boundaries, but only 0.0105 GiB are free"),
            std::string::npos)
      << outcome.text;
}

TEST_F(PermeabilityCommand, ReadsAnImageThatSaysWhatItIs) {
  // A channel of 4 x 6 x 4 voxels of 2 um between walls of two, along x: k = 4/6 * (4 * 2 um)^2 / 12.
  std::string bytes;
  for (int i = 0; i < 4 * 6 * 4; ++i) bytes += i / 4 % 6 >= 2 ? '\xff' : '\0';
  const std::string header =
      "NRRD0004\ntype: uint8\ndimension: 3\nsizes: 4 6 4\nspacings: 2 2 2\nunits: \"um\" \"um\" \"um\"\nencoding: "
      "raw\n\n";
  write_text(folder_ / "image.nrrd", header + bytes);
  const std::string command = "permeability " + (folder_ / "image.nrrd").string();
  const Outcome guessed = run_fluvia(command);
  EXPECT_EQ(guessed.code, 2) << guessed.text;
  EXPECT_CONTAINS(guessed.text, "  255   66.7% of the voxels");
  EXPECT_CONTAINS(guessed.text, "--pore 255");
  const std::string said = command + " --pore 255 --axis x --refine 1 --sides periodic --ends periodic";
  const Outcome outcome = run_fluvia(said + " --json " + (folder_ / "k.json").string());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  EXPECT_CONTAINS(outcome.text, "labels: 0 33.3%, 255 66.7% (fluid)");
  const auto json = nlohmann::json::parse(read_text(folder_ / "k.json"));
  EXPECT_NEAR(json["axes"][0]["permeability_m2"].get<double>() / (4.0 / 6 * 64e-12 / 12), 1, 0.02);
  const Outcome other = run_fluvia(said + " --voxel 3um");
  EXPECT_CONTAINS(other.text, "--voxel: 3e-06 m is taken, not the 2e-06 m that the header says");
  EXPECT_EQ(run_fluvia(said + " --bits 16").code, 2);
  EXPECT_CONTAINS(run_fluvia(said + " --shape 4 4 6").text, "but the header of");
}

TEST_F(PermeabilityCommand, SaysWhatIsWrong) {
  settings_of(folder_, {4, 4, 4}, [](int, int y, int) { return y > 1; });
  expect("--shape 4 4 5 --voxel 1m", 3, "has 64 bytes, but 4 x 4 x 5 voxels of 8 bits need 80");
  expect("--shape 4 4 4 --voxel 5.345", 2, "--voxel: '5.345' has no unit");
  expect("--shape 4 4 4 --voxel=-1m", 2, "--voxel");
  expect("--shape 4 4 4", 2, "--voxel is missing: the image does not say");
  expect("--shape 4 4 4 --voxel 5feet", 2, "--voxel: '5feet' has the unit 'feet', which is not known here");
  expect("--shape 4 4 4 --voxel 1m --labels 7", 2, "no voxel of");
  expect("--shape 4 4 4 --voxel 1m --labels 300", 3, "fluid_labels has 300");
  expect("--shape 4 4 4 --voxel 1m --labels 0 1 --sides periodic", 3, "no solid is beside the fluid");
  expect("--shape 4 4 4 --voxel 1m --labels 0 --below 1", 3, "give one");
  expect("--shape 4 4 4 --voxel 1m --refine 0", 2, "--refine: '0'");
  expect("--shape 4 4 4 --voxel 1m --tolerance 0", 2, "--tolerance");
  expect("--shape 4 4 4 --voxel 1m --ends closed", 2, "--ends");
  expect("--voxel 1m", 2, "add --shape NX NY NZ");
  expect("--shape 4 4 1 --voxel 1m", 3, "bytes");
  const Outcome two = run_fluvia("permeability " FLUVIA_SOURCE_DIR
                                 "/cases/data/channel_network.png --voxel 1um --axis z --refine 1 --max-steps 20");
  EXPECT_EQ(two.code, 3) << two.text;
  EXPECT_NE(two.text.find("there is no axis z in 2D"), std::string::npos) << two.text;
}

}  // namespace
}  // namespace fluvia::test
