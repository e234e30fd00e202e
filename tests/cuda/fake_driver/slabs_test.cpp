// SPDX-License-Identifier: Apache-2.0
// Domains larger than the memory of a GPU: the whole solver on the fake driver, whose kernels run on the host.
#include <gtest/gtest.h>

#include <set>
#include <utility>

#include "cuda/emulation/spec.hpp"
// After what emulates the surroundings of kernels.
#include "cuda/device_fields.hpp"
#include "cuda/fake_driver/host_kernel.hpp"
#include "cuda/support.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/cuda/kernels/published/step_index_map.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "reference/scenes.hpp"
#include "support/program.hpp"

extern "C" int fake_cuda_live();

namespace fluvia::cuda {
namespace {

constexpr double mebibyte = 1048576;

/// Kernels that a scheme on an index map with one parity needs.
template <class Spec>
fake_cuda::HostKernels kernels_of() {
  using namespace kernels;
  using fake_cuda::host_kernel;
  using Storage = IndexMapStorage<Spec, 0>;
  return {host_kernel<false>("10step_sites", step_index_map<Spec, 0>),
          host_kernel<false>("19complete_boundaries", complete_boundaries<Spec, Storage, IndexMapBox>),
          host_kernel<false>("7moments", moments<Spec, Storage, IndexMapBox>),
          host_kernel<false>("11write_field", write_field<Spec, Storage, IndexMapBox>),
          host_kernel<true>("9sum_tiles", sum_tiles<Spec, Storage, IndexMapBox>),
          host_kernel<true>("9sum_links", sum_links<Spec, Storage, IndexMapBox>),
          host_kernel<false>("14save_direction", save_direction<Spec, Storage, IndexMapBox>),
          host_kernel<false>("14load_direction", load_direction<Spec, Storage, IndexMapBox>),
          host_kernel<false>("17place_equilibrium", place_equilibrium<Spec, Storage, IndexMapBox>)};
}

/// Domains whose last axis is cut, with sizes that divide nothing. All have forces and conditions: the same kernels.
std::vector<scene::Scene> scenes_to_cut(int dimension) {
  std::vector<scene::Scene> scenes;
  if (dimension == 2) {
    scenes = {scene::channel({37, 61, 1}), scene::cavity({21, 43, 1}), scene::channel({19, 35, 1})};
    scenes.back().name = "channel, periodic along y";
    scenes.back().periodic[1] = true;
  } else {
    scenes = {scene::channel({13, 7, 25}), scene::without_mirrors(scene::porous({21, 5, 26}))};
  }
  for (scene::Scene& s : scenes)
    if (norm(s.force) == 0) s.force = {1e-4, 2e-4, 0};
  return scenes;
}

/// Solvers of one scene on the fake GPU, within a limit.
template <class Spec>
class Trial {
 public:
  explicit Trial(scene::Scene s) : scene_(std::move(s)), host_kernels_(kernels_of<Spec>()) {
    fake_cuda_bring(&host_kernels_);
    options_.physics.lattice = Spec::Lattice::name;
    options_.physics.collision = Spec::Collision::name;
    options_.physics.equilibrium = Spec::Equilibrium::name;
    options_.scheme = Spec::scheme.name;
    options_.format = Spec::Format::name;
    options_.device = "cuda";
  }
  ~Trial() { fake_cuda_bring(nullptr); }
  Trial(const Trial&) = delete;
  Trial& operator=(const Trial&) = delete;

  [[nodiscard]] Case make_case(double limit) const {
    Case c = scene::make_case(scene_, options_);
    c.numerics.memory_limit = limit;
    c.numerics.gpu_rows = Spec::rows;
    c.numerics.gpu_threads = 32 * Spec::rows;
    return c;
  }
  [[nodiscard]] Plan plan(double limit) const {
    return plan_case({make_case(limit), scene::make_units(options_.physics.tau), scene::make_geometry(scene_)});
  }
  [[nodiscard]] std::unique_ptr<Solver> solver(double limit) const {
    static const test::Folder folder;
    static KernelCache cache(folder / "kernels");
    auto solver = make_solver({make_case(limit), scene::make_units(options_.physics.tau), scene::make_geometry(scene_)},
                              plan(limit), Device(), cache);
    solver->initialise([&](const Int3& x, double& density, Real3& velocity) {
      const reference::NodeState state = scene_.initial(x);
      density = state.density;
      velocity = state.velocity;
    });
    return solver;
  }
  /// Limits that cut the domain into different numbers of slabs.
  [[nodiscard]] std::vector<double> limits() const {
    const Plan whole = plan(0);
    std::vector<double> limits;
    std::set<int> counts;
    for (const double part : {0.01, 0.2, 0.35, 0.5, 0.6, 0.7, 0.8}) {
      const double limit = (static_cast<double>(whole.total_bytes()) - part * whole.population_bytes) / mebibyte;
      const Plan cut = plan(limit);
      if (!cut.refusal.empty() || !counts.insert(cut.slabs).second) continue;
      EXPECT_GT(cut.slabs, 1);
      EXPECT_LE(cut.total_bytes(), limit * mebibyte);
      limits.push_back(limit);
    }
    EXPECT_GE(counts.size(), 2U);
    return limits;
  }
  [[nodiscard]] std::vector<std::byte> save(const Solver& solver) const {
    return scene::save(solver, Spec::Lattice::Q, sizeof(typename Spec::Format::Storage));
  }
  [[nodiscard]] const scene::Scene& scene() const { return scene_; }

 private:
  scene::Scene scene_;
  fake_cuda::HostKernels host_kernels_;
  scene::Options options_;
};

void compare_measurements(const scene::Scene& s, const Solver& whole, const Solver& cut, bool sums) {
  const Moments a = scene::moments(whole, true), b = scene::moments(cut, true);
  EXPECT_TRUE(a.density == b.density && a.velocity == b.velocity && a.stress == b.stress);
  for (const std::string& name : s.monitored) {
    const auto& names = whole.geometry().surfaces;
    const int surface = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
    const SurfaceForce expected = whole.surface_force(surface, {1.5, -2, 3}),
                       found = cut.surface_force(surface, {1.5, -2, 3});
    EXPECT_TRUE(expected.force == found.force && expected.torque == found.torque) << name;
  }
  for (int k = 0; k < static_cast<int>(s.openings.size()); ++k) {
    EXPECT_EQ(whole.opening_flow(k).flow_rate, cut.opening_flow(k).flow_rate);
    EXPECT_EQ(whole.opening_flow(k).mean_pressure, cut.opening_flow(k).mean_pressure);
  }
  if (!sums) return;
  const Totals expected = whole.totals(), found = cut.totals();
  EXPECT_NEAR(expected.mass, found.mass, 1e-6);
  EXPECT_NEAR(expected.kinetic_energy, found.kinetic_energy, 1e-6);
  EXPECT_EQ(expected.max_speed, found.max_speed);
  EXPECT_EQ(expected.max_speed_node, found.max_speed_node);
  EXPECT_TRUE(found.finite);
}

/// Runs in slabs, of which some are read in between and then loaded again, against a run in one piece.
template <class Spec>
void compare(const scene::Scene& s) {
  SCOPED_TRACE(testing::Message() << s.name << ' ' << Spec::Lattice::name << ' ' << Spec::scheme.name << ' '
                                  << Spec::Format::name);
  const Trial<Spec> trial(s);
  const auto whole = trial.solver(0);
  ASSERT_EQ(whole->plan().slabs, 1);
  const std::vector<std::byte> first = trial.save(*whole);
  whole->step(5);
  const std::vector<std::byte> middle = trial.save(*whole);
  whole->step(4);
  const std::vector<std::byte> last = trial.save(*whole);
  test::expect_fields_on_device(*whole);
  bool sums = true;
  for (const double limit : trial.limits()) {
    const auto cut = trial.solver(limit);
    SCOPED_TRACE(testing::Message() << cut->plan().slabs << " slabs");
    ASSERT_GT(cut->plan().slabs, 1);
    ASSERT_TRUE(trial.save(*cut) == first);
    cut->step(5);
    ASSERT_TRUE(trial.save(*cut) == middle);
    const std::vector<double> memory = scene::save_kept(*cut);
    cut->step(4);
    ASSERT_TRUE(trial.save(*cut) == last);
    compare_measurements(trial.scene(), *whole, *cut, std::exchange(sums, false));
    test::expect_fields_on_device(*cut);
    scene::load(*cut, Spec::Lattice::Q, middle);
    scene::load_kept(*cut, memory);
    cut->resume_at(5);
    cut->step(4);
    ASSERT_TRUE(trial.save(*cut) == last);
    EXPECT_EQ(cut->time_step(), 9);
  }
}

template <class Lattice, class Format, class Body>
void for_each_scheme_that_swaps(Body&& body) {
  [&]<int... k>(std::integer_sequence<int, k...>) {
    const auto one = [&]<int number>(std::integral_constant<int, number>) {
      if constexpr (core::schemes[number].swaps) body(emulation::Spec<Lattice, number, 0, Format, false>{});
    };
    (one(std::integral_constant<int, k>{}), ...);
  }
  (std::make_integer_sequence<int, static_cast<int>(std::size(core::schemes))>());
}

template <class Lattice, class Format>
void compare_all() {
  for_each_scheme_that_swaps<Lattice, Format>([]<class Spec>(Spec) {
    for (const scene::Scene& s : scenes_to_cut(Lattice::D))
      if (!testing::Test::HasFatalFailure()) compare<Spec>(s);
  });
}

TEST(Slabs, HaveTheBitsOfTheWholeInTwoDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_all<core::D2Q9, core::Fp64>();
  compare_all<core::D2Q9, core::Fp32>();
}

TEST(Slabs, HaveTheBitsOfTheWholeInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_all<core::D3Q19, core::Fp32>();
}

/// Steps whose blocks of threads are three rows high, which divides no slab.
template <class Spec>
struct InRows : Spec {
  static constexpr int rows = 3;
  static constexpr bool in_rows = true;
};

template <class Spec>
std::vector<std::byte> stepped(const Trial<Spec>& trial, double limit) {
  const auto solver = trial.solver(limit);
  EXPECT_EQ(solver->plan().slabs > 1, limit > 0);
  solver->step(5);
  return trial.save(*solver);
}

TEST(Slabs, HaveTheBitsOfTheWholeWithBlocksOfSeveralRows) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  for_each_scheme_that_swaps<core::D2Q9, core::Fp64>([]<class Spec>(Spec) {
    for (const scene::Scene& s : scenes_to_cut(2)) {
      SCOPED_TRACE(s.name);
      const std::vector<std::byte> expected = stepped(Trial<Spec>(s), 0);
      const Trial<InRows<Spec>> trial(s);
      EXPECT_TRUE(stepped(trial, 0) == expected);
      for (const double limit : trial.limits()) EXPECT_TRUE(stepped(trial, limit) == expected) << limit << " MiB";
    }
  });
  for_each_scheme_that_swaps<core::D3Q19, core::Fp32>([]<class Spec>(Spec) {
    const scene::Scene s = scenes_to_cut(3).back();
    const std::vector<std::byte> expected = stepped(Trial<Spec>(s), 0);
    const Trial<InRows<Spec>> trial(s);
    for (const double limit : trial.limits()) EXPECT_TRUE(stepped(trial, limit) == expected) << limit << " MiB";
  });
}

TEST(Slabs, TakeWhatWasPlanned) {
  for_each_scheme_that_swaps<core::D2Q9, core::Fp64>([]<class Spec>(Spec) {
    const Trial<Spec> trial(scene::channel({37, 61, 1}));
    (void)trial.plan(0);  // the backend holds on to its GPU from here on
    const int live = fake_cuda_live();
    for (const double limit : trial.limits()) {
      const Plan plan = trial.plan(limit);
      const std::size_t before = Device().free_bytes();
      const auto solver = trial.solver(limit);
      EXPECT_EQ(before - Device().free_bytes(), plan.total_bytes());
      EXPECT_EQ(plan.host_bytes, 9U * 8 * 37 * 61);
      // Every plane goes there and back, and one more there for each slab but the last: that above it.
      EXPECT_EQ(plan.transfer_bytes, 9U * 8 * 37 * (2 * 61 + static_cast<unsigned>(plan.slabs) - 1));
      const auto parts = solver->time_parts(3);
      ASSERT_TRUE(parts);
      EXPECT_EQ(solver->time_step(), 3);
      // By the fake clock: a millisecond for a kernel and for a copy.
      const int copies = 9 * (3 * plan.slabs - 1);
      EXPECT_NEAR(parts->transfer, 1e-3 * copies, 1e-9);
      EXPECT_NEAR(parts->step, 2e-3 * plan.slabs, 1e-9);
      EXPECT_EQ(parts->ghost, 0);
    }
    EXPECT_EQ(fake_cuda_live(), live);
  });
}

TEST(Slabs, AreNotMadeWithoutALimitOrForOtherSchemes) {
  for_each_scheme_that_swaps<core::D2Q9, core::Fp64>([]<class Spec>(Spec) {
    const Trial<Spec> trial(scene::channel({37, 61, 1}));
    EXPECT_EQ(trial.plan(1000).slabs, 1);
    const Plan tight = trial.plan(0.01);
    EXPECT_CONTAINS(tight.refusal, "even for the thinnest slabs, 8 of them, but numerics.memory_limit allows 0.0 MiB");
    Case other = trial.make_case(0.25);
    other.numerics.scheme = "soa-push";
    const Plan refused = plan_case({other, scene::make_units(1), scene::make_geometry(trial.scene())});
    EXPECT_EQ(refused.slabs, 1);
    EXPECT_CONTAINS(refused.refusal, "numerics.memory_limit allows 0");
    EXPECT_CONTAINS(refused.refusal, "in parts that are streamed through the GPU: numerics.scheme = \"auto\"");
  });
}

}  // namespace
}  // namespace fluvia::cuda
