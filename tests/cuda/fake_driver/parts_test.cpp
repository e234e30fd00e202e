// SPDX-License-Identifier: Apache-2.0
// A domain on several GPUs of one process, or in blocks that are streamed through one: all of the solver, the exchange
// and the backend on the fake driver, whose kernels run on the host. The bits are those of one GPU, whatever the number
// of parts, which GPUs they are on, and in which order streams run that no event orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <type_traits>
#include <utility>

#include "cuda/fake_driver/compare_parts.hpp"
#include "support/covering.hpp"
#include "support/program.hpp"
#include "support/specification.hpp"

namespace fluvia::cuda {
namespace {

/// Domains cut where rows of tiles begin and inside of them, across a periodic end, with and without solid nodes.
std::vector<scene::Scene> scenes_to_cut(int dimension, const test::Folder& folder) {
  const Int3 size = dimension == 2 ? Int3{39, 43, 1} : Int3{14, 9, 19};
  const scene::Scene pulsating = scene::quiet(scene::pulsating_channel(size, folder / "flow.csv"), 4.5);
  std::vector<scene::Scene> scenes =
      dimension == 2 ? std::vector<scene::Scene>{scene::channel({37, 41, 1}), scene::slippery({21, 43, 1}),
                                                 scene::open_box({35, 40, 1}), pulsating}
                     : std::vector<scene::Scene>{scene::channel({13, 7, 17}), scene::porous({21, 5, 24}), pulsating};
  for (const scene::Scene& s : {scene::sheet_scenes(dimension).front(), scene::turbulent_channel(size)})
    scenes.push_back(scene::without_mirrors(s));
  for (scene::Scene& s : scenes) s.force = norm(s.force) == 0 ? Real3{1e-4, 2e-4, 0} : s.force;  // the kernels have one
  return scenes;
}

bool has_mirrors(const scene::Scene& s) {
  const auto mirrors = s.mirrors();
  return std::find(mirrors.begin(), mirrors.end(), true) != mirrors.end();
}

template <int... k>
std::vector<int> scheme_numbers(testing::Types<std::integral_constant<int, k>...>) {
  return {k...};
}

/// By scene, on which devices scheme number k has it: each pair of scheme, scene and devices.
std::vector<std::vector<std::string>> drawn_devices(const std::vector<scene::Scene>& scenes, int k) {
  std::vector<std::string> devices = {"cuda:0,1",           "cuda:all", "cuda:1,0,2,2,1",
                                      apart + "cuda:0,1,2", by_host,    by_peers};
  for (const char* parts : {"2", "3", "5"}) devices.push_back(streamed + parts);
  std::vector<std::size_t> numbers(scenes.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  // Beside planes of symmetry no blocks are streamed, and no passes, for which the planes go. Beside sheets neither.
  const auto allowed = [&](int scheme, std::size_t number, const std::string& device) {
    if (scenes[number].sheet_of) return !device.starts_with(streamed) && !core::schemes[scheme].is_fused();
    return !device.starts_with(streamed) || !has_mirrors(scenes[number]) || core::schemes[scheme].is_fused();
  };
  std::vector<std::vector<std::string>> result(scenes.size());
  for (const auto& [scheme, number, device] : test::covering(allowed, scheme_numbers(Numbers()), numbers, devices))
    if (scheme == k) result[number].push_back(device);
  return result;
}

template <class Lattice, int k, class Format, bool random = false>
void compare_scenes() {
  constexpr bool compact = core::schemes[k].is_compact();
  const test::Folder folder;
  const std::vector<scene::Scene> scenes = scenes_to_cut(Lattice::D, folder);
  const std::vector<std::vector<std::string>> drawn = drawn_devices(scenes, k);
  for (std::size_t number = 0; number < scenes.size(); ++number) {
    const scene::Scene& s = scenes[number];
    const std::vector<std::string>& devices = drawn[number];
    const Int3 shape = tile_shape(Lattice::D);
    bool cut = false;
    for (int axis = 0; axis < 3; ++axis) cut = cut || (s.periodic[axis] && s.size[axis] % shape[axis] != 0);
    if (devices.empty()) continue;
    if constexpr (core::schemes[k].is_fused())
      compare_in_passes<emulation::Spec<Lattice, k, 0, Format, false, random>>(scene::without_mirrors(s), devices);
    else if (cut && compact)
      compare<emulation::Spec<Lattice, k, 0, Format, compact, random>>(s, devices);
    else
      compare<emulation::Spec<Lattice, k, 0, Format, false, random>>(s, devices);
    if (testing::Test::HasFatalFailure()) return;
  }
}

template <class Number>
class GpuParts : public testing::Test {};
TYPED_TEST_SUITE(GpuParts, Numbers, SchemeName);

TYPED_TEST(GpuParts, HaveTheBitsOfOneGpuInTwoDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_scenes<core::D2Q9, TypeParam::value, core::Fp64>();
}

/// Schemes take turns with 32 and 16 bits, each of which are kernels of their own: dear to compile. Passes have 32:
/// they round 16 bits once for several steps, which begin elsewhere where steps are taken in pieces.
TYPED_TEST(GpuParts, HaveTheBitsOfOneGpuInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  constexpr bool rounds = TypeParam::value % 2 == 1 && !core::schemes[TypeParam::value].is_fused();
  using Format = std::conditional_t<rounds, core::Fp16S, core::Fp32>;
  compare_scenes<core::D3Q19, TypeParam::value, Format>();
}

TYPED_TEST(GpuParts, HaveTheBitsOfOneGpuInRecordedSteps) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  constexpr int k = TypeParam::value;
  constexpr bool is_cut = core::schemes[k].is_compact();
  using Spec = emulation::Spec<core::D2Q9, k, 0, core::Fp64, is_cut>;
  const scene::Scene s = scene::channel({37, 41, 1});
  if constexpr (core::schemes[k].is_fused())
    compare_recorded<WithTile<Spec, 120, 1>>(s, {"cuda:0,1,2"});
  else
    compare_recorded<Spec>(s, {"cuda:0,1", "cuda:1,0,2,2,1"});
}

TYPED_TEST(GpuParts, BeginAsOneGpuDoes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  constexpr int k = TypeParam::value;
  constexpr bool is_cut = core::schemes[k].is_compact();
  using Spec = emulation::Spec<core::D2Q9, k, 0, core::Fp64, is_cut>;
  scene::Scene s = scene::without_mirrors(scene::porous({37, 90, 1}));
  s.force = {1e-4, 2e-4, 0};
  for (const Real3& velocity : {Real3{0.03, -0.02, 0}, Real3{}}) {
    if constexpr (core::schemes[k].is_fused())
      compare_begun<WithTile<Spec, 120, 1>>(s, {"cuda:0,1,2", streamed + "3"}, velocity);
    else
      compare_begun<Spec>(s, {"cuda:0,1", "cuda:1,0,2,2,1", streamed + "3"}, velocity);
  }
}

/// Passes round by the random bits of their last step, at the places that nodes have in the whole box.
TEST(GpuPasses, RoundAtRandomAsThoseOfOneGpu) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  constexpr auto fused = std::ranges::find_if(core::schemes, [](const core::Scheme& s) { return s.is_fused(); });
  compare_scenes<core::D2Q9, static_cast<int>(fused - std::begin(core::schemes)), core::Fp16S, true>();
}

/// Keys of random bits are those of the steps that a recording is replayed for.
TEST(RecordedSteps, RoundAtRandomAsThoseOfOneGpu) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_recorded<emulation::Spec<core::D2Q9, 0, 0, core::Fp16S, false, true>>(scene::channel({37, 41, 1}),
                                                                                {"cuda:0,1,2"});
}

TEST(RecordedSteps, AreQueuedOneByOneWhereTheDriverRefuses) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  for (const char* call : {"cuStreamBeginCapture", "cuStreamEndCapture", "cuGraphInstantiateWithFlags"}) {
    ::setenv("FAKE_CUDA_FAIL", (std::string(call) + "=801").c_str(), 1);
    compare_recorded<emulation::Spec<core::D2Q9, 0, 0, core::Fp64, false>>(scene::channel({37, 41, 1}), {"cuda:0,1"},
                                                                           0);
  }
  ::unsetenv("FAKE_CUDA_FAIL");
}

/// Kernels pack straight into the memory of GPUs that are reached; streamed blocks, and others, copy.
TEST(SharedGpus, CopyWhatCannotBePackedThere) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D2Q9, 0, 0, core::Fp64, false>;
  const ManyGpus<Spec> gpus;
  const scene::Scene s = scene::porous({21, 64, 1});
  const Case c = case_of<Spec>(s, "cuda");
  const Units units = scene::make_units(1);
  const auto shared = std::make_shared<const Geometry>(scene::make_geometry(s));
  const test::Folder folder;
  KernelCache cache(folder / "kernels");
  const Plan plan = make_plan({c, units, *shared}, "cuda", 0, {3, BlockPlace::devices});
  const std::vector<std::uint64_t> cuts = cut_tiles(shared->nodes, 3);
  for (const bool reach : {true, false}) {
    ::setenv("FAKE_CUDA_PEERS", reach ? "1" : "0", 1);
    std::vector<std::unique_ptr<DeviceBlock>> parts;
    std::vector<DeviceBlock*> pointers;
    for (const int part : {0, 1, 2}) {
      parts.push_back(make_block_solver({c, units, *shared}, shared, plan, Device(part == 2 ? 1 : 0), cache,
                                        make_block(shared->nodes, plan.flow().lattice->velocities, cuts, part), {2}));
      pointers.push_back(parts.back().get());
    }
    // Neighbours 0 and 1 are on one GPU, 1 and 2 on two.
    EXPECT_EQ(domain::DeviceExchange(pointers).copies(), reach ? 0U : 2U);
  }
  ::unsetenv("FAKE_CUDA_PEERS");
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
  const auto with = as_ranks(c, units, scene::make_geometry(s), 3),
             without = as_ranks(c, units, scene::make_geometry(s), 3,
                                [](const auto&) { return std::make_unique<NoExchange>(); });
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
    if (!scheme.cuda || scheme.half || !scheme.uses_index_map()) continue;
    physics.collision = test::collision_for(scheme, physics.lattice);
    SCOPED_TRACE(scheme.name);
    ::setenv("FAKE_CUDA_DEVICES", "2", 1);
    EXPECT_CONTAINS(test::error_of(ExitCode::input,
                                   [&] {
                                     scene::make_solver(s, {physics, scheme.name, "fp32", 1, "cuda:0,1"});
                                   }),
                    "does not run on several ranks or GPUs; use pull, fused, ");
    ::unsetenv("FAKE_CUDA_DEVICES");
  }
}

}  // namespace
}  // namespace fluvia::cuda
