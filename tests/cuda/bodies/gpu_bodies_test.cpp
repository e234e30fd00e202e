// SPDX-License-Identifier: Apache-2.0
// Bodies that move on a GPU against those of CPUs, which follow the oracle, beside every scheme that has them.
#include <string>
#include <vector>

#include "cuda/bodies/body_flow.hpp"
#include "cuda/support.hpp"

namespace fluvia::test {
namespace {

/// Sums in another order, some units in the last place, grow with what is driven.
void compare_with_cpu(const BodyFlow& flow, double tolerance) {
  SCOPED_TRACE(testing::Message() << flow.scheme << ' ' << flow.format << " in " << flow.dimension << "D, "
                                  << flow.walls);
  const auto on_gpu = make_solver_of(flow.on("cuda"));
  const auto on_cpu = make_solver_of(flow.on("cpu"));
  EXPECT_EQ(on_gpu->plan().device, "cuda");
  EXPECT_LE(difference(*on_gpu, *on_cpu), tolerance) << "at the start";
  int all = 0;
  for (const int steps : {1, 2, 20, 40}) {
    on_gpu->step(steps);
    on_cpu->step(steps);
    all += steps;
    ASSERT_LE(difference(*on_gpu, *on_cpu), all * tolerance) << "after " << all;
    compare_bodies(*on_gpu, *on_cpu, all * tolerance);
    steer(*on_gpu);
    steer(*on_cpu);
  }
}

TEST(BodiesOnGpus, AgreeWithThoseOfCpusBesideEveryScheme) {
  SKIP_WITHOUT_GPU();
  std::size_t turn = 0;
  for (const std::string& scheme : gpu_scheme_names()) {
    if (!exchanges_populations(parse_scheme(scheme))) continue;
    BodyFlow flow;
    flow.scheme = scheme;
    flow.dimension = turn % 2 == 0 ? 3 : 2;
    flow.at_rest = turn % 2 == 1;
    flow.walls = turn / 2 % 2 == 0 ? "interpolated" : "half-way";
    compare_with_cpu(flow, 1e-13);
    flow.format = "fp32";
    flow.is_free = turn % 3 == 0;
    compare_with_cpu(flow, 1e-6);
    ++turn;
  }
}

/// Sums over links have an order of their own.
TEST(BodiesOnGpus, HaveTheSameBitsAgain) {
  SKIP_WITHOUT_GPU();
  for (const char* const scheme : {"pull", "aa", "compact-sliding"}) {
    BodyFlow flow;
    flow.scheme = scheme;
    flow.dimension = 3;
    flow.format = "fp32";
    const auto one = make_solver_of(flow.on("cuda")), other = make_solver_of(flow.on("cuda"));
    one->step(60);
    for (int k = 0; k < 20; ++k) other->step(3);
    EXPECT_TRUE(saved(*one) == saved(*other)) << scheme;
  }
}

}  // namespace
}  // namespace fluvia::test
