// SPDX-License-Identifier: Apache-2.0
#include "fluvia/core/boundary/wall_function.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "reference/wall_friction.hpp"

namespace {

using fluvia::core::friction_velocity;
using fluvia::core::spalding_velocity;

TEST(WallFunction, FindsTheVelocityOfSpaldingsLaw) {
  for (double u = 4.9; u < 45; u += 0.37) {
    const double reynolds = u * reference::spalding_distance(u);
    EXPECT_NEAR(spalding_velocity(reynolds) / u, 1, 1e-13) << "u+ " << u;
    EXPECT_NEAR(spalding_velocity(static_cast<float>(reynolds)) / u, 1, 1e-6) << "u+ " << u;
  }
}

/// Far from the wall Spalding's law is logarithmic but for the terms that bring it there: 0.24% at y+ = 300.
TEST(WallFunction, TakesTheFrictionOfTheLaw) {
  const double viscosity = 1e-5, friction = 2e-3, y = 1.5;
  const double y_plus = y * friction / viscosity, u_plus = std::log(y_plus) / 0.4 + 5.5;
  EXPECT_NEAR(friction_velocity(u_plus * friction, y, viscosity, 0.0) / friction, 1, 3e-3);
  EXPECT_EQ(friction_velocity(1e-4, y, viscosity, 0.0), 0);
  const double grain = 0.3, rough = std::log(1 + 30 * y / grain) / 0.4;
  EXPECT_NEAR(friction_velocity(rough * friction, y, 1e-6, grain) / friction, 1, 1e-12);
}

}  // namespace
