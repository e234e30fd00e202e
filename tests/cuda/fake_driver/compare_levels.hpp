// SPDX-License-Identifier: Apache-2.0
// Levels of refinement on a GPU of the fake driver beside those of CPUs.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "cuda/fake_driver/level_gpus.hpp"
#include "fluvia/cuda/runtime/device.hpp"

namespace fluvia::cuda {

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
inline double difference(const Solver& solver, std::span<const std::byte> one, std::span<const std::byte> other) {
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

/// Lets walls that move go on at another speed.
inline void slow_down(Solver& solver, Beside beside) {
  if (beside != Beside::moving_walls) return;
  for (const int surface : {2, 3}) solver.apply(BoundaryValue{surface, 0.4});
}

/// What is read of the scalars: sums, and what passes surfaces.
inline void compare_scalars(const Solver& solver, const Solver& on_cpu, double tolerance) {
  for (std::size_t k = 0; k < solver.plan().scalars.size(); ++k) {
    SCOPED_TRACE(solver.plan().scalars[k].name);
    const ScalarSummary found = solver.scalar_summary(k), expected = on_cpu.scalar_summary(k);
    EXPECT_NEAR(found.mean, expected.mean, tolerance);
    EXPECT_NEAR(found.least, expected.least, tolerance);
    EXPECT_NEAR(found.most, expected.most, tolerance);
    EXPECT_NEAR(found.content, expected.content, tolerance * 1e4);
    double passed = 0;
    for (int surface = 0; surface < static_cast<int>(solver.geometry().surfaces.size()); ++surface) {
      const ScalarPassage p = solver.scalar_passage(k, surface), q = on_cpu.scalar_passage(k, surface);
      EXPECT_NEAR(p.rate, q.rate, tolerance * 1e3) << surface;
      EXPECT_NEAR(p.area, q.area, 1e-12) << surface;
      passed += std::abs(p.rate);
    }
    EXPECT_GT(passed, 1e-3);
  }
}

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
  const auto finest = std::ranges::max_element(c.refine, {}, &Case::Refine::level);
  EXPECT_EQ(solver->plan().levels.size(), static_cast<std::size_t>(finest->level) + 1);
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
  slow_down(*solver, beside);
  slow_down(*on_cpu, beside);
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
  compare_scalars(*solver, *on_cpu, tolerance);
  EXPECT_NE(force.force[0], 0);
  for (const int parity : {0, 1}) {
    const auto again = make(c);
    again->step(parity);
    load(*again, first.middle);
    again->resume_at(3);
    slow_down(*again, beside);
    again->step(4);  // recorded from here on
    again->step(1);
    EXPECT_TRUE(saved(*again) == first.end) << "resumed";
    EXPECT_EQ(again->time_step(), 8);
  }
  EXPECT_EQ(fake_cuda_graphs() > graphs, beside != Beside::changing_scalars);
}

}  // namespace fluvia::cuda
