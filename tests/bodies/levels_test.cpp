// SPDX-License-Identifier: Apache-2.0
// Bodies on the finest of several levels of refinement: what they feel is what they would feel if all was so fine, and
// bits depend on no parts, schemes and restarts.
#include "fluvia/backend/levels.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/run/bodies/body_reports.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"
#include "support/errors.hpp"
#include "support/free_bodies.hpp"

namespace fluvia::test {
namespace {

void refine(Case& c, int level, const Real3& lower, const Real3& upper) {
  Case::Refine& region = c.refine.emplace_back();
  region.level = level;
  region.box = {lower, upper};
}

Units units_of(const Case& c) {
  return make_units(c, make_grid(c).spacing);
}

/// A closed box in 2D, in which a bar turns, with as many nodes along an edge; lengths in parts of it.
Case turning_bar(int nodes) {
  Case c = still_box("D2Q9", {nodes, nodes, 1}, 0.8);
  const double edge = nodes;
  add_box(c, "bar", {0.5 * edge, 0.5 * edge, 0}, {0.3 * edge, 0.1 * edge, 0});
  told_body(c, "bar", {}, {0, 0, 0.15 / edge});  // as fast at its tips whatever the number
  return c;
}

struct Felt {
  double torque, power;
};

/// What a bar feels in each of some steps of the coarsest of levels, in its units.
std::vector<double> torques(Solver& solver, const Case& c, int steps, int stride) {
  std::vector<double> felt;
  for (int step = 0; step < steps; ++step) {
    solver.step(stride);
    felt.push_back(report_bodies(c, solver, units_of(c)).front().torque[2]);
  }
  return felt;
}

/// The same flow on levels and with the finest spacing everywhere. Coarse nodes are at the walls, where the flow is
/// smooth; their error is that of second differences over them.
TEST(BodiesOnLevels, FeelWhatTheyFeelOnTheFinestEverywhere) {
  constexpr int coarse = 64, steps = 400;
  Case levels = turning_bar(coarse);
  refine(levels, 1, {14, 14, 0}, {50, 50, 1});
  Case fine = turning_bar(2 * coarse);
  fine.units.tau = 0.5 + 2 * (levels.units.tau.value() - 0.5);
  const auto on_levels = solver_of(levels), everywhere = solver_of(fine);
  ASSERT_EQ(on_levels->levels().size(), 2U);
  const std::vector<double> a = torques(*on_levels, levels, steps, 1), b = torques(*everywhere, fine, steps, 2);
  double difference = 0, most = 0;
  for (int step = steps / 4; step < steps; ++step) {
    // A torque of 2D in lattice units goes with the square of the spacing.
    difference =
        std::max(difference, std::abs(4 * a[static_cast<std::size_t>(step)] - b[static_cast<std::size_t>(step)]));
    most = std::max(most, std::abs(b[static_cast<std::size_t>(step)]));
  }
  EXPECT_LT(difference, 0.01 * most) << difference << " of " << most;
  // Places and velocities are those of the case.
  const BodyReport report = report_bodies(levels, *on_levels, units_of(levels)).front();
  EXPECT_NEAR(report.position[0], 32, 1e-9);
  EXPECT_NEAR(report.angular_velocity[2], 0.15 / coarse, 1e-12);
  EXPECT_NEAR(report.angle[2], std::remainder(steps * 0.15 / coarse, 2 * M_PI), 1e-9);
}

/// A body that goes with the fluid through a level feels nothing, and leaves no trace.
TEST(BodiesOnLevels, ThatGoWithTheFluidFeelNothing) {
  for (const char* lattice : {"D2Q9", "D3Q19"}) {
    const bool flat = lattice[1] == '2';
    Case c = still_box(lattice, flat ? Int3{40, 40, 1} : Int3{20, 20, 20}, 0.8);
    c.domain.periodic = {true, true, !flat};
    const Real3 velocity{0.05, 0.03, flat ? 0 : 0.02};
    c.physics.initial_velocity = velocity;
    const double s = flat ? 2 : 1;
    add_ball(c, "ball", {8.1 * s, 8.3 * s, flat ? 0 : 8.2}, 1.3 * s);
    told_body(c, "ball", velocity, {});
    refine(c, 1, {4.1 * s, 4.1 * s, flat ? 0 : 4.1}, {15.9 * s, 15.9 * s, flat ? 1 : 15.9});
    const auto solver = solver_of(c);
    for (int step = 0; step < 30; ++step) {
      solver->step(1);
      EXPECT_LT(norm(report_bodies(c, *solver, units_of(c)).front().force), 1e-12);
    }
    const Moments m = moments_of(*solver->solver_of_level(0));
    for (const Real3& u : m.velocity) EXPECT_LT(norm(u - velocity), 1e-12);
  }
}

/// A sphere or a cylinder that falls, on two or three levels, and a bar that turns beside it.
Case falling(const std::string& lattice, int finest) {
  const bool flat = lattice[1] == '2';
  const double s = flat ? 2 : 1;
  Case c = still_box(lattice, flat ? Int3{48, 64, 1} : Int3{24, 24, 32}, 0.7);
  add_ball(c, "ball", {8.2 * s, 12.1 * s, flat ? 0 : 20.3}, 1.7 * s);
  Case::Body::Free& ball = free_body(c, "ball");
  ball.density = 1.4;
  c.physics.gravity = {0, flat ? -2e-4 : 0, flat ? 0 : -2e-4};
  add_box(c, "bar", {15.2 * s, 12.1 * s, flat ? 0 : 16.3}, {3 * s, 1.2 * s, flat ? 0.0 : 2.0});
  told_body(c, "bar", {}, {0, 0, 0.02 / s});
  refine(c, finest, {5.1 * s, 8.2 * s, flat ? 0.0 : 13.0}, {18.4 * s, 15.9 * s, flat ? 1.0 : 23.9});
  c.monitors.forces = {"bar"};
  return c;
}

std::vector<double> numbers_of(const Case& c, const Solver& solver) {
  std::vector<double> all;
  for (int body = 0; body < static_cast<int>(c.bodies.size()); ++body) {
    const auto state = solver.bodies()->state(body).packed();
    all.insert(all.end(), state.begin(), state.end());
  }
  for (const BodyReport& report : report_bodies(c, solver, units_of(c)))
    for (std::size_t a = 0; a < 3; ++a) all.insert(all.end(), {report.force[a], report.torque[a]});
  all.push_back(solver.totals().mass);
  for (const FlowLevel& level : solver.levels()) {
    Moments m;
    level.state->moments(0, level.state->geometry().nodes.tiles.size(), false, m);
    all.insert(all.end(), m.density.begin(), m.density.end());
    for (const Real3& u : m.velocity) all.insert(all.end(), u.begin(), u.end());
  }
  return all;
}

std::unique_ptr<Solver> in_parts_of(const Case& c, int parts) {
  const Grid grid = make_grid(c);
  const Geometry geometry = build_geometry(c, grid);
  return make_levels_in_parts({c, make_units(c, grid.spacing), geometry}, parts);
}

TEST(BodiesOnLevels, HaveTheBitsOfOneInPartsAndAfterARestart) {
  omp_set_num_threads(1);
  for (const char* lattice : {"D2Q9", "D3Q19"})
    for (const int finest : {1, 2}) {
      SCOPED_TRACE(testing::Message() << lattice << " " << finest);
      Case c = falling(lattice, finest);
      c.numerics.collision = "recursive-regularized";
      const auto whole = solver_of(c);
      const double weight = whole->set_wall_mass_correction(1e9);
      EXPECT_GT(weight, 0);
      whole->set_wall_mass_correction(1e-5 * weight);
      whole->step(9);
      const std::vector<double> expected = numbers_of(c, *whole);
      for (const int parts : {2, 3}) {
        c.numerics.scheme = parts == 2 ? "compact-aa" : "pull";
        const auto several = in_parts_of(c, parts);
        several->set_wall_mass_correction(1e-5 * weight);
        several->step(4);
        const auto other = parts == 2 ? solver_of(c) : in_parts_of(c, 2);
        other->set_wall_mass_correction(1e-5 * weight);
        other->step(2);
        copy_flow(*several, *other);
        several->step(5);
        other->step(5);
        EXPECT_EQ(numbers_of(c, *several), expected);
        EXPECT_EQ(numbers_of(c, *other), expected);
      }
    }
}

/// Speed and way of what falls are those with the finest spacing everywhere.
TEST(BodiesOnLevels, FallAsOnTheFinestEverywhere) {
  Case levels = falling("D2Q9", 1);
  Case fine = levels;
  fine.refine.clear();
  fine.domain.nodes = Int3{96, 128, 1};
  fine.units.tau = 0.5 + 2 * (levels.units.tau.value() - 0.5);
  for (Case::Shape& shape : fine.geometry.shapes) {
    shape.center = 2 * shape.center;
    shape.size = 2 * shape.size;
    shape.radius *= 2;
  }
  fine.bodies[1].motion.center = fine.geometry.shapes[1].center;
  fine.bodies[1].motion.angular_velocity = 0.5 * levels.bodies[1].motion.angular_velocity;
  fine.physics.gravity = 0.5 * levels.physics.gravity;
  const auto a = solver_of(levels), b = solver_of(fine);
  a->step(240);
  b->step(480);
  const BodyReport on_levels = report_bodies(levels, *a, units_of(levels)).front(),
                   everywhere = report_bodies(fine, *b, units_of(fine)).front();
  const double fallen = levels.geometry.shapes[0].center[1] - on_levels.position[1];
  EXPECT_GT(fallen, 0.2);
  EXPECT_NEAR(2 * fallen, fine.geometry.shapes[0].center[1] - everywhere.position[1], 0.01 * fallen);
  EXPECT_NEAR(on_levels.velocity[1], everywhere.velocity[1], 0.01 * std::abs(everywhere.velocity[1]));
}

TEST(BodiesOnLevels, KeepTheMass) {
  Case c = turning_bar(48);
  refine(c, 1, {10, 10, 0}, {38, 38, 1});
  const auto solver = solver_of(c);
  solver->step(10);
  const double begin = solver->totals().mass;
  double most = 0;
  for (int step = 0; step < 200; ++step) {
    solver->step(1);
    most = std::max(most, std::abs(solver->totals().mass - begin));
  }
  EXPECT_LT(most, 2e-3 * 48 * 48);
}

TEST(BodiesOnLevels, AreSteeredInUnitsOfTheCase) {
  Case c = turning_bar(48);
  refine(c, 1, {10, 10, 0}, {38, 38, 1});
  const auto solver = solver_of(c);
  solver->apply(velocity_of_body(c, units_of(c), "bar", {0.01, 0, 0}, {0, 0, 0.002}));
  solver->step(50);
  const BodyReport report = report_bodies(c, *solver, units_of(c)).front();
  EXPECT_NEAR(report.position[0], 24 + 0.5, 1e-9);
  EXPECT_NEAR(report.angle[2], 0.1, 1e-9);
  EXPECT_NEAR(report.velocity[0], 0.01, 1e-12);
  EXPECT_NEAR(report.angular_velocity[2], 0.002, 1e-12);
}

TEST(BodiesOnLevels, AreKeptAwayFromCoarserOnes) {
  const auto message = [](const auto& change, int steps = 400) {
    Case c = turning_bar(48);
    refine(c, 1, {10, 10, 0}, {38, 38, 1});
    change(c);
    return error_of(ExitCode::input, [&] { solver_of(c)->step(steps); });
  };
  const auto leaves = [](Case& c) { c.bodies[0].motion.velocity = {0.05, 0, 0}; };
  const std::string at_last = message(leaves);
  EXPECT_CONTAINS(at_last, "nearer than 3 nodes to a coarser level");
  EXPECT_CONTAINS(at_last, "[[refine]]");
  // Seen before the first step where the run is long enough, with the step of the case.
  const std::string before = message(
      [&](Case& c) {
        leaves(c);
        c.run.steps = 1000;
      },
      0);
  EXPECT_CONTAINS(before, "nearer than 3 nodes");
  EXPECT_CONTAINS(message([](Case& c) {
                    c.geometry.shapes[0].center = {24, 5, 0};
                    c.geometry.shapes[0].size = {6, 2, 0};
                    c.bodies[0].motion.center = Real3{24, 5, 0};
                  }),
                  "begins outside of the finest level");
}

}  // namespace
}  // namespace fluvia::test
