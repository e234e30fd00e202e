// SPDX-License-Identifier: Apache-2.0
// What `fluvia bench` measures; never how fast it is.
#include <gtest/gtest.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "fluvia/bench/configurations.hpp"
#include "fluvia/bench/report.hpp"
#include "fluvia/case/gpus.hpp"
#include "fluvia/case/validate.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "support/errors.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

TEST(Bench, TakesSizesAsTheyAre) {
  const Folder folder;
  const std::string file = (folder / "b.json").string();
  const auto nodes_of = [&](const std::string& what) {
    const Outcome bench =
        run_fluvia("bench " + what + " --seconds 0.01 --scheme aa --format fp32 --threads 1 --json " + file);
    EXPECT_EQ(bench.code, 0) << bench.text;
    std::vector<std::vector<int>> nodes;
    const auto json = nlohmann::json::parse(read_text(file));
    for (const auto& row : json["rows"]) nodes.push_back(row["nodes"]);
    return nodes;
  };
  EXPECT_EQ(nodes_of("--lattice D2Q9 --size 3000"), (std::vector<std::vector<int>>{{3000, 3000, 1}}));
  EXPECT_EQ(nodes_of("--lattice D2Q9 D3Q19 --size 24"), (std::vector<std::vector<int>>{{24, 24, 1}, {24, 24, 24}}));
  const Outcome refused = run_fluvia("bench --lattice D2Q9 D3Q19 --size 3000 --seconds 0.01");
  EXPECT_EQ(refused.code, 2);
  EXPECT_NE(refused.text.find("--size 3000 is for 2D lattices alone"), std::string::npos) << refused.text;
}

/// Steps without something are of GPUs, and no scheme.
TEST(Bench, RefusesStepsWithoutSomethingWhereThereAreNone) {
  const std::string small = "bench --lattice D2Q9 --size 16 --seconds 0.01 --format fp32 --threads 1 --device cpu ";
  const Outcome on_cpu = run_fluvia(small + "--scheme tgb --without barriers");
  EXPECT_EQ(on_cpu.code, 3);
  EXPECT_CONTAINS(on_cpu.text, "only steps on one GPU can do without barriers");
}

/// Folders for files that a bench reads; those of processes that were killed go with the next bench, others stay.
TEST(Bench, RemovesTheScratchFoldersOfDeadProcesses) {
  const Folder folder;
  const std::string alive = "fluvia-bench-" + std::to_string(::getpid()) + "-alive";
  for (const std::string& name : {alive, std::string("fluvia-bench-4194399-gone"), std::string("fluvia-bench-notes")}) {
    std::filesystem::create_directory(folder / name);
    write_text(folder / name / "file", "text");
  }
  const Outcome bench =
      run_shell("exec env TMPDIR=" + (folder / "").string() +
                " " FLUVIA_BINARY
                " bench --profile --device cpu --lattice D2Q9 --geometry mask --channel 8 --threads 1 "
                "--size 64 --scheme compact-aa --format fp32");
  EXPECT_EQ(bench.code, 0) << bench.text;
  std::set<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "")) left.insert(entry.path().filename());
  EXPECT_EQ(left, (std::set<std::string>{alive, "fluvia-bench-notes"}));
}

TEST(Bench, MeasuresAndWritesJson) {
  const Folder folder;
  const auto start = std::chrono::steady_clock::now();
  const Outcome bench = run_fluvia("bench --size 16 --seconds 0.01 --scheme aa --format fp32 --threads 1 --json " +
                                   (folder / "b.json").string());
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - start;
  EXPECT_EQ(bench.code, 0) << bench.text;
  const auto json = nlohmann::json::parse(read_text(folder / "b.json"));
  const auto& row = json["rows"][0];
  EXPECT_GT(row["mlups"].get<double>(), 0);
  const std::set<std::string> expected = {"experiments",
                                          "lattice",
                                          "collision",
                                          "equilibrium",
                                          "scheme",
                                          "format",
                                          "device",
                                          "flow",
                                          "geometry",
                                          "nodes",
                                          "size",
                                          "porosity",
                                          "channel",
                                          "tile",
                                          "threads",
                                          "gpu_threads",
                                          "gpu_blocks",
                                          "smagorinsky",
                                          "fluid_nodes",
                                          "mlups",
                                          "roofline_fraction",
                                          "step_ms",
                                          "even_ms",
                                          "odd_ms",
                                          "memory_limit_mib",
                                          "memory_mib",
                                          "reason",
                                          "walls",
                                          "bytes_per_update",
                                          "bytes_per_node"};
  std::set<std::string> keys;
  for (const auto& [key, value] : row.items()) keys.insert(key);
  EXPECT_EQ(keys, expected) << "tools that read these files know them";
  EXPECT_EQ(row["lattice"], "D3Q19");
  EXPECT_EQ(row["scheme"], "aa");
  EXPECT_EQ(row["format"], "fp32");
  EXPECT_EQ(row["device"], "cpu");
  EXPECT_EQ(row["threads"], 1);
  EXPECT_EQ(row["fluid_nodes"], 16 * 16 * 16);
  EXPECT_EQ(row["bytes_per_update"], 2 * 19 * 4);
  const double bandwidth = json["bandwidth"][0]["bytes_per_second"].get<double>();
  EXPECT_GT(bandwidth, 0);
  const auto number = [&](const char* key) { return row[key].get<double>(); };
  EXPECT_NEAR(number("roofline_fraction") * bandwidth, number("mlups") * 1e6 * 2 * 19 * 4, 1e-9 * bandwidth);
  EXPECT_NEAR(number("mlups") * number("step_ms"), 1e-3 * 16 * 16 * 16, 1e-9);
  EXPECT_LT(10 * number("step_ms"), passed.count()) << "it has made more steps than that";
  EXPECT_NEAR(number("memory_mib") * 1048576, number("bytes_per_node") * 16 * 16 * 16, 1);
}

/// Said or not, a row with one thread comes first, and then, where there are more, one with all.
TEST(Bench, TakesOneThreadAndAllThatThisProcessMayUse) {
  const Folder folder;
  const std::string file = (folder / "b.json").string();
  const auto threads_on = [&](const std::string& processors) {
    const Outcome bench = run_shell("taskset -c " + processors +
                                    " " FLUVIA_BINARY
                                    " bench --device cpu --lattice D2Q9 --size 32 --seconds 0.01 --scheme aa "
                                    "--format fp32 --json " +
                                    file);
    EXPECT_EQ(bench.code, 0) << bench.text;
    const auto json = nlohmann::json::parse(read_text(file));
    std::vector<int> threads;
    for (const auto& row : json["rows"]) threads.push_back(row["threads"]);
    return threads;
  };
  cpu_set_t ours;
  ASSERT_EQ(::sched_getaffinity(0, sizeof ours, &ours), 0);
  std::vector<int> processors;
  for (int k = 0; k < CPU_SETSIZE; ++k)
    if (CPU_ISSET(k, &ours)) processors.push_back(k);
  EXPECT_EQ(threads_on(std::to_string(processors[0])), (std::vector<int>{1}));
  if (processors.size() < 2) GTEST_SKIP() << "this process may use one processor only";
  EXPECT_EQ(threads_on(std::to_string(processors[0]) + "," + std::to_string(processors[1])), (std::vector<int>{1, 2}));
}

TEST(Bench, RunsSuites) {
  for (const char* suite : {"dense", "sparse", "fused"}) {
    const Outcome bench =
        run_fluvia(std::string("bench --profile --device cpu --threads 1 --size 24 --suite ") + suite);
    EXPECT_EQ(bench.code, 0) << suite << bench.text;
  }
}

TEST(Bench, SweepsOverTilesThatASchemeHas) {
  BenchSettings settings;
  settings.threads = {1};
  settings.schemes = {"aa", "t2c"};
  settings.formats = {"fp32"};
  settings.tiles = {0, 8, 16};
  settings.lattices = {"D2Q9", "D3Q19"};
  std::string rows;
  for (const BenchRow& row : bench_configurations(settings))
    rows += row.lattice + ' ' + row.scheme + ' ' + std::to_string(row.tile) + '\n';
  EXPECT_EQ(rows, "D2Q9 aa 0\nD2Q9 t2c 16\nD2Q9 t2c 8\nD3Q19 aa 0\nD3Q19 t2c 4\nD3Q19 t2c 8\n");
}

TEST(Bench, SweepsOverStepsThatAPassMayTake) {
  BenchSettings settings;
  settings.device = "cuda";
  settings.schemes = {"pull", "fused"};
  settings.formats = {"fp32"};
  settings.steps_per_pass = {0, 3, 8};
  settings.lattices = {"D2Q9", "D3Q19"};
  std::string rows;
  for (const BenchRow& row : bench_configurations(settings))
    rows += row.lattice + ' ' + row.scheme + ' ' + std::to_string(row.steps_per_pass) + '\n';
  EXPECT_EQ(rows,
            "D2Q9 pull 0\nD2Q9 fused 0\nD2Q9 fused 3\nD2Q9 fused 8\nD3Q19 pull 0\nD3Q19 fused 0\nD3Q19 fused 3\n");
  settings.lattices = {"D3Q19"};
  settings.schemes = {"fused"};
  settings.steps_per_pass = {8};
  EXPECT_CONTAINS(error_of(ExitCode::usage, [&] { (void)bench_configurations(settings); }), "1 to 3 in 3D");
}

TEST(Bench, SweepsOverGpusThatShareABox) {
  BenchSettings settings;
  settings.device = "cuda";
  settings.schemes = {"aa"};
  settings.formats = {"fp32"};
  settings.size = settings.plane = 64;
  settings.devices = {1, 2, 4};
  const std::vector<BenchRow> same = bench_configurations(settings);
  settings.grow = true;
  const std::vector<BenchRow> growing = bench_configurations(settings);
  ASSERT_EQ(same.size(), 3u);
  ASSERT_EQ(growing.size(), 3u);
  for (std::size_t k = 0; k < 3; ++k) {
    const Case c = bench_case(same[k], {});
    EXPECT_EQ(parse_gpus("", c.numerics.device).ordinals.size(), k == 0 ? 0 : settings.devices[k]);
    EXPECT_EQ(same[k].nodes, (Int3{64, 64, 64}));
    EXPECT_EQ(growing[k].nodes, (Int3{64, 64, 64 * settings.devices[k]}));
    EXPECT_EQ(is_one_of(growing[0], growing[k]), k > 0);
    EXPECT_EQ(is_one_of(same[0], same[k]), k > 0);
  }
  EXPECT_FALSE(is_one_of(growing[1], growing[2]));
  BenchRow other = same[1];
  other.format = "fp64";
  EXPECT_FALSE(is_one_of(same[0], other));
}

/// Levels, and the box beside them, on one GPU and on several.
TEST(Bench, SweepsOverGpusThatShareLevels) {
  BenchSettings settings;
  settings.device = "cuda";
  settings.suite = "levels";
  settings.size = 64;
  settings.devices = {1, 2};
  const std::vector<BenchRow> rows = bench_configurations(settings);
  const auto with_levels = std::ranges::count_if(rows, [](const BenchRow& row) { return row.has_levels(); });
  EXPECT_EQ(2 * with_levels, static_cast<std::ptrdiff_t>(rows.size()));
  for (const BenchRow& row : rows)
    if (row.devices == 2) {
      EXPECT_EQ(bench_case(row, {}).numerics.device, "cuda:0,1");
      EXPECT_EQ(std::ranges::count_if(rows, [&](const BenchRow& one) { return is_one_of(one, row); }), 1);
    }
  EXPECT_EQ(2 * std::ranges::count(rows, 2, &BenchRow::devices), static_cast<std::ptrdiff_t>(rows.size()));
}

TEST(Bench, TablesSayWhereRowsWereMeasured) {
  BenchReport report;
  report.device = "Some GPU";
  report.bandwidth = {{0, 2e12}, {2, 4e10}};
  report.rows.resize(3);
  report.rows[0].threads = 2;
  report.rows[1].threads = report.rows[2].threads = 0;
  report.rows[2].devices = 4;
  report.rows[2].efficiency = 0.981;
  report.rows[2].mlups = 1;
  const std::string table = bench_markdown(report);
  EXPECT_CONTAINS(table, "Copy bandwidth, Some GPU: 2000.0 GB/s");
  EXPECT_CONTAINS(table, "Copy bandwidth, 2 threads: 40.0 GB/s");
  for (const char* on : {"| 2 threads |", "| Some GPU |", "| 4 x Some GPU |"}) EXPECT_CONTAINS(table, on);
  report.rows[0].ranks = 3;
  EXPECT_CONTAINS(bench_markdown(report), "| 3 ranks x 2 threads |");
  EXPECT_CONTAINS(bench_line(report.rows[2]), "98.1% of 4 times one");
}

/// What the tool that runs a profiler asks for, one combination at a time.
TEST(Bench, ProfilesAnySingleCombination) {
  for (const char* combination :
       {"--geometry network --channel 8 --lattice D2Q9 --scheme tgb --format fp64 --equilibrium incompressible",
        "--geometry mask --channel 16 --lattice D2Q9 --scheme compact-aa --format fp32",
        "--geometry coarctation --scheme t2c --format fp32",
        "--flow poiseuille --lattice D2Q9 --scheme aa --format fp16s --collision mrt --equilibrium incompressible",
        "--lattice D3Q13 --collision mrt --scheme fcc --format fp32"}) {
    const Outcome bench = run_fluvia(std::string("bench --profile --device cpu --threads 1 --size 24 ") + combination);
    EXPECT_EQ(bench.code, 0) << combination << bench.text;
  }
}

/// Whatever made the rows: boxes of any shape, too.
TEST(Bench, TakesTheCombinationsOfAnEarlierRun) {
  const Folder folder;
  const std::string first = (folder / "first").string(), again = (folder / "again").string();
  const Outcome suite = run_fluvia(
      "bench --suite seeds --experiment \"S3 Table 4\" --rows-only --device cpu --threads 1 "
      "--size 16 --seconds 0.01 --output " +
      first);
  ASSERT_EQ(suite.code, 0) << suite.text;
  const std::string rows = first + "/rows.json";
  const Outcome profile = run_fluvia("bench --profile --device cpu --rows " + rows);
  EXPECT_EQ(profile.code, 0) << profile.text;
  const Outcome bench = run_fluvia("bench --seconds 0.01 --size 16 --device cpu --rows " + rows + " --output " + again);
  ASSERT_EQ(bench.code, 0) << bench.text;
  const BenchReport before = read_bench_json(rows), now = read_bench_json(again + "/rows.json");
  ASSERT_EQ(now.rows.size(), before.rows.size());
  for (std::size_t k = 0; k < now.rows.size(); ++k)
    EXPECT_TRUE(same_combination(now.rows[k], before.rows[k])) << bench_line(now.rows[k]);
  const Outcome none = run_fluvia("bench --device cpu --rows " + (folder / "absent.json").string());
  EXPECT_EQ(none.code, 3) << none.text;
  EXPECT_CONTAINS(none.text, "absent.json: has no rows of device 'cpu', or is not there");
  const Outcome both = run_fluvia("bench --device cpu --suite dense --rows " + rows);
  EXPECT_EQ(both.code, 2) << both.text;
  EXPECT_CONTAINS(both.text, "--rows and --suite each say what to measure");
}

TEST(Bench, SaysWhatCannotBeMeasured) {
  const Outcome solid =
      run_fluvia("bench --profile --device cpu --size 24 --scheme aa --format fp32 --geometry network");
  EXPECT_EQ(solid.code, 2) << solid.text;
  EXPECT_NE(solid.text.find("network and mask need lattice D2Q9"), std::string::npos) << solid.text;
  const Outcome odd = run_fluvia("bench --profile --device cpu --lattice D2Q9 --geometry mask --channel 12");
  EXPECT_EQ(odd.code, 2) << odd.text;
  EXPECT_NE(odd.text.find("8, 16, 24, ... nodes, but not 12"), std::string::npos) << odd.text;
  const Outcome many = run_fluvia("bench --device cpu --scheme aa --format fp32 --devices 1 2");
  EXPECT_EQ(many.code, 2) << many.text;
  EXPECT_NE(many.text.find("give --device cuda"), std::string::npos) << many.text;
}

/// The published schemes on index maps are measured by name.
TEST(Bench, SuitesAreValidAndCoverEveryTunedScheme) {
  for (const char* device : {"cpu", "cuda"}) {
    std::set<std::string> schemes;
    for (const char* suite : {"dense", "sparse", "fused"}) {
      BenchSettings settings;
      settings.suite = suite;
      settings.threads = {1};
      settings.device = device;
      for (const BenchRow& row : bench_configurations(settings)) {
        EXPECT_NO_THROW(validate(bench_case(row, "."))) << row.scheme << ' ' << row.lattice << ' ' << row.geometry;
        schemes.insert(row.scheme);
      }
    }
    for (const std::string& name : std::string(device) == "cpu" ? scheme_names() : gpu_scheme_names())
      EXPECT_TRUE(schemes.contains(name) || parse_scheme(name).uses_index_map()) << name;
  }
}

}  // namespace
}  // namespace fluvia::test
