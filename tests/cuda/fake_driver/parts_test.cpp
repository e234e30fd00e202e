// SPDX-License-Identifier: Apache-2.0
// A domain on several GPUs of one process, or in blocks that are streamed through one: all of the solver, the exchange
// and the backend on the fake driver, whose kernels run on the host. The bits are those of one GPU, whatever the number
// of parts, which GPUs they are on, and in which order streams run that no event orders.
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <type_traits>
#include <utility>

#include "cuda/fake_driver/many_gpus.hpp"
#include "cuda/support.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "fluvia/domain/device_exchange.hpp"
#include "fluvia/domain/domain_solver.hpp"
#include "fluvia/domain/peer_exchange.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "support/covering.hpp"
#include "support/program.hpp"
#include "support/specification.hpp"

namespace fluvia::cuda {
namespace {

const std::string by_host = "through host memory", by_peers = "by NCCL",
                  streamed = "streamed blocks: ", apart = "GPUs that do not reach each other: ";

/// Makes what carries messages between parts; null: through host memory.
using MakeExchange = std::function<std::unique_ptr<domain::Exchange>(const std::vector<DeviceBlock*>&)>;

/// Parts on one GPU, as ranks have them: their messages go through host memory if nothing else is said.
std::unique_ptr<Solver> as_ranks(const Case& c, const Units& units, const Geometry& geometry, int parts,
                                 const MakeExchange& make_exchange = {}) {
  static const test::Folder folder;
  static KernelCache cache(folder / "kernels");
  const Plan plan = make_plan({c, units, geometry}, "cuda", 0, {parts, BlockPlace::devices});
  const std::vector<std::uint64_t> cuts = cut_tiles(geometry.nodes, parts);
  std::vector<std::unique_ptr<BlockSolver>> solvers;
  std::vector<DeviceBlock*> on_gpu;
  for (int part = 0; part < parts; ++part) {
    const auto own = std::make_shared<Geometry>(geometry);
    const std::size_t before = Device().free_bytes();
    auto solver = make_block_solver(
        {c, units, *own}, own, plan, Device(), cache,
        make_block(geometry.nodes, plan.flow().lattice->velocities, cuts, part, plan.steps_per_pass), {parts});
    EXPECT_EQ(before - Device().free_bytes(), solver->plan().total_bytes()) << "part " << part;
    if (part > 0) keep_local_part(*own, solver->block());
    on_gpu.push_back(solver.get());
    solvers.push_back(std::move(solver));
  }
  auto exchange = make_exchange ? make_exchange(on_gpu) : nullptr;
  return std::make_unique<domain::DomainSolver>(
      std::make_unique<domain::LocalGroup>(std::move(solvers), std::move(exchange)));
}

/// The exchanges of all ranks, in one process.
class AllPeers final : public domain::Exchange {
 public:
  explicit AllPeers(const std::vector<DeviceBlock*>& parts) {
    const NcclId id = PeerCommunicator::make_id();
    for (DeviceBlock* part : parts)
      peers_.push_back(std::make_unique<domain::PeerExchange>(
          *part, std::make_shared<PeerCommunicator>(part->device(), int(parts.size()), part->block().number, id)));
    for (const auto& peer : peers_) {    // as at the start of a run
      (void)peer->delivery().measure();  // the first messages take longer
      const auto start = std::chrono::steady_clock::now();
      const double seconds = peer->delivery().measure();
      const double elapsed = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      EXPECT_GT(seconds, 0);
      EXPECT_LT(2 * seconds, elapsed);  // of one exchange, of which there were several
      EXPECT_GT(peer->delivery().step_bytes(), 0u);
    }
  }
  void start() override {
    for (const auto& peer : peers_) peer->start();
  }
  void wait() override {
    for (const auto& peer : peers_) peer->wait();
  }

 private:
  std::vector<std::unique_ptr<domain::PeerExchange>> peers_;
};

/// So many blocks that are streamed through one GPU, whatever would fit.
std::unique_ptr<Solver> in_streamed_blocks(const Case& c, const Units& units, const Geometry& geometry, int parts) {
  static const test::Folder folder;
  static KernelCache cache(folder / "kernels");
  Plan plan = make_plan({c, units, geometry}, "cuda");
  PreparedBlocks prepared = prepare_blocks({c, units, geometry}, plan, parts);
  plan_blocks(prepared, writes_between_steps(c), plan);
  EXPECT_EQ(plan.domain.blocks, parts);
  const std::size_t before = Device().free_bytes();
  std::vector<std::unique_ptr<BlockSolver>> solvers;
  std::vector<DeviceBlock*> on_gpu;
  for (auto& part : make_streamed_blocks({c, units, geometry}, plan, Device(), cache, std::move(prepared))) {
    on_gpu.push_back(part.get());
    solvers.push_back(std::move(part));
  }
  EXPECT_EQ(before - Device().free_bytes(), plan.total_bytes());
  auto exchange = std::make_unique<domain::DeviceExchange>(on_gpu);
  return std::make_unique<domain::DomainSolver>(
      std::make_unique<domain::LocalGroup>(std::move(solvers), std::move(exchange)));
}

/// What a snapshot of step 3 tells when the solver has gone on.
template <class Spec>
void expect_kept(const FlowState& kept, const scene::Told& then) {
  EXPECT_EQ(kept.time_step(), 3);
  EXPECT_TRUE(scene::save(kept, Spec::Lattice::Q, sizeof(typename Spec::Format::Storage)) == then.populations);
  const Moments moments = scene::moments(kept, true);
  EXPECT_TRUE(moments.density == then.moments.density && moments.velocity == then.moments.velocity &&
              moments.stress == then.moments.stress);
  EXPECT_TRUE(scene::save_kept(kept) == then.memory);
}

/// On these devices, what one GPU gives: odd numbers of steps, in pieces, and continued from what others saved.
template <class Spec>
void compare(const scene::Scene& s, const std::vector<std::string>& devices) {
  if (devices.empty()) return;
  SCOPED_TRACE(testing::Message() << s.name << ' ' << Spec::Lattice::name << ' ' << Spec::scheme.name << ' '
                                  << Spec::Format::name);
  const ManyGpus<Spec> gpus;
  const auto make = [&](const std::string& device) {
    const bool is_apart = device.starts_with(apart);
    if (is_apart) ::setenv("FAKE_CUDA_PEERS", "0", 1);
    const Case c = case_of<Spec>(s, is_apart                     ? device.substr(apart.size())
                                    : device.starts_with("cuda") ? device
                                                                 : "cuda");
    const Units units = scene::make_units(reference::Physics().tau);
    const Geometry geometry = scene::make_geometry(s);
    const auto peers = [](const std::vector<DeviceBlock*>& parts) { return std::make_unique<AllPeers>(parts); };
    auto solver = device == by_host    ? as_ranks(c, units, geometry, 3)
                  : device == by_peers ? as_ranks(c, units, geometry, 4, peers)
                  : device.starts_with(streamed)
                      ? in_streamed_blocks(c, units, geometry, std::stoi(device.substr(streamed.size())))
                      : fluvia::make_solver({c, units, geometry});
    ::unsetenv("FAKE_CUDA_PEERS");
    scene::initialise(*solver, s);
    return solver;
  };
  constexpr int directions = Spec::Lattice::Q, more = Spec::scheme.is_fused() ? 11 : 4;  // several passes, and a rest
  const auto whole = make("cuda");
  scene::advance(*whole, s, 3);
  const scene::Told middle = scene::ask(*whole, s, directions, Spec::Format::name);
  scene::advance(*whole, s, more);
  const scene::Told expected = scene::ask(*whole, s, directions, Spec::Format::name);
  for (const std::string& device : devices) {
    SCOPED_TRACE(device);
    const auto split = make(device);
    ASSERT_FALSE(split->plan().domain.is_whole());
    scene::advance(*split, s, 1);
    scene::advance(*split, s, 2);
    scene::expect_same(middle, scene::ask(*split, s, directions, Spec::Format::name));
    if (testing::Test::HasFatalFailure()) return;
    const auto kept = split->snapshot();
    ASSERT_EQ(kept != nullptr, !split->plan().domain.is_streamed());
    scene::advance(*split, s, more);
    scene::expect_same(expected, scene::ask(*split, s, directions, Spec::Format::name));
    if (testing::Test::HasFatalFailure()) return;
    if (kept) expect_kept<Spec>(*kept, middle);
    scene::load(*split, directions, middle.populations);
    scene::load_kept(*split, middle.memory);
    split->resume_at(3);
    scene::advance(*split, s, more);
    scene::expect_same(expected, scene::ask(*split, s, directions, Spec::Format::name));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// Steps that parts take as they were recorded: what one GPU gives step by step. From an odd step on, so that those at
/// the begin and the end are not recorded.
template <class Spec>
void compare_recorded(scene::Scene s, const std::vector<std::string>& devices, int recordings = 2) {
  if (norm(s.force) == 0) s.force = {1e-4, 2e-4, 0};
  SCOPED_TRACE(testing::Message() << s.name << ' ' << Spec::Lattice::name << ' ' << Spec::scheme.name);
  const ManyGpus<Spec> gpus;
  const Units units = scene::make_units(reference::Physics().tau);
  const Geometry geometry = scene::make_geometry(s);
  const auto whole = fluvia::make_solver({case_of<Spec>(s, "cuda"), units, geometry});
  scene::initialise(*whole, s);
  const int pass = whole->plan().steps_per_pass, count = (2 * graph_passes + 2) * pass;
  for (int k = 0; k <= count; k += pass) whole->step(pass);
  const scene::Told expected = scene::ask(*whole, s, Spec::Lattice::Q, Spec::Format::name);
  for (const std::string& device : devices) {
    SCOPED_TRACE(device);
    const auto split = fluvia::make_solver({case_of<Spec>(s, device), units, geometry});
    scene::initialise(*split, s);
    const int before = fake_cuda_graphs();
    split->step(pass);
    split->step(count);
    EXPECT_EQ(fake_cuda_graphs() - before, recordings);
    scene::expect_same(expected, scene::ask(*split, s, Spec::Lattice::Q, Spec::Format::name));
  }
}

/// Passes of one GPU have the bits of single steps: those that are recorded, those whose boundaries change, and those
/// that go on from what single steps have left; also what conditions keep.
template <class Spec>
void compare_with_single_steps(const scene::Scene& s) {
  const ManyGpus<Spec> gpus;
  const Units units = scene::make_units(reference::Physics().tau);
  const auto make = [&](int steps_per_pass) {
    Case c = case_of<Spec>(s, "cuda");
    c.numerics.steps_per_pass = steps_per_pass;
    auto solver = fluvia::make_solver({c, units, scene::make_geometry(s)});
    EXPECT_EQ(solver->plan().steps_per_pass, steps_per_pass);
    scene::initialise(*solver, s);
    return solver;
  };
  constexpr int directions = Spec::Lattice::Q, recorded = 17 * Spec::steps + 1;
  const auto ask = [&](const Solver& solver) { return scene::ask(solver, s, directions, Spec::Format::name); };
  const auto passes = make(Spec::steps), single = make(1), resumed = make(Spec::steps);
  for (const int steps : {2 * Spec::steps + 1, recorded, 1, Spec::steps}) {
    scene::advance(*single, s, steps);
    const scene::Told expected = ask(*single);
    scene::advance(*passes, s, steps);
    scene::expect_same(ask(*passes), expected);
    if (testing::Test::HasFatalFailure()) return;
    scene::load(*resumed, directions, scene::save(*single, directions, sizeof(typename Spec::Format::Storage)));
    scene::load_kept(*resumed, expected.memory);
    resumed->resume_at(single->time_step());
  }
  for (Solver* solver : {passes.get(), resumed.get()}) scene::advance(*solver, s, recorded);
  scene::advance(*single, s, recorded);
  for (Solver* solver : {passes.get(), resumed.get()}) {
    scene::expect_same(ask(*solver), ask(*single));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// A fluid as a case begins with it, on these devices: what one GPU gives, which has no halo to set.
template <class Spec>
void compare_begun(const scene::Scene& s, const std::vector<std::string>& devices, const Real3& velocity) {
  SCOPED_TRACE(testing::Message() << s.name << ' ' << Spec::Lattice::name << ' ' << Spec::scheme.name
                                  << (norm(velocity) > 0 ? " moving" : " at rest"));
  const ManyGpus<Spec> gpus;
  const Units units = scene::make_units(reference::Physics().tau);
  const Geometry geometry = scene::make_geometry(s);
  const auto make = [&](const std::string& device) {
    const bool streams = device.starts_with(streamed);
    Case c = case_of<Spec>(s, streams ? "cuda" : device);
    c.physics.initial_velocity = velocity;
    return streams ? in_streamed_blocks(c, units, geometry, std::stoi(device.substr(streamed.size())))
                   : fluvia::make_solver({c, units, geometry});
  };
  const auto whole = make("cuda");
  const int steps = 2 * whole->plan().steps_per_pass;
  constexpr int directions = Spec::Lattice::Q;
  const scene::Told begin = scene::ask(*whole, s, directions, Spec::Format::name);
  whole->step(steps);
  const scene::Told expected = scene::ask(*whole, s, directions, Spec::Format::name);
  for (const std::string& device : devices) {
    SCOPED_TRACE(device);
    const auto split = make(device);
    scene::expect_same(begin, scene::ask(*split, s, directions, Spec::Format::name));
    split->step(steps);
    scene::expect_same(expected, scene::ask(*split, s, directions, Spec::Format::name));
    if (testing::Test::HasFatalFailure()) return;
  }
}

/// With the tile of columns that the solver takes for the conditions of the scene.
template <class Spec>
void compare_in_passes(const scene::Scene& s, const std::vector<std::string>& devices) {
  constexpr bool flat = Spec::Lattice::D == 2;
  using Few = WithTile<Spec, flat ? 120 : 32, flat ? 1 : 9>;
  using Most = WithTile<Spec, flat ? 246 : 32, flat ? 1 : 12>;
  const Case c = case_of<Spec>(s, "cuda");
  const Units units = scene::make_units(reference::Physics().tau);
  const Geometry geometry = scene::make_geometry(s);
  const Plan plan = make_plan({c, units, geometry}, "cuda", 0, {2, BlockPlace::devices});
  EXPECT_EQ(plan.steps_per_pass, flat ? 4 : 2) << s.name;
  const PassRow row = prepare_case({c, units, geometry}, plan).specification.pass;
  const auto compare_in = [&]<class Tiled>(Tiled) {
    if constexpr (sizeof(typename Spec::Format::Storage) > 2) compare_with_single_steps<Tiled>(s);  // else rounds less
    compare<Tiled>(s, devices);
  };
  if (row.width == Few::pass_width && row.depth == Few::pass_depth)
    compare_in(Few{});
  else if (row.width == Most::pass_width && row.depth == Most::pass_depth)
    compare_in(Most{});
  else
    FAIL() << "no kernels here for tiles of " << row.width << " x " << row.depth;
}

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
    if (!scheme.cuda || scheme.half || is_splittable(scheme)) continue;
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
