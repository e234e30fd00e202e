// SPDX-License-Identifier: Apache-2.0
// Scalars beside a flow on a GPU: all of the solver on the fake driver, whose kernels run on the host, against the
// CPU's scalars, which follow the oracle: populations to round-off with every scheme of users, whether steps are
// recorded or not, and after restarts, bit by bit.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cuda/fake_driver/many_gpus.hpp"
#include "cuda/scalars/scalar_channel.hpp"
#include "cuda/scalars/scalar_kernels.hpp"
#include "fluvia/cuda/runtime/device.hpp"
#include "fluvia/cuda/solver/cuda_solver.hpp"
#include "fluvia/domain/domain_solver.hpp"
#include "fluvia/solver/scalars/solid_neighbours.hpp"
#include "support/program.hpp"

namespace fluvia::cuda {
namespace {

template <class Spec>
class ScalarGpus : public ManyGpus<Spec> {
 public:
  ScalarGpus() { append_scalar_kernels<Spec>(this->kernels_); }
};

template <class Spec>
Case channel(const std::string& device, bool changes = false, bool solids = false) {
  test::ScalarChannel channel;
  channel.solids = solids;
  channel.changes = changes;
  channel.dimension = Spec::Lattice::D;
  channel.collision = Spec::Collision::name;
  channel.scheme = Spec::scheme.name;
  channel.format = Spec::Format::name;
  channel.walls = Spec::walls == core::WallRule::half_way ? "half-way" : "interpolated";
  channel.gpu_threads = Spec::threads;
  return channel.on(device);
}

template <class Spec>
void compare(double tolerance, bool changes = false, bool solids = false) {
  SCOPED_TRACE(testing::Message() << Spec::Lattice::name << ' ' << Spec::scheme.name << ' ' << Spec::Format::name
                                  << (solids ? " with solids" : ""));
  const auto on_cpu = test::make_solver_of(channel<Spec>("cpu", changes, solids));
  const ScalarGpus<Spec> gpus;
  const Case c = channel<Spec>("cuda", changes, solids);
  const std::size_t before = Device().free_bytes();
  const auto solver = test::make_solver_of(c);
  EXPECT_EQ(before - Device().free_bytes(), solver->plan().total_bytes());
  EXPECT_EQ(solver->plan().device, "cuda");
  EXPECT_EQ(solver->plan().steps_per_pass, 1);
  EXPECT_LT(test::difference(*solver, *on_cpu), tolerance) << "at the start";
  for (int k = 0; k < 3; ++k) {  // one by one
    solver->step(1);
    on_cpu->step(1);
    EXPECT_LT(test::difference(*solver, *on_cpu), tolerance) << "after step " << k;
  }
  test::compare_readings(*solver, *on_cpu, tolerance);
  const std::vector<std::byte> middle = test::saved(*solver);
  const std::vector<std::string>& surfaces = solver->geometry().surfaces;
  const auto post = static_cast<int>(std::find(surfaces.begin(), surfaces.end(), "post") - surfaces.begin());
  for (Solver* const each : {solver.get(), on_cpu.get()}) each->apply(ScalarValue{0, post, 5});
  const int graphs = fake_cuda_graphs();
  solver->step(19);  // in recordings where places repeat
  on_cpu->step(19);
  EXPECT_EQ(fake_cuda_graphs() > graphs, !changes) << "what changes is told before every step";
  EXPECT_LT(test::difference(*solver, *on_cpu), 10 * tolerance);
  test::compare_readings(*solver, *on_cpu, 10 * tolerance);
  const std::vector<std::byte> end = test::saved(*solver);
  for (const int parity : {0, 1}) {
    const auto again = test::make_solver_of(c);
    again->step(parity);
    test::load(*again, middle);
    again->resume_at(3);
    again->apply(ScalarValue{0, post, 5});
    again->step(18);
    again->step(1);
    EXPECT_TRUE(test::saved(*again) == end) << "resumed";
  }
}

/// What a solver tells of its scalars but for sums over nodes, and of the flow that they drive.
struct Told {
  std::vector<std::byte> numbers;
  std::vector<double> scalars, passed;
};
Told ask(const Solver& solver) {
  Told told{test::saved(solver), {}, {}};
  Moments moments;
  solver.moments(0, solver.geometry().nodes.tiles.size(), false, moments);
  told.scalars = moments.scalars;
  for (std::size_t k = 0; k < solver.plan().scalars.size(); ++k)
    for (int surface = 0; surface < static_cast<int>(solver.geometry().surfaces.size()); ++surface)
      for (const bool from_solid : {false, true}) {
        const ScalarPassage p = solver.scalar_passage(k, surface, from_solid);
        told.passed.insert(told.passed.end(), {p.rate, p.area});
      }
  for (std::size_t k = 0; k < solver.plan().scalars.size(); ++k) {
    for (int solid = 0; solid < static_cast<int>(solver.plan().scalars[k].solids.size()); ++solid) {
      const ScalarSummary s = solver.scalar_summary(k, solid);
      told.passed.insert(told.passed.end(), {s.mean, s.least, s.most, s.content, s.source, s.volume});
    }
    test::for_each_position(solver.geometry().nodes.size, [&](const Int3& at) {
      if (const std::optional<double> value = solver.scalars()->value_in_solid(k, at)) told.passed.push_back(*value);
    });
  }
  return told;
}
void expect_same(const Solver& one, const Solver& other, double tolerance) {
  const Told a = ask(one), b = ask(other);
  EXPECT_TRUE(a.numbers == b.numbers);
  EXPECT_TRUE(a.scalars == b.scalars);
  EXPECT_EQ(a.passed, b.passed);
  for (std::size_t k = 0; k < one.plan().scalars.size(); ++k) {
    const ScalarSummary x = one.scalar_summary(k), y = other.scalar_summary(k);
    EXPECT_NEAR(x.mean, y.mean, tolerance);
    EXPECT_NEAR(x.volume, y.volume, tolerance * x.volume);
    EXPECT_NEAR(x.source, y.source, tolerance * x.volume);
    EXPECT_EQ(x.least, y.least);
    EXPECT_EQ(x.most, y.most);
  }
}

/// Parts on one GPU, as ranks have them: messages go through host memory.
std::unique_ptr<Solver> as_ranks(const Case& c, int parts) {
  static const test::Folder folder;
  static KernelCache cache(folder / "kernels");
  const Grid grid = make_grid(c);
  const Units units = make_units(c, grid.spacing);
  const Geometry geometry = build_geometry(c, grid);
  const Plan plan = make_plan({c, units, geometry}, "cuda", 0, {parts, BlockPlace::devices});
  const std::vector<std::uint64_t> cuts = cut_tiles(geometry.nodes, parts);
  std::vector<std::unique_ptr<BlockSolver>> solvers;
  for (int part = 0; part < parts; ++part) {
    const auto own = std::make_shared<Geometry>(geometry);
    Block block = make_block(geometry.nodes, plan.flow().lattice->velocities, cuts, part);
    add_solid_neighbours({c, units, geometry}, plan.scalars, cuts, block);
    const std::size_t before = Device().free_bytes();
    solvers.push_back(make_block_solver({c, units, *own}, own, plan, Device(), cache, block, {parts}));
    EXPECT_EQ(before - Device().free_bytes(), solvers.back()->plan().total_bytes()) << "part " << part;
    if (part > 0) keep_local_part(*own, solvers.back()->block());
  }
  return std::make_unique<domain::DomainSolver>(std::make_unique<domain::LocalGroup>(std::move(solvers)));
}

/// On several GPUs or ranks: the bits of one GPU, step by step, recorded, and gone on with from what others saved.
template <class Spec>
void compare_parts(const std::string& device, bool changes = false, bool solids = false) {
  SCOPED_TRACE(testing::Message() << Spec::Lattice::name << ' ' << Spec::scheme.name << ' ' << Spec::Format::name
                                  << " on " << device << (solids ? " with solids" : ""));
  const ScalarGpus<Spec> gpus;
  const double tolerance = sizeof(typename Spec::Format::Storage) == 8 ? 1e-12 : 1e-6;
  const auto make = [&] {
    if (!device.starts_with("cuda")) return as_ranks(channel<Spec>("cuda", changes, solids), std::stoi(device));
    return test::make_solver_of(channel<Spec>(device, changes, solids));
  };
  const auto whole = test::make_solver_of(channel<Spec>("cuda", changes, solids));
  const auto split = make();
  ASSERT_FALSE(split->plan().domain.is_whole());
  expect_same(*whole, *split, tolerance);
  for (const int steps : {1, 2}) {
    whole->step(steps);
    split->step(steps);
    expect_same(*whole, *split, tolerance);
    if (testing::Test::HasFailure()) return;
  }
  const std::vector<std::byte> middle = test::saved(*whole);
  whole->step(19);
  split->step(19);
  expect_same(*whole, *split, tolerance);
  const auto again = make();
  again->step(1);
  test::load(*again, middle);
  again->resume_at(3);
  again->step(19);
  expect_same(*whole, *again, tolerance);
}

template <int k>
void compare_parts_of_scheme() {
  constexpr core::Scheme scheme = core::schemes[k];
  if constexpr (!scheme.half && scheme.stepping != core::Stepping::sliding_passes)
    for (const bool solids : {false, true})
      for (const char* const device : {"cuda:1,0,2,2", "3"})
        compare_parts<
            WithScalars<emulation::Spec<core::D2Q9, k, 0, core::Fp64, false, false, core::WallRule::interpolated>,
                        core::D2Q5, core::OfFlow<core::D2Q9>>>(device, false, solids);
}
template <int... k>
void compare_all_parts(testing::Types<std::integral_constant<int, k>...>) {
  (compare_parts_of_scheme<k>(), ...);
}

template <int k>
void compare_scheme() {
  constexpr core::Scheme scheme = core::schemes[k];
  if constexpr (!scheme.half && scheme.stepping != core::Stepping::sliding_passes)
    for (const bool solids : {false, true})
      compare<WithScalars<emulation::Spec<core::D2Q9, k, 0, core::Fp64, false, false, core::WallRule::interpolated>,
                          core::D2Q5, core::OfFlow<core::D2Q9>>>(1e-13, false, solids);
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

TEST(ScalarsOnAGpu, AreThoseOfCpusWithAllSchemesOfUsers) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_all(Numbers());
}

TEST(ScalarsOnAGpu, AreThoseOfCpusInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using OnFlow = core::OfFlow<core::D3Q19>;
  for (const bool solids : {false, true}) {
    compare<WithScalars<emulation::Spec<core::D3Q19, number_of("pull"), 0, core::Fp32, false>, core::D3Q7, OnFlow>>(
        3e-6, false, solids);
    compare<
        WithScalars<emulation::Spec<core::D3Q19, number_of("compact-aa"), 0, core::Fp64, false>, core::D3Q7, OnFlow>>(
        1e-13, false, solids);
  }
}

TEST(ScalarsOnAGpu, FollowWhatChangesInTime) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  for (const bool solids : {false, true})
    compare<WithScalars<emulation::Spec<core::D2Q9, number_of("pull"), 0, core::Fp64, false>, core::D2Q5,
                        core::OfFlow<core::D2Q9>>>(1e-13, true, solids);
}

TEST(ScalarsOnSeveralGpus, HaveTheBitsOfOneWithAllSchemes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_all_parts(Numbers());
}

TEST(ScalarsOnSeveralGpus, HaveTheBitsOfOneInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  for (const bool solids : {false, true})
    compare_parts<WithScalars<emulation::Spec<core::D3Q19, number_of("pull"), 0, core::Fp32, false>, core::D3Q7,
                              core::OfFlow<core::D3Q19>>>("cuda:all", false, solids);
}

TEST(ScalarsOnSeveralGpus, FollowWhatChangesInTime) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  for (const bool solids : {false, true})
    compare_parts<WithScalars<emulation::Spec<core::D2Q9, number_of("pull"), 0, core::Fp64, false>, core::D2Q5,
                              core::OfFlow<core::D2Q9>>>("cuda:0,1", true, solids);
}

/// What there is no way for is refused by name.
TEST(ScalarsOnAGpu, AreRefusedWhereTheyCannotBe) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = WithScalars<emulation::Spec<core::D2Q9, number_of("pull"), 0, core::Fp64, false>, core::D2Q5,
                           core::OfFlow<core::D2Q9>>;
  const ScalarGpus<Spec> gpus;
  const auto message = [](Case c) -> std::string {
    try {
      (void)test::make_solver_of(c);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(channel<Spec>("cuda")), "");
  EXPECT_EQ(choose_device(channel<Spec>("auto")).device, "cuda");
  EXPECT_EQ(choose_device(channel<Spec>("auto", false, true)).device, "cuda");
  EXPECT_EQ(message(channel<Spec>("cuda:0,1")), "");
  EXPECT_EQ(message(channel<Spec>("cuda:0,1", false, true)), "");
  for (const char* const scheme : {"fused-sliding", "moments", "moments-sliding"}) {
    Case c = channel<Spec>("cuda");
    c.numerics.scheme = scheme;
    c.numerics.collision = "regularized";
    EXPECT_CONTAINS(message(c), fmt::format("scalars do not run beside scheme \"{}\" on a GPU", scheme));
  }
  Case automatic = channel<Spec>("cuda");
  automatic.numerics.scheme = "auto";
  EXPECT_EQ(message(automatic), "");
  Case small = channel<Spec>("cuda");
  small.numerics.memory_limit = 0.1;
  EXPECT_CONTAINS(message(small), "domains with scalars are not computed piece by piece");
}

}  // namespace
}  // namespace fluvia::cuda
