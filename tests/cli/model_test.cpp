// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "support/program.hpp"

namespace fluvia::test {
namespace {

TEST(Model, PrintsOneTableAndWritesItAsJsonAndMarkdown) {
  const Folder folder;
  const Outcome model =
      run_fluvia("model ras --size 64 --porosity 0.7 --diameter 20 --format fp64 --bandwidth 100 --json " +
                 (folder / "m.json").string() + " --markdown " + (folder / "m.md").string());
  EXPECT_EQ(model.code, 0) << model.text;
  EXPECT_NE(model.text.find("100.0 GB/s, given"), std::string::npos) << model.text;
  EXPECT_NE(model.text.find("Least memory: "), std::string::npos) << model.text;
  EXPECT_NE(read_text(folder / "m.md").find("| tgb | "), std::string::npos);
  const auto json = nlohmann::json::parse(read_text(folder / "m.json"));
  EXPECT_NEAR(json["porosity"].get<double>(), 0.7, 1e-3);
  EXPECT_EQ(json["B_node"], 304);
  std::set<std::string> schemes;
  for (const auto& row : json["schemes"]) {
    schemes.insert(row["scheme"].get<std::string>());
    double memory = 0, bandwidth = 0;
    for (const auto& part : row["memory"]) memory += part["value"].get<double>();
    for (const auto& part : row["bandwidth"]) bandwidth += part["value"].get<double>();
    EXPECT_NEAR(row["bytes_per_node"].get<double>(), 152 * (1 + memory), 1e-9) << row["scheme"];
    EXPECT_NEAR(row["ideal_mflups"].get<double>(), 100e9 / (304 * (1 + bandwidth)) / 1e6, 1e-6) << row["scheme"];
  }
  for (const char* name :
       {"t2c", "tgb", "cm", "fia", "ghost", "pull", "aa", "compact-pull", "compact-aa", "compact-sliding"})
    EXPECT_TRUE(schemes.contains(name)) << name;
}

TEST(Model, TakesFilesGeneratorsLatticesAndTiles) {
  const std::string cases = FLUVIA_SOURCE_DIR "/cases/";
  for (const std::string& arguments :
       {cases + "mask.toml", cases + "data/channel_network.png --tile 8", cases + "data/bend.stl --nodes 40 --tile 8",
        std::string("box --size 16 --lattice D3Q15 --tile 5"),
        std::string("ras --dimension 2 --size 128 --diameter 20"),
        std::string("aneurysm --diameter 12 --lattice D3Q13 --format fp16s"), std::string("coarctation --diameter 12"),
        std::string("pipe --diameter 12 --lattice D3Q27")}) {
    const Outcome model = run_fluvia("model " + arguments + " --bandwidth 100");
    EXPECT_EQ(model.code, 0) << arguments << model.text;
  }
}

/// s_t, s_idx and s_b of Tomczak & Szafran: eqs 14, 21 and 33 to 40 are proportional to them.
TEST(Model, TakesTheBytesOfTypesIndicesAndBursts) {
  const Folder folder;
  const auto overheads = [&](const std::string& options) {
    const std::string file = (folder / "m.json").string();
    const Outcome model =
        run_fluvia("model box --size 32 --format fp64 --device cuda --bandwidth 100 " + options + " --json " + file);
    EXPECT_EQ(model.code, 0) << model.text;
    std::map<std::string, double> found;
    const auto json = nlohmann::json::parse(read_text(file));
    for (const auto& row : json["schemes"]) {
      for (const auto& part : row["bandwidth"])
        found[row["scheme"].get<std::string>() + ' ' + part["name"].get<std::string>()] = part["value"];
      for (const auto& part : row["bursts"])
        found[row["scheme"].get<std::string>() + " burst " + part["name"].get<std::string>()] = part["value"];
    }
    return found;
  };
  auto usual = overheads(""), types = overheads("--type-bytes 1"), indices = overheads("--index-bytes 8"),
       bursts = overheads("--burst-bytes 64");
  EXPECT_NEAR(usual["cm index"], 18 * 4 / 304.0, 1e-12);
  EXPECT_NEAR(types["t2c type"], usual["t2c type"] / 2, 1e-12);
  EXPECT_NEAR(types["cm index"], usual["cm index"], 1e-12);
  for (const char* part : {"t2c index", "tgb index", "cm index", "fia index"})
    EXPECT_NEAR(indices[part], 2 * usual[part], 1e-12) << part;
  EXPECT_NEAR(bursts["compact-pull burst run ends"], 2 * usual["compact-pull burst run ends"], 1e-12);
  EXPECT_EQ(bursts["tgb burst buffers"], usual["tgb burst buffers"]) << "D3Q19 has no corners";
}

/// On a CPU all schemes were measured from full rows to nearly empty ones: a share of full rows alone once made `pull`
/// the fastest in spheres of porosity 0.2, where it is five times slower than `compact-aa`.
TEST(Model, NamesTheFastestOfSpheresOnACpu) {
  const Outcome model = run_fluvia("model ras --size 96 --diameter 40 --porosity 0.2 --device cpu --bandwidth 30");
  EXPECT_EQ(model.code, 0) << model.text;
  EXPECT_NE(model.text.find("compact-aa is the fastest"), std::string::npos) << model.text;
}

TEST(Model, MeasuresTheBandwidthIfNoneIsGiven) {
  const Outcome model = run_fluvia("model box --size 16 --device cpu");
  EXPECT_EQ(model.code, 0) << model.text;
  EXPECT_NE(model.text.find("measured (cpu)"), std::string::npos) << model.text;
}

TEST(Model, OfAGpuNeedsNoGpuIfTheBandwidthIsGiven) {
  const Outcome model = run_fluvia("model box --size 32 --device cuda --bandwidth 3000");
  EXPECT_EQ(model.code, 0) << model.text;
  EXPECT_NE(model.text.find("given (cuda)"), std::string::npos) << model.text;
}

TEST(Model, SaysWhatIsWrong) {
  const auto expect = [](const std::string& arguments, int code, const std::string& part) {
    const Outcome model = run_fluvia("model " + arguments);
    EXPECT_EQ(model.code, code) << arguments << model.text;
    EXPECT_NE(model.text.find(part), std::string::npos) << arguments << model.text;
  };
  expect("raz", 2, "did you mean 'ras'?");
  expect("thing.xyz", 2, "'thing.xyz' is not a case (.toml), a surface (.stl, .obj, ");
  expect("nothing.toml", 3, "nothing.toml");
  expect("box --lattice D2Q9 --bandwidth 1", 2, "D2Q9 is for 2 dimensions but the geometry has 3; use D3Q19");
  expect("box --lattice D3Q7", 2, "D3Q7");
  expect("box --tile 1", 2, "--tile");
  expect("box --bandwidth 0", 2, "--bandwidth");
  expect("box --type-bytes 0", 2, "--type-bytes");
  expect("box --index-bytes 9", 2, "--index-bytes");
  expect("box --burst-bytes 0", 2, "--burst-bytes");
  expect("ras --size 20 --diameter 4096 --porosity 1", 2, "--porosity");
}

}  // namespace
}  // namespace fluvia::test
