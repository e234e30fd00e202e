// SPDX-License-Identifier: Apache-2.0
// Solvers whose nodes keep moments: all of the solver on the fake driver, whose kernels run on the host, against a
// CPU's populations. How a flow begins, where some of its populations wait in the memory of the host, is the solver's.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cuda/emulation/compare_passes.hpp"
#include "cuda/fake_driver/many_gpus.hpp"
#include "cuda/scalars/scalar_channel.hpp"
#include "fluvia/cuda/runtime/device.hpp"

namespace fluvia::cuda {
namespace {

/// Sweeps that found counters of a sweep before them: their blocks would wait for nobody.
int stale_sweeps = 0;

/// Counts these as well. Emulated blocks come one after the other.
template <class Spec>
void checked_pass(const kernels::MomentBox box, const kernels::Physics<kernels::Arithmetic<Spec>> physics,
                  const kernels::SlidingPassArguments sliding) {
  const bool begins = blockIdx.x == 0 && blockIdx.y == 0 && blockIdx.z == 0 && threadIdx.x == 0;
  for (kernels::Uint32 k = 0; begins && k < kernels::slide_counters; ++k)
    stale_sweeps += sliding.order.counters[k * kernels::slide_sector] != 0 ? 1 : 0;
  kernels::pass_sliding_moments<Spec>(box, physics, sliding);
}

/// A GPU with kernels that take single steps over moments.
template <class Spec>
class MomentGpu {
 public:
  MomentGpu() {
    using namespace kernels;
    using fake_cuda::host_kernel;
    using Storage = MomentStorage<Spec, 0>;
    if constexpr (Spec::scheme.steps_in_order())
      kernels_.push_back(host_kernel<true>("20pass_sliding_moments", checked_pass<Spec>));
    else
      kernels_.push_back(host_kernel<true>("12pass_moments", pass_moments<Spec>));
    kernels_.push_back(host_kernel<false>("13first_moments", first_moments<Spec>));
    kernels_.push_back(host_kernel<false>("7moments", moments<Spec, Storage, MomentBox>));
    kernels_.push_back(host_kernel<true>("9sum_tiles", sum_tiles<Spec, Storage, MomentBox>));
    kernels_.push_back(host_kernel<false>("14save_direction", save_direction<Spec, Storage, MomentBox>));
    kernels_.push_back(host_kernel<false>("14load_direction", load_direction<Spec, Storage, MomentBox>));
    kernels_.push_back(host_kernel<false>("17place_equilibrium", place_equilibrium<Spec, Storage, MomentBox>));
    fake_cuda_bring(&kernels_);
  }
  ~MomentGpu() { fake_cuda_bring(nullptr); }
  MomentGpu(const MomentGpu&) = delete;
  MomentGpu& operator=(const MomentGpu&) = delete;

 private:
  fake_cuda::HostKernels kernels_;
};

template <class Spec>
std::unique_ptr<Solver> make_flow(const scene::Scene& s, const std::string& device) {
  Case c = case_of<Spec>(s, device);
  if (device == "cpu") c.numerics.scheme = "pull";
  if (device != "cpu") c.numerics.steps_per_pass = 1;
  auto solver = fluvia::make_solver({c, scene::make_units(1), scene::make_geometry(s)});
  scene::initialise(*solver, s);
  return solver;
}

/// What a flow is after 20 steps. 1e-13 bounds what comes of round-off, where speeds are some tenths.
template <int k>
std::vector<std::byte> run(const scene::Scene& s) {
  using Spec = WithTile<emulation::WithSteps<emulation::Spec<core::D2Q9, k, 0, core::Fp64, false>, 1>, 120, 1>;
  SCOPED_TRACE(testing::Message() << s.name << ' ' << Spec::scheme.name);
  constexpr double tolerance = 1e-13;
  const MomentGpu<Spec> gpu;
  const std::size_t before = Device().free_bytes();
  const auto solver = make_flow<Spec>(s, "cuda"), on_cpu = make_flow<Spec>(s, "cpu");
  EXPECT_EQ(before - Device().free_bytes(), solver->plan().total_bytes());
  EXPECT_EQ(solver->plan().beginning_bytes > 0, Spec::scheme.steps_in_order());
  EXPECT_EQ(solver->snapshot(), nullptr) << "before the first step";
  EXPECT_LT(test::difference(*solver, *on_cpu), tolerance) << "at the start";
  solver->step(3);
  on_cpu->step(3);
  EXPECT_LT(test::difference(*solver, *on_cpu), tolerance);
  const auto snapshot = solver->snapshot();
  const std::vector<std::byte> middle = test::saved(*solver);
  solver->step(17);  // in recordings where places repeat
  on_cpu->step(17);
  EXPECT_LT(test::difference(*solver, *on_cpu), tolerance);
  std::vector<std::byte> end = test::saved(*solver);
  EXPECT_NE(snapshot, nullptr);
  if (snapshot) {
    Moments then, now;
    snapshot->moments(0, 1, true, then);
    solver->moments(0, 1, true, now);
    EXPECT_NE(then.density, now.density) << "what is kept is what was";
  }
  for (const int steps : {0, 1, 2}) {
    const auto again = make_flow<Spec>(s, "cuda");
    again->step(steps);
    test::load(*again, middle);
    again->resume_at(3);
    again->step(17);
    EXPECT_TRUE(test::saved(*again) == end) << "resumed after " << steps << " other steps";
  }
  EXPECT_EQ(stale_sweeps, 0);
  return end;
}

TEST(MomentGpus, AreThoseOfPopulationsFromTheFirstStepOn) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  for (scene::Scene s : {scene::channel({137, 245, 1}), scene::porous({130, 99, 1})}) {
    s.force = {1e-4, 2e-4, 0};  // the kernels here have one
    const std::vector<std::byte> expected = run<emulation::number_of("moments")>(s);
    EXPECT_TRUE(run<emulation::number_of("moments-sliding")>(s) == expected) << "the same bits";
  }
}

}  // namespace
}  // namespace fluvia::cuda
