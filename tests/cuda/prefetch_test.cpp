// SPDX-License-Identifier: Apache-2.0
// What a step of a dense box asks for ahead of its loads.
#include <gtest/gtest.h>

#include <set>

#include "cuda/emulation/spec.hpp"
#include "fluvia/cuda/kernels/step.hpp"
#include "fluvia/cuda/layout/dense_box.hpp"
#include "fluvia/cuda/layout/sliding_tiles.hpp"
#include "fluvia/geometry/map/node_map.hpp"
#include "support/specification.hpp"

namespace {

using namespace fluvia::cuda::kernels;
namespace core = fluvia::core;

struct Pulled {
  using Lattice = core::D3Q19;
  using Streaming = core::Pull;
  using Format = core::Fp32;
};

constexpr Uint32 pitch = 40, rows = 5, layers = 4;

DenseBox box_of_rows(Uint32 rows_ahead) {
  DenseBox box{};
  box.size[0] = 37;
  box.size[1] = rows;
  box.size[2] = layers;
  box.pitch = pitch;
  box.rows_ahead = rows_ahead;
  for (Uint64 slot = 0; slot < Pulled::Lattice::Q; ++slot) box.source[slot] = (slot + 1) << 20;
  return box;
}

/// What the threads of a row of a block ask for.
auto asked(const DenseBox& box, Uint32 x, Uint32 y, Uint32 z) {
  emulation::prefetched.clear();
  emulation::Block::run_straight({32}, [&] { prefetch_rows<Pulled, 0>(box, 32, x, y, z); });
  std::set<std::pair<std::uint64_t, std::uint32_t>> found(emulation::prefetched.begin(), emulation::prefetched.end());
  EXPECT_EQ(found.size(), emulation::prefetched.size());
  return found;
}

TEST(Prefetch, AsksForWhatTheRowsAheadWillLoad) {
  const DenseBox box = box_of_rows(3);
  for (const Uint32 x : {0u, 32u})
    for (Uint32 y = 0; y < rows; ++y)
      for (Uint32 z = 0; z < layers; ++z) {
        std::set<std::pair<std::uint64_t, std::uint32_t>> expected;
        for (int i = 0; i < Pulled::Lattice::Q; ++i) {
          const auto& c = Pulled::Lattice::c[i];
          const int row = static_cast<int>(y + 3 + rows * z) - c[1] - static_cast<int>(rows) * c[2];
          if (row < 0 || row >= static_cast<int>(rows * layers)) continue;
          expected.emplace((static_cast<std::uint64_t>(i + 1) << 20) + (x + pitch * static_cast<Uint32>(row)) * 4,
                           x == 0 ? 128 : 32);
        }
        EXPECT_EQ(asked(box, x, y, z), expected) << x << ' ' << y << ' ' << z;
      }
}

TEST(Prefetch, AsksForNothingUnlessRowsAheadAreWanted) {
  EXPECT_TRUE(asked(box_of_rows(0), 0, 1, 1).empty());
}

/// A box of fluid of `layers` times 128 x 128 nodes, or rows of another width.
fluvia::NodeMap box_of_fluid(int layers, int width = 128) {
  return fluvia::NodeMap::build(3, {width, 128, layers}, {false, false, false},
                                [](const fluvia::Int3&) { return ~std::uint64_t{0}; });
}
fluvia::cuda::Specification specification(const char* scheme, const char* format) {
  return fluvia::test::specification("D3Q19", scheme, format);
}

TEST(Prefetch, IsForDomainsThatDoNotStayInTheSecondCache) {
  for (const auto& [scheme, format] : {std::pair("compact-aa", "fp32"), std::pair("compact-pull", "fp16s")}) {
    auto s = specification(scheme, format);
    const fluvia::cuda::CompactTileLayout small(box_of_fluid(32), s);
    EXPECT_FALSE(s.prefetches_tiles) << scheme;
    const fluvia::cuda::CompactTileLayout large(box_of_fluid(64), s);
    EXPECT_TRUE(s.prefetches_tiles) << scheme;
  }
  const auto rows_ahead = [](int layers, const char* format = "fp32", int width = 128) {
    auto s = specification("aa", format);
    const fluvia::cuda::DenseBoxLayout layout(box_of_fluid(layers, width), s);
    return layout.geometry({}).as<DenseBox>().rows_ahead;
  };
  EXPECT_EQ(rows_ahead(32), 0U);
  // So many bytes, whatever a row has of them: more than a row for each of the 132 multiprocessors of an H100, which
  // load those at the same time, and a small part of its second cache of 50 MB.
  constexpr double row = 128 * 19 * sizeof(float);
  const double bytes = rows_ahead(64) * row;
  EXPECT_GT(bytes, 132 * row);
  EXPECT_LT(bytes, 50e6 / 10);
  EXPECT_NEAR(rows_ahead(64, "fp64") * 2 * row, bytes, 2 * row);
  EXPECT_NEAR(rows_ahead(128, "fp32", 256) * 2 * row, bytes, 2 * row);
}

TEST(Prefetch, IsLeftOutWhereItWasMeasuredToCost) {
  for (const auto& [scheme, format] : {std::pair("compact-pull", "fp32"), std::pair("compact-sliding", "fp64")}) {
    auto s = specification(scheme, format);
    const fluvia::cuda::CompactTileLayout layout(box_of_fluid(64), s);
    EXPECT_FALSE(s.prefetches_tiles) << scheme;
  }
  auto s = specification("pull", "fp16s");
  EXPECT_EQ(fluvia::cuda::DenseBoxLayout(box_of_fluid(128), s).geometry({}).as<DenseBox>().rows_ahead, 0U);
}

}  // namespace
