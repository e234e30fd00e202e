// SPDX-License-Identifier: Apache-2.0
// A domain on several GPUs of one process: all of the solver, the exchange and the backend on the fake driver, whose
// kernels run on the host. The bits are those of one GPU, whatever the number of parts, and which GPUs they are on.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "cuda/emulation/spec.hpp"
// After what emulates the surroundings of kernels.
#include "cuda/fake_driver/host_kernel.hpp"
#include "cuda/support.hpp"
#include "domain/told.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/cuda/kernels/crossings.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "fluvia/domain/split_solver.hpp"
#include "fluvia/solver/cut_links.hpp"
#include "support/program.hpp"

namespace fluvia::cuda {
namespace {

/// Several GPUs, with kernels of a scheme that runs on parts.
template <class Spec>
class ManyGpus {
 public:
  ManyGpus() {
    ::setenv("FAKE_CUDA_DEVICES", "3", 1);
    append<0>();
    if constexpr (Spec::Streaming::parities == 2) append<1>();
    fake_cuda_bring(&kernels_);
  }
  ~ManyGpus() {
    fake_cuda_bring(nullptr);
    ::unsetenv("FAKE_CUDA_DEVICES");
  }
  ManyGpus(const ManyGpus&) = delete;
  ManyGpus& operator=(const ManyGpus&) = delete;

 private:
  template <int parity>
  void append() {
    using namespace kernels;
    using fake_cuda::host_kernel;
    constexpr bool compact = Spec::scheme.is_compact();
    using Storage = std::conditional_t<compact, CompactStorage<Spec, parity>, DenseStorage<Spec, parity>>;
    using Box = std::conditional_t<compact, CompactTiles, DenseBox>;
    const char* const p = parity == 0 ? "Li0E" : "Li1E";
    if constexpr (Spec::scheme.is_sliding())
      kernels_.push_back(host_kernel<true>("12step_sliding", step_sliding<Spec>));
    else if constexpr (compact)
      kernels_.push_back(host_kernel<true>("12step_compact", step_compact<Spec, parity>, p));
    else
      kernels_.push_back(host_kernel<false>("10step_dense", step_dense<Spec, parity>, p));
    if constexpr (Spec::scheme.is_fused()) kernels_.push_back(host_kernel<true>("10pass_dense", pass_dense<Spec>));
    kernels_.push_back(host_kernel<compact>("19complete_boundaries", complete_boundaries<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("7moments", moments<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<true>("9sum_tiles", sum_tiles<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<true>("9sum_links", sum_links<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("14save_direction", save_direction<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("14load_direction", load_direction<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("17place_equilibrium", place_equilibrium<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("16unpack_crossings", unpack_crossings<Spec, Storage, Box>, p));
    kernels_.push_back(host_kernel<compact>("14pack_crossings", pack_crossings<Spec, Storage, Box>, p));
  }

  fake_cuda::HostKernels kernels_;
};

const std::string by_host = "through host memory";

/// Parts on one GPU whose messages go through host memory, as between ranks.
std::unique_ptr<Solver> through_host(const Case& c, const Units& units, const Geometry& geometry, int parts,
                                     std::unique_ptr<domain::Exchange> exchange = nullptr) {
  static const test::Folder folder;
  static KernelCache cache(folder / "kernels");
  const Plan plan = make_plan(c, units, geometry, "cuda", 0, parts);
  const std::vector<std::uint64_t> cuts = cut_tiles(geometry.nodes, parts);
  std::vector<std::unique_ptr<PartSolver>> solvers;
  for (int part = 0; part < parts; ++part) {
    const std::size_t before = Device().free_bytes();
    solvers.push_back(make_part(
        c, units, geometry, plan, Device(), cache,
        make_subdomain(geometry.nodes, lattice_velocities(plan.lattice), cuts, part, plan.steps_per_pass), {parts}));
    EXPECT_EQ(before - Device().free_bytes(), solvers.back()->plan().total_bytes()) << "part " << part;
  }
  return std::make_unique<domain::SplitSolver>(
      std::make_unique<domain::LocalTeam>(std::move(solvers), std::move(exchange)), parts);
}

/// The case of a scene for kernels of a specification.
template <class Spec>
Case case_of(const scene::Scene& s, const std::string& device) {
  reference::Physics physics;
  physics.lattice = Spec::Lattice::name;
  physics.collision = Spec::Collision::name;
  scene::Options options{physics, Spec::scheme.name, Spec::Format::name, 1, device};
  options.rounding = sizeof(typename Spec::Format::Storage) != 2 ? "auto" : Spec::stochastic ? "stochastic" : "nearest";
  Case c = scene::make_case(s, options);
  c.numerics.gpu_threads = Spec::threads;  // what the kernels here were made for
  c.output.every = 10;                     // so that there are snapshots
  return c;
}

/// On these devices, what one GPU gives: odd numbers of steps, in pieces, and continued from what others saved.
template <class Spec>
void compare(const scene::Scene& s, const std::vector<std::string>& devices) {
  SCOPED_TRACE(testing::Message() << s.name << ' ' << Spec::Lattice::name << ' ' << Spec::scheme.name << ' '
                                  << Spec::Format::name);
  const ManyGpus<Spec> gpus;
  const auto make = [&](const std::string& device) {
    const Case c = case_of<Spec>(s, device == by_host ? "cuda" : device);
    const Units units = scene::make_units(reference::Physics().tau);
    const Geometry geometry = scene::make_geometry(s);
    auto solver = device == by_host ? through_host(c, units, geometry, 3) : fluvia::make_solver(c, units, geometry);
    scene::initialise(*solver, s);
    return solver;
  };
  constexpr int directions = Spec::Lattice::Q, more = Spec::scheme.is_fused() ? 11 : 4;  // several passes, and a rest
  const auto whole = make("cuda");
  whole->step(3);
  const scene::Told middle = scene::ask(*whole, s, directions, Spec::Format::name);
  whole->step(more);
  const scene::Told expected = scene::ask(*whole, s, directions, Spec::Format::name);
  for (const std::string& device : devices) {
    SCOPED_TRACE(device);
    const auto split = make(device);
    ASSERT_GT(split->plan().parts, 1);
    split->step(1);
    split->step(2);
    scene::expect_same(middle, scene::ask(*split, s, directions, Spec::Format::name));
    if (testing::Test::HasFatalFailure()) return;
    const auto kept = split->snapshot();
    ASSERT_NE(kept, nullptr);
    split->step(more);
    scene::expect_same(expected, scene::ask(*split, s, directions, Spec::Format::name));
    if (testing::Test::HasFatalFailure()) return;
    EXPECT_EQ(kept->time_step(), 3);
    EXPECT_TRUE(scene::save(*kept, directions, sizeof(typename Spec::Format::Storage)) == middle.populations);
    const Moments then = scene::moments(*kept, true);
    EXPECT_TRUE(then.density == middle.moments.density && then.velocity == middle.moments.velocity &&
                then.stress == middle.moments.stress);
    EXPECT_TRUE(kept->condition_memory() == middle.memory);
    scene::load(*split, directions, middle.populations);
    split->set_condition_memory(middle.memory);
    split->resume_at(3);
    split->step(more);
    scene::expect_same(expected, scene::ask(*split, s, directions, Spec::Format::name));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Kernels of passes for another tile of columns.
template <class Base, int width, int depth>
struct WithTile : Base {
  static constexpr int pass_width = width, pass_depth = depth;
};

/// With the tile of columns that the solver takes for the conditions of the scene.
template <class Spec>
void compare_in_passes(const scene::Scene& s, const std::vector<std::string>& devices) {
  constexpr bool flat = Spec::Lattice::D == 2;
  using Few = WithTile<Spec, flat ? 120 : 32, flat ? 1 : 20>;
  using Most = WithTile<Spec, flat ? 246 : 32, flat ? 1 : 12>;
  const Case c = case_of<Spec>(s, "cuda");
  const Units units = scene::make_units(reference::Physics().tau);
  const Geometry geometry = scene::make_geometry(s);
  const Plan plan = make_plan(c, units, geometry, "cuda", 0, 2);
  EXPECT_EQ(plan.steps_per_pass, s.name == "slippery" ? 1 : flat ? 4 : 2) << s.name;
  const PassRow row = prepare_case(c, units, geometry, plan).specification.pass;
  if (plan.steps_per_pass == 1 || (row.width == Few::pass_width && row.depth == Few::pass_depth))
    compare<Few>(s, devices);
  else if (row.width == Most::pass_width && row.depth == Most::pass_depth)
    compare<Most>(s, devices);
  else
    FAIL() << "no kernels here for tiles of " << row.width << " x " << row.depth;
}

/// Domains cut where rows of tiles begin and inside of them, across a periodic end, with and without solid nodes.
template <class Lattice, int k, class Format>
void compare_scenes() {
  constexpr bool compact = core::schemes[k].is_compact();
  const std::vector<scene::Scene> scenes =
      Lattice::D == 2 ? std::vector<scene::Scene>{scene::channel({37, 41, 1}), scene::slippery({21, 43, 1}),
                                                  scene::open_box({35, 40, 1})}
                      : std::vector<scene::Scene>{scene::channel({13, 7, 17}), scene::porous({21, 5, 24})};
  for (scene::Scene s : scenes) {
    if (norm(s.force) == 0) s.force = {1e-4, 2e-4, 0};  // the kernels here have one
    const Int3 shape = tile_shape(Lattice::D);
    bool cut = false;
    for (int axis = 0; axis < 3; ++axis) cut = cut || (s.periodic[axis] && s.size[axis] % shape[axis] != 0);
    const std::vector<std::string> devices = {"cuda:0,1", "cuda:all", "cuda:1,0,2,2,1", by_host};
    if constexpr (core::schemes[k].is_fused())
      compare_in_passes<emulation::Spec<Lattice, k, 0, Format, false>>(s, devices);
    else if (cut && compact)
      compare<emulation::Spec<Lattice, k, 0, Format, compact>>(s, devices);
    else
      compare<emulation::Spec<Lattice, k, 0, Format, false>>(s, devices);
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Numbers of the schemes that run in parts.
constexpr bool is_splittable(const core::Scheme& scheme) {
  return scheme.cuda && !scheme.has_sites();
}
constexpr int splittable_schemes = static_cast<int>(std::ranges::count_if(core::schemes, is_splittable));
constexpr int scheme_number(int wanted) {
  int k = 0;
  while (!is_splittable(core::schemes[k]) || wanted-- > 0) ++k;
  return k;
}
template <int... k>
testing::Types<std::integral_constant<int, scheme_number(k)>...> all_of(std::integer_sequence<int, k...>);
using Numbers = decltype(all_of(std::make_integer_sequence<int, splittable_schemes>()));

struct SchemeName {
  template <class Number>
  static std::string GetName(int) {
    return test::test_name(core::schemes[Number::value].name);
  }
};

template <class Number>
class GpuParts : public testing::Test {};
TYPED_TEST_SUITE(GpuParts, Numbers, SchemeName);

TYPED_TEST(GpuParts, HaveTheBitsOfOneGpuInTwoDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_scenes<core::D2Q9, TypeParam::value, core::Fp64>();
}

TYPED_TEST(GpuParts, HaveTheBitsOfOneGpuInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_scenes<core::D3Q19, TypeParam::value, core::Fp32>();
}

TYPED_TEST(GpuParts, HaveTheBitsOfOneGpuInSixteenBits) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_scenes<core::D2Q9, TypeParam::value, core::Fp16S>();
}

/// What these tests would show if messages got lost.
class NoExchange final : public domain::Exchange {
  void start() override {}
  void wait() override {}
};

TEST(SharedGpus, DifferWithoutAnExchange) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D2Q9, 0, 0, core::Fp64, false>;
  const ManyGpus<Spec> gpus;
  const scene::Scene s = scene::channel({37, 41, 1});
  reference::Physics physics;
  physics.lattice = "D2Q9";
  Case c = scene::make_case(s, {physics, Spec::scheme.name, "fp64", 1, "cuda"});
  c.numerics.gpu_threads = Spec::threads;
  const Units units = scene::make_units(physics.tau);
  const auto with = through_host(c, units, scene::make_geometry(s), 3),
             without = through_host(c, units, scene::make_geometry(s), 3, std::make_unique<NoExchange>());
  for (Solver* solver : {with.get(), without.get()}) {
    scene::initialise(*solver, s);
    solver->step(1);
  }
  EXPECT_FALSE(scene::save(*with, 9, 8) == scene::save(*without, 9, 8));
}

TEST(SharedGpus, AreRefusedForOtherSchemes) {
  const scene::Scene s = scene::channel({37, 41, 1});
  reference::Physics physics;
  physics.lattice = "D2Q9";
  for (const core::Scheme& scheme : core::schemes) {
    if (!scheme.cuda || scheme.half || !scheme.has_sites()) continue;
    SCOPED_TRACE(scheme.name);
    ::setenv("FAKE_CUDA_DEVICES", "2", 1);
    try {
      scene::make_solver(s, {physics, scheme.name, "fp32", 1, "cuda:0,1"});
      ADD_FAILURE() << "it ran";
    } catch (const Error& e) {
      EXPECT_EQ(e.code(), ExitCode::input);
      EXPECT_CONTAINS(std::string(e.what()), "does not run on several ranks or GPUs; use pull, fused, aa");
    }
    ::unsetenv("FAKE_CUDA_DEVICES");
  }
}

}  // namespace
}  // namespace fluvia::cuda
