// SPDX-License-Identifier: Apache-2.0
// Levels of refinement in parts on several GPUs, of one process or of ranks: all of the solver, the exchange and the
// backend on the fake driver. The bits are those of one GPU, whatever the number of parts, which GPUs they are on, how
// messages travel, and in which order streams run that no event orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <queue>
#include <string>
#include <vector>

#include "cuda/fake_driver/compare_level_parts.hpp"
#include "fluvia/backend/levels.hpp"
#include "fluvia/cuda/runtime/device.hpp"
#include "fluvia/domain/levels/device_rank_links.hpp"
#include "fluvia/domain/peer_exchange.hpp"

namespace fluvia::cuda {
namespace {

template <int k>
void compare_parts_of_scheme(Beside beside) {
  if constexpr (!core::schemes[k].is_fused() && !core::schemes[k].half)
    compare_parts<emulation::Spec<core::D2Q9, k, 0, core::Fp64, false>>(static_cast<std::size_t>(k), beside);
}
template <int... k>
void compare_parts_of_all(testing::Types<std::integral_constant<int, k>...>, Beside beside) {
  (compare_parts_of_scheme<k>(beside), ...);
}

TEST(LevelsOnGpus, HaveTheBitsOfOneWithAllSchemes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_parts_of_all(Numbers(), Beside::walls);
}

TEST(LevelsOnGpus, HaveTheBitsOfOneBetweenPlanesOfSymmetry) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_parts_of_all(Numbers(), Beside::mirrors);
}

TEST(LevelsOnGpus, HaveTheBitsOfOneAtOpenings) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_parts_of_all(Numbers(), Beside::openings);
}

TEST(LevelsOnGpus, HaveTheBitsOfOneBesideWallsThatMove) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_parts_of_all(Numbers(), Beside::moving_walls);
}

TEST(LevelsOnGpus, HaveTheBitsOfOneInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Pull = emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>;
  using Sliding = emulation::Spec<core::D3Q19, number_of("compact-sliding"), 0, core::Fp32, false>;
  compare_parts<Pull>(0);
  compare_parts<Sliding>(2);
  compare_parts<Pull>(1, Beside::mirrors);
  compare_parts<Pull>(3, Beside::openings);
  compare_parts<Pull>(2, Beside::moving_walls);
}

TEST(LevelsOnGpusOfRanks, HaveTheBitsOfOne) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Pull = emulation::Spec<core::D2Q9, number_of("compact-pull"), 0, core::Fp64, false>;
  compare_ranks<Pull>(2, Beside::walls);
  compare_ranks<Pull>(3, Beside::mirrors);
  compare_ranks<Pull>(4, Beside::openings);
  compare_ranks<emulation::Spec<core::D2Q9, number_of("esoteric-pull"), 0, core::Fp64, false>>(3, Beside::walls);
  compare_ranks<emulation::Spec<core::D3Q19, number_of("compact-aa"), 0, core::Fp32, false>>(2, Beside::walls);
}

}  // namespace
}  // namespace fluvia::cuda
