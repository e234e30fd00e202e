// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/checkpoint/checkpoint.hpp"

#include <gtest/gtest.h>

#include "fluvia/base/checksum.hpp"
#include "fluvia/output/checkpoint/checkpoint_formats.hpp"
#include "output/fake_solver.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

bool ball(const Int3& n) {
  const double x = n[0] - 10, y = n[1] - 9, z = n[2] - 7;
  return x * x + y * y + z * z < 60;
}

FakeSolver make_solver(const std::string& format = "fp32", unsigned seed = 1) {
  FakeSolver solver(3, {21, 19, 15}, ball, {}, format);
  solver.fill(seed);
  solver.now = 1234;
  return solver;
}

CheckpointInfo make_info() {
  return {"0.1.0", "a ball", 0xabcdef0123456789u, {{"flow_rate:in/out", {1.5, -2.25, 1e300}}, {"empty", {}}}};
}

CheckpointReadOptions same_case() {
  return {make_info().case_hash, false};
}

class CheckpointTest : public testing::Test {
 protected:
  /// The message with which loading `path` into `solver` is refused; nothing may have been loaded.
  std::string refusal(FakeSolver& solver, CheckpointReadOptions options = same_case()) {
    const auto before = solver.populations;
    const std::int64_t step = solver.now;
    const std::string message = error_of(ExitCode::input, [&] { read_checkpoint(path, solver, options); });
    EXPECT_TRUE(solver.populations == before) << "populations were changed by a refused checkpoint";
    EXPECT_EQ(solver.now, step);
    EXPECT_CONTAINS(message, path.string());
    return message;
  }
  void flip(std::size_t offset) {
    std::string bytes = content_of(path);
    bytes[offset] = static_cast<char>(bytes[offset] ^ 0x10);
    std::ofstream(path, std::ios::binary) << bytes;
  }
  TemporaryFolder folder;
  std::filesystem::path path = folder.path() / "state.fluvia";
};

class CheckpointFormats : public CheckpointTest, public testing::WithParamInterface<const char*> {};

TEST_P(CheckpointFormats, RestoresEveryBit) {
  const FakeSolver saved = make_solver(GetParam(), 1);
  write_checkpoint(path, saved, make_info());
  FakeSolver other = make_solver(GetParam(), 2);
  other.now = 0;
  ASSERT_FALSE(other.populations == saved.populations);
  const LoadedCheckpoint loaded = read_checkpoint(path, other, same_case());
  EXPECT_TRUE(other.populations == saved.populations);
  EXPECT_EQ(other.now, 1234);
  EXPECT_EQ(loaded.header.step, 1234);
  EXPECT_EQ(loaded.header.title, "a ball");
  EXPECT_EQ(loaded.monitors, make_info().monitors);
  EXPECT_EQ(loaded.note, "");
  EXPECT_EQ(names_in(folder.path()), "state.fluvia");
}
INSTANTIATE_TEST_SUITE_P(All, CheckpointFormats, testing::Values("fp64", "fp32", "fp16s", "fp16c"));

TEST_F(CheckpointTest, ManyChunksAndTwoDimensions) {
  FakeSolver saved(2, {1001, 701, 1}, [](const Int3& n) { return (n[0] * 7 + n[1]) % 11 != 0; });
  saved.fill(5);
  write_checkpoint(path, saved, make_info());
  FakeSolver other(2, {1001, 701, 1}, [](const Int3& n) { return (n[0] * 7 + n[1]) % 11 != 0; });
  other.fill(6);
  read_checkpoint(path, other, same_case());
  EXPECT_TRUE(other.populations == saved.populations);
}

TEST_F(CheckpointTest, ConvertsBetweenFormats) {
  const FakeSolver saved = make_solver("fp32");
  write_checkpoint(path, saved, make_info());
  FakeSolver wide = make_solver("fp64", 3);
  const LoadedCheckpoint widened = read_checkpoint(path, wide, same_case());
  EXPECT_CONTAINS(widened.note, "fp32 to fp64: no precision was lost");
  for (std::size_t d = 0; d < wide.populations.size(); ++d) {
    for (std::size_t i = 0; i < wide.shape.nodes.fluid_nodes; ++i) {
      float before = 0;
      double after = 0;
      std::memcpy(&before, saved.populations[d].data() + 4 * i, 4);
      std::memcpy(&after, wide.populations[d].data() + 8 * i, 8);
      ASSERT_EQ(static_cast<double>(before), after);
    }
  }
  write_checkpoint(path, wide, make_info());
  FakeSolver narrow = make_solver("fp32", 4);
  EXPECT_CONTAINS(read_checkpoint(path, narrow, same_case()).note, "rounded from 53 to 24 bits");
  EXPECT_TRUE(narrow.populations == saved.populations);
  FakeSolver half = make_solver("fp16c", 4);
  EXPECT_CONTAINS(read_checkpoint(path, half, same_case()).note, "rounded");
}

TEST_F(CheckpointTest, EveryFlippedByteIsFound) {
  write_checkpoint(path, make_solver(), make_info());
  FakeSolver solver = make_solver("fp32", 2);
  const std::size_t size = std::filesystem::file_size(path);
  for (std::size_t offset = 0; offset < size; offset += offset < 80 ? 1 : size / 97) {
    flip(offset);
    EXPECT_NE(refusal(solver), "") << "byte " << offset << " of " << size;
    flip(offset);
  }
  flip(size - 1);
  EXPECT_CONTAINS(refusal(solver), "altered: its checksum is");
}

TEST_F(CheckpointTest, EveryTruncationIsFound) {
  write_checkpoint(path, make_solver(), make_info());
  FakeSolver solver = make_solver("fp32", 2);
  const std::string bytes = content_of(path);
  for (const std::size_t size :
       {bytes.size() - 1, bytes.size() / 2, std::size_t{513}, std::size_t{512}, std::size_t{100}}) {
    std::filesystem::resize_file(path, size);
    EXPECT_CONTAINS(refusal(solver), "truncated");
  }
  std::filesystem::resize_file(path, 0);
  EXPECT_CONTAINS(refusal(solver), "not a Fluvia checkpoint");
  std::ofstream(path, std::ios::binary) << bytes << "x";
  EXPECT_CONTAINS(refusal(solver), "altered");
  std::filesystem::remove(path);
  EXPECT_CONTAINS(refusal(solver), "cannot open");
}

TEST_F(CheckpointTest, RefusesWhatDoesNotBelong) {
  write_checkpoint(path, make_solver(), make_info());
  FakeSolver solver = make_solver("fp32", 2);
  EXPECT_CONTAINS(refusal(solver, {42, false}), "another case ('a ball', case hash abcdef0123456789");

  FakeSolver lattice = make_solver("fp32", 2);
  lattice.numbers.distributions[0].lattice = &facts_of_lattice("D3Q27");
  EXPECT_CONTAINS(refusal(lattice), "lattice D3Q19, this run uses D3Q27");

  FakeSolver box(3, {22, 19, 15}, ball);
  box.fill(1);
  EXPECT_CONTAINS(refusal(box), "a box of 21 x 19 x 15 nodes, this run has 22 x 19 x 15");

  FakeSolver fewer(3, {21, 19, 15}, [](const Int3& n) { return ball(n) && n != Int3{10, 9, 7}; });
  fewer.fill(1);
  EXPECT_CONTAINS(refusal(fewer), "fluid nodes, this run has");

  FakeSolver moved(3, {21, 19, 15}, [](const Int3& n) { return ball({n[0] - 1, n[1], n[2]}); });
  moved.fill(1);
  EXPECT_CONTAINS(refusal(moved), "in other places");

  FakeSolver periodic(3, {21, 19, 15}, ball, {true, false, false});
  periodic.fill(1);
  EXPECT_CONTAINS(refusal(periodic), "another periodicity");

  // A sheet between two nodes, as both of them know it.
  FakeSolver divided = make_solver("fp32", 2);
  NodeMap& nodes = divided.shape.nodes;
  nodes.barred =
      std::make_shared<const BarredLinks>(3, nodes.tiles_in_box,
                                          std::vector<BarredLinks::Node>{{0, BarredLinks::bit_of({1, 0, 0}), 6, 0},
                                                                         {0, BarredLinks::bit_of({-1, 0, 0}), 6, 1}});
  EXPECT_CONTAINS(refusal(divided), "other sheets");

  std::string bytes = content_of(path);
  bytes.replace(bytes.find("format 2"), 8, "format 1");
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_CONTAINS(refusal(solver), "checkpoint format 1; this version of Fluvia reads format 2");
}

TEST_F(CheckpointTest, FindsOneMovedNode) {
  FakeSolver saved(3, {21, 19, 15}, [](const Int3& n) { return ball(n) && n != Int3{10, 9, 7}; });
  saved.fill(1);
  write_checkpoint(path, saved, make_info());
  FakeSolver other(3, {21, 19, 15}, [](const Int3& n) { return ball(n) && n != Int3{11, 9, 7}; });  // in the same tile
  other.fill(2);
  EXPECT_CONTAINS(refusal(other), "in other places");
}

TEST_F(CheckpointTest, AcceptsAnotherCaseOnRequest) {
  write_checkpoint(path, make_solver(), make_info());
  FakeSolver solver = make_solver("fp32", 2);
  EXPECT_NO_THROW(read_checkpoint(path, solver, {42, true}));
}

TEST_F(CheckpointTest, KeepsTheLastTwoAndFallsBack) {
  std::vector<std::string> warnings;
  EXPECT_FALSE(find_latest_checkpoint(folder.path() / "missing", warnings));
  FakeSolver solver = make_solver();
  for (solver.now = 100; solver.now <= 400; solver.now += 100)
    save_checkpoint(folder.path(), "flow", solver, make_info());
  solver.now = 50;
  write_checkpoint(checkpoint_path(folder.path(), "other", 50), solver, make_info());
  EXPECT_EQ(names_in(folder.path()), "flow-000000000300.fluvia flow-000000000400.fluvia other-000000000050.fluvia");

  EXPECT_EQ(find_latest_checkpoint(folder.path(), warnings)->filename(), "flow-000000000400.fluvia");
  EXPECT_TRUE(warnings.empty());
  path = folder.path() / "flow-000000000400.fluvia";
  flip(2000);
  EXPECT_EQ(find_latest_checkpoint(folder.path(), warnings)->filename(), "flow-000000000300.fluvia");
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_CONTAINS(warnings[0], "flow-000000000400.fluvia': altered");
  EXPECT_CONTAINS(warnings[0], "using '");
  path = folder.path() / "flow-000000000300.fluvia";
  std::filesystem::resize_file(path, 700);
  std::filesystem::remove(folder.path() / "other-000000000050.fluvia");
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { find_latest_checkpoint(folder.path(), warnings); }),
                  "no sound checkpoint");
}

TEST_F(CheckpointTest, FullDiskLeavesTheOldFile) {
  const SmallDisk disk(folder.path() / "disk");
  if (!disk.mounted()) GTEST_SKIP() << "this user may not mount a small tmpfs";
  FakeSolver small = make_solver();
  path = disk.path() / "state.fluvia";
  write_checkpoint(path, small, make_info());
  const std::string before = content_of(path);
  FakeSolver large(3, {48, 48, 48}, everywhere);
  large.fill(1);
  const std::string message = error_of(ExitCode::resource, [&] { write_checkpoint(path, large, make_info()); });
  EXPECT_CONTAINS(message, path.string());
  EXPECT_CONTAINS(message, "No space left on device");
  EXPECT_EQ(names_in(disk.path()), "state.fluvia");
  EXPECT_TRUE(content_of(path) == before);
  FakeSolver again = make_solver("fp32", 2);
  EXPECT_NO_THROW(read_checkpoint(path, again, same_case()));
}

TEST(Checksum, IsXxh3) {
  EXPECT_EQ(Checksum().value(), 0x2d06800538d394c2u);  // of nothing, as its authors publish it
  Checksum numbers, bytes;
  numbers.update(0x0102030405060708u);
  const std::array<std::byte, 8> same = {std::byte{8}, std::byte{7}, std::byte{6}, std::byte{5},
                                         std::byte{4}, std::byte{3}, std::byte{2}, std::byte{1}};
  bytes.update(same);
  EXPECT_EQ(numbers.value(), bytes.value());
}

TEST(Checksum, DependsOnEveryBitAndNotOnPieces) {
  std::vector<std::byte> data(1003);
  for (std::size_t i = 0; i < data.size(); ++i) data[i] = static_cast<std::byte>(i * 37);
  Checksum whole;
  whole.update(data);
  Checksum pieces;
  for (std::size_t at = 0, n = 1; at < data.size(); at += n, n = n % 45 + 1) {
    pieces.update(std::span<const std::byte>(data).subspan(at, std::min(n, data.size() - at)));
    if (at + n > data.size()) break;
  }
  EXPECT_EQ(whole.value(), pieces.value());
  for (std::size_t bit = 0; bit < 8 * data.size(); ++bit) {
    data[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
    Checksum changed;
    changed.update(data);
    ASSERT_NE(changed.value(), whole.value()) << bit;
    data[bit / 8] ^= static_cast<std::byte>(1 << bit % 8);
  }
  data.push_back(std::byte{0});
  Checksum longer;
  longer.update(data);
  EXPECT_NE(longer.value(), whole.value());
}

TEST(PopulationFormats, BytesAndUnknownNames) {
  EXPECT_EQ(format_bytes("fp64"), 8u);
  EXPECT_EQ(format_bytes("fp16c"), 2u);
  EXPECT_CONTAINS(error_of(ExitCode::input, [] { format_bytes("fp8"); }), "unknown population format 'fp8'");
}

}  // namespace
}  // namespace fluvia::test
