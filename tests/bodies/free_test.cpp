// SPDX-License-Identifier: Apache-2.0
// Bodies that are free: what they measure, their equations of motion without a fluid, and with one beside the oracle.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"
#include "reference/bodies/body_solver.hpp"
#include "support/errors.hpp"
#include "support/free_bodies.hpp"

namespace fluvia::test {
namespace {

using std::numbers::pi;

BodyMeasure measure(const Case& c) {
  const Grid grid = make_grid(c);
  return measure_body(make_body_shape(c, grid, "body"), grid.dimension);
}

TEST(FreeBodies, MeasureWhatTheyAre) {
  Case ball = still_box("D3Q19", {40, 40, 40}, 0.8);
  add_ball(ball, "body", {20.3, 19.8, 20.1}, 6);
  const BodyMeasure of_ball = measure(ball);
  const double volume = 4 * pi / 3 * 216;
  EXPECT_NEAR(of_ball.volume, volume, 1e-3 * volume);
  EXPECT_NEAR(of_ball.area, 4 * pi * 36, 0.02 * 4 * pi * 36);
  for (std::size_t a = 0; a < 3; ++a) {
    EXPECT_NEAR(of_ball.centroid[a], (Real3{20.3, 19.8, 20.1}[a]), 1e-3);
    EXPECT_NEAR(of_ball.moments[a][a], 0.4 * volume * 36, 2e-3 * 0.4 * volume * 36);
    EXPECT_NEAR(of_ball.moments[a][(a + 1) % 3], 0, 1e-3 * 0.4 * volume * 36);
  }
  double area = 0;
  for (const SurfacePoint& point : of_ball.points) {
    EXPECT_NEAR(norm(point.place - Real3{20.3, 19.8, 20.1}), 6, 1e-3);
    area += point.area;
  }
  EXPECT_NEAR(area, 4 * pi * 36, 0.03 * 4 * pi * 36);

  Case cross = still_box("D2Q9", {40, 40, 1}, 0.8);
  add_box(cross, "body", {20, 20, 0}, {16, 4, 0});
  add_box(cross, "body", {20, 23, 0}, {4, 14, 0});  // which overlaps with it
  const BodyMeasure of_cross = measure(cross);
  const double area_of_cross = 16 * 4 + 4 * 14 - 4 * 4;
  EXPECT_NEAR(of_cross.volume, area_of_cross, 2e-3 * area_of_cross);
  EXPECT_NEAR(of_cross.centroid[1], 20 + 56 * 3 / area_of_cross, 0.02);
}

FreeMotion motion_of(const Case& c) {
  const Grid grid = make_grid(c);
  return {c, *c.bodies[0].free, "body[0].free", make_units(c, grid.spacing), grid, measure(c)};
}

/// How far from the exact place a spring has brought a body after so much time, in so many steps.
double error_of_spring(int steps) {
  Case c = still_box("D2Q9", {40, 40, 1}, 0.8);
  add_ball(c, "body", {20, 20, 0}, 5);
  Case::Body::Free& free = free_body(c, "body");
  const double mass = 50, step = 400.0 / steps;  // a step is as much time
  free.density.reset();
  free.mass = mass;
  free.stiffness = {0.05 * step * step, 0, 0};
  free.damping = {0.2 * step, 0, 0};
  free.velocity = {0.01 * step, 0, 0};
  const FreeMotion motion = motion_of(c);
  BodyState state = motion.start();
  // The velocity with which it begins is that half a step later.
  const double decay = 0.2 / (2 * mass), rate = std::sqrt(0.05 / mass - decay * decay);
  const auto velocity = [&](double t) {
    return 0.01 * std::exp(-decay * t) * (std::cos(rate * t) - decay / rate * std::sin(rate * t));
  };
  motion.set_velocity(state, {velocity(0.5 * step) * step, 0, 0}, {});
  for (int k = 0; k < steps; ++k) {
    state.go();
    motion.push(state, {});
  }
  const double exact = 0.01 / rate * std::exp(-decay * 400) * std::sin(rate * 400);
  return std::abs(state.pose.center[0] - 20 - exact);
}

TEST(FreeBodies, SwingAtSpringsToSecondOrder) {
  const double coarse = error_of_spring(100), fine = error_of_spring(200);
  EXPECT_LT(coarse, 2e-3);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

/// A top with three moments of inertia keeps its angular momentum and its energy while it tumbles.
TEST(FreeBodies, TumbleAsEulerSays) {
  Case c = still_box("D3Q19", {40, 40, 40}, 0.8);
  add_box(c, "body", {20, 20, 20}, {16, 8, 4});
  Case::Body::Free& free = free_body(c, "body");
  free.inertia = {100, 200, 260};
  free.angular_velocity = {0.001, 0.02, 0.0005};  // about the middle axis, which is unstable
  const FreeMotion motion = motion_of(c);
  BodyState state = motion.start();
  const Real3 momentum = state.angular_momentum;
  const double energy = dot(state.pose.angular_velocity, momentum);
  double least = 1;
  for (int step = 0; step < 3000; ++step) {
    state.go();
    motion.push(state, {});
    least = std::min(least, state.pose.axes[1][1]);
    EXPECT_NEAR(dot(state.pose.angular_velocity, state.angular_momentum), energy, 1e-3 * energy);
  }
  EXPECT_LT(least, -0.9);  // it has turned over
  for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(state.angular_momentum[a], momentum[a], 1e-12);
  for (std::size_t a = 0; a < 3; ++a) EXPECT_NEAR(norm(state.pose.axes[a]), 1, 1e-12);
}

/// A bar that hangs at its end swings with 2 pi sqrt(2 L / 3 g), where the fluid has no weight.
TEST(FreeBodies, SwingAtHinges) {
  Case c = still_box("D2Q9", {60, 60, 1}, 0.8);
  add_box(c, "body", {30, 30, 0}, {1, 20, 0});
  Case::Body::Free& free = free_body(c, "body");
  free.density = 1000;
  free.hinge = Real3{30, 40, 0};
  free.angular_velocity = {0, 0, 1e-4};
  c.physics.gravity = {0, -1e-5, 0};
  const FreeMotion motion = motion_of(c);
  BodyState state = motion.start();
  std::vector<double> crossings;
  double last = 0;
  for (int step = 1; step < 20000; ++step) {
    state.go();
    motion.push(state, {});
    const double angle = state.turn.angle()[2];
    if (last < 0 && angle >= 0) crossings.push_back(step - angle / (angle - last));
    last = angle;
  }
  ASSERT_GE(crossings.size(), 2u);
  EXPECT_NEAR((crossings.back() - crossings.front()) / static_cast<double>(crossings.size() - 1),
              2 * pi * std::sqrt(2 * 20 / (3 * 0.999e-5)), 10);
  EXPECT_EQ(state.pose.center, (Real3{30, 40, 0.5}));
}

TEST(FreeBodies, KeepWhatIsFixed) {
  Case c = still_box("D3Q19", {40, 40, 40}, 0.8);
  add_box(c, "body", {20, 20, 20}, {16, 8, 4});
  Case::Body::Free& free = free_body(c, "body");
  free.fixed = {"y", "rotation_x"};
  const FreeMotion motion = motion_of(c);
  BodyState state = motion.start();
  BodyLoad load;
  load.force = {1, 1, 1};
  load.torque = {1, 1, 1};
  for (int step = 0; step < 30; ++step) {
    motion.push(state, load);
    state.go();
  }
  EXPECT_GT(state.pose.velocity[0], 0.01);
  EXPECT_EQ(state.pose.velocity[1], 0);
  EXPECT_GT(state.pose.velocity[2], 0.01);
  EXPECT_EQ(state.pose.angular_velocity[0], 0);
  EXPECT_GT(std::abs(state.pose.angular_velocity[1]), 1e-4);
}

/// A bar and a ball that the flow carries along, which their weight draws down.
Case carried(const std::string& lattice, const Int3& size) {
  const bool flat = lattice[1] == '2';
  Case c = still_box(lattice, size, 0.7);
  c.domain.periodic = {true, true, !flat};
  c.physics.initial_velocity = {0.03, -0.02, flat ? 0 : 0.01};
  c.physics.gravity = {0, -2e-4, 0};
  const double z = flat ? 0 : 9.3;
  add_box(c, "bar", {8.2, 9.7, z}, {flat ? 8.3 : 6.2, 3.1, flat ? 0.0 : 4.3});
  free_body(c, "bar").density = 2.5;
  c.bodies.back().free->angular_velocity = {0, 0, 0.011};
  add_ball(c, "ball", {flat ? 27.9 : 21.4, flat ? 17.1 : 14.2, z}, 2.9);
  free_body(c, "ball").density = 0.6;
  if (!flat)
    for (Case::Body& body : c.bodies) body.free->fixed = {"rotation_x", "rotation_y"};
  return c;
}

/// The oracle moves its bodies with the velocities that the equations of motion give, written down anew.
TEST(FreeBodies, AreThoseOfTheOracle) {
  for (const char* lattice : {"D2Q9", "D3Q19"}) {
    SCOPED_TRACE(lattice);
    const bool flat = lattice[1] == '2';
    const Int3 size = flat ? Int3{29, 26, 1} : Int3{22, 19, 18};
    const Case c = carried(lattice, size);
    const auto solver = solver_of(c);
    using ::reference::bodies::RigidBody;
    RigidBody bar, ball;
    const Real3 half{flat ? 4.15 : 3.1, 1.55, flat ? 1e6 : 2.15};
    bar.distance = [half, flat](const Real3& x) {
      const Real3 q{std::abs(x[0]) - half[0], std::abs(x[1]) - half[1], flat ? -1 : std::abs(x[2]) - half[2]};
      const Real3 out{std::max(q[0], 0.0), std::max(q[1], 0.0), std::max(q[2], 0.0)};
      return norm(out) + std::min(0.0, *std::max_element(q.begin(), q.end()));
    };
    ball.distance = [](const Real3& x) { return norm(x) - 2.9; };
    bar.centre = c.geometry.shapes[0].center;
    ball.centre = c.geometry.shapes[1].center;
    bar.angular_velocity = {0, 0, 0.011};
    ::reference::Physics physics;
    physics.lattice = lattice;
    physics.collision = "trt";
    physics.tau = 0.7;
    ::reference::bodies::BodySolver oracle(physics, size, {bar, ball});
    oracle.set({1, c.physics.initial_velocity});

    const double of_bar = flat ? 8.3 * 3.1 : 6.2 * 3.1 * 4.3,
                 of_ball = flat ? pi * 2.9 * 2.9 : 4 * pi / 3 * std::pow(2.9, 3);
    const double volumes[] = {of_bar, of_ball}, densities[] = {2.5, 0.6};
    const double length = flat ? 8.3 : 6.2;
    const double turns_by[] = {2.5 * of_bar * (length * length + 3.1 * 3.1) / 12,
                               0.6 * of_ball * 2.9 * 2.9 * (flat ? 0.5 : 0.4)};
    Real3 forces[2]{}, torques[2]{};
    for (int step = 0; step < 40; ++step) {
      oracle.step();
      solver->step(1);
      for (std::size_t k = 0; k < 2; ++k) {
        auto& body = oracle.bodies[k];
        const double mass = densities[k] * volumes[k];
        for (std::size_t a = 0; a < (flat ? 2U : 3U); ++a)
          body.velocity[a] +=
              (0.5 * (forces[k][a] + body.force[a]) + (mass - volumes[k]) * c.physics.gravity[a]) / mass;
        body.angular_velocity[2] += 0.5 * (torques[k][2] + body.torque[2]) / turns_by[k];
        forces[k] = body.force;
        torques[k] = body.torque;
        const BodyState& state = solver->bodies()->state(static_cast<int>(k));
        for (std::size_t a = 0; a < (flat ? 2U : 3U); ++a) {
          EXPECT_NEAR(state.pose.center[a], body.centre[a], 2e-3) << step << " " << k << " " << a;
          EXPECT_NEAR(state.pose.velocity[a], body.velocity[a], 2e-4) << step << " " << k << " " << a;
        }
        EXPECT_NEAR(state.pose.angular_velocity[2], body.angular_velocity[2], 2e-4) << step << " " << k;
      }
    }
  }
}

TEST(FreeBodies, HaveTheSameBits) {
  for (const char* lattice : {"D2Q9", "D3Q19"}) {
    Case c = carried(lattice, lattice[1] == '2' ? Int3{29, 26, 1} : Int3{22, 19, 18});
    const auto reference = solver_of(c);
    reference->step(31);
    for (const core::Scheme& scheme : core::schemes) {
      if (!scheme.cpu || scheme.half) continue;
      SCOPED_TRACE(testing::Message() << lattice << " " << scheme.name);
      c.numerics.scheme = scheme.name;
      c.numerics.threads = scheme.serial ? 1 : 3;
      const auto solver = solver_of(c);
      solver->step(31);
      for (int body : {0, 1}) EXPECT_EQ(solver->bodies()->state(body).pose, reference->bodies()->state(body).pose);
      EXPECT_EQ(moments_of(*solver).velocity, moments_of(*reference).velocity);
    }
  }
}

/// What a checkpoint holds is all that they need, in fp32, too.
TEST(FreeBodies, GoOnExactly) {
  for (const char* format : {"fp64", "fp32"}) {
    SCOPED_TRACE(format);
    Case c = carried("D2Q9", {29, 26, 1});
    c.numerics.format = format;
    const auto whole = solver_of(c), first = solver_of(c), second = solver_of(c);
    whole->step(40);
    first->step(13);
    second->step(4);
    copy_flow(*first, *second);
    EXPECT_EQ(second->bodies()->state(0).pose, first->bodies()->state(0).pose);
    second->step(27);
    for (int body : {0, 1}) EXPECT_EQ(second->bodies()->state(body).pose, whole->bodies()->state(body).pose);
    EXPECT_EQ(moments_of(*second).velocity, moments_of(*whole).velocity);
  }
}

/// A body to which a program gives a velocity moves like one that is told to.
TEST(FreeBodies, CanBeSteered) {
  Case c = still_box("D2Q9", {40, 30, 1}, 0.8);
  add_ball(c, "body", {14.2, 14.9, 0}, 4.2);
  c.bodies.emplace_back().surface = "body";
  const auto steered = solver_of(c);
  c.bodies[0].motion.velocity = {0.02, 0.01, 0};
  const auto told = solver_of(c);
  steered->apply(BodyVelocity{0, {0.02, 0.01, 0}, {}});
  steered->step(60);
  told->step(60);
  EXPECT_NEAR(norm(steered->bodies()->pose(0).center - told->bodies()->pose(0).center), 0, 1e-12);
  const Moments a = moments_of(*steered), b = moments_of(*told);
  for (std::size_t k = 0; k < a.velocity.size(); ++k) EXPECT_NEAR(norm(a.velocity[k] - b.velocity[k]), 0, 1e-10);
  EXPECT_GT(norm(a.velocity[b.velocity.size() / 2]), 1e-5);
  EXPECT_CONTAINS(error_of(ExitCode::input, [&] { steered->apply(BodyVelocity{0, {0.3, 0, 0}, {}}); }), "Mach");
  // It stays where it is put from there on, and goes on so after a restart.
  steered->apply(BodyVelocity{0, {}, {}});
  const auto other = solver_of(c);
  other->step(2);
  copy_flow(*steered, *other);
  other->step(5);
  steered->step(5);
  EXPECT_EQ(other->bodies()->pose(0), steered->bodies()->pose(0));
  EXPECT_EQ(moments_of(*other).velocity, moments_of(*steered).velocity);
}

TEST(FreeBodies, SayWhatIsNotPossible) {
  const auto message = [](const auto& change) {
    Case c = carried("D2Q9", {29, 26, 1});
    change(c, *c.bodies[0].free);
    return error_of(ExitCode::input, [&] { solver_of(c)->step(2000); });
  };
  using Free = Case::Body::Free;
  EXPECT_CONTAINS(message([](Case&, Free& free) { free.density.reset(); }), "needs 'density', or 'mass'");
  EXPECT_CONTAINS(message([](Case&, Free& free) { free.mass = 3; }), "'mass' and 'density'");
  EXPECT_CONTAINS(message([](Case& c, Free&) { c.bodies[0].motion.velocity = {0.1, 0, 0}; }), "beside 'free'");
  EXPECT_CONTAINS(message([](Case&, Free& free) { free.angular_velocity = {0.1, 0, 0}; }), "about z only");
  EXPECT_CONTAINS(message([](Case&, Free& free) { free.stiffness = {-1, 0, 0}; }), "less than 0");
  EXPECT_CONTAINS(message([](Case&, Free& free) { free.inertia = {0, 0, 0}; }), "above 0");
  EXPECT_CONTAINS(message([](Case&, Free& free) {
                    free.hinge = Real3{1, 1, 0};
                    free.velocity = {0.1, 0, 0};
                  }),
                  "'hinge'");
  EXPECT_CONTAINS(message([](Case& c, Free&) { c.physics.gravity = {0, -0.01, 0}; }), "Mach");
}

}  // namespace
}  // namespace fluvia::test
