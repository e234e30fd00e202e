// SPDX-License-Identifier: Apache-2.0
// Bodies that move on a GPU: all of the solver on the fake driver, whose kernels run on the host, against the CPU's,
// which follows the oracle: with every scheme of users, and after restarts, bit by bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "cuda/bodies/body_flow.hpp"
#include "cuda/fake_driver/many_gpus.hpp"
#include "fluvia/cuda/kernels/bodies/exchange.hpp"
#include "fluvia/cuda/kernels/bodies/search.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "support/program.hpp"

namespace fluvia::cuda {
namespace {

/// As the cases of test::BodyFlow need them.
template <class Of>
struct WithTrt : Of {
  using Collision = core::Trt;
  static constexpr bool force = false;
};

template <class Spec>
void append_body_search(fake_cuda::HostKernels& all) {
  using fake_cuda::host_kernel;
  all.push_back(host_kernel<true>("15find_body_nodes", kernels::find_body_nodes<Spec>));
  all.push_back(host_kernel<true>("17number_body_links", kernels::number_body_links<Spec>));
  all.push_back(host_kernel<false>("15list_body_links", kernels::list_body_links<Spec>));
}

template <class Spec>
class BodyGpus : public ManyGpus<Spec> {
 public:
  BodyGpus() {
    append<0>();
    if constexpr (Spec::Streaming::parities == 2) append<1>();
    append_body_search<Spec>(this->kernels_);
  }

 private:
  template <int parity>
  void append() {
    using namespace kernels;
    using fake_cuda::host_kernel;
    constexpr bool compact = Spec::scheme.is_compact();
    using Storage = std::conditional_t<compact, CompactStorage<Spec, parity>, DenseStorage<Spec, parity>>;
    using Box = std::conditional_t<compact, CompactTiles, DenseBox>;
    const char* const p = parity == 0 ? "Li0E" : "Li1E";
    auto& all = this->kernels_;
    all.push_back(host_kernel<compact>("11meet_bodies", meet_bodies<Spec, Storage, Box>, p));
    all.push_back(host_kernel<compact>("18return_from_bodies", return_from_bodies<Spec, Storage, Box>, p));
    all.push_back(host_kernel<compact>("12rest_covered", rest_covered<Spec, Storage, Box>, p));
    all.push_back(host_kernel<compact>("21look_beside_uncovered", look_beside_uncovered<Spec, Storage, Box>, p));
    all.push_back(host_kernel<compact>("16refill_uncovered", refill_uncovered<Spec, Storage, Box>, p));
  }
};

template <class Spec>
test::BodyFlow flow_of() {
  test::BodyFlow flow;
  flow.dimension = Spec::Lattice::D;
  flow.scheme = Spec::scheme.name;
  flow.format = Spec::Format::name;
  flow.walls = Spec::walls == core::WallRule::half_way ? "half-way" : "interpolated";
  flow.gpu_threads = Spec::threads;
  return flow;
}

template <class Spec>
void compare(double tolerance, int steps, bool at_rest = false) {
  SCOPED_TRACE(testing::Message() << Spec::Lattice::name << ' ' << Spec::scheme.name << ' ' << Spec::Format::name);
  test::BodyFlow flow = flow_of<Spec>();
  flow.at_rest = at_rest;
  const auto on_cpu = test::make_solver_of(flow.on("cpu"));
  const BodyGpus<Spec> gpus;
  const Case c = flow.on("cuda");
  const std::size_t before = Device().free_bytes();
  const auto solver = test::make_solver_of(c);
  EXPECT_EQ(before - Device().free_bytes(), solver->plan().total_bytes());
  EXPECT_EQ(solver->plan().device, "cuda");
  EXPECT_EQ(solver->plan().steps_per_pass, 1);
  EXPECT_TRUE(solver->bodies()->links_are_left()) << "kernels find them";
  EXPECT_LE(test::difference(*solver, *on_cpu), tolerance) << "at the start";
  test::compare_bodies(*solver, *on_cpu, tolerance);
  for (int k = 0; k < 3; ++k) {  // one by one
    solver->step(1);
    on_cpu->step(1);
    ASSERT_LE(test::difference(*solver, *on_cpu), tolerance) << "after step " << k;
    test::compare_bodies(*solver, *on_cpu, tolerance);
  }
  const std::vector<std::byte> middle = test::saved(*solver);
  test::steer(*solver);
  test::steer(*on_cpu);
  const int graphs = fake_cuda_graphs();
  solver->step(steps);
  on_cpu->step(steps);
  EXPECT_EQ(fake_cuda_graphs(), graphs) << "lists are new in every step";
  EXPECT_LE(test::difference(*solver, *on_cpu), 10 * tolerance);
  test::compare_bodies(*solver, *on_cpu, 10 * tolerance);
  const std::vector<std::byte> end = test::saved(*solver);
  for (const int parity : {0, 1}) {
    const auto again = test::make_solver_of(c);
    again->step(parity);
    test::load(*again, middle);
    again->resume_at(3);
    test::steer(*again);
    again->step(steps - 1);
    again->step(1);
    EXPECT_TRUE(test::saved(*again) == end) << "resumed";
  }
}

/// The box ends inside of a tile. Single steps of a sliding array go through it as passes do.
template <int k>
void compare_scheme() {
  constexpr core::Scheme scheme = core::schemes[k];
  using Spec =
      WithTrt<emulation::Spec<core::D2Q9, k, 0, core::Fp64, scheme.is_compact(), false, core::WallRule::interpolated>>;
  if constexpr (scheme.stepping == core::Stepping::sliding_passes)
    compare<WithTile<Spec, 120, 1>>(1e-13, 40);
  else if constexpr (!scheme.half)
    compare<Spec>(1e-13, 40);
}
template <int... k>
void compare_all(testing::Types<std::integral_constant<int, k>...>) {
  (compare_scheme<k>(), ...);
}

constexpr int number_of(const char* name) {
  int k = 0;
  while (!emulation::same(core::schemes[k].name, name)) ++k;
  return k;
}

TEST(BodiesOnAGpu, AreThoseOfCpusWithAllSchemesOfUsers) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_all(Numbers());
}

TEST(BodiesOnAGpu, AreThoseOfCpusInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare<WithTrt<emulation::Spec<core::D3Q19, number_of("pull"), 0, core::Fp32, false>>>(1e-6, 12);
  compare<WithTrt<emulation::Spec<core::D3Q19, number_of("esoteric-pull"), 0, core::Fp64, false>>>(1e-13, 12);
  compare<WithTrt<emulation::Spec<core::D3Q19, number_of("compact-aa"), 0, core::Fp64, true>>>(1e-13, 12, true);
}

/// Lists that outgrow their room get more, and what went over links in the last step stays.
TEST(BodiesOnAGpu, TakeRoomWhenTheyNeedMore) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = WithTrt<emulation::Spec<core::D2Q9, number_of("aa"), 0, core::Fp64, false>>;
  const BodyGpus<Spec> gpus;
  const Case c = flow_of<Spec>().on("cuda");
  const auto expected = test::make_solver_of(c);
  const Grid grid = make_grid(c);
  OwningProblem problem{c, make_units(c, grid.spacing), build_geometry(c, grid)};
  const test::Folder folder;
  KernelCache cache(folder / "kernels");
  Plan plan = make_plan({problem.settings, problem.units, problem.geometry}, "cuda");
  PreparedCase prepared = prepare_within_memory({problem.settings, problem.units, problem.geometry}, Device(), plan);
  EXPECT_GT(prepared.body_room.links, 100U);
  prepared.body_room = {256, 1};
  const auto solver = make_solver(std::move(problem), std::move(plan), Device(), cache, std::move(prepared));
  for (int k = 0; k < 5; ++k) {
    solver->step(1);
    expected->step(1);
    EXPECT_TRUE(test::saved(*solver) == test::saved(*expected));
    test::compare_bodies(*solver, *expected, 0);
  }
}

/// The third body goes away from the bar, beside which it begins, and comes back: so the host finds links, then the
/// GPU, then the host. Forces of a step are those over the links of that step, whoever found them.
TEST(BodiesOnAGpu, LeaveTheirLinksToTheHostWhereTheyAreNear) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = WithTrt<emulation::Spec<core::D2Q9, number_of("aa"), 0, core::Fp64, false>>;
  const BodyGpus<Spec> gpus;
  test::BodyFlow flow = flow_of<Spec>();
  flow.is_free = false;
  const auto on = [&](const char* device) {
    Case c = flow.on(device);
    c.geometry.shapes[3].center = {18.2, 12.9, 0};
    c.bodies[2].motion.velocity = {0.06, 0, 0};
    return test::make_solver_of(c);
  };
  const auto solver = on("cuda"), on_cpu = on("cpu");
  std::vector<bool> who = {solver->bodies()->links_are_left()};
  for (int step = 0; step < 46; ++step) {
    if (step == 30)
      for (Solver* const of : {solver.get(), on_cpu.get()}) of->apply(BodyVelocity{2, {-0.06, 0, 0}, {0, 0, 0.01}});
    ::setenv("FAKE_CUDA_ORDER", std::to_string(step + 2).c_str(), 1);  // searches have a stream of their own
    solver->step(1);
    on_cpu->step(1);
    ASSERT_LE(test::difference(*solver, *on_cpu), 1e-12) << "after step " << step;
    test::compare_bodies(*solver, *on_cpu, 1e-12);
    if (who.back() != solver->bodies()->links_are_left()) who.push_back(!who.back());
  }
  EXPECT_EQ(who, (std::vector<bool>{false, true, false}));
}

/// The host goes on while the GPU steps, and searches run beside steps: nothing may be listed anew that a step needs.
TEST(BodiesOnAGpu, HaveTheSameBitsWhereTheHostRunsAhead) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = WithTrt<emulation::Spec<core::D2Q9, number_of("aa"), 0, core::Fp64, false>>;
  const BodyGpus<Spec> gpus;
  test::BodyFlow flow = flow_of<Spec>();
  flow.is_free = false;
  const auto waiting = test::make_solver_of(flow.on("cuda"));
  for (int step = 0; step < 12; ++step) {
    waiting->step(1);
    (void)test::saved(*waiting);
  }
  for (int seed = 1; seed <= 12; ++seed) {
    ::setenv("FAKE_CUDA_ORDER", std::to_string(seed).c_str(), 1);
    const auto solver = test::make_solver_of(flow.on("cuda"));
    solver->step(12);
    EXPECT_TRUE(test::saved(*solver) == test::saved(*waiting)) << seed;
    test::compare_bodies(*solver, *waiting, 0);
  }
}

/// A capsule has no formulas that kernels know, so that the host finds all links.
TEST(BodiesOnAGpu, LeaveTheirLinksToTheHostWhereItKnowsMoreShapes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = WithTrt<emulation::Spec<core::D2Q9, number_of("aa"), 0, core::Fp64, false>>;
  const BodyGpus<Spec> gpus;
  const auto on = [](const char* device) {
    Case c = flow_of<Spec>().on(device);
    c.geometry.shapes[3].kind = "capsule";
    c.geometry.shapes[3].from = {23.7, 14.1, 0};
    c.geometry.shapes[3].to = {25.9, 14.8, 0};
    return test::make_solver_of(c);
  };
  const std::size_t before = Device().free_bytes();
  const auto solver = on("cuda"), on_cpu = on("cpu");
  EXPECT_EQ(before - Device().free_bytes(), solver->plan().total_bytes());
  EXPECT_FALSE(solver->bodies()->have_formulas());
  for (int step = 0; step < 5; ++step) {
    solver->step(1);
    on_cpu->step(1);
    EXPECT_FALSE(solver->bodies()->links_are_left());
    ASSERT_LE(test::difference(*solver, *on_cpu), 1e-13) << "after step " << step;
    test::compare_bodies(*solver, *on_cpu, 1e-13);
  }
}

/// What there is no way for is refused by name.
TEST(BodiesOnAGpu, AreRefusedWhereTheyCannotBe) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = WithTrt<emulation::Spec<core::D2Q9, number_of("pull"), 0, core::Fp64, false>>;
  const BodyGpus<Spec> gpus;
  const auto message = [](Case c) -> std::string {
    try {
      (void)test::make_solver_of(c);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  const test::BodyFlow flow = flow_of<Spec>();
  EXPECT_EQ(message(flow.on("cuda")), "");
  EXPECT_EQ(choose_device(flow.on("auto")).device, "cuda");
  EXPECT_CONTAINS(message(flow.on("cuda:0,1")), "bodies.toml:");
  EXPECT_CONTAINS(message(flow.on("cuda:0,1")), "body[0]: bodies move on one GPU, or on CPUs");
  Case c = flow.on("cuda");
  c.numerics.scheme = "moments";
  c.numerics.collision = "regularized";
  EXPECT_CONTAINS(message(c), "bodies do not move beside scheme \"moments\" on a GPU");
  c.numerics.device = "auto";
  EXPECT_CONTAINS(choose_device(c).reason, "moments");
  Case rounded = flow.on("cuda");
  rounded.numerics.format = "fp16s";
  EXPECT_CONTAINS(message(rounded), "bodies move in fp32 and fp64 on a GPU, not in fp16s");
  rounded.numerics.device = "auto";
  EXPECT_CONTAINS(choose_device(rounded).reason, "bodies move in fp16s there only");
  Case automatic = flow.on("cuda");
  automatic.numerics.scheme = "auto";
  EXPECT_EQ(message(automatic), "");
  Case small = flow.on("cuda");
  small.numerics.memory_limit = 0.1;
  EXPECT_CONTAINS(message(small), "domains through which bodies move are not computed piece by piece");
}

}  // namespace
}  // namespace fluvia::cuda
