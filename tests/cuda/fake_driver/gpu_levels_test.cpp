// SPDX-License-Identifier: Apache-2.0
// Levels of refinement on a GPU: all of the solver, the exchange and the backend on the fake driver, whose kernels run
// on the host. Populations are those of CPUs to round-off, and have the same bits with any scheme, whether steps are
// recorded or not, in which order ever streams run that no event orders, and after restarts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/fake_driver/compare_levels.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cuda/runtime/device.hpp"

namespace fluvia::cuda {
namespace {

Expected first_in_two_dimensions, first_in_three_dimensions;

template <int k>
void compare_scheme(Expected& first, Beside beside) {
  if constexpr (!core::schemes[k].is_fused() && !core::schemes[k].half)
    compare<emulation::Spec<core::D2Q9, k, 0, core::Fp64, false>>(1e-13, first, beside);
}
template <int... k>
void compare_all(testing::Types<std::integral_constant<int, k>...>, Expected& first, Beside beside) {
  (compare_scheme<k>(first, beside), ...);
}

/// Every scheme that can have levels.
TEST(LevelsOnAGpu, AreThoseOfCpusWithAllSchemes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_all(Numbers(), first_in_two_dimensions, Beside::walls);
}

/// Ends of pairs at planes of symmetry change places before messages take them; interfaces, the ball and the corner of
/// two planes cross each other.
TEST(LevelsOnAGpu, AreThoseOfCpusBetweenPlanesOfSymmetry) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected flat, deep;
  compare_all(Numbers(), flat, Beside::mirrors);
  compare<emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>>(2e-7, deep, Beside::mirrors);
  compare<emulation::Spec<core::D3Q19, number_of("compact-sliding"), 0, core::Fp32, false>>(2e-7, deep,
                                                                                            Beside::mirrors);
}

/// The two ends of a link that a sheet crosses change places, on the level that has it.
TEST(LevelsOnAGpu, AreThoseOfCpusBesideSheets) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected flat, deep;
  compare_all(Numbers(), flat, Beside::sheets);
  compare<emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>>(2e-7, deep, Beside::sheets);
}

/// Both openings are on all levels: what comes from beyond them goes on along them.
TEST(LevelsOnAGpu, AreThoseOfCpusAtOpenings) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected flat, deep;
  compare_all(Numbers(), flat, Beside::openings);
  compare<emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>>(2e-7, deep, Beside::openings);
  compare<emulation::Spec<core::D3Q19, number_of("compact-sliding"), 0, core::Fp32, false>>(2e-7, deep,
                                                                                            Beside::openings);
}

TEST(LevelsOnAGpu, AreThoseOfCpusBesideWallsThatMove) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected flat, deep;
  compare_all(Numbers(), flat, Beside::moving_walls);
  compare<emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>>(2e-7, deep,
                                                                                         Beside::moving_walls);
}

TEST(LevelsOnAGpu, AreThoseOfCpusBesideWallsThatSlide) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected flat, deep;
  compare_all(Numbers(), flat, Beside::sliding_walls);
  compare<emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>>(2e-7, deep,
                                                                                         Beside::sliding_walls);
}

TEST(LevelsOnAGpu, AreThoseOfCpusWithForcesOfSingleNodes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected first;
  using emulation::WithOwnForces;
  compare<WithOwnForces<emulation::Spec<core::D2Q9, number_of("compact-pull"), 0, core::Fp64, false>>>(
      1e-13, first, Beside::own_forces);
  compare<WithOwnForces<emulation::Spec<core::D2Q9, number_of("compact-aa"), 0, core::Fp64, false>>>(
      1e-13, first, Beside::own_forces);
}

template <class Of>
struct WithRheology : Of {
  using Viscosity = core::CarreauYasuda;
};

TEST(LevelsOnAGpu, AreThoseOfCpusWithRheology) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected first;
  compare<WithRheology<emulation::Spec<core::D2Q9, number_of("compact-pull"), 0, core::Fp64, false>>>(1e-12, first,
                                                                                                      Beside::rheology);
  compare<WithRheology<emulation::Spec<core::D2Q9, number_of("compact-aa"), 0, core::Fp64, false>>>(1e-12, first,
                                                                                                    Beside::rheology);
}

TEST(LevelsOnAGpu, AreThoseOfCpusInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare<emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>>(2e-7,
                                                                                         first_in_three_dimensions);
  compare<emulation::Spec<core::D3Q19, number_of("compact-sliding"), 0, core::Fp32, false>>(2e-7,
                                                                                            first_in_three_dimensions);
}

/// What there is no way for is refused by name.
TEST(LevelsOnAGpu, AreRefusedWhereTheyCannotBe) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D2Q9, number_of("compact-pull"), 0, core::Fp64, false>;
  const LevelGpus<Spec> gpus;
  const auto message = [](Case c) -> std::string {
    try {
      (void)make(c);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(case_with_levels<Spec>("cuda")), "");
  EXPECT_EQ(message(case_with_levels<Spec>("cuda:0,1")), "");
  EXPECT_EQ(choose_device(case_with_levels<Spec>("auto")).device, "cuda");
  Case small = case_with_levels<Spec>("cuda");
  small.numerics.memory_limit = 1;
  EXPECT_CONTAINS(message(small), "for levels of refinement even if they are streamed through it");
  const Grid grid = make_grid(small);
  EXPECT_CONTAINS(plan_case({small, make_units(small, grid.spacing), build_geometry(small, grid)}).refusal,
                  "the rest stays there, but it may take 1.0 MiB");
}

}  // namespace
}  // namespace fluvia::cuda
