// SPDX-License-Identifier: Apache-2.0
// What a domain in parts on GPUs of the fake driver tells, to the last bit, beside what one GPU does.
#pragma once
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cuda/fake_driver/many_gpus.hpp"
#include "cuda/support.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "fluvia/domain/device_exchange.hpp"
#include "fluvia/domain/domain_solver.hpp"
#include "fluvia/domain/peer_exchange.hpp"
#include "fluvia/solver/links/cut_links.hpp"
#include "fluvia/solver/plan/passes.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "support/program.hpp"

namespace fluvia::cuda {

inline const std::string by_host = "through host memory", by_peers = "by NCCL",
                         streamed = "streamed blocks: ", apart = "GPUs that do not reach each other: ";

/// Makes what carries messages between parts; null: through host memory.
using MakeExchange = std::function<std::unique_ptr<domain::Exchange>(const std::vector<DeviceBlock*>&)>;

/// Parts on one GPU, as ranks have them: their messages go through host memory if nothing else is said.
inline std::unique_ptr<Solver> as_ranks(const Case& c, const Units& units, const Geometry& geometry, int parts,
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
    auto solver = make_block_solver({c, units, *own}, own, plan, Device(), cache,
                                    make_block(geometry.nodes, plan.flow().lattice->velocities, cuts, part,
                                               plan.steps_per_pass, what_crosses(*plan.scheme)),
                                    {parts});
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
inline std::unique_ptr<Solver> in_streamed_blocks(const Case& c, const Units& units, const Geometry& geometry,
                                                  int parts) {
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
  const auto go_on = [&](Solver& solver) {
    scene::load(solver, directions, middle.populations);
    scene::load_kept(solver, middle.memory);
    solver.resume_at(3);
    scene::advance(solver, s, more);
    return scene::ask(solver, s, directions, Spec::Format::name);
  };
  // Moments that are found of saved populations may differ in last bits from those that led to them.
  const scene::Told resumed = Spec::scheme.keeps_moments() ? go_on(*whole) : expected;
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
    scene::expect_same(resumed, go_on(*split));
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

}  // namespace fluvia::cuda
