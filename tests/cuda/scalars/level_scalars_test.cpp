// SPDX-License-Identifier: Apache-2.0
// Scalars on levels of refinement on GPUs of the fake driver: those of CPUs to round-off, the same bits with any scheme
// of the flow, on any number of GPUs or ranks, whether steps are recorded or not, and after restarts.
#include <gtest/gtest.h>

#include "cuda/fake_driver/compare_level_parts.hpp"
#include "cuda/fake_driver/compare_levels.hpp"

namespace fluvia::cuda {
namespace {

template <class Flow>
using Carrying = WithScalars<Flow, std::conditional_t<Flow::Lattice::D == 2, core::D2Q5, core::D3Q7>,
                             std::conditional_t<Flow::Lattice::D == 2, core::D2Q5, core::D3Q7>>;
template <int k, core::WallRule rule = core::WallRule::half_way>
using Flat = Carrying<emulation::Spec<core::D2Q9, k, 0, core::Fp64, false, false, rule>>;
template <int k>
using Deep = Carrying<emulation::Spec<core::D3Q19, k, 0, core::Fp32, false>>;

template <int k>
void compare_scheme(Expected& first) {
  if constexpr (!core::schemes[k].is_fused() && !core::schemes[k].half) compare<Flat<k>>(1e-13, first, Beside::scalars);
}
template <int... k>
void compare_all(testing::Types<std::integral_constant<int, k>...>, Expected& first) {
  (compare_scheme<k>(first), ...);
}

TEST(ScalarsOfLevelsOnAGpu, AreThoseOfCpusWithAllSchemes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected first;
  compare_all(Numbers(), first);
}

TEST(ScalarsOfLevelsOnAGpu, AreThoseOfCpusInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected first;
  compare<Deep<number_of("compact-pull")>>(3e-6, first, Beside::scalars);
  compare<Deep<number_of("compact-aa")>>(3e-6, first, Beside::scalars);
}

/// Cells that end at the ball have joints beside an interface, at which they are whole.
TEST(ScalarsOfLevelsOnAGpu, AreThoseOfCpusBesideWallsBetweenTheNodes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected first;
  compare<Flat<number_of("compact-pull"), core::WallRule::interpolated>>(1e-13, first, Beside::scalars);
}

TEST(ScalarsOfLevelsOnAGpu, FollowWhatChangesInTime) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected first;
  compare<Flat<number_of("compact-pull")>>(1e-13, first, Beside::changing_scalars);
}

TEST(ScalarsOfLevelsOnGpus, HaveTheBitsOfOne) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_parts<Flat<number_of("compact-pull")>>(0, Beside::scalars);
  compare_parts<Flat<number_of("esoteric-pull")>>(2, Beside::scalars);
  compare_parts<Flat<number_of("compact-aa"), core::WallRule::interpolated>>(1, Beside::scalars);
  compare_parts<Deep<number_of("compact-pull")>>(2, Beside::scalars);
}

TEST(ScalarsOfLevelsOnGpus, OfRanksHaveTheBitsOfOne) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_ranks<Flat<number_of("compact-pull")>>(3, Beside::scalars);
  compare_ranks<Deep<number_of("compact-aa")>>(2, Beside::scalars);
}

}  // namespace
}  // namespace fluvia::cuda
