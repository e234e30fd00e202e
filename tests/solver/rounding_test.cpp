// SPDX-License-Identifier: Apache-2.0
// What stochastic rounding is for: changes that are smaller than half a unit in the last place stay in the mean.
#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/case/case.hpp"
#include "reference/scene.hpp"

namespace {

/// A fluid without walls, 64 x 64 nodes, at u = 0.05 along x, pushed by g = 5e-7 a step.
scene::Scene pushed() {
  scene::Scene s;
  s.name = "pushed";
  s.dimension = 2;
  s.size = {64, 64, 1};
  s.periodic = {true, true, true};
  s.force = {5e-7, 0, 0};
  s.initial = [](const fluvia::Int3&) { return reference::NodeState{1, {0.05, 0, 0}}; };
  return s;
}

/// How much of the speed that 1000 steps of the force add arrives.
double arriving_share(const std::string& format, const std::string& rounding) {
  constexpr int steps = 1000;
  const scene::Scene s = pushed();
  reference::Physics physics;
  physics.lattice = "D2Q9";
  physics.collision = "bgk";
  physics.tau = 0.8;
  const auto solver = scene::make_solver(s, {physics, "aa", format, 1, "cpu", 0, 0, rounding});
  const auto mean = [&] {
    const auto nodes = static_cast<double>(solver->geometry().nodes.fluid_nodes);
    return solver->totals().momentum[0] / nodes;
  };
  const double before = mean();
  solver->step(steps);
  return (mean() - before) / (steps * s.force[0]);
}

/// A step adds 3 w g = 1.7e-7 to the population of 0.02 along x, whose unit is 1.5e-5 (fp16s) or 8e-6 (fp16c). Rounding
/// at random 9 populations of at most that unit on 4096 nodes gives the mean momentum a standard deviation of less than
/// sqrt(9) 1.5e-5 / 2 / 64 = 3.5e-7 a step and 1.1e-5 after 1000 steps, 2% of the 5e-4 that the force adds. fp32 has a
/// unit of 2e-9, 1% of what a step adds.
TEST(Rounding, SmallChangesStayInTheMean) {
  omp_set_num_threads(1);
  EXPECT_NEAR(arriving_share("fp32", "auto"), 1, 0.02);
  for (const char* format : {"fp16s", "fp16c"}) EXPECT_NEAR(arriving_share(format, "stochastic"), 1, 0.08) << format;
}

/// Rounding to the nearest: nothing moves, or moves by what rounding makes of it.
TEST(Rounding, NearestLosesThem) {
  omp_set_num_threads(1);
  for (const char* format : {"fp16s", "fp16c"})
    EXPECT_GT(std::abs(arriving_share(format, "nearest") - 1), 0.5) << format;
}

TEST(Rounding, OfFormatsThatDoNotRoundIsRefused) {
  const std::string text = "[units]\nsystem = \"lattice\"\nviscosity = 0.1\n[domain]\ndimension = 2\nnodes = [8, 8]\n";
  EXPECT_NO_THROW((void)fluvia::parse_case(
      text + "[run]\nsteps = 1\n[numerics]\nformat = \"fp16s\"\nrounding = \"nearest\"\n", "case.toml"));
  try {
    (void)fluvia::parse_case(text + "[run]\nsteps = 1\n[numerics]\nformat = \"fp32\"\nrounding = \"stochastic\"\n",
                             "case.toml");
    FAIL() << "accepted";
  } catch (const fluvia::Error& error) {
    EXPECT_NE(std::string(error.what()).find("numerics.rounding"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("fp32"), std::string::npos) << error.what();
  }
}

}  // namespace
