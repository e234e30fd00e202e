// SPDX-License-Identifier: Apache-2.0
// Blocks of threads with a height: as published, as asked for, and what they mean for a launch. Needs no GPU.
#include <gtest/gtest.h>

#include "fluvia/base/error.hpp"
#include "fluvia/cuda/layout/layout.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/scenes.hpp"
#include "support/specification.hpp"

namespace {

namespace cuda = fluvia::cuda;

cuda::Specification blocks_of(const std::string& scheme, int threads = 0, int rows = 0,
                              const std::string& format = "fp32") {
  cuda::Specification s = fluvia::test::specification("D2Q9", scheme, format);
  s.threads = threads;
  s.rows = rows;
  s.rows = cuda::block_rows(s);
  s.threads = cuda::block_threads(s);
  return s;
}

/// The launch of a step in a box of so many nodes.
cuda::LaunchShape step_shape(cuda::Specification s, const fluvia::Int3& nodes = {100, 50, 1}) {
  const fluvia::Geometry geometry = scene::make_geometry(scene::cavity(nodes));
  const auto layout = cuda::make_layout(geometry.nodes, s);
  cuda::Program program;
  layout->append_step({}, cuda::StepShare::all, program);
  return program.front().shape;
}

std::string text_of(const cuda::LaunchShape& shape) {
  const auto text = [](const cuda::Dimensions& d) {
    return std::to_string(d.x) + 'x' + std::to_string(d.y) + 'x' + std::to_string(d.z);
  };
  return text(shape.blocks) + " of " + text(shape.threads);
}

TEST(BlocksWithHeight, AreThirtyTwoByEightWhereTheyWerePublished) {
  EXPECT_EQ(text_of(step_shape(blocks_of("aos-push"))), "4x7x1 of 32x8x1");
  EXPECT_EQ(text_of(step_shape(blocks_of("soa-aa", 256, 8))), "4x7x1 of 32x8x1") << "where it is asked for";
}

/// The fastest blocks of S2's Table 4 are pieces of rows, of fewer threads where populations have 16 bits.
TEST(BlocksWithHeight, ArePiecesOfRowsWhereTheseAreFaster) {
  for (const char* scheme : {"soa-push", "soa-aa"}) {
    EXPECT_EQ(text_of(step_shape(blocks_of(scheme))), "1x13x1 of 128x4x1") << scheme << ": short rows share a block";
    EXPECT_EQ(text_of(step_shape(blocks_of(scheme), {600, 3, 1})), "2x3x1 of 512x1x1") << scheme;
    EXPECT_EQ(text_of(step_shape(blocks_of(scheme, 0, 0, "fp16s"), {600, 3, 1})), "3x3x1 of 256x1x1") << scheme;
  }
}

TEST(BlocksWithHeight, AreWhatIsAskedFor) {
  for (const char* scheme : {"soa-aa", "soa-pull", "fia-fused", "pull", "aa"}) {
    EXPECT_EQ(text_of(step_shape(blocks_of(scheme, 128, 4))), "4x13x1 of 32x4x1") << scheme;
    EXPECT_EQ(text_of(step_shape(blocks_of(scheme, 128, 2))), "2x25x1 of 64x2x1") << scheme;
    EXPECT_EQ(text_of(step_shape(blocks_of(scheme, 256, 1))), "1x50x1 of 256x1x1") << scheme;
  }
  // Rows of the half box have half as many places.
  EXPECT_EQ(text_of(step_shape(blocks_of("fcc", 64, 2))), "2x25x1 of 32x2x1");
}

TEST(BlocksWithHeight, ArePiecesOfRowsWhereOnlyThreadsAreAskedFor) {
  EXPECT_EQ(text_of(step_shape(blocks_of("soa-aa", 64))), "2x50x1 of 64x1x1");
  EXPECT_EQ(text_of(step_shape(blocks_of("soa-pull", 64))), "79x1x1 of 64x1x1") << "of all places of the box";
  EXPECT_EQ(text_of(step_shape(blocks_of("aa", 256))), "1x25x1 of 128x2x1") << "short rows share a block";
}

/// S4 section 2.4: as many threads as ghost cells, and each block of them has one of the cases of its Fig. 4.
TEST(GhostBlocks, HaveOneCaseEach) {
  for (const auto& [edge, shape] : {std::pair{16, "5x1x1 of 256x1x1"}, {32, "3x1x1 of 1024x1x1"}}) {
    cuda::Specification s = blocks_of("ghost");
    s.tile = edge;  // 7 x 4 and 4 x 2 blocks: 448 cells between columns, as many between rows, 28 corners; 256, 256, 8
    s.threads = cuda::block_threads(s);
    EXPECT_EQ(text_of(step_shape(s)), shape);
  }
}

/// A GPU has 65535 blocks along y.
TEST(BlocksWithHeight, RefuseMoreRowsThanTheyReach) {
  const auto narrow = fluvia::NodeMap::build(2, {8, 65536, 1}, {false, false, false},
                                             [](const fluvia::Int3&) { return ~std::uint64_t{0}; });
  cuda::Specification s = blocks_of("soa-aa");
  EXPECT_NO_THROW((void)cuda::make_layout(narrow, s));
  s = blocks_of("soa-aa", 64, 1);
  EXPECT_THROW((void)cuda::make_layout(narrow, s), fluvia::Error);
}

TEST(BlocksWithHeight, HaveKernelsThatGoThroughRows) {
  const auto is_in_rows = [](const cuda::Specification& s) {
    return cuda::compile_request(s, {cuda::KernelKind::step, 0}).source.find("in_rows = true") != std::string::npos;
  };
  EXPECT_TRUE(is_in_rows(blocks_of("soa-aa")));
  EXPECT_TRUE(is_in_rows(blocks_of("soa-aa", 64)));
  EXPECT_TRUE(is_in_rows(blocks_of("soa-pull", 64, 1)));
  EXPECT_FALSE(is_in_rows(blocks_of("soa-pull", 64)));
}

}  // namespace
