// SPDX-License-Identifier: Apache-2.0
// Checkpoints hold every array of a flow, whatever it is called: what a state keeps beside populations is a row more.
#include <gtest/gtest.h>

#include "fluvia/hdf5/input_file.hpp"
#include "fluvia/output/checkpoint/checkpoint.hpp"
#include "output/fake_solver.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// More tiles than pass through the writer's buffer at a time, so that arrays are written in several pieces.
const Int3 checkpointed_size{1201, 601, 1};

FakeSolver solver_with_rows(double first, std::uint64_t conditions = 5) {
  FakeSolver solver(2, checkpointed_size, [](const Int3& n) { return (n[0] + n[1]) % 7 != 0; });
  solver.fill(static_cast<unsigned>(first));
  const std::uint64_t nodes = solver.shape.nodes.fluid_nodes, tiles = solver.shape.nodes.tiles.size();
  solver.keep({.name = "conditions",
               .over = Over::stateful_nodes,
               .size = conditions,
               .starts = {{3, 0}, {tiles / 2, 1}, {tiles - 1, 3}}},
              first);
  solver.keep({.name = "force", .components = 2, .size = nodes}, first);
  solver.keep({.name = "scratch", .checkpointed = false, .size = nodes}, first);
  solver.keep({.name = "nothing", .over = Over::stateful_nodes}, first);
  return solver;
}

const CheckpointInfo info_of_arrays{"0.1.0", "arrays", 7, {}};

class CheckpointArrays : public testing::Test {
 protected:
  TemporaryFolder folder_;
  std::filesystem::path path_ = folder_.path() / "state.fluvia";
};

TEST_F(CheckpointArrays, RestoreEveryRowThatIsWritten) {
  const FakeSolver saved = solver_with_rows(1);
  write_checkpoint(path_, saved, info_of_arrays);
  FakeSolver other = solver_with_rows(2);
  const auto scratch = other.kept[2];
  read_checkpoint(path_, other, {7, false});
  EXPECT_TRUE(other.populations == saved.populations);
  EXPECT_TRUE(other.kept[0] == saved.kept[0]);
  EXPECT_TRUE(other.kept[1] == saved.kept[1]);
  EXPECT_TRUE(other.kept[2] == scratch);
}

/// The names and extents that files have had since there are checkpoints: programs read them.
TEST_F(CheckpointArrays, HaveTheExtentsOfTheirRows) {
  const FakeSolver saved = solver_with_rows(1);
  write_checkpoint(path_, saved, info_of_arrays);
  const HdfInputFile file(path_);
  const auto shape = [&](const std::string& name) { return file.shape(file.open_dataset(file.id(), name)); };
  const hsize_t nodes = saved.shape.nodes.fluid_nodes;
  EXPECT_EQ(shape("populations"), (std::vector<hsize_t>{9, nodes}));
  EXPECT_EQ(shape("conditions"), (std::vector<hsize_t>{5}));
  EXPECT_EQ(shape("force"), (std::vector<hsize_t>{2, nodes}));
  EXPECT_FALSE(file.has(file.id(), "scratch"));
  EXPECT_FALSE(file.has(file.id(), "nothing"));
  std::vector<double> conditions(5);
  file.read(file.open_dataset(file.id(), "conditions"), H5T_NATIVE_DOUBLE, {0}, {5}, conditions.data());
  EXPECT_EQ(conditions, (std::vector<double>{1, 2, 3, 4, 5}));
}

TEST_F(CheckpointArrays, AreComparedBeforeAnyIsLoaded) {
  write_checkpoint(path_, solver_with_rows(1, 4), info_of_arrays);
  FakeSolver other = solver_with_rows(2);
  const auto populations = other.populations;
  const auto kept = other.kept;
  const std::string message = error_of(ExitCode::input, [&] { read_checkpoint(path_, other, {7, false}); });
  EXPECT_CONTAINS(message, "the array 'conditions' has the wrong extents");
  EXPECT_TRUE(other.populations == populations);
  EXPECT_TRUE(other.kept == kept);
}

/// What an earlier version kept of conditions is made into what this one keeps by whoever knows how.
TEST_F(CheckpointArrays, ComeFromEarlierVersions) {
  write_checkpoint(path_, solver_with_rows(1, 4), info_of_arrays);
  FakeSolver other = solver_with_rows(2);
  std::vector<double> seen;
  read_checkpoint(path_, other, {7, false, [&](const std::vector<double>& numbers) {
                                   seen = numbers;
                                   return std::vector<double>{10, 20, 30, 40, 50};
                                 }});
  EXPECT_EQ(seen, (std::vector<double>{1, 2, 3, 4}));
  std::vector<double> now(5);
  other.save({1, 0, 0, other.shape.nodes.tiles.size()}, std::as_writable_bytes(std::span(now)));
  EXPECT_EQ(now, (std::vector<double>{10, 20, 30, 40, 50}));
}

}  // namespace
}  // namespace fluvia::test
