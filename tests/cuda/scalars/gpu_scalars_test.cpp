// SPDX-License-Identifier: Apache-2.0
// Scalars beside a flow on a GPU against those of CPUs, which follow the oracle, beside every scheme that carries them.
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "cuda/scalars/scalar_channel.hpp"
#include "cuda/support.hpp"

namespace fluvia::test {
namespace {

bool carries_scalars(const Scheme& scheme) {
  return !scheme.half && !scheme.keeps_moments() && scheme.stepping != core::Stepping::sliding_passes;
}

/// The sums of a collision in another order, some units in the last place, grow with what is driven.
void compare_with_cpu(const ScalarChannel& channel, double tolerance) {
  SCOPED_TRACE(testing::Message() << channel.scheme << ' ' << channel.format << " in " << channel.dimension << "D, "
                                  << channel.walls << ", expansion " << channel.expansion
                                  << (channel.solids ? ", with solids" : "") << (channel.changes ? ", changing" : ""));
  const auto on_gpu = make_solver_of(channel.on("cuda"));
  const auto on_cpu = make_solver_of(channel.on("cpu"));
  EXPECT_LE(difference(*on_gpu, *on_cpu), tolerance) << "at the start";
  for (const int steps : {1, 2, 40}) {  // recorded, too
    on_gpu->step(steps);
    on_cpu->step(steps);
    ASSERT_LE(difference(*on_gpu, *on_cpu), steps * tolerance) << "after " << steps << " more";
    compare_readings(*on_gpu, *on_cpu, steps * tolerance);
  }
}

std::vector<std::string> schemes() {
  std::vector<std::string> all;
  for (const std::string& scheme : gpu_scheme_names())
    if (carries_scalars(parse_scheme(scheme))) all.push_back(scheme);
  return all;
}

/// What else there is takes turns, so that each test compiles the kernels of one case.
class ScalarsOnGpus : public ::testing::TestWithParam<std::size_t> {};
INSTANTIATE_TEST_SUITE_P(Scalars, ScalarsOnGpus, ::testing::Range(std::size_t{0}, schemes().size()),
                         [](const auto& info) { return test_name(schemes()[info.param]); });

TEST_P(ScalarsOnGpus, AgreeWithThoseOfCpus) {
  SKIP_WITHOUT_GPU();
  const std::size_t turn = GetParam();
  ScalarChannel channel;
  channel.scheme = schemes()[turn];
  channel.dimension = turn % 2 == 0 ? 3 : 2;
  channel.walls = turn / 2 % 2 == 0 ? "interpolated" : "half-way";
  channel.expansion = turn % 3 == 0 ? 0 : 0.3;
  channel.solids = turn % 3 != 1;
  channel.changes = turn % 4 == 3;
  channel.format = turn / 3 % 2 == 0 ? "fp64" : "fp32";
  channel.collision = scheme_problem(parse_scheme(channel.scheme), channel.dimension == 2 ? "D2Q9" : "D3Q19", "trt",
                                     "quasi-compressible")
                              .empty()
                          ? "trt"
                          : "bgk";
  compare_with_cpu(channel, channel.format == "fp64" ? 1e-13 : 3e-6);
}

/// Parts on one GPU exchange as those on several do.
TEST(ScalarsOfPartsOnGpus, HaveTheBitsOfOne) {
  SKIP_WITHOUT_GPU();
  for (const bool solids : {false, true}) {
    ScalarChannel channel;
    channel.scheme = "compact-aa";
    channel.solids = solids;
    const auto whole = make_solver_of(channel.on("cuda:0")), split = make_solver_of(channel.on("cuda:0,0,0"));
    ASSERT_FALSE(split->plan().domain.is_whole());
    for (const int steps : {1, 2, 40}) {
      whole->step(steps);
      split->step(steps);
      ASSERT_TRUE(saved(*whole) == saved(*split)) << "after " << steps << " more";
    }
  }
}

/// A passive scalar changes no bit of the flow.
class PassiveScalarsOnGpus : public ::testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Scalars, PassiveScalarsOnGpus, ::testing::Values("pull", "esoteric-pull", "compact-aa"),
                         [](const auto& info) { return test_name(info.param); });

TEST_P(PassiveScalarsOnGpus, LeaveTheFlowAlone) {
  SKIP_WITHOUT_GPU();
  ScalarChannel channel;
  channel.scheme = GetParam();
  channel.expansion = 0;
  channel.dimension = 3;
  channel.format = "fp32";
  Case with = channel.on("cuda"), without = with;
  without.scalars.clear();
  for (Case::Boundary& boundary : without.boundaries) boundary.scalars.clear();
  const auto one = make_solver_of(with), other = make_solver_of(without);
  one->step(37);
  other->step(37);
  const std::vector<std::byte> flow = saved(*other), all = saved(*one);
  ASSERT_LT(flow.size(), all.size());
  EXPECT_TRUE(std::equal(flow.begin(), flow.end(), all.begin()));
}

}  // namespace
}  // namespace fluvia::test
