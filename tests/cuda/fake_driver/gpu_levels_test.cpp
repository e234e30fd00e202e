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

#include "cuda/fake_driver/level_gpus.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cuda/runtime/device.hpp"

namespace fluvia::cuda {
namespace {

/// The largest difference of numbers of one type; what is none counts.
template <class Number>
double difference(std::span<const std::byte> one, std::span<const std::byte> other) {
  double largest = 0;
  for (std::size_t k = 0; k + sizeof(Number) <= one.size(); k += sizeof(Number)) {
    Number a, b;
    std::memcpy(&a, &one[k], sizeof(a));
    std::memcpy(&b, &other[k], sizeof(b));
    const double apart = std::abs(static_cast<double>(a) - static_cast<double>(b));
    if (!(apart <= largest)) largest = apart;
  }
  return largest;
}

/// That of what was saved of a flow: populations, and in fp64 what conditions keep.
template <class Storage>
double difference(const Solver& solver, std::span<const std::byte> one, std::span<const std::byte> other) {
  EXPECT_EQ(one.size(), other.size());
  if (one.size() != other.size()) return 1;
  double largest = 0;
  for_each_range(solver, [&](const ArrayRange& range, std::size_t bytes) {
    const bool is_stored = solver.arrays()[range.array].number == NumberType::storage_format;
    const auto here = one.first(bytes), there = other.first(bytes);
    largest = std::max(largest, is_stored ? difference<Storage>(here, there) : difference<double>(here, there));
    one = one.subspan(bytes);
    other = other.subspan(bytes);
  });
  return largest;
}

/// After 3 and 8 steps.
struct Expected {
  std::vector<std::byte> middle, end;
};

/// Lets walls that move go on at another speed.
void slow_down(Solver& solver, Beside beside) {
  if (beside != Beside::moving_walls) return;
  for (const int surface : {2, 3}) solver.apply(BoundaryValue{surface, 0.4});
}

/// `first`: bits of the first scheme, or none yet.
template <class Spec>
void compare(double tolerance, Expected& first, Beside beside = Beside::walls) {
  SCOPED_TRACE(testing::Message() << Spec::Lattice::name << ' ' << Spec::scheme.name << ' ' << Spec::Format::name);
  const auto on_cpu = make(case_with_levels<Spec>("cpu", beside));
  const LevelGpus<Spec> gpus;
  const Case c = case_with_levels<Spec>("cuda", beside);
  const std::size_t before = Device().free_bytes();
  const auto solver = make(c);
  EXPECT_EQ(before - Device().free_bytes(), solver->plan().total_bytes());
  EXPECT_EQ(solver->plan().device, "cuda");
  EXPECT_EQ(solver->plan().levels.size(), Spec::Lattice::D == 2 ? 3U : 2U);
  const Grid grid = make_grid(c);
  const Plan plan = plan_case({c, make_units(c, grid.spacing), build_geometry(c, grid)});
  EXPECT_EQ(plan.total_bytes(), solver->plan().total_bytes());
  EXPECT_EQ(plan.levels[1].exchanged, solver->plan().levels[1].exchanged);
  for (int k = 0; k < 3; ++k) {  // one by one
    solver->step(1);
    on_cpu->step(1);
  }
  const Expected now{saved(*solver), {}};
  using Storage = typename Spec::Format::Storage;
  EXPECT_LT(difference<Storage>(*solver, now.middle, saved(*on_cpu)), tolerance);
  if (first.middle.empty()) first.middle = now.middle;
  EXPECT_TRUE(now.middle == first.middle) << "other schemes have other bits";
  const int graphs = fake_cuda_graphs();
  slow_down(*solver, beside);
  slow_down(*on_cpu, beside);
  solver->step(5);  // in recordings where places repeat
  on_cpu->step(5);
  const std::vector<std::byte> end = saved(*solver);
  if (first.end.empty()) first.end = end;
  EXPECT_TRUE(end == first.end) << "other schemes have other bits";
  EXPECT_LT(difference<Storage>(*solver, end, saved(*on_cpu)), tolerance);
  const Totals totals = solver->totals(), expected = on_cpu->totals();
  EXPECT_NEAR(totals.mass, expected.mass, tolerance * 1e4);
  EXPECT_NEAR(totals.kinetic_energy, expected.kinetic_energy, tolerance * 1e4);
  const int ball = static_cast<int>(solver->geometry().surfaces.size()) - 1;
  const SurfaceForce force = solver->surface_force(ball, {1, 2, 0}), wanted = on_cpu->surface_force(ball, {1, 2, 0});
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(force.force[a], wanted.force[a], tolerance * 1e3);
  EXPECT_NE(force.force[0], 0);
  for (const int parity : {0, 1}) {
    const auto again = make(c);
    again->step(parity);
    load(*again, first.middle);
    again->resume_at(3);
    slow_down(*again, beside);
    again->step(4);  // recorded from here on
    again->step(1);
    EXPECT_TRUE(saved(*again) == first.end) << "resumed";
    EXPECT_EQ(again->time_step(), 8);
  }
  EXPECT_GT(fake_cuda_graphs(), graphs);
}

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
