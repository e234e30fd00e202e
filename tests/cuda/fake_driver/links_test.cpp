// SPDX-License-Identifier: Apache-2.0
// Cut links that change while a flow runs on a GPU: all of the solver on the fake driver, whose kernels run on the
// host.
#include <gtest/gtest.h>

#include <algorithm>

#include "cuda/fake_driver/many_gpus.hpp"
#include "cuda/support.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "reference/moved_links.hpp"
#include "support/program.hpp"

namespace fluvia::cuda {
namespace {

constexpr double tau = 0.7;

/// The first scheme of single steps that is of some kind.
template <class IsOfKind>
constexpr int first_scheme(const IsOfKind& is_of_kind) {
  int k = 0;
  while (!is_splittable(core::schemes[k]) || core::schemes[k].is_fused() || !is_of_kind(core::schemes[k])) ++k;
  return k;
}
constexpr int dense = first_scheme([](const core::Scheme&s) { return !s.is_compact(); }),
              compact = first_scheme([](const core::Scheme&s) { return s.is_compact() && !s.is_sliding(); }),
              sliding = first_scheme([](const core::Scheme&s) { return s.is_sliding(); });

template <class Lattice, int k, class Format, core::WallRule rule>
void compare(int steps = 5) {
  using Spec = emulation::Spec<Lattice, k, 0, Format, false, false, rule>;
  const ManyGpus<Spec> gpus;
  scene::Scene s = scene::stray_bodies(Lattice::D, "moving_wall", rule != core::WallRule::half_way);
  s.force = {1e-4, -2e-4, 0};  // which the kernels here have
  scene::compare_moved({s, case_of<Spec>(s, "cuda"), tau}, Lattice::Q, Format::name, steps);
}

TEST(LinksOnAGpu, HaveTheBitsOfAFreshSolverWhenTheyMove) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare<core::D2Q9, dense, core::Fp64, core::WallRule::half_way>(2 * graph_passes + 1);  // recorded, and some more
  compare<core::D2Q9, compact, core::Fp64, core::WallRule::interpolated>();
  compare<core::D3Q19, sliding, core::Fp32, core::WallRule::interpolated>();
}

/// A solver takes what its links need at first, and a quarter more once they have become more.
TEST(LinksOnAGpu, TakeRoomWhenTheyBecomeMore) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D2Q9, dense, 0, core::Fp64, false, false>;
  const ManyGpus<Spec> gpus;
  scene::Scene s = scene::stray_bodies(2, "moving_wall", false);
  s.force = {1e-4, -2e-4, 0};
  const scene::MovedLinks moved(s, case_of<Spec>(s, "cuda"), tau);
  const std::size_t before = Device().free_bytes();
  const auto solver = moved.solver(moved.before);
  EXPECT_EQ(before - Device().free_bytes(), solver->plan().total_bytes());
  LinkTable table(moved.problem(moved.before), Spec::Lattice::name);
  table.replace(moved.tiles, table.links_of(moved.tiles));
  scene::take(*solver, table);
  EXPECT_EQ(before - Device().free_bytes(), solver->plan().total_bytes());
  table.replace(moved.tiles, moved.links(moved.after));
  scene::take(*solver, table);
  const std::size_t grown = Device().free_bytes();
  EXPECT_GT(before - grown, solver->plan().total_bytes());
  EXPECT_LT(before - grown, solver->plan().total_bytes() + solver->plan().boundary_bytes);
  table.replace(moved.tiles, moved.links(moved.before));
  scene::take(*solver, table);
  EXPECT_EQ(Device().free_bytes(), grown);
}

TEST(LinksOnAGpu, StayInPassesAndParts) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D2Q9, dense, 0, core::Fp64, false, false>;
  const ManyGpus<Spec> gpus;
  scene::Scene s = scene::stray_bodies(2, "moving_wall", false);
  s.force = {1e-4, -2e-4, 0};
  const Case c = case_of<Spec>(s, "cuda");
  const scene::MovedLinks moved(s, c, tau);
  LinkTable table(moved.problem(moved.before), Spec::Lattice::name);
  table.replace(moved.tiles, moved.links(moved.after));
  const test::Folder folder;
  KernelCache cache(folder / "kernels");
  const Plan plan = make_plan(moved.problem(moved.before), "cuda", 0, {2, BlockPlace::devices});
  const auto part = make_block_solver(moved.problem(moved.before), std::make_shared<const Geometry>(moved.before), plan,
                                      Device(), cache,
                                      make_block(moved.before.nodes, plan.flow().lattice->velocities,
                                                 cut_tiles(moved.before.nodes, 2), 0, plan.steps_per_pass),
                                      {2});
  EXPECT_CONTAINS(test::error_of(ExitCode::input, [&] { part->take_links(table); }), "one GPU");
}

}  // namespace
}  // namespace fluvia::cuda
