// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <vector>

#include "reference/scenes.hpp"

namespace {

using scene::Scene;

std::vector<std::byte> after_steps(const Scene& s, int steps) {
  reference::Physics physics;
  physics.lattice = "D2Q9";
  physics.collision = "bgk";
  physics.tau = 0.71;
  const auto solver = scene::make_solver(s, {physics, "pull", "fp64"});
  solver->step(steps);
  return scene::save(*solver, 9, 8);
}

TEST(WallFunction, IsBounceBackWhereTheLayerIsResolved) {
  Scene plain = scene::rough_duct({67, 13, 1});
  for (auto& condition : plain.conditions) condition.grain = 0;
  Scene walls = plain;
  walls.conditions.clear();
  EXPECT_TRUE(after_steps(plain, 9) == after_steps(walls, 9));
  EXPECT_FALSE(after_steps(scene::rough_duct({67, 13, 1}), 9) == after_steps(walls, 9));
}

}  // namespace
