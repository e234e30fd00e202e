// SPDX-License-Identifier: Apache-2.0
// Atomic files, CSV and summary.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/hdf5/output_file.hpp"
#include "fluvia/output/csv.hpp"
#include "fluvia/output/summary.hpp"
#include "output/fake_solver.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

TEST(AtomicFileTest, AppearsOnlyAtCommit) {
  const TemporaryFolder folder;
  const auto path = folder.path() / "new" / "folder" / "a.txt";
  {
    AtomicFile file(path);
    file.write("hello ");
    EXPECT_FALSE(std::filesystem::exists(path));
    file.write("world");
    file.commit();
  }
  EXPECT_EQ(content_of(path), "hello world");
  {
    AtomicFile file(path);
    file.write("half");
  }
  EXPECT_EQ(content_of(path), "hello world");
  EXPECT_EQ(names_in(path.parent_path()), "a.txt");
}

TEST(AtomicFileTest, HalfWrittenFilesCanBeTakenAwayWithoutDestructors) {
  const TemporaryFolder folder;
  {  // longer names, of which nothing must be left over in the shorter ones
    const std::string longer = "a name that is longer than the others";
    const AtomicFile a(folder.path() / longer), b(folder.path() / (longer + "b")), c(folder.path() / (longer + "c"));
  }
  AtomicFile whole(folder.path() / "whole"), half(folder.path() / "half");
  for (int k = 0; k < 40; ++k) AtomicFile(folder.path() / "gone").write("places are used again");
  for (AtomicFile* file : {&whole, &half}) file->write("content");
  whole.commit();
  EXPECT_NE(names_in(folder.path()), "whole");
  remove_temporary_files();
  EXPECT_EQ(names_in(folder.path()), "whole");
}

TEST(AtomicFileTest, UnwritablePlaces) {
  const TemporaryFolder folder;
  write_file(folder.path() / "file", "x");
  const std::string below_file =
      error_of(ExitCode::resource, [&] { write_file(folder.path() / "file" / "b.txt", "x"); });
  EXPECT_CONTAINS(below_file, "cannot write '" + (folder.path() / "file" / "b.txt").string() + "': Not a directory");
  std::filesystem::create_directory(folder.path() / "taken");
  EXPECT_CONTAINS(error_of(ExitCode::resource, [&] { write_file(folder.path() / "taken", "x"); }), "Is a directory");
  EXPECT_CONTAINS(error_of(ExitCode::resource, [&] { HdfOutputFile file(folder.path() / "file" / "c.h5"); }),
                  "c.h5': Not a directory");
  EXPECT_EQ(names_in(folder.path()), "file taken");
}

TEST(AtomicFileTest, UnwritableFolder) {
  const TemporaryFolder folder;
  std::string message;
  if (::geteuid() != 0) {
    std::filesystem::permissions(folder.path(),
                                 std::filesystem::perms::owner_read | std::filesystem::perms::owner_exec);
    message = error_of(ExitCode::resource, [&] { write_file(folder.path() / "a", "x"); });
    std::filesystem::permissions(folder.path(), std::filesystem::perms::owner_all);
  } else {  // nothing is forbidden to root but writing to a read-only file system
    const SmallDisk disk(folder.path() / "disk");
    if (!disk.mounted()) GTEST_SKIP() << "root here may not mount a small tmpfs";
    disk.make_read_only();
    message = error_of(ExitCode::resource, [&] { write_file(disk.path() / "a", "x"); });
  }
  EXPECT_CONTAINS(message, "choose an output folder you may write to");
}

TEST(AtomicFileTest, FullDisk) {
  const TemporaryFolder folder;
  const SmallDisk disk(folder.path() / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount a small tmpfs";
  write_file(disk.path() / "a", "old");
  const std::string message =
      error_of(ExitCode::resource, [&] { write_file(disk.path() / "a", std::string(2 << 20, 'x')); });
  EXPECT_CONTAINS(message, "No space left on device (free some space or choose another output folder)");
  EXPECT_EQ(names_in(disk.path()), "a");
  EXPECT_EQ(content_of(disk.path() / "a"), "old");
}

class CsvTest : public testing::Test {
 protected:
  void write_rows(std::int64_t first, std::int64_t last, std::optional<std::int64_t> resumed = {}) {
    CsvWriter csv(path, {"drag [N]", "a, b"}, resumed);
    for (std::int64_t step = first; step <= last; step += 10) {
      const double values[] = {static_cast<double>(step) / 3, 1e-300};
      csv.row(step, values);
    }
  }
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "forces.csv";
};

TEST_F(CsvTest, RowsArriveAtOnceAndReadBackExactly) {
  CsvWriter csv(path, {"drag [N]", "a, \"b\""});
  EXPECT_EQ(content_of(path), "step,drag [N],\"a, \"\"b\"\"\"\n");
  const double values[] = {1.0 / 3, -std::numeric_limits<double>::infinity()};
  csv.row(7, values);
  EXPECT_CONTAINS(content_of(path), "\n7,0.3333333333333333,-inf\n");
}

TEST_F(CsvTest, ResumeCutsRowsFromTheResumedStepOn) {
  write_rows(10, 100);
  const std::string whole = content_of(path);
  write_rows(60, 100, 60);
  EXPECT_EQ(content_of(path), whole);
  write_rows(1, 0, 30);
  EXPECT_EQ(content_of(path).find("\n30,"), std::string::npos);
  EXPECT_CONTAINS(content_of(path), "\n20,");
  write_rows(10, 100);  // a new run starts afresh
  EXPECT_EQ(content_of(path), whole);
}

TEST_F(CsvTest, ResumeDropsAnUnfinishedLine) {
  write_rows(10, 50);
  const std::string whole = content_of(path);
  std::ofstream(path, std::ios::app) << "60,1.2";
  write_rows(1, 0, 1000);
  EXPECT_EQ(content_of(path), whole);
  std::ofstream(path) << "step,dr";
  write_rows(10, 50, 1000);
  EXPECT_EQ(content_of(path), whole);
  std::filesystem::remove(path);
  write_rows(10, 50, 1000);
  EXPECT_EQ(content_of(path), whole);
}

TEST_F(CsvTest, ResumeRefusesOtherFiles) {
  write_rows(10, 50);
  const std::string before = content_of(path);
  const std::string message = error_of(ExitCode::input, [&] { CsvWriter csv(path, {"lift [N]"}, 20); });
  EXPECT_CONTAINS(message, "its columns are 'step,drag [N],\"a, b\"' but this run writes 'step,lift [N]'");
  EXPECT_EQ(content_of(path), before);
  std::ofstream(path, std::ios::app) << "sixty,1,2\n";
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { write_rows(1, 0, 20); }),
                  "line 7: 'sixty,1,2' does not start with a step");
}

TEST_F(CsvTest, FullDiskEndsWithAWholeRow) {
  const SmallDisk disk(folder.path() / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount a small tmpfs";
  path = disk.path() / "forces.csv";
  CsvWriter csv(path, {"drag [N]"});
  std::ofstream(disk.path() / "ballast") << std::string((1 << 20) - 3 * 4096, 'x');
  const double value[] = {1.0 / 3};
  const std::string message = error_of(ExitCode::resource, [&] {
    for (std::int64_t step = 0; step < 100000; ++step) csv.row(step, value);
  });
  EXPECT_CONTAINS(message, "forces.csv': No space left on device");
  EXPECT_EQ(content_of(path).back(), '\n');
}

TEST(Summary, HoldsWhatTheRunWas) {
  const TemporaryFolder folder;
  FakeSolver solver(3, {8, 8, 8}, [](const Int3& n) { return n[0] < 6; });
  solver.now = 50;
  solver.shape.openings.push_back({"inlet", 0, {0, 4, 4}, {-1, 0, 0}, 64, {}});
  Units units;
  units.si = true;
  units.spacing = 0.5;
  units.time_step = 0.1;
  units.density = 7;
  units.viscosity = 0.02;
  units.tau = 0.56;
  units.reference_velocity = 0.05;
  units.reference_length = 40;
  solver.numbers.distributions[0].parameters.omega = 1.75;
  const Grid grid = grid_of(solver, 0.5, {1, -2, 30});
  SummaryInput input{.title = "caf\xe9",  // not UTF-8
                     .version = "0.1.0",
                     .case_hash = 0xab,
                     .case_text = "title = 'a'\n",
                     .command = {"fluvia", "run", "a b.toml"},
                     .results = {{"drag", 1.5}, {"lift", std::nan("")}},
                     .files = {folder.path() / "flow.vtkhdf", "/elsewhere/x.png", folder.path() / "deep" / "y.png",
                               folder.path() / ".." / "z.png"},
                     .warnings = {"tau is large"}};
  write_summary(folder.path() / "summary.json", {solver, units, grid}, input);
  const auto json = nlohmann::json::parse(content_of(folder.path() / "summary.json"));
  EXPECT_EQ(json["version"], "0.1.0");
  EXPECT_EQ(json["case_hash"], "00000000000000ab");
  EXPECT_EQ(json["case"], "title = 'a'\n");
  EXPECT_EQ(json["command"], (nlohmann::json{"fluvia", "run", "a b.toml"}));
  EXPECT_EQ(json["plan"]["lattice"], "D3Q19");
  EXPECT_DOUBLE_EQ(json["run"]["time"].get<double>(), 5.0);
  EXPECT_DOUBLE_EQ(json["geometry"]["porosity"].get<double>(), 0.75);
  EXPECT_DOUBLE_EQ(json["geometry"]["openings"][0]["area"].get<double>(), 16.0);
  EXPECT_EQ(json["geometry"]["openings"][0]["centre"], (nlohmann::json{1.0, 0.0, 32.0}));
  EXPECT_EQ(json["geometry"]["origin"], (nlohmann::json{1.0, -2.0, 30.0}));
  EXPECT_EQ(json["geometry"]["box_nodes"], 512);
  EXPECT_EQ(json["geometry"]["fluid_nodes"], 384);
  EXPECT_DOUBLE_EQ(json["geometry"]["tile_porosity"].get<double>(), 0.75);
  EXPECT_DOUBLE_EQ(json["units"]["viscosity"].get<double>(), 0.02 * 0.25 / 0.1);
  EXPECT_DOUBLE_EQ(json["units"]["reynolds"].get<double>(), 100);
  EXPECT_DOUBLE_EQ(json["units"]["mach"].get<double>(), 0.05 * std::sqrt(3.0));
  EXPECT_EQ(json["units"]["density"], 7);
  EXPECT_EQ(json["plan"]["omega"], 1.75);
  EXPECT_EQ(json["files"][2], "deep/y.png");
  EXPECT_EQ(json["files"][3].get<std::string>().front(), '/') << "not below the folder";
  EXPECT_EQ(json["results"]["drag"], 1.5);
  EXPECT_TRUE(json["results"]["lift"].is_null());
  EXPECT_EQ(json["files"][0], "flow.vtkhdf");
  EXPECT_EQ(json["files"][1], "/elsewhere/x.png");
  EXPECT_EQ(json["warnings"][0], "tau is large");
}

}  // namespace
}  // namespace fluvia::test
