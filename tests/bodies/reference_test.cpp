// SPDX-License-Identifier: Apache-2.0
// The oracle for bodies that move, beside exact torques and beside the same flows in another frame.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "reference/bodies/body_solver.hpp"

namespace reference::bodies {
namespace {

using std::numbers::pi;

RigidBody ball(double radius, const Real3& centre) {
  RigidBody body;
  body.distance = [radius](const Real3& x) { return fluvia::norm(x) - radius; };
  body.centre = centre;
  return body;
}
/// All that lies further from the centre than the radius.
RigidBody shell(double radius, const Real3& centre) {
  RigidBody body;
  body.distance = [radius](const Real3& x) { return radius - fluvia::norm(x); };
  body.centre = centre;
  return body;
}
RigidBody bar(double length, double width, const Real3& centre) {
  RigidBody body;
  body.distance = [=](const Real3& x) { return std::max(std::abs(x[0]) - length / 2, std::abs(x[1]) - width / 2); };
  body.centre = centre;
  return body;
}
Physics physics_of(const std::string& lattice, double tau) {
  Physics physics;
  physics.lattice = lattice;
  physics.collision = "trt";
  physics.tau = tau;
  return physics;
}

/// Torque, over the exact one, on a cylinder (2D) or a ball that spins within a fixed one.
double torque_between(const std::string& lattice, double inner, double outer) {
  const bool flat = lattice[1] == '2';
  const int size = static_cast<int>(2 * outer) + 4;
  const Real3 centre{0.5 * size + 0.21, 0.5 * size + 0.13, flat ? 0 : 0.5 * size - 0.17};
  const double tau = 0.8, viscosity = 0.1, spin = 0.02 / inner;
  BodySolver solver(physics_of(lattice, tau), {size, size, flat ? 1 : size},
                    {ball(inner, centre), shell(outer, centre)});
  solver.bodies[0].angular_velocity = {0, 0, spin};
  // Ten times as long as the slowest part of the transient takes to fall by e.
  const int steps = static_cast<int>(10 * std::pow((outer - inner) / pi, 2) / viscosity);
  for (int t = 0; t < steps; ++t) solver.step();
  // Landau & Lifshitz, Fluid Mechanics, section 18 and problem to section 20.
  const int power = flat ? 2 : 3;
  const double a = std::pow(inner, power), b = std::pow(outer, power);
  const double exact = -(flat ? 4 : 8) * pi * viscosity * spin * a * b / (b - a);
  return solver.bodies[0].torque[2] / exact;
}

/// The surface acts where it is: the error falls with the square of the spacing.
TEST(Bodies, SpinningOnesFeelTheExactTorque) {
  const double coarse = torque_between("D2Q9", 4, 10), fine = torque_between("D2Q9", 8, 20);
  EXPECT_NEAR(fine, 1, 0.01);
  EXPECT_GT(std::log2((1 - coarse) / (1 - fine)), 1.8);
  const double coarse_ball = torque_between("D3Q19", 2.5, 5), fine_ball = torque_between("D3Q19", 5, 10);
  EXPECT_NEAR(fine_ball, 1, 0.03);
  EXPECT_GT(std::log2((1 - coarse_ball) / (1 - fine_ball)), 1.7);
}

/// Drag of a cylinder that starts at once, over the last quarter of the time.
double drag(bool moves, double diameter) {
  const double speed = 0.05, viscosity = speed * diameter / 40;
  const Int3 size{static_cast<int>(8 * diameter), static_cast<int>(5 * diameter), 1};
  BodySolver solver(physics_of("D2Q9", 0.5 + 3 * viscosity), size,
                    {ball(diameter / 2, {2 * diameter + 0.3, 2.5 * diameter + 0.2, 0})});
  if (moves)
    solver.bodies[0].velocity = {speed, 0, 0};
  else
    solver.set({1, {-speed, 0, 0}});
  const int steps = static_cast<int>(4 * diameter / speed);
  double sum = 0;
  for (int t = 0; t < steps; ++t) {
    solver.step();
    if (t >= steps * 3 / 4) sum += solver.bodies[0].force[0];
  }
  return -2 * sum / (speed * speed * diameter) / (steps - steps * 3 / 4);
}

/// A cylinder that moves through fluid at rest has the drag of one that is held in a stream, to second order.
TEST(Bodies, DragIsThatOfTheBodyHeldInAStream) {
  const double coarse = drag(true, 10) / drag(false, 10), fine = drag(true, 16) / drag(false, 16);
  EXPECT_NEAR(fine, 1, 0.02);
  EXPECT_GT(std::log((1 - coarse) / (1 - fine)) / std::log(1.6), 1.7);
}

/// A bar that moves and turns, so that nodes are covered and uncovered at every step: what the fluid loses is what went
/// over the links and with the nodes.
TEST(Bodies, MomentumGoesNowhereElse) {
  for (const char* lattice : {"D2Q9", "D3Q19", "D3Q27"}) {
    const bool flat = lattice[1] == '2';
    BodySolver solver(physics_of(lattice, 0.7), flat ? Int3{24, 20, 1} : Int3{14, 14, 10},
                      {bar(8.3, 3.1, {8.2, 9.7, flat ? 0 : 5.1})});
    solver.bodies[0].velocity = {0.04, 0.02, flat ? 0 : 0.01};
    solver.bodies[0].angular_velocity = {0, 0, 0.01};
    for (int t = 0; t < 30; ++t) {
      const Real3 before = solver.momentum();
      solver.step();
      const Real3 after = solver.momentum();
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(after[a] - before[a], -solver.taken()[a], 1e-12) << lattice << t;
    }
  }
}

/// A body that the fluid carries along, all of it at one velocity, feels nothing, whatever it covers and uncovers.
TEST(Bodies, ThatGoWithTheFluidFeelNothing) {
  for (const char* lattice : {"D2Q9", "D3Q19"}) {
    const bool flat = lattice[1] == '2';
    BodySolver solver(physics_of(lattice, 0.6), flat ? Int3{20, 20, 1} : Int3{12, 12, 12},
                      {ball(3.3, {6.1, 6.4, flat ? 0 : 6.2})});
    const Real3 velocity{0.06, 0.03, flat ? 0 : -0.02};
    solver.set({1, velocity});
    solver.bodies[0].velocity = velocity;
    for (int t = 0; t < 60; ++t) {
      solver.step();
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(solver.bodies[0].force[a], 0, 1e-12) << lattice << t;
    }
    for (std::size_t n = 0; n < solver.nodes(); ++n) {
      if (!solver.is_fluid(n)) continue;
      EXPECT_NEAR(solver.state(n).density, 1, 1e-12);
      EXPECT_NEAR(solver.state(n).velocity[0], velocity[0], 1e-12);
    }
  }
}

}  // namespace
}  // namespace reference::bodies
