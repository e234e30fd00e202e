// SPDX-License-Identifier: Apache-2.0
// What is measured and drawn of walls that interfaces cross: forces after a restart, their parts by integrals,
// averages.
#include <gtest/gtest.h>

#include <vector>

#include "levels/arrangements.hpp"

namespace {

using namespace levels_test;

constexpr int ball = 7;

/// Before the next step, too, a flow from a checkpoint has the forces that it had.
TEST(LevelsWalls, HaveTheSameForcesAfterARestart) {
  for (const bool flat : {true, false}) {
    Case c = case_of(setup_of("solid", flat), flat ? "D2Q9" : "D3Q19", "regularized", "compact-pull");
    c.monitors.forces = {"ball", "x_min"};
    c.domain.periodic[0] = false;
    Flow flow = started(c, flat), again = started(c, flat);
    flow.solver->step(3);
    const std::vector<std::byte> bits = saved(*flow.solver);
    again.solver->step(1);
    load(*again.solver, bits);
    again.solver->resume_at(3);
    for (int steps = 0; steps < 2; ++steps) {
      for (const int surface : {ball, 0}) {
        const fluvia::SurfaceForce expected = flow.solver->surface_force(surface, {3, 4, 5}),
                                   force = again.solver->surface_force(surface, {3, 4, 5});
        EXPECT_EQ(force.force, expected.force) << flat << surface << steps;
        EXPECT_EQ(force.torque, expected.torque) << flat << surface << steps;
      }
      EXPECT_TRUE(saved(*again.solver) == saved(*flow.solver)) << flat << steps;
      flow.solver->step(1);
      again.solver->step(1);
    }
  }
}

}  // namespace
