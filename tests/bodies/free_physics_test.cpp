// SPDX-License-Identifier: Apache-2.0
// What free bodies do in a fluid: sink and rise, swing at springs, come to rest on floors and on each other.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "fluvia/solver/bodies/moving_bodies.hpp"
#include "support/errors.hpp"
#include "support/free_bodies.hpp"

namespace fluvia::test {
namespace {

using std::numbers::pi;

/// A cylinder midway between walls four diameters apart reaches the speed at which Faxén's drag (1946; Happel and
/// Brenner, Low Reynolds Number Hydrodynamics, eq. 7-5.11) bears its weight, whether it is light or heavy.
TEST(FreeBodiesInFluid, SinkAndRiseWithFaxensSpeed) {
  for (const double ratio : {0.1, 0.5, 5.0}) {
    SCOPED_TRACE(ratio);
    constexpr double across = 12, viscosity = 0.1, reynolds = 0.3, blocked = 0.25;
    const double speed = reynolds * viscosity / across, area = pi * across * across / 4;
    const double drag = 4 * pi * viscosity * speed /
                        (std::log(1 / blocked) - 0.9157 + 1.7244 * blocked * blocked - 1.7302 * std::pow(blocked, 4));
    Case c = still_box("D2Q9", {48, 96, 1}, 0.5 + 3 * viscosity);
    const bool sinks = ratio > 1;
    add_ball(c, "body", {24, sinks ? 58.37 : 37.6, 0}, across / 2);
    free_body(c, "body").density = ratio;
    c.physics.gravity = {0, -drag / (std::abs(ratio - 1) * area), 0};
    const auto solver = solver_of(c);
    const auto steps = static_cast<int>(2 * (48 * 48 / viscosity / 9.87 + ratio * area * speed / drag * 2));
    solver->step(steps);
    double mean = 0;  // over about the time in which it passes two nodes
    const int passing = std::min(static_cast<int>(2 / speed), steps / 4);
    const double from = solver->bodies()->state(0).pose.center[1];
    solver->step(passing);
    mean = (solver->bodies()->state(0).pose.center[1] - from) / passing;
    EXPECT_NEAR(mean / speed, sinks ? -1 : 1, 0.02);
    EXPECT_NEAR(solver->bodies()->state(0).pose.center[0], 24, 0.05);
  }
}

/// The frequency of a cylinder at a spring, twice as dense as the fluid around it, is that of its mass and of the mass
/// that Stokes (1851) has move with it, -pi a^2 rho (1 + 4 K1(z) / (z K0(z))), z = a sqrt(lambda/nu), and 0.03 more for
/// the walls of the box (a cylinder in one eight times as wide): 813.6 steps; 810.2 without walls, 744 without the
/// fluid's viscosity, 605 without the fluid.
TEST(FreeBodiesInFluid, SwingAtSpringsWithTheFluid) {
  Case c = still_box("D2Q9", {96, 96, 1}, 0.53);
  add_ball(c, "body", {48.2, 48.1, 0}, 6);
  Case::Body::Free& free = free_body(c, "body");
  free.density = 2;
  free.stiffness = {0.02441744, 0, 0};
  free.anchor = Real3{48.7, 48.1, 0};
  free.fixed = {"y", "rotation"};
  const auto solver = solver_of(c);
  std::vector<double> crossings;
  double before = -0.5;
  for (int step = 1; step < 1900; ++step) {
    solver->step(1);
    const double now = solver->bodies()->state(0).pose.center[0] - 48.7;
    if ((before < 0) != (now < 0)) crossings.push_back(step - now / (now - before));
    before = now;
  }
  ASSERT_GE(crossings.size(), 4U);
  EXPECT_NEAR(crossings[3] - crossings[1], 813.6, 12);
}

/// A ball falls on a floor and rests there, with less than a node in between; so does one on top of it.
TEST(FreeBodiesInFluid, ComeToRestOnFloorsAndOnEachOther) {
  for (const char* lattice : {"D2Q9", "D3Q19"}) {
    SCOPED_TRACE(lattice);
    const bool flat = lattice[1] == '2';
    Case c = still_box(lattice, flat ? Int3{24, 40, 1} : Int3{18, 34, 18}, 0.7);
    const double middle = flat ? 12 : 9, z = flat ? 0 : 9;
    add_ball(c, "lower", {middle, 7, z}, 5);
    free_body(c, "lower").density = 3;
    add_ball(c, "upper", {middle, 20.5, z}, 5);
    free_body(c, "upper").density = 2;
    c.physics.gravity = {0, flat ? -4e-5 : -8e-5, 0};
    c.bodies[1].free->fixed = {"x", "z"};
    c.bodies[0].free->fixed = {"x", "z"};
    const auto solver = solver_of(c);
    solver->step(6000);
    const BodyState &lower = solver->bodies()->state(0), &upper = solver->bodies()->state(1);
    EXPECT_GT(lower.pose.center[1] - 5, 0.1);
    EXPECT_LT(lower.pose.center[1] - 5, 1);
    EXPECT_GT(upper.pose.center[1] - lower.pose.center[1] - 10, 0.1);
    EXPECT_LT(upper.pose.center[1] - lower.pose.center[1] - 10, 1);
    EXPECT_LT(norm(lower.pose.velocity) + norm(upper.pose.velocity), 1e-4);
  }
}

/// A body that its weight drives through soft walls ends the run, which says where and when.
TEST(FreeBodiesInFluid, SayWhereTheyLeaveTheBox) {
  Case c = still_box("D2Q9", {24, 40, 1}, 0.7);
  add_ball(c, "body", {12, 20, 0}, 5);
  free_body(c, "body").density = 900;
  c.bodies[0].free->velocity = {0, -0.1, 0};
  const auto solver = solver_of(c);
  const std::string message = error_of(ExitCode::input, [&] { solver->step(400); });
  EXPECT_CONTAINS(message, "'body' leaves the box along y");
  EXPECT_CONTAINS(message, "at step 1");
}

}  // namespace
}  // namespace fluvia::test
