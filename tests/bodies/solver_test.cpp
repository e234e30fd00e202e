// SPDX-License-Identifier: Apache-2.0
// Bodies that move in the solver: beside the oracle, and the same bits whatever computes them.
#include "fluvia/solver/solver.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"
#include "fluvia/units/units.hpp"
#include "reference/bodies/body_solver.hpp"
#include "support/errors.hpp"

namespace {

using fluvia::Case;
using fluvia::Int3;
using fluvia::Real3;
using fluvia::test::error_of;

/// A box that bodies move through, periodic, in lattice units.
Case case_of(const std::string& lattice, const std::string& collision, const Int3& size, double tau) {
  const bool flat = lattice[1] == '2';
  Case c;
  c.domain.dimension = flat ? 2 : 3;
  c.domain.nodes = size;
  c.domain.periodic = {true, true, !flat};
  c.units.tau = tau;
  c.physics.initial_velocity = {0.03, -0.02, flat ? 0 : 0.01};
  c.numerics.lattice = lattice;
  c.numerics.collision = collision;
  c.numerics.scheme = "pull";
  c.numerics.format = "fp64";
  c.numerics.device = "cpu";
  c.numerics.threads = 1;
  return c;
}

void add_box(Case& c, const std::string& name, const Real3& center, const Real3& size) {
  Case::Shape shape;
  shape.name = name;
  shape.kind = "box";
  shape.center = center;
  shape.size = size;
  c.geometry.shapes.push_back(shape);
}

void add_ball(Case& c, const std::string& name, const Real3& center, double radius) {
  Case::Shape shape;
  shape.name = name;
  shape.kind = "sphere";
  shape.center = center;
  shape.radius = radius;
  c.geometry.shapes.push_back(shape);
}

void move(Case& c, const std::string& surface, const Real3& velocity, const Real3& angular_velocity,
          const Real3& center) {
  Case::Body body;
  body.surface = surface;
  body.motion.center = center;
  body.motion.velocity = velocity;
  body.motion.angular_velocity = angular_velocity;
  c.bodies.push_back(body);
}

std::unique_ptr<fluvia::Solver> solver_of(const Case& c) {
  fluvia::validate(c);
  const fluvia::Grid grid = fluvia::make_grid(c);
  const fluvia::Units units = fluvia::make_units(c, grid.spacing);
  return fluvia::make_solver({c, units, fluvia::build_geometry(c, grid)});
}

int surface_of(const fluvia::Solver& solver, const std::string& name) {
  const auto& names = solver.geometry().surfaces;
  return static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
}

fluvia::Moments moments_of(const fluvia::Solver& solver) {
  fluvia::Moments m;
  solver.moments(0, solver.geometry().nodes.tiles.size(), false, m);
  return m;
}

/// A bar that turns and a ball, both of which move, over periodic faces.
struct Two {
  Case c;
  reference::bodies::BodySolver oracle;
};

Two two_bodies(const std::string& lattice, const std::string& collision) {
  const bool flat = lattice[1] == '2';
  const Int3 size = flat ? Int3{29, 26, 1} : Int3{22, 19, 18};
  const double z = flat ? 0 : 9.3, bar_z = flat ? 1e6 : 4.3;
  Case c = case_of(lattice, collision, size, 0.7);
  add_box(c, "bar", {8.2, 9.7, z}, {flat ? 8.3 : 6.2, 3.1, flat ? 0 : bar_z});
  add_ball(c, "ball", {27.9, 17.1, z}, 2.4);  // which goes over a periodic face
  const Real3 turn{0, 0, 0.011}, of_bar{0.043, 0.021, flat ? 0 : 0.013}, of_ball{0.031, -0.017, flat ? 0 : -0.02};
  if (!flat) c.geometry.shapes.back().center = {21.4, 14.2, z};
  const Real3 ball = c.geometry.shapes.back().center;
  move(c, "bar", of_bar, turn, {8.2, 9.7, z});
  move(c, "ball", of_ball, {0, 0, -0.02}, ball);
  using reference::bodies::RigidBody;
  RigidBody bar, round;
  const Real3 half{flat ? 4.15 : 3.1, 1.55, bar_z / 2};
  bar.distance = [half](const Real3& x) {
    return std::max({std::abs(x[0]) - half[0], std::abs(x[1]) - half[1], std::abs(x[2]) - half[2]});
  };
  bar.centre = {8.2, 9.7, z};
  bar.velocity = of_bar;
  bar.angular_velocity = turn;
  round.distance = [](const Real3& x) { return fluvia::norm(x) - 2.4; };
  round.centre = ball;
  round.velocity = of_ball;
  round.angular_velocity = {0, 0, -0.02};
  reference::Physics physics;
  physics.lattice = lattice;
  physics.collision = collision;
  physics.tau = 0.7;
  Two two{c, {physics, size, {bar, round}}};
  two.oracle.set({1, c.physics.initial_velocity});
  return two;
}

void expect_near(const Real3& a, const Real3& b, double tolerance, const std::string& what) {
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], tolerance) << what << " along " << axis;
}

/// Nodes are covered and uncovered in nearly every step; where links meet surfaces both find to 1e-12.
TEST(MovingBodies, AreThoseOfTheOracle) {
  const std::pair<const char*, const char*> combinations[] = {
      {"D2Q9", "bgk"},  {"D2Q9", "trt"},  {"D2Q9", "regularized"}, {"D3Q19", "trt"},
      {"D3Q15", "bgk"}, {"D3Q27", "trt"}, {"D3Q19", "mrt"}};
  for (const auto& [lattice, collision] : combinations) {
    SCOPED_TRACE(testing::Message() << lattice << " " << collision);
    Two two = two_bodies(lattice, collision);
    if (std::string(collision) == "bgk") {  // nothing but the bodies moves at first
      two.c.physics.initial_velocity = {};
      two.oracle.set({1, {}});
    }
    const auto solver = solver_of(two.c);
    const auto& nodes = solver->geometry().nodes;
    const bool flat = lattice[1] == '2';
    for (int t = 0; t < (flat ? 60 : 25); ++t) {
      std::vector<Real3> centers;  // where they are while they exchange
      for (const auto& body : two.oracle.bodies) centers.push_back(body.centre);
      two.oracle.step();
      solver->step(1);
      for (std::size_t k = 0; k < 2; ++k) {
        Real3 center = centers[k];
        if (flat) center[2] = 0.5;
        for (int a = 0; a < 2; ++a) center[a] -= nodes.size[a] * std::floor(center[a] / nodes.size[a]);
        const auto force = solver->surface_force(surface_of(*solver, two.c.bodies[k].surface), center);
        expect_near(force.force, two.oracle.bodies[k].force, 1e-12, "force");
        expect_near(force.torque, two.oracle.bodies[k].torque, 1e-11, "torque");
      }
    }
    const fluvia::Moments m = moments_of(*solver);
    std::size_t compared = 0;
    for (std::size_t n = 0; n < two.oracle.nodes(); ++n) {
      const Int3 at{static_cast<int>(n) % nodes.size[0], static_cast<int>(n) / nodes.size[0] % nodes.size[1],
                    static_cast<int>(n) / nodes.size[0] / nodes.size[1]};
      const auto index = static_cast<std::size_t>(nodes.node_index(at));
      if (!two.oracle.is_fluid(n)) {
        EXPECT_EQ(m.density[index], 1);
        EXPECT_EQ(m.velocity[index], Real3{});
        continue;
      }
      const auto expected = two.oracle.state(n);
      EXPECT_NEAR(m.density[index], expected.density, 1e-12);
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(m.velocity[index][a], expected.velocity[a], 1e-12);
      ++compared;
    }
    EXPECT_GT(compared, two.oracle.nodes() / 2);
  }
}

struct Result {
  fluvia::Moments moments;
  fluvia::SurfaceForce bar, ball;
};

Result result_of(const fluvia::Solver& solver) {
  return {moments_of(solver), solver.surface_force(surface_of(solver, "bar"), {1, 2, 3}),
          solver.surface_force(surface_of(solver, "ball"), {1, 2, 3})};
}

void expect_same(const Result& a, const Result& b) {
  EXPECT_EQ(a.moments.density, b.moments.density);
  EXPECT_EQ(a.moments.velocity, b.moments.velocity);
  EXPECT_EQ(a.bar.force, b.bar.force);
  EXPECT_EQ(a.bar.torque, b.bar.torque);
  EXPECT_EQ(a.ball.force, b.ball.force);
}

/// Whatever the scheme, and however many threads.
TEST(MovingBodies, HaveTheSameBits) {
  for (const std::string& format : fluvia::format_names())
    for (const char* lattice : {"D2Q9", "D3Q19"}) {
      Case c = two_bodies(lattice, "trt").c;
      c.numerics.format = format;
      const auto reference = solver_of(c);
      reference->step(31);
      const Result expected = result_of(*reference);
      for (const fluvia::core::Scheme& scheme : fluvia::core::schemes) {
        if (!scheme.cpu || scheme.half) continue;
        SCOPED_TRACE(testing::Message() << format << " " << lattice << " " << scheme.name);
        c.numerics.scheme = scheme.name;
        c.numerics.threads = scheme.serial ? 1 : 3;
        const auto solver = solver_of(c);
        solver->step(31);
        expect_same(result_of(*solver), expected);
      }
    }
}

/// Numbers of 16 bits have 11 or more digits of what a population is from rest, which here is at most a tenth: rounded,
/// some 1e-5 of a population and a few times as much, 1e-4, of velocities and of the forces' own size. Found: 3.4e-5 of
/// velocities, 6e-4 of the force.
TEST(MovingBodies, MoveThroughSixteenBits) {
  for (const char* lattice : {"D2Q9", "D3Q19"}) {
    Case c = two_bodies(lattice, "trt").c;
    const auto exact = solver_of(c);
    exact->step(60);
    const Result expected = result_of(*exact);
    for (const std::string& format : fluvia::format_names(true))
      for (const char* rounding : {"nearest", "stochastic"}) {
        SCOPED_TRACE(testing::Message() << lattice << " " << format << " " << rounding);
        c.numerics.format = format;
        c.numerics.rounding = rounding;
        const auto solver = solver_of(c);
        solver->step(60);
        const Result is = result_of(*solver);
        double largest = 0;
        for (std::size_t k = 0; k < is.moments.velocity.size(); ++k)
          largest = std::max(largest, fluvia::norm(is.moments.velocity[k] - expected.moments.velocity[k]));
        EXPECT_LT(largest, 1e-4);
        EXPECT_GT(largest, 0);
        EXPECT_LT(fluvia::norm(is.bar.force - expected.bar.force), 2e-3 * fluvia::norm(expected.bar.force));
        EXPECT_LT(fluvia::norm(is.ball.force - expected.ball.force), 2e-3 * fluvia::norm(expected.ball.force));
      }
  }
}

/// What a checkpoint holds, populations and the number of the step, is all that a flow needs to go on.
TEST(MovingBodies, GoOnExactly) {
  for (const char* scheme : {"pull", "aa", "compact-aa"}) {
    SCOPED_TRACE(scheme);
    Case c = two_bodies("D3Q19", "trt").c;
    const auto whole = solver_of(c);
    whole->step(30);
    const auto first = solver_of(c);
    first->step(13);
    c.numerics.scheme = scheme;
    const auto second = solver_of(c);
    second->step(4);
    const auto& nodes = first->geometry().nodes;
    for (int component = 0; component < 19; ++component) {
      std::vector<std::byte> bytes(nodes.fluid_nodes * sizeof(double));
      const fluvia::ArrayRange range{0, component, 0, nodes.tiles.size()};
      first->save(range, bytes);
      second->load(range, bytes);
    }
    second->resume_at(first->time_step());
    second->step(17);
    expect_same(result_of(*second), result_of(*whole));
  }
}

TEST(MovingBodies, SaysWhatIsNotPossible) {
  const auto message = [](const auto& change) {
    Case c = two_bodies("D2Q9", "trt").c;
    change(c);
    return error_of(fluvia::ExitCode::input, [&] { solver_of(c)->step(400); });
  };
  EXPECT_CONTAINS(message([](Case& c) { c.bodies[0].surface = "bat"; }), "'bat' is no shape and no surface");
  EXPECT_CONTAINS(message([](Case& c) { c.bodies[1].surface = "bar"; }), "moves already");
  EXPECT_CONTAINS(message([](Case& c) { c.geometry.shapes[0].operation = "fluid"; }), "must be \"solid\"");
  EXPECT_CONTAINS(message([](Case& c) { c.bodies[0].motion.center.reset(); }), "needs 'center'");
  EXPECT_CONTAINS(message([](Case& c) { c.bodies[0].motion.angular_velocity = {0.1, 0, 0}; }), "about z only");
  EXPECT_CONTAINS(message([](Case& c) { c.bodies[0].motion.velocity = {0.2, 0, 0}; }), "Mach");
  EXPECT_CONTAINS(message([](Case& c) { c.bodies[0].motion.displacement_formula = {"t", "nothing"}; }), "nothing");
  EXPECT_CONTAINS(message([](Case& c) { c.bodies[0].motion.displacement_formula = {"t"}; }), "1 components");
  EXPECT_CONTAINS(message([](Case& c) { c.physics.acceleration = {1e-5, 0, 0}; }), "a body force");
  EXPECT_CONTAINS(message([](Case& c) { c.numerics.steps_per_pass = 4; }), "bodies move after every step");
  EXPECT_CONTAINS(message([](Case& c) {
                    Case::Refine region;
                    region.box = {Real3{1, 1, 0}, Real3{9, 9, 0}};
                    c.refine.push_back(region);
                  }),
                  "[[refine]]");
  EXPECT_CONTAINS(message([](Case& c) {
                    Case::Boundary boundary;
                    boundary.surface = "bar";
                    boundary.type = "wall";
                    c.boundaries.push_back(boundary);
                  }),
                  "is a [[body]]");
  EXPECT_CONTAINS(message([](Case& c) {
                    c.geometry.shapes[1].center = {13.5, 10, 0};
                    c.bodies[1].motion = {};
                  }),
                  "meets 'bar'");
  EXPECT_CONTAINS(message([](Case& c) { c.domain.periodic = {false, false, false}; }), "leaves the box along x");
  EXPECT_CONTAINS(message([](Case& c) { c.domain.nodes = Int3{29, 13, 1}; }), "its own image");
}

}  // namespace
