// SPDX-License-Identifier: Apache-2.0
// Levels of refinement on a GPU: all of the solver, the exchange and the backend on the fake driver, whose kernels run
// on the host. Populations are those of CPUs to round-off, and have the same bits with any scheme, whether steps are
// recorded or not, in which order ever streams run that no event orders, and after restarts.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/fake_driver/many_gpus.hpp"
#include "fluvia/backend/backend.hpp"
#include "fluvia/core/viscosity/registry.hpp"
#include "fluvia/cuda/kernels/levels.hpp"
#include "fluvia/cuda/runtime/device.hpp"

namespace fluvia::cuda {
namespace {

template <class Spec>
class LevelGpus : public ManyGpus<Spec> {
 public:
  LevelGpus() {
    using Format = typename Spec::Format;
    this->kernels_.push_back(fake_cuda::host_kernel<false>("14exchange_first", kernels::exchange_first<Format>));
    this->kernels_.push_back(fake_cuda::host_kernel<false>("15exchange_second", kernels::exchange_second<Format>));
    this->kernels_.push_back(fake_cuda::host_kernel<false>("12move_surplus", kernels::move_surplus<Format>));
  }
};

Case::Refine region(int level, const Real3& lower, const Real3& upper) {
  Case::Refine refine;
  refine.level = level;
  refine.box = {lower, upper};
  return refine;
}

/// What a case has besides levels.
enum class Beside { walls, mirrors, openings, own_forces, rheology };

Case::Boundary boundary(const char* surface, const char* type) {
  Case::Boundary b;
  b.surface = surface;
  b.type = type;
  return b;
}

/// Puts, in tiles of the coarsest level, finer regions and the ball to where all that is there is crossed.
template <class Spec, class At>
void put_beside(Beside beside, const At& at, Case& c) {
  constexpr int finest = Spec::Lattice::D == 2 ? 2 : 1;
  Case::Shape& ball = c.geometry.shapes[0];
  const auto move_ball = [&](const Real3& center) {
    ball.center = center;
    ball.from = {center[0], center[1], -1};
    ball.to = {center[0], center[1], 2};
  };
  if (beside == Beside::mirrors) {
    c.domain.periodic = {false, false, true};
    c.boundaries = {boundary("x_min", "symmetry"), boundary("y_min", "symmetry")};
    c.refine = {region(finest, at(0, 0, 2), at(1, 1, 3))};
    move_ball(at(2.05, 0, 2.6));
  }
  if (beside == Beside::openings) {
    c.domain.periodic = {false, false, true};
    c.boundaries = {boundary("x_min", "velocity"), boundary("x_max", "pressure")};
    c.boundaries[0].speed = 0.02;
    c.refine = {region(finest, at(0, 2, 2), at(6, 2.5, 2.5))};
    move_ball(at(2.05, 3.1, 2.6));
  }
  if (beside == Beside::own_forces) c.physics.acceleration_formula = {"1e-4*sin(0.7*y)", "2e-4*cos(0.5*x)", "0"};
  if (beside == Beside::rheology) {
    c.physics.rheology.emplace();
    c.physics.rheology->model = "carreau-yasuda";
    c.physics.rheology->values = {{"zero_shear_viscosity", 0.03},
                                  {"infinite_shear_viscosity", 0.01},
                                  {"relaxation_time", 80},
                                  {"yasuda_exponent", 2},
                                  {"power_index", 0.4}};
  }
}

/// Three levels with a ball across an interface and walls, so that links there give to others; a force as the kernels
/// here have.
template <class Spec>
Case case_with_levels(const std::string& device, Beside beside = Beside::walls) {
  constexpr bool flat = Spec::Lattice::D == 2;
  const double s = flat ? 8 : 4;
  const int tiles = flat ? 6 : 5;
  const auto at = [&](double x, double y, double z) { return Real3{s * x, s * y, flat ? 1 : s * z}; };
  Case c;
  c.domain.dimension = Spec::Lattice::D;
  const int edge = static_cast<int>(s) * tiles;
  c.domain.nodes = {edge, edge, flat ? 1 : edge};
  c.domain.periodic = {true, false, true};
  c.refine = {region(flat ? 2 : 1, at(2, 2, 2), at(3, 3, 3))};
  Case::Shape ball;
  ball.name = "ball";
  ball.kind = flat ? "cylinder" : "sphere";
  ball.center = at(flat ? 1.05 : 2.05, 2.6, 2.6);
  ball.from = {ball.center[0], ball.center[1], -1};
  ball.to = {ball.center[0], ball.center[1], 2};
  ball.radius = 0.3 * s;
  c.geometry.shapes = {ball};
  c.units.tau = 0.55;
  c.walls.method = "half-way";
  c.physics.acceleration = {1e-5, -2e-5, 0};
  c.numerics.lattice = Spec::Lattice::name;
  c.numerics.collision = Spec::Collision::name;
  c.numerics.scheme = device == "cpu" ? "compact-pull" : Spec::scheme.name;
  c.numerics.format = Spec::Format::name;
  if (sizeof(typename Spec::Format::Storage) == 2) c.numerics.rounding = "nearest";
  c.numerics.device = device;
  c.numerics.gpu_threads = Spec::threads;
  c.monitors.forces = {"ball"};
  c.run.steps = 1;
  put_beside<Spec>(beside, at, c);
  return c;
}

std::unique_ptr<Solver> make(const Case& c) {
  const Grid grid = make_grid(c);
  auto solver = fluvia::make_solver({c, make_units(c, grid.spacing), build_geometry(c, grid)});
  for (const FlowLevel& level : solver->levels())
    const_cast<Solver&>(*level.state).initialise([&](const Int3& node, double& density, Real3& velocity) {
      const double x = level.units.spacing * (node[0] + 0.5), y = level.units.spacing * (node[1] + 0.5);
      density = 1 + 0.01 * std::sin(0.4 * x + 0.2);
      velocity = {0.03 * std::sin(0.7 * y) + 0.01, 0.02 * std::cos(0.5 * x + 0.3), 0};
    });
  return solver;
}

/// Calls visit(range, bytes) for all populations that there are.
template <class Visit>
void for_each_range(const Solver& solver, const Visit& visit) {
  const NodeMap& nodes = solver.geometry().nodes;
  for (std::size_t a = 0; a < solver.arrays().size(); ++a) {
    const NodeArray& array = solver.arrays()[a];
    const auto value = static_cast<std::size_t>(storage_bytes(array.format(solver.plan().format->name)));
    for (int component = 0; component < array.components; ++component)
      visit(ArrayRange{a, component, 0, nodes.tiles.size()}, array.entries(nodes, 0, nodes.tiles.size()).count * value);
  }
}

std::vector<std::byte> saved(const Solver& solver) {
  std::vector<std::byte> all;
  for_each_range(solver, [&](const ArrayRange& range, std::size_t bytes) {
    std::vector<std::byte> part(bytes);
    solver.save(range, part);
    all.insert(all.end(), part.begin(), part.end());
  });
  return all;
}

void load(Solver& solver, std::span<const std::byte> all) {
  for_each_range(solver, [&](const ArrayRange& range, std::size_t bytes) {
    solver.load(range, all.first(bytes));
    all = all.subspan(bytes);
  });
}

/// The largest difference of numbers of one type; what is none counts.
template <class Number>
double difference(std::span<const std::byte> one, std::span<const std::byte> other) {
  double largest = 0;
  for (std::size_t k = 0; k + sizeof(Number) <= one.size(); k += sizeof(Number)) {
    Number a, b;
    std::memcpy(&a, &one[k], sizeof(a));
    std::memcpy(&b, &other[k], sizeof(b));
    const double apart = std::abs(static_cast<double>(a) - static_cast<double>(b));
    if (!(apart <= largest)) largest = apart;
  }
  return largest;
}

/// That of what was saved of a flow: populations, and in fp64 what conditions keep.
template <class Storage>
double difference(const Solver& solver, std::span<const std::byte> one, std::span<const std::byte> other) {
  EXPECT_EQ(one.size(), other.size());
  if (one.size() != other.size()) return 1;
  double largest = 0;
  for_each_range(solver, [&](const ArrayRange& range, std::size_t bytes) {
    const bool is_stored = solver.arrays()[range.array].number == NumberType::storage_format;
    const auto here = one.first(bytes), there = other.first(bytes);
    largest = std::max(largest, is_stored ? difference<Storage>(here, there) : difference<double>(here, there));
    one = one.subspan(bytes);
    other = other.subspan(bytes);
  });
  return largest;
}

/// After 3 and 8 steps.
struct Expected {
  std::vector<std::byte> middle, end;
};

/// `first`: bits of the first scheme, or none yet.
template <class Spec>
void compare(double tolerance, Expected& first, Beside beside = Beside::walls) {
  SCOPED_TRACE(testing::Message() << Spec::Lattice::name << ' ' << Spec::scheme.name << ' ' << Spec::Format::name);
  const auto on_cpu = make(case_with_levels<Spec>("cpu", beside));
  const LevelGpus<Spec> gpus;
  const Case c = case_with_levels<Spec>("cuda", beside);
  const std::size_t before = Device().free_bytes();
  const auto solver = make(c);
  EXPECT_EQ(before - Device().free_bytes(), solver->plan().total_bytes());
  EXPECT_EQ(solver->plan().device, "cuda");
  EXPECT_EQ(solver->plan().levels.size(), Spec::Lattice::D == 2 ? 3U : 2U);
  const Grid grid = make_grid(c);
  const Plan plan = plan_case({c, make_units(c, grid.spacing), build_geometry(c, grid)});
  EXPECT_EQ(plan.total_bytes(), solver->plan().total_bytes());
  EXPECT_EQ(plan.levels[1].exchanged, solver->plan().levels[1].exchanged);
  for (int k = 0; k < 3; ++k) {  // one by one
    solver->step(1);
    on_cpu->step(1);
  }
  const Expected now{saved(*solver), {}};
  using Storage = typename Spec::Format::Storage;
  EXPECT_LT(difference<Storage>(*solver, now.middle, saved(*on_cpu)), tolerance);
  if (first.middle.empty()) first.middle = now.middle;
  EXPECT_TRUE(now.middle == first.middle) << "other schemes have other bits";
  const int graphs = fake_cuda_graphs();
  solver->step(5);  // in recordings where places repeat
  on_cpu->step(5);
  const std::vector<std::byte> end = saved(*solver);
  if (first.end.empty()) first.end = end;
  EXPECT_TRUE(end == first.end) << "other schemes have other bits";
  EXPECT_LT(difference<Storage>(*solver, end, saved(*on_cpu)), tolerance);
  const Totals totals = solver->totals(), expected = on_cpu->totals();
  EXPECT_NEAR(totals.mass, expected.mass, tolerance * 1e4);
  EXPECT_NEAR(totals.kinetic_energy, expected.kinetic_energy, tolerance * 1e4);
  const int ball = static_cast<int>(solver->geometry().surfaces.size()) - 1;
  const SurfaceForce force = solver->surface_force(ball, {1, 2, 0}), wanted = on_cpu->surface_force(ball, {1, 2, 0});
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(force.force[a], wanted.force[a], tolerance * 1e3);
  EXPECT_NE(force.force[0], 0);
  for (const int parity : {0, 1}) {
    const auto again = make(c);
    again->step(parity);
    load(*again, first.middle);
    again->resume_at(3);
    again->step(4);  // recorded from here on
    again->step(1);
    EXPECT_TRUE(saved(*again) == first.end) << "resumed";
    EXPECT_EQ(again->time_step(), 8);
  }
  EXPECT_GT(fake_cuda_graphs(), graphs);
}

constexpr int number_of(const char* name) {
  int k = 0;
  while (!emulation::same(core::schemes[k].name, name)) ++k;
  return k;
}

Expected first_in_two_dimensions, first_in_three_dimensions;

template <int k>
void compare_scheme(Expected& first, Beside beside) {
  if constexpr (!core::schemes[k].is_fused() && !core::schemes[k].half)
    compare<emulation::Spec<core::D2Q9, k, 0, core::Fp64, false>>(1e-13, first, beside);
}
template <int... k>
void compare_all(testing::Types<std::integral_constant<int, k>...>, Expected& first, Beside beside) {
  (compare_scheme<k>(first, beside), ...);
}

/// Every scheme that can have levels.
TEST(LevelsOnAGpu, AreThoseOfCpusWithAllSchemes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare_all(Numbers(), first_in_two_dimensions, Beside::walls);
}

/// Ends of pairs at planes of symmetry change places before messages take them; interfaces, the ball and the corner of
/// two planes cross each other.
TEST(LevelsOnAGpu, AreThoseOfCpusBetweenPlanesOfSymmetry) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected flat, deep;
  compare_all(Numbers(), flat, Beside::mirrors);
  compare<emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>>(2e-7, deep, Beside::mirrors);
  compare<emulation::Spec<core::D3Q19, number_of("compact-sliding"), 0, core::Fp32, false>>(2e-7, deep,
                                                                                            Beside::mirrors);
}

/// Both openings are on all levels: what comes from beyond them goes on along them.
TEST(LevelsOnAGpu, AreThoseOfCpusAtOpenings) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected flat, deep;
  compare_all(Numbers(), flat, Beside::openings);
  compare<emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>>(2e-7, deep, Beside::openings);
  compare<emulation::Spec<core::D3Q19, number_of("compact-sliding"), 0, core::Fp32, false>>(2e-7, deep,
                                                                                            Beside::openings);
}

TEST(LevelsOnAGpu, AreThoseOfCpusWithForcesOfSingleNodes) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected first;
  using emulation::WithOwnForces;
  compare<WithOwnForces<emulation::Spec<core::D2Q9, number_of("compact-pull"), 0, core::Fp64, false>>>(
      1e-13, first, Beside::own_forces);
  compare<WithOwnForces<emulation::Spec<core::D2Q9, number_of("compact-aa"), 0, core::Fp64, false>>>(
      1e-13, first, Beside::own_forces);
}

template <class Of>
struct WithRheology : Of {
  using Viscosity = core::CarreauYasuda;
};

TEST(LevelsOnAGpu, AreThoseOfCpusWithRheology) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  Expected first;
  compare<WithRheology<emulation::Spec<core::D2Q9, number_of("compact-pull"), 0, core::Fp64, false>>>(1e-12, first,
                                                                                                      Beside::rheology);
  compare<WithRheology<emulation::Spec<core::D2Q9, number_of("compact-aa"), 0, core::Fp64, false>>>(1e-12, first,
                                                                                                    Beside::rheology);
}

TEST(LevelsOnAGpu, AreThoseOfCpusInThreeDimensions) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  compare<emulation::Spec<core::D3Q19, number_of("compact-pull"), 0, core::Fp32, false>>(2e-7,
                                                                                         first_in_three_dimensions);
  compare<emulation::Spec<core::D3Q19, number_of("compact-sliding"), 0, core::Fp32, false>>(2e-7,
                                                                                            first_in_three_dimensions);
}

/// What there is no way for is refused by name.
TEST(LevelsOnAGpu, AreRefusedWhereTheyCannotBe) {
  SKIP_WHERE_CONTEXTS_ARE_NOT_FOLLOWED();
  using Spec = emulation::Spec<core::D2Q9, number_of("compact-pull"), 0, core::Fp64, false>;
  const LevelGpus<Spec> gpus;
  const auto message = [](Case c) -> std::string {
    try {
      (void)make(c);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(case_with_levels<Spec>("cuda")), "");
  EXPECT_CONTAINS(message(case_with_levels<Spec>("cuda:0,1")), "levels of refinement are all on one");
  EXPECT_EQ(choose_device(case_with_levels<Spec>("auto")).device, "cuda");
  Case small = case_with_levels<Spec>("cuda");
  small.numerics.memory_limit = 1;
  EXPECT_CONTAINS(message(small), "levels of a flow are in the memory of one GPU");
  const Grid grid = make_grid(small);
  EXPECT_CONTAINS(plan_case({small, make_units(small, grid.spacing), build_geometry(small, grid)}).refusal,
                  "for all levels of refinement, but may take 1.0 MiB");
}

}  // namespace
}  // namespace fluvia::cuda
