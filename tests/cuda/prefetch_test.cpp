// SPDX-License-Identifier: Apache-2.0
// What a step of a dense box asks for ahead of its loads.
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "cuda/emulation/spec.hpp"
#include "fluvia/cuda/kernels/step.hpp"

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

}  // namespace
