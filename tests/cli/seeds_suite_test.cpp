// SPDX-License-Identifier: Apache-2.0
// The suite "seeds": what it lists, and that a run which was cut off goes on where it stopped.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "fluvia/base/error.hpp"
#include "fluvia/bench/compile_ahead.hpp"
#include "fluvia/bench/configurations.hpp"
#include "fluvia/bench/report.hpp"
#include "fluvia/bench/scratch.hpp"
#include "fluvia/case/validate.hpp"
#include "fluvia/cuda/solver/prepared_case.hpp"
#include "fluvia/geometry/geometry.hpp"
#include "fluvia/run/files/run_folder.hpp"
#include "fluvia/solver/plan/half_lattice.hpp"
#include "fluvia/solver/plan/omissions.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

std::vector<BenchRow> seeds(const std::string& device, int size) {
  BenchSettings settings;
  settings.suite = "seeds";
  settings.device = device;
  settings.size = size;
  settings.threads = {1, 2};
  return bench_configurations(settings);
}

/// Tables and figures that speeds are needed for; the others come from `fluvia model` and `fluvia run`.
const std::set<std::string> measured = {"S1 Table 1", "S1 Table 2", "S1 Table 3", "S1 Table 4", "S1 Table 5",
                                        "S2 Table 1", "S2 Table 2", "S2 Table 3", "S2 Table 4", "S2 Table 5",
                                        "S2 Table 6", "S3 Table 4", "S4 Fig 6",   "S4 Fig 7",   "Fluvia",
                                        "S1 Fig 7",   "S1 Fig 8",   "S1 Fig 9",   "S2 Fig 1"};

TEST(SeedsSuite, ListsEveryExperiment) {
  for (const auto& [device, size] : {std::pair{"cuda", 256}, {"cpu", 256}, {"cpu", 8}}) {
    std::set<std::string> labels;
    for (const BenchRow& row : seeds(device, size)) labels.insert(row.experiments.begin(), row.experiments.end());
    std::set<std::string> expected = measured;
    if (std::string(device) == "cpu") expected.erase("S2 Table 4");  // blocks of threads
    EXPECT_EQ(labels, expected) << device;
  }
}

TEST(SeedsSuite, HasEachSchemeOfThePapersOnTheirGeometry) {
  std::map<std::string, std::set<std::string>> schemes;
  std::set<int> widths, squares;
  for (const BenchRow& row : seeds("cuda", 256)) {
    for (const std::string& label : row.experiments) schemes[label].insert(row.scheme);
    if (row.geometry == "mask") widths.insert(row.channel);
    for (const std::string& label : row.experiments)
      if (label == "S2 Table 1") squares.insert(row.size);
  }
  using Names = std::set<std::string>;
  EXPECT_EQ(schemes["S1 Table 2"], (Names{"t2c", "tgb", "soa-pull", "pull", "compact-sliding"}));
  EXPECT_EQ(schemes["S1 Table 3"], (Names{"t2c", "tgb", "cm", "cm-aa", "fia", "fia-fused", "compact-sliding"}));
  EXPECT_EQ(schemes["S1 Table 4"], (Names{"t2c", "tgb", "cm", "fia", "compact-sliding"}));
  EXPECT_EQ(schemes["S2 Table 1"],
            (Names{"serial", "aos-push", "soa-push", "soa-pull", "soa-aa", "aa", "pull", "esoteric-pull"}));
  EXPECT_EQ(schemes["S3 Table 4"], (Names{"fcc", "fcc-shared", "fcc-aa", "pull", "serial"}));
  std::vector<std::string> all = gpu_scheme_names();
  std::erase_if(all, [](const std::string& name) { return parse_scheme(name).keeps_moments(); });
  EXPECT_EQ(schemes["Fluvia"], Names(all.begin(), all.end()));
  EXPECT_EQ(widths, (std::set<int>{16, 32, 64}));
  EXPECT_EQ(squares, (std::set<int>{64, 128, 256, 512, 1024, 2048, 8192}));
}

/// S1 section 4.2.1: barriers, ghost buffers and then collision are taken out of TGB, on GPUs, beside the whole of it.
TEST(SeedsSuite, MeasuresStepsWithoutTheirParts) {
  std::set<std::string> of_tgb, of_t2c;
  for (const BenchRow& row : seeds("cuda", 256)) {
    if (row.without.empty()) continue;
    EXPECT_EQ(row.experiments, std::vector<std::string>{"S1 Table 2"});
    EXPECT_NO_THROW(parse_omissions(row.without, parse_scheme(row.scheme)));
    (row.scheme == "tgb" ? of_tgb : of_t2c).insert(row.without);
  }
  for (const char* names : {"barriers", "barriers+collision", "barriers+ghosts", "sharing"})
    EXPECT_TRUE(of_tgb.contains(names)) << names;
  EXPECT_TRUE(of_t2c.contains("layout") && of_t2c.contains("sharing"));
  for (const BenchRow& row : seeds("cpu", 64)) EXPECT_EQ(row.without, "");
}

/// S2's fastest blocks of each size, its default, and a serial run that its factor of 432 is of.
TEST(SeedsSuite, MeasuresWhatTheTablesOfS2AreOf) {
  std::set<std::pair<int, int>> blocks;
  std::set<std::string> of_blocks, rearranged;
  std::set<int> serial, channels, flows;
  for (const BenchRow& row : seeds("cuda", 256)) {
    const auto is_for = [&](const char* label) {
      return std::find(row.experiments.begin(), row.experiments.end(), label) != row.experiments.end();
    };
    if (is_for("S2 Table 4")) {
      of_blocks.insert(row.scheme + ' ' + row.format);
      blocks.insert({row.gpu_threads / row.gpu_rows, row.gpu_rows});
    }
    if (row.scheme == "serial" && row.lattice == "D2Q9") serial.insert(row.nodes[0]);
    if (row.scheme == "soa-aa" && row.format == "fp16s" && !is_for("Fluvia")) {
      EXPECT_EQ(row.rounding, "nearest");
    }
    if (is_for("S2 Table 1") && row.flow == "poiseuille") channels.insert(row.nodes[0]);
    if (is_for("S2 Table 5")) flows.insert(row.nodes[0]);
    if (row.transposes) rearranged.insert(row.scheme + ' ' + row.format);
  }
  EXPECT_EQ(of_blocks, std::set<std::string>{"soa-aa fp32"});
  for (const std::pair<int, int>& block : {std::pair{32, 4},
                                           {64, 2},
                                           {32, 1},
                                           {128, 1},
                                           {256, 1},
                                           {64, 1},
                                           {512, 1},
                                           {256, 2},
                                           {128, 2},
                                           {64, 4},
                                           {32, 8}})
    EXPECT_TRUE(blocks.contains(block)) << block.first << 'x' << block.second;
  EXPECT_EQ(channels, (std::set<int>{64, 128, 256, 512, 1024, 2048, 8192}));
  EXPECT_EQ(flows, (std::set<int>{1024, 4096})) << "one that caches hold, and one that they do not";
  EXPECT_EQ(serial, (std::set<int>{64, 128, 256, 512, 1024, 2048}));
  EXPECT_EQ(rearranged, (std::set<std::string>{"soa-push fp32", "soa-aa fp32", "soa-aa fp16s"}));
}

TEST(SeedsSuite, ListsNoCombinationTwiceAndGeometriesTogether) {
  const std::vector<BenchRow> rows = seeds("cuda", 256);
  int geometries = 1;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    for (std::size_t j = 0; j < k; ++j) ASSERT_FALSE(same_combination(rows[j], rows[k])) << j << ' ' << k;
    if (k > 0 && !same_geometry(rows[k - 1], rows[k])) ++geometries;
  }
  std::vector<BenchRow> different;
  for (const BenchRow& row : rows)
    if (std::none_of(different.begin(), different.end(), [&](const BenchRow& d) { return same_geometry(d, row); }))
      different.push_back(row);
  EXPECT_EQ(geometries, static_cast<int>(different.size()));
}

TEST(SeedsSuite, HasValidCasesOnly) {
  for (const char* device : {"cpu", "cuda"})
    for (const int size : {8, 32, 256})
      for (const BenchRow& row : seeds(device, size)) {
        EXPECT_NO_THROW(validate(bench_case(row, "."))) << row.scheme << ' ' << row.geometry;
        EXPECT_NO_THROW(validate(bench_case(small_stand_in(row), "."))) << row.scheme << ' ' << row.geometry;
        EXPECT_NO_THROW(require_device(parse_scheme(row.scheme), row.device));
        EXPECT_NO_THROW(require_rows(parse_scheme(row.scheme), row.gpu_rows));
        EXPECT_EQ(row.threads == 0, row.device == "cuda");
        EXPECT_TRUE(row.device == device || row.scheme == "serial") << "a CPU's baseline goes with both";
      }
}

TEST(SeedsSuite, KnowsAFewKernelsByStandIns) {
  std::vector<BenchRow> kinds;
  const std::vector<BenchRow> rows = seeds("cuda", 256);
  for (const BenchRow& row : rows) {
    const BenchRow small = small_stand_in(row);
    EXPECT_LT(static_cast<double>(small.nodes[0]) * small.nodes[1] * small.nodes[2], 1e6);
    if (std::none_of(kinds.begin(), kinds.end(), [&](const BenchRow& k) { return same_combination(k, small); }))
      kinds.push_back(small);
  }
  EXPECT_LT(kinds.size(), 130u);
  EXPECT_LT(kinds.size(), rows.size() / 2);
}

/// What cannot be compiled is told, kind by kind; on a machine without a GPU nothing can.
TEST(SeedsSuite, CompilingAheadKeepsReasons) {
  BenchRow row;
  row.lattice = "D2Q9";
  row.collision = "none-such";
  row.device = "cuda";
  row.nodes = {16, 16, 1};
  std::vector<BenchRow> rows;
  for (const char* format : {"fp64", "fp32", "fp16s", "fp32"}) {
    row.format = format;
    rows.push_back(row);
  }
  const std::vector<std::string> reasons = compile_ahead(rows);
  ASSERT_EQ(reasons.size(), 3u) << "two rows are of one kind";
  EXPECT_TRUE(reasons[0].starts_with("D2Q9 none-such pull fp64: ")) << reasons[0];
  EXPECT_TRUE(reasons[2].starts_with("D2Q9 none-such pull fp16s: ")) << reasons[2];
  EXPECT_GT(reasons[0].size(), std::string("D2Q9 none-such pull fp64: ").size());
}

/// Kernels of a row as it is measured, but of a domain that is not larger than a test can make.
std::string kernels_of(BenchRow row) {
  row.memory_limit_mib = 0;
  const ScratchFolder folder({row});
  const Case c = bench_case(row, folder.path());
  const Units units = make_units(c, 1.0);
  const Geometry geometry = stored_geometry(c, build_geometry(c, make_grid(c)));
  const Plan plan = make_plan({c, units, geometry}, "cuda", std::uint64_t{80} << 30);
  const cuda::Specification specification = cuda::prepare_case({c, units, geometry}, plan).specification;
  // Those of steps differ in less than those that complete boundaries.
  return cuda::compile_request(specification, {cuda::KernelKind::moments, 0}).source;
}

TEST(SeedsSuite, StandInsHaveTheKernelsOfTheirRows) {
  std::vector<BenchRow> rows = seeds("cuda", 32), seen;
  // Threads of a block depend on the length of rows.
  for (const BenchRow& row : seeds("cuda", 256))
    if (row.scheme == "fcc-shared" && row.nodes[1] == 32) rows.push_back(row);
  for (const BenchRow& row : rows) {
    if (row.device == "cpu") continue;
    const BenchRow small = small_stand_in(row);
    BenchRow kind = small;  // once for each sort of geometry, too
    kind.geometry = row.geometry;
    kind.porosity = row.porosity < 1 ? 0.5 : 1;
    const bool known =
        std::any_of(seen.begin(), seen.end(), [&](const BenchRow& r) { return same_combination(r, kind); });
    if (known && row.scheme != "fcc-shared") continue;
    seen.push_back(kind);
    EXPECT_EQ(kernels_of(small), kernels_of(row)) << bench_line(row);
  }
}

TEST(SeedsSuite, MakesItsNetworksAsWideAsAskedFor) {
  for (const BenchRow& row : seeds("cpu", 256)) {
    if (row.channel > 32) continue;  // the same, only larger
    if (row.channel == 0 || row.scheme != "cm") continue;
    const ScratchFolder folder({row});
    const Case c = bench_case(row, folder.path());
    const Geometry geometry = build_geometry(c, make_grid(c));
    EXPECT_NEAR(geometry.nodes.porosity(), 0.2, 0.03) << row.geometry;
    EXPECT_EQ(geometry.openings.size(), 2u);
    EXPECT_EQ(geometry.report.dropped_nodes, 0u);
    // Narrow channels start level: lengths of fluid along y in the column where they do.
    std::map<int, int> lengths;
    const Int3 size = geometry.nodes.size;
    const int x = size[0] / 2 - row.channel * (row.geometry == "mask" ? 14 : 22);
    for (int y = 0, length = 0; y < size[1]; ++y) {
      if (geometry.nodes.is_fluid({x, y, 0}))
        ++length;
      else if (length > 0)
        ++lengths[std::exchange(length, 0)];
    }
    const auto usual = std::max_element(lengths.begin(), lengths.end(),
                                        [](const auto& a, const auto& b) { return a.second < b.second; });
    EXPECT_NEAR(usual->first, row.channel, 0.15 * row.channel) << row.geometry;
  }
}

/// S1's Table 1: ChipB_08, 16 and 32.
TEST(SeedsSuite, HasImagesOfThePapersSize) {
  const std::map<int, double> published = {{16, 2'587'417}, {32, 10'370'560}, {64, 41'455'800}};
  std::set<int> found;
  for (const BenchRow& row : seeds("cuda", 256)) {
    if (row.geometry != "mask" || !found.insert(row.channel).second) continue;
    const ScratchFolder folder({row});
    const Int3 size = make_grid(bench_case(row, folder.path())).size;
    EXPECT_NEAR(double(size[0]) * size[1] / published.at(row.channel), 1, 0.04) << row.channel;
  }
  EXPECT_EQ(found.size(), published.size());
}

/// A small part of the suite.
std::string seeds_command(const Folder& folder, const std::string& more = "") {
  return "bench --suite seeds --rows-only --experiment 'S2 Table 6' --device cpu --threads 1 --size 64 --seconds 0.01 "
         "--output " +
         folder.string() + ' ' + more;
}

TEST(SeedsSuite, GoesOnWhereItStopped) {
  const Folder folder;
  const Outcome first = run_fluvia(seeds_command(folder));
  ASSERT_EQ(first.code, 0) << first.text;
  EXPECT_EQ(first.text.find("GPU kernels"), std::string::npos) << "a CPU compiles none: " << first.text;
  auto json = nlohmann::json::parse(read_text(folder / "rows.json"));
  const std::size_t count = json["rows"].size();
  ASSERT_GE(count, 2u);
  for (const auto& row : json["rows"]) {
    EXPECT_GT(row["mlups"].get<double>(), 0);
    EXPECT_GT(row["even_ms"].get<double>(), 0);
    EXPECT_GT(row["odd_ms"].get<double>(), 0);
    EXPECT_NEAR(row["step_ms"].get<double>() * row["mlups"].get<double>() * 1e3, row["fluid_nodes"].get<double>(), 1);
  }
  // As if the run had been killed after its first row, which is marked.
  json["rows"].erase(json["rows"].begin() + 1, json["rows"].end());
  json["rows"][0]["mlups"] = 123456.0;
  write_text(folder / "rows.json", json.dump());
  const Outcome second = run_fluvia(seeds_command(folder));
  EXPECT_EQ(second.code, 0) << second.text;
  EXPECT_NE(second.text.find("1 rows are there and not measured again"), std::string::npos) << second.text;
  const auto after = nlohmann::json::parse(read_text(folder / "rows.json"));
  ASSERT_EQ(after["rows"].size(), count);
  EXPECT_EQ(after["rows"][0]["mlups"], 123456.0);
  EXPECT_GT(after["rows"][1]["mlups"].get<double>(), 0);
}

/// The smallest that can be asked for: spheres shrink with their box, where once those of 40 nodes ended everything.
TEST(SeedsSuite, MeasuresSpheresInTheSmallestBoxes) {
  const Folder folder;
  const Outcome bench = run_fluvia(
      "bench --suite seeds --rows-only --experiment 'S1 Fig 9' --device cpu --threads 1 --size 8 --seconds 0.01 "
      "--output " +
      folder.string());
  ASSERT_EQ(bench.code, 0) << bench.text;
  std::set<double> porosities;
  const auto json = nlohmann::json::parse(read_text(folder / "rows.json"));
  for (const auto& row : json["rows"]) {
    EXPECT_EQ(row["reason"], "");
    EXPECT_GT(row["mlups"].get<double>(), 0) << row["geometry"];
    if (row["geometry"] == "box") porosities.insert(row["porosity"].get<double>());
  }
  EXPECT_EQ(porosities, (std::set<double>{0.7, 0.8, 0.9}));
}

/// The spheres that tests hold against the paper's are those that are measured.
TEST(SeedsSuite, HasTheSpheresOfTheModel) {
  for (const BenchRow& row : seeds("cuda", 256)) {
    if (!row.is_box() || row.porosity == 1) continue;
    const Case c = bench_case(row, ".");
    EXPECT_TRUE(c.geometry.generator->centers_in_fluid);
    EXPECT_EQ(c.geometry.generator->seed, 4u);
    EXPECT_EQ(c.geometry.generator->diameter, 40);
  }
}

/// Each of two would write its own rows only.
TEST(SeedsSuite, RefusesAFolderThatAnotherOneMeasuresInto) {
  const Folder folder;
  {
    const RunFolder other(folder / "", "another bench");
    const Outcome refused = run_fluvia(seeds_command(folder));
    EXPECT_EQ(refused.code, 4) << refused.text;
    EXPECT_NE(refused.text.find("'another bench'"), std::string::npos) << refused.text;
    EXPECT_FALSE(std::filesystem::exists(folder / "rows.json"));
  }
  EXPECT_EQ(run_fluvia(seeds_command(folder)).code, 0);
}

/// Parts of steps are asked for, but only GPUs have the clock for them: rows of a CPU are complete without.
TEST(SeedsSuite, PartsOfStepsAreNotMissedOnACpu) {
  const Folder folder;
  const std::string command =
      "bench --suite seeds --rows-only --experiment 'S4 Fig 6' --device cpu --threads 1 --size 16 --seconds 0.01 "
      "--output " +
      folder.string();
  ASSERT_EQ(run_fluvia(command).code, 0);
  auto json = nlohmann::json::parse(read_text(folder / "rows.json"));
  ASSERT_GE(json["rows"].size(), 3u);
  for (auto& row : json["rows"]) row["mlups"] = 123456.0;
  write_text(folder / "rows.json", json.dump());
  ASSERT_EQ(run_fluvia(command).code, 0);
  const auto after = nlohmann::json::parse(read_text(folder / "rows.json"));
  EXPECT_EQ(after["rows"].size(), json["rows"].size());
  for (const auto& row : after["rows"]) EXPECT_EQ(row["mlups"], 123456.0);
}

TEST(SeedsSuite, MeasuresAgainWhatFailedOrTellsTooLittle) {
  const Folder folder;
  ASSERT_EQ(run_fluvia(seeds_command(folder)).code, 0);
  auto json = nlohmann::json::parse(read_text(folder / "rows.json"));
  const std::size_t count = json["rows"].size();
  ASSERT_GE(count, 3u);
  json["rows"][0]["reason"] = "the host's memory ran out";
  json["rows"][0]["mlups"] = 0.0;
  json["rows"][1]["even_ms"] = 0.0;
  json["rows"][2]["experiments"] = nlohmann::json::array();
  write_text(folder / "rows.json", json.dump());
  const Outcome again = run_fluvia(seeds_command(folder));
  ASSERT_EQ(again.code, 0) << again.text;
  const auto after = nlohmann::json::parse(read_text(folder / "rows.json"));
  ASSERT_EQ(after["rows"].size(), count);
  for (const auto& row : after["rows"]) {
    EXPECT_EQ(row["reason"], "");
    EXPECT_GT(row["mlups"].get<double>(), 0);
    EXPECT_GT(row["even_ms"].get<double>(), 0);
    EXPECT_FALSE(row["experiments"].empty());
  }
}

TEST(SeedsSuite, RefusesFilesItCannotContinue) {
  const Folder folder;
  const std::string good = bench_json({.device = "NVIDIA H100", .size = 64, .seconds = 1, .bandwidth = {{0, 1e9}}});
  const std::string same = bench_json({.device = "cpu", .size = 32, .seconds = 1});
  BenchRow row;
  const std::string with_row = bench_json({.device = "cpu", .size = 64, .seconds = 1, .rows = {row}});
  auto wrong = nlohmann::json::parse(with_row);
  wrong["rows"][0]["tile"] = "four";
  auto missing = nlohmann::json::parse(with_row);
  missing["rows"][0].erase("scheme");
  const std::pair<std::string, std::string> files[] = {
      {good, "has rows of device 'NVIDIA H100', but this is 'cpu'"},
      {same, "has rows of --size 32, but this is --size 64"},
      {good.substr(0, good.size() / 2), "damaged"},
      {"[]", "'device' is missing"},
      {wrong.dump(), "row 1: 'tile' is \"four\""},
      {missing.dump(), "row 1: 'scheme' is missing"},
  };
  for (const auto& [content, message] : files) {
    write_text(folder / "rows.json", content);
    const Outcome bench = run_fluvia(seeds_command(folder));
    EXPECT_EQ(bench.code, 3) << message;
    EXPECT_NE(bench.text.find("rows.json: "), std::string::npos) << bench.text;
    EXPECT_NE(bench.text.find(message), std::string::npos) << bench.text;
    EXPECT_EQ(read_text(folder / "rows.json"), content) << "left alone";
  }
}

/// The real tool is tested in tests/seeds_report; here what becomes of its answer.
TEST(SeedsSuite, SaysHowToMakeTheReportLater) {
  const Folder folder;
  std::filesystem::create_directory(folder / "bin");
  const auto with_python = [&](const std::string& body) {
    write_text(folder / "bin/python3", "#!/bin/sh\n" + body + "\n");
    std::filesystem::permissions(folder / "bin/python3", std::filesystem::perms::owner_all);
    return run_shell("PATH=" + (folder / "bin").string() +
                     " " FLUVIA_BINARY
                     " bench --suite seeds --experiment 'S2 Table 5' --device cpu --threads 1 --size 8 --seconds 0.01 "
                     "--output " +
                     (folder / "out").string());
  };
  const Outcome good = with_python("echo got \"$@\"");
  EXPECT_EQ(good.code, 0) << good.text;
  const std::string command =
      (folder / "out/seeds_report.pyz").string() + ' ' + (folder / "out").string() + " --fluvia " FLUVIA_BINARY;
  EXPECT_NE(good.text.find("got " + command), std::string::npos) << good.text;
  EXPECT_EQ(good.text.find("no report"), std::string::npos) << good.text;
  EXPECT_EQ(read_text(folder / "out/seeds_report.pyz").substr(0, 2), "PK");
  const Outcome failing = with_python("exit 7");
  EXPECT_EQ(failing.code, 4) << failing.text;
  EXPECT_NE(failing.text.find("it ended with code 7"), std::string::npos) << failing.text;
  EXPECT_NE(failing.text.find("\n  python3 " + command + "\n"), std::string::npos) << failing.text;
  std::filesystem::remove(folder / "bin/python3");
  const Outcome missing = run_shell("PATH=" + (folder / "bin").string() +
                                    " " FLUVIA_BINARY
                                    " bench --suite seeds --experiment 'S2 Table 5' --device cpu --threads 1 --size 8 "
                                    "--seconds 0.01 --output " +
                                    (folder / "out").string());
  EXPECT_EQ(missing.code, 4) << missing.text;
  EXPECT_NE(missing.text.find("python3 cannot be run: No such file"), std::string::npos) << missing.text;
}

TEST(SeedsSuite, NeedsAFolderAndKnownExperiments) {
  const Outcome homeless = run_fluvia("bench --suite seeds --device cpu");
  EXPECT_EQ(homeless.code, 2);
  EXPECT_NE(homeless.text.find("--output DIR"), std::string::npos) << homeless.text;
  const Folder folder;
  const Outcome unknown = run_fluvia(seeds_command(folder, "--experiment 'S9 Table 1'"));
  EXPECT_EQ(unknown.code, 2);
  EXPECT_NE(unknown.text.find("there is no 'S9 Table 1'; the suite has Fluvia"), std::string::npos) << unknown.text;
}

TEST(SeedsSuite, ReadsWhatItWrites) {
  const Folder folder;
  BenchReport report{.device = "cpu", .size = 64, .seconds = 0.25, .bandwidth = {{2, 1.5e9}}};
  report.rows = seeds("cpu", 64);
  report.rows[0].parts_ms = {{"step", 1.5}, {"ghost", 0.25}};
  report.rows[0].gpu_rows = 8;
  report.rows[0].without = "barriers+ghosts";
  report.rows[0].to_soa_ms = 2.5;
  report.rows[0].to_aos_ms = 3.5;
  write_text(folder / "rows.json", bench_json(report));
  const BenchReport read = read_bench_json(folder / "rows.json");
  EXPECT_EQ(bench_json(read), bench_json(report));
  ASSERT_EQ(read.rows.size(), report.rows.size());
  for (std::size_t k = 0; k < read.rows.size(); ++k) EXPECT_TRUE(same_combination(read.rows[k], report.rows[k])) << k;
  EXPECT_TRUE(read_bench_json(folder / "absent.json").rows.empty());
}

}  // namespace
}  // namespace fluvia::test
