// SPDX-License-Identifier: Apache-2.0
// Levels of refinement that do not fit into the memory of a GPU, on the fake driver: in parts of which the populations
// of some levels are streamed through it. The bits are those of all levels in memory, in orders that events leave open.
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cuda/fake_driver/level_gpus.hpp"
#include "fluvia/backend/level_memory.hpp"
#include "fluvia/cuda/runtime/device.hpp"

namespace fluvia::cuda {
namespace {

/// Levels in so many parts that take turns, whatever would fit.
std::unique_ptr<Solver> in_turns(const Case& c, const Device& device, int parts, const std::vector<bool>& streamed) {
  const Grid grid = make_grid(c);
  const Units units = make_units(c, grid.spacing);
  const Geometry geometry = build_geometry(c, grid);
  const auto whole = levels_on_gpus({&device}, 1, gpu_kernels(), "GPU");
  const PreparedLevels prepared = prepare_levels({c, units, geometry}, *whole, {});
  const auto turning = whole->in_turns(turns_of(prepared, *whole, parts, streamed));
  return started(make_levels_solver({c, units, geometry}, *turning));
}

struct Choice {
  int parts;
  std::vector<bool> streamed;
};

/// Levels that take turns have the bits of those that stay: populations after odd and even numbers of steps, sums,
/// forces, and after a restart, in either parity, from what others saved. Of all choices two, `turn` and the one after
/// it.
template <class Spec>
void compare_turns(std::size_t turn, Beside beside = Beside::walls) {
  SCOPED_TRACE(testing::Message() << Spec::Lattice::name << ' ' << Spec::scheme.name << ' ' << Spec::Format::name);
  constexpr bool flat = Spec::Lattice::D == 2;
  std::vector<Choice> choices = {{2, {true, true}}, {3, {false, true}}, {4, {true, false}}};
  if (flat)
    choices = {{2, {true, true, true}}, {3, {false, false, true}}, {4, {true, false, true}}, {5, {false, true, false}}};
  const LevelGpus<Spec> gpus;
  const Device device(0);
  const Case c = case_with_levels<Spec>("cuda", beside);
  const auto whole = make(c);
  whole->step(3);
  const std::vector<std::byte> middle = saved(*whole);
  whole->step(5);
  const std::vector<std::byte> end = saved(*whole);
  const Totals expected = whole->totals();
  const int ball = static_cast<int>(whole->geometry().surfaces.size()) - 1;
  const SurfaceForce wanted = whole->surface_force(ball, {1, 2, 0});
  for (const std::size_t next : {0, 1}) {
    const Choice& choice = choices[(turn + next) % choices.size()];
    SCOPED_TRACE(testing::Message() << choice.parts << " parts, streamed " << testing::PrintToString(choice.streamed));
    ::setenv("FAKE_CUDA_ORDER", std::to_string(turn + next + 1).c_str(), 1);
    const auto solver = in_turns(c, device, choice.parts, choice.streamed);
    for (int k = 0; k < 3; ++k) solver->step(1);
    EXPECT_TRUE(saved(*solver) == middle);
    solver->step(5);
    EXPECT_TRUE(saved(*solver) == end);
    const Totals totals = solver->totals();
    EXPECT_EQ(totals.mass, expected.mass);
    EXPECT_EQ(totals.momentum, expected.momentum);
    EXPECT_EQ(totals.max_speed, expected.max_speed);
    EXPECT_EQ(solver->surface_force(ball, {1, 2, 0}).force, wanted.force);
    const auto again = in_turns(c, device, choice.parts, choice.streamed);
    again->step(static_cast<int>(next));
    load(*again, middle);
    again->resume_at(3);
    again->step(5);
    EXPECT_TRUE(saved(*again) == end) << "resumed";
  }
}

template <int k>
void compare_turns_of_scheme(Beside beside) {
  if constexpr (!core::schemes[k].is_fused() && !core::schemes[k].half)
    compare_turns<emulation::Spec<core::D2Q9, k, 0, core::Fp64, false>>(static_cast<std::size_t>(k), beside);
}
template <int... k>
void compare_turns_of_all(testing::Types<std::integral_constant<int, k>...>, Beside beside) {
  (compare_turns_of_scheme<k>(beside), ...);
}

TEST(LevelsInTurns, HaveTheBitsOfThoseThatStayWithAllSchemes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_turns_of_all(Numbers(), Beside::walls);
}

TEST(LevelsInTurns, HaveTheBitsOfThoseThatStayBetweenPlanesOfSymmetry) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_turns_of_all(Numbers(), Beside::mirrors);
}

TEST(LevelsInTurns, HaveTheBitsOfThoseThatStayAtOpenings) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_turns_of_all(Numbers(), Beside::openings);
}

TEST(LevelsInTurns, HaveTheBitsOfThoseThatStayBesideWallsThatMove) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_turns_of_all(Numbers(), Beside::moving_walls);
}

TEST(LevelsInTurns, HaveTheBitsOfThoseThatStayBesideSheets) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Pull = emulation::Spec<core::D2Q9, number_of("compact-pull"), 0, core::Fp64, false>;
  compare_turns<Pull>(0, Beside::sheets);
  compare_turns<emulation::Spec<core::D2Q9, number_of("compact-aa"), 0, core::Fp64, false>>(2, Beside::sheets);
}

TEST(LevelsInTurns, HaveTheBitsOfThoseThatStayInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Pull = emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>;
  using Sliding = emulation::Spec<core::D3Q19, number_of("compact-sliding"), 0, core::Fp32, false>;
  compare_turns<Pull>(0);
  compare_turns<Sliding>(1);
  compare_turns<Pull>(1, Beside::mirrors);
  compare_turns<Pull>(2, Beside::openings);
}

TEST(LevelsInTurns, HaveTheBitsOfThoseThatStayInSixteenBits) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_turns<emulation::Spec<core::D2Q9, number_of("compact-aa"), 0, core::Fp16S, false>>(0);
}

/// Levels take turns where the memory asks for it, in as few parts as fit; "auto" first takes the scheme that takes the
/// least. The plan knows what that takes of the GPU, and what goes to and fro.
TEST(LevelsInTurns, AreTakenWhereTheyDoNotFit) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D2Q9, number_of("compact-aa"), 0, core::Fp64, false>;
  const LevelGpus<Spec> gpus;
  Case c = case_with_levels<Spec>("cuda");
  c.domain.nodes = {96, 640, 1};
  c.refine = {region(1, {16, 64, 0}, {80, 576, 1})};
  c.geometry.shapes[0].center = {48, 60, 0};
  c.geometry.shapes[0].from = {48, 60, -1};
  c.geometry.shapes[0].to = {48, 60, 2};
  const Grid grid = make_grid(c);
  const Units units = make_units(c, grid.spacing);
  const auto plan_of = [&](const Case& of) { return plan_case({of, units, build_geometry(of, grid)}); };
  const auto whole = make(c);
  const Plan fits = whole->plan();
  EXPECT_FALSE(fits.domain.is_streamed());
  whole->step(3);
  const std::vector<std::byte> expected = saved(*whole);
  int before = 1;
  for (const double share : {0.25, 0.5}) {
    SCOPED_TRACE(share);
    c.numerics.memory_limit =
        (static_cast<double>(fits.total_bytes()) - share * static_cast<double>(fits.population_bytes)) / 1048576;
    const Plan plan = plan_of(c);
    EXPECT_EQ(plan.refusal, "");
    EXPECT_GT(plan.domain.blocks, before);
    before = plan.domain.blocks;
    EXPECT_EQ(plan.domain.place, BlockPlace::streamed);
    EXPECT_LE(static_cast<double>(plan.total_bytes()), c.numerics.memory_limit * 1048576);
    EXPECT_TRUE(plan.levels[1].is_streamed);
    double moved = 0;
    for (std::size_t l = 0; l < 2; ++l)
      if (plan.levels[l].is_streamed) moved += std::exp2(l) * static_cast<double>(plan.levels[l].nodes) * 9 * 8;
    EXPECT_GE(static_cast<double>(plan.transfer_bytes), 2 * moved);
    EXPECT_LT(static_cast<double>(plan.transfer_bytes), 2.2 * moved);
    const std::size_t free = Device().free_bytes();
    const auto split = make(c);
    EXPECT_EQ(free - Device().free_bytes(), plan.total_bytes());
    EXPECT_EQ(split->plan().domain.blocks, plan.domain.blocks);
    EXPECT_EQ(split->plan().transfer_bytes, plan.transfer_bytes);
    EXPECT_TRUE(split->plan().levels[1].is_streamed);
    split->step(3);
    EXPECT_TRUE(saved(*split) == expected);
  }
  c.numerics.scheme = "auto";  // two copies would not fit, one does
  c.numerics.memory_limit = static_cast<double>(fits.total_bytes() + 1) / 1048576;
  const Plan open = plan_of(c);
  EXPECT_EQ(open.refusal, "");
  EXPECT_EQ(open.scheme_name(), "compact-aa");
  EXPECT_CONTAINS(open.reason, "compact-pull, chosen for its speed, does not fit");
  EXPECT_FALSE(open.domain.is_streamed());
  EXPECT_EQ(make(c)->plan().reason, open.reason);
  c.numerics.memory_limit = 0.1;
  EXPECT_CONTAINS(plan_of(c).refusal, "for levels of refinement even if they are streamed through it in");
}

}  // namespace
}  // namespace fluvia::cuda
