// SPDX-License-Identifier: Apache-2.0
// States that stay on the GPU while it steps on, and the files that are written from them.
#include "cuda/device_fields.hpp"
#include "cuda/support.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "reference/scenes.hpp"
#include "support/specification.hpp"
#include "support/written_flow.hpp"

namespace {

using fluvia::Solver;
using fluvia::test::collision_for;
using fluvia::test::test_name;

class CudaSnapshot : public testing::TestWithParam<std::string> {};

/// After odd and even numbers of steps, since schemes alternate between two ways to store a state.
TEST_P(CudaSnapshot, StaysWhileTheSolverStepsOn) {
  SKIP_WITHOUT_GPU();
  const bool half = fluvia::parse_scheme(GetParam()).half;
  reference::Physics physics;
  physics.lattice = half ? "D3Q13" : "D3Q19";
  physics.collision = collision_for(fluvia::parse_scheme(GetParam()), physics.lattice, "trt");
  const int directions = half ? 13 : 19;
  for (const scene::Scene& s : half ? scene::half_scenes() : scene::all_scenes(3)) {
    SCOPED_TRACE(s.name);
    fluvia::Case c = scene::make_case(s, {physics, GetParam(), "fp32", 1, "cuda"});
    c.output.every = 1;
    const auto solver = fluvia::make_solver({c, scene::make_units(physics.tau), scene::make_geometry(s)});
    for (const int steps : {3, 4, 5}) {
      solver->step(steps);
      const auto populations = scene::save(*solver, directions, 4);
      const fluvia::Moments moments = scene::moments(*solver, true);
      const std::int64_t step = solver->time_step();
      const auto snapshot = solver->snapshot();
      ASSERT_NE(snapshot, nullptr);
      for (std::size_t k = 0; k < s.openings.size(); ++k) solver->set_boundary_value(s.openings[k].surface, 0.5);
      solver->step(3);
      EXPECT_EQ(snapshot->time_step(), step);
      EXPECT_TRUE(scene::save(*snapshot, directions, 4) == populations) << "step " << step;
      const fluvia::Moments kept = scene::moments(*snapshot, true);
      EXPECT_TRUE(kept.density == moments.density && kept.velocity == moments.velocity && kept.stress == moments.stress)
          << "step " << step;
    }
  }
}

/// What an inlet lets in is uploaded before every step, and kept with a snapshot.
TEST_P(CudaSnapshot, KeepsAProfileThatChanges) {
  SKIP_WITHOUT_GPU();
  const fluvia::Scheme& scheme = fluvia::parse_scheme(GetParam());
  if (scheme.half) GTEST_SKIP() << "half lattices have no channel whose rim sticks";
  const scene::Scene s =
      scene::pulsating_channel({11, 9, 8}, testing::TempDir() + "flow_" + test_name(GetParam()) + ".csv");
  reference::Physics physics;
  physics.lattice = "D3Q19";
  physics.collision = collision_for(scheme, physics.lattice);
  const auto cpu = scene::make_solver(s, {physics, "pull", "fp64", 1, "cpu"});
  fluvia::Case c = scene::make_case(s, {physics, GetParam(), "fp64", 1, "cuda"});
  c.output.every = 1;
  const auto gpu = fluvia::make_solver({c, scene::make_units(physics.tau), scene::make_geometry(s)});
  scene::initialise(*gpu, s);
  const auto advance = [&](int from, int to) {
    for (int k = from; k < to; ++k)
      for (fluvia::Solver* solver : {cpu.get(), gpu.get()}) {
        EXPECT_TRUE(solver->set_profile_time(k));
        solver->step(1);
      }
  };
  advance(0, 5);
  const fluvia::Moments expected = scene::moments(*cpu, false);
  const auto snapshot = gpu->snapshot();
  ASSERT_NE(snapshot, nullptr);
  const fluvia::Moments before = scene::moments(*gpu, false);
  advance(5, 8);
  const fluvia::Moments kept = scene::moments(*snapshot, false);
  EXPECT_TRUE(kept.density == before.density && kept.velocity == before.velocity);
  for (std::size_t n = 0; n < expected.density.size(); ++n) ASSERT_NEAR(before.density[n], expected.density[n], 1e-13);
  const fluvia::Moments last = scene::moments(*gpu, false), of_cpu = scene::moments(*cpu, false);
  for (std::size_t n = 0; n < last.density.size(); ++n) ASSERT_NEAR(last.density[n], of_cpu.density[n], 1e-13);
}

/// After odd and even numbers of steps.
TEST_P(CudaSnapshot, FieldsStayOnTheDevice) {
  SKIP_WITHOUT_GPU();
  const bool half = fluvia::parse_scheme(GetParam()).half;
  reference::Physics physics;
  for (const int dimension : {2, 3}) {
    if (half && dimension == 2) continue;
    physics.lattice = half ? "D3Q13" : dimension == 2 ? "D2Q9" : "D3Q19";
    physics.collision = collision_for(fluvia::parse_scheme(GetParam()), physics.lattice, "trt");
    for (const scene::Scene& s : half ? scene::half_scenes() : scene::all_scenes(dimension))
      for (const std::string format : {"fp32", "fp64"}) {
        SCOPED_TRACE(s.name + " " + format);
        const auto solver = scene::make_solver(s, {physics, GetParam(), format, 1, "cuda"});
        scene::initialise(*solver, s);
        for (const int steps : {3, 4}) {
          solver->step(steps);
          fluvia::test::expect_fields_on_device(*solver);
        }
      }
  }
}

INSTANTIATE_TEST_SUITE_P(All, CudaSnapshot, testing::ValuesIn(fluvia::gpu_scheme_names()),
                         [](const auto& instance) { return test_name(instance.param); });
INSTANTIATE_TEST_SUITE_P(Half, CudaSnapshot, testing::ValuesIn(fluvia::half_scheme_names("cuda")),
                         [](const auto& instance) { return test_name(instance.param); });

class CudaOutput : public testing::TestWithParam<std::string> {};

TEST_P(CudaOutput, FilesAreThoseWrittenBetweenSteps) {
  SKIP_WITHOUT_GPU();
  const bool half = fluvia::parse_scheme(GetParam()).half;
  const fluvia::test::WrittenFlow flow(half ? fluvia::test::written_half_box : fluvia::test::written_channel, "cuda",
                                       "numerics.scheme=" + GetParam());
  const std::unique_ptr<Solver> meanwhile = flow.make_solver(), inner = flow.make_solver();
  ASSERT_TRUE(meanwhile->plan().snapshot_bytes > 0 && meanwhile->plan().snapshot_fits);
  fluvia::test::ForwardingSolver between(*inner);  // without snapshots
  flow.run(between, "between");
  flow.run(*meanwhile, "meanwhile");
  fluvia::test::expect_same_files(flow, "between", "meanwhile");
}

INSTANTIATE_TEST_SUITE_P(All, CudaOutput, testing::Values("pull", "aa", "compact-sliding", "tgb", "fcc"),
                         [](const auto& instance) { return test_name(instance.param); });

}  // namespace
