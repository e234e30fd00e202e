// SPDX-License-Identifier: Apache-2.0
// The kernels that rearrange populations, run on the host.
#include "fluvia/cuda/runtime/transposes.hpp"

#include <gtest/gtest.h>

#include <numeric>

#include "cuda/emulation/block.hpp"
// After what emulates its surroundings.
#include "fluvia/cuda/kernels/published/transpose.hpp"

namespace {

TEST(Transposes, GoThereAndBack) {
  constexpr int directions = 9;
  constexpr unsigned nodes = 77, threads = 32;
  std::vector<std::uint16_t> by_node(directions * nodes), by_direction(by_node.size()), back(by_node.size());
  std::iota(by_node.begin(), by_node.end(), 0);
  const emulation::Dim grid{(nodes + threads - 1) / threads}, block{threads};
  using namespace fluvia::cuda::kernels;
  emulation::launch<false>(grid, block, to_structure_of_arrays<std::uint16_t, directions>, by_direction.data(),
                           by_node.data(), nodes);
  for (unsigned node = 0; node < nodes; ++node)
    for (unsigned i = 0; i < directions; ++i) ASSERT_EQ(by_direction[i * nodes + node], node * directions + i);
  emulation::launch<false>(grid, block, to_array_of_structures<std::uint16_t, directions>, back.data(),
                           by_direction.data(), nodes);
  EXPECT_EQ(back, by_node);
}

}  // namespace
