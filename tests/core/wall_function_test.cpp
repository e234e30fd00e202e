// SPDX-License-Identifier: Apache-2.0
#include "fluvia/core/boundary/wall_function.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fluvia/core/boundary/registry.hpp"
#include "fluvia/core/lattice/d2q9.hpp"
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

/// Momentum along x that the links of a node beside y_min take from a stream, and what the law says, in parts of which
/// it is returned: their quotient. The node beyond, 1.5 nodes from the wall, has 0.05.
template <class T>
double taken_by_law() {
  using namespace fluvia::core;
  using Lattice = D2Q9;
  constexpr int numbers = WallFunction::memory_size;
  constexpr T speed = T(0.05), tau = T(0.5006), viscosity = (tau - T(0.5)) / T(3);
  T memory[2 * numbers] = {};
  memory[WallFunction::steps] = memory[numbers + WallFunction::steps] = T(2);
  memory[numbers + WallFunction::velocities + 3] = memory[WallFunction::mean_velocity] = speed;
  CutLinks links{};
  links.memory = 0;
  links.opening = {};
  links.opening.upstream = numbers;
  links.normal[1] = -1;
  T f[Lattice::Q];
  for (int i = 0; i < Lattice::Q; ++i) {
    const T along = T(Lattice::c[i][0]) * T(0.03);
    const bool cut = Lattice::c[i][1] > 0;
    if (cut) links.directions |= 1u << i;
    f[i] = T(Lattice::w[i]) * ((cut ? T(-3) : T(3)) * along + T(4.5) * along * along - T(1.5 * 0.03 * 0.03));
  }
  T loaded[Lattice::Q];
  for (int i = 0; i < Lattice::Q; ++i) loaded[i] = f[i];
  SurfaceState surface;
  while (boundary_facts(surface.kind).models_friction == false) ++surface.kind;
  surface.rule = boundary_rule(surface.kind);
  CollisionParameters<T> parameters{};
  parameters.omega = T(1) / tau;
  parameters.shear_viscosity = viscosity;
  apply_boundary<Lattice, QuasiCompressible>(f, loaded, links, surface, parameters, PlaneFits<T>{}, memory, memory);
  double taken = 0;
  for (int i = 0; i < Lattice::Q; ++i)
    if (links.directions >> i & 1u) taken -= Lattice::c[i][0] * (static_cast<double>(f[i]) + loaded[i]);
  const double friction = reference::friction_velocity(speed, 1.5, viscosity, 0);
  return taken / (friction * friction);
}

/// The friction is a thousandth of what links carry, of which the slide must not leave anything beside it. When it left
/// 0.1%, walls took 0.5 to 2 times what the law says.
TEST(WallFunction, TakesNothingBesideTheFrictionOfTheLaw) {
  EXPECT_NEAR(taken_by_law<double>(), 1, 1e-3);
  EXPECT_NEAR(taken_by_law<float>(), 1, 5e-3);
}

}  // namespace
