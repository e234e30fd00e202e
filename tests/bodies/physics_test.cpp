// SPDX-License-Identifier: Apache-2.0
// Flows around bodies that move, in the solver: against exact torques, the same flow in another frame, and numbers of
// others (docs/validation/bodies.md).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/run/loop/mass_keeper.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"

namespace {

using fluvia::Case;
using fluvia::Int3;
using fluvia::Real3;
using std::numbers::pi;

/// A 2D box in lattice units.
Case plane_case(const Int3& size, double tau, bool periodic) {
  Case c;
  c.domain.dimension = 2;
  c.domain.nodes = size;
  c.domain.periodic = {periodic, periodic, false};
  c.units.tau = tau;
  c.numerics.lattice = "D2Q9";
  c.numerics.collision = "trt";
  c.numerics.scheme = "aa";
  c.numerics.format = "fp64";
  c.numerics.device = "cpu";
  return c;
}

void add_cylinder(Case& c, const std::string& name, const Real3& center, double radius) {
  Case::Shape shape;
  shape.name = name;
  shape.kind = "cylinder";
  shape.from = shape.to = center;
  shape.radius = radius;
  c.geometry.shapes.push_back(shape);
}

std::unique_ptr<fluvia::Solver> flow_of(const Case& c) {
  fluvia::validate(c);
  const fluvia::Grid grid = fluvia::make_grid(c);
  return fluvia::make_solver({c, fluvia::make_units(c, grid.spacing), fluvia::build_geometry(c, grid)});
}

fluvia::SurfaceForce force_on(const fluvia::Solver& solver, const std::string& name, const Real3& center) {
  const auto& names = solver.geometry().surfaces;
  return solver.surface_force(static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin()), center);
}

/// Between walls that stand still and are between the nodes, too. Landau & Lifshitz, Fluid Mechanics, section 18.
TEST(MovingFlows, SpinningCylinderFeelsTheExactTorque) {
  for (const double tau : {0.6, 0.8, 1.5}) {
    const double inner = 12, outer = 24, viscosity = (tau - 0.5) / 3, spin = 0.02 / inner;
    const Real3 center{27.21, 27.13, 0};
    Case c = plane_case({54, 54, 1}, tau, false);
    add_cylinder(c, "vessel", center, outer);
    c.geometry.shapes.back().operation = "fluid";
    add_cylinder(c, "rotor", center, inner);
    c.bodies = {{"rotor", {center, {}, {0, 0, spin}, {}, {}}, {}}};
    const auto solver = flow_of(c);
    solver->step(static_cast<int>(10 * std::pow((outer - inner) / pi, 2) / viscosity));
    const double exact = -4 * pi * viscosity * spin * inner * inner * outer * outer / (outer * outer - inner * inner);
    // Of second order; -1.8% at tau = 1.5 with 8 nodes instead of 12.
    EXPECT_NEAR(force_on(*solver, "rotor", {center[0], center[1], 0.5}).torque[2] / exact, 1, 0.01) << tau;
  }
}

/// Drag coefficient of a cylinder that starts at once, from three to five times the time in which it moves by its
/// diameter.
double drag_of(bool moves, double diameter) {
  const double speed = 0.05, viscosity = speed * diameter / 40;
  const auto across = static_cast<int>(diameter);
  Case c = plane_case({8 * across, 5 * across, 1}, 0.5 + 3 * viscosity, true);
  const Real3 center{2 * diameter + 0.3, 2.5 * diameter + 0.2, 0};
  add_cylinder(c, "cylinder", center, diameter / 2);
  c.bodies = {{"cylinder", {center, {moves ? speed : 0, 0, 0}, {}, {}, {}}, {}}};
  if (!moves) c.physics.initial_velocity = {-speed, 0, 0};
  const auto solver = flow_of(c);
  const int steps = static_cast<int>(5 * diameter / speed), from = steps * 3 / 5;
  double sum = 0;
  for (int t = 0; t < steps; ++t) {
    solver->step(1);
    if (t >= from) sum += force_on(*solver, "cylinder", {}).force[0];
  }
  return -2 * sum / (speed * speed * diameter) / (steps - from);
}

/// The same flow in two frames: 0.9912 and 0.9958 at 20 and 40 nodes across. While the flow sets in more is missing, as
/// in a prototype.
TEST(MovingFlows, DragIsThatOfTheCylinderHeldInAStream) {
  EXPECT_NEAR(drag_of(true, 20) / drag_of(false, 20), 1, 0.01);
}

/// A square of 0.44 of the box's size that turns in a closed box, at Re 50 by the way to its corners and their speed.
Case turning_square(int size, double rate) {
  const double half = 0.22 * size, reach = half * std::sqrt(2);
  Case c = plane_case({size, size, 1}, 0.5 + 3 * rate * reach * reach / 50, false);
  Case::Shape shape;
  shape.name = "square";
  shape.kind = "box";
  shape.center = {0.5 * size, 0.5 * size, 0};
  shape.size = {2 * half, 2 * half, 0};
  c.geometry.shapes = {shape};
  c.bodies = {{"square", {shape.center, {}, {0, 0, rate}, {}, {}}, {}}};
  return c;
}

/// A prototype with the same links has 0.2989 in the second revolution, and tends to 0.287. Without the links that
/// corners cut, between nodes that are both fluid, it has 0.286, and we too.
TEST(MovingFlows, TurningSquareFeelsItsCorners) {
  const int size = 64;
  const double reach = 0.22 * size * std::sqrt(2), rate = 0.05 / reach;
  const auto solver = flow_of(turning_square(size, rate));
  const auto revolution = static_cast<int>(2 * pi / rate);
  solver->step(revolution);
  double sum = 0;
  for (int t = 0; t < revolution; ++t) {
    solver->step(1);
    sum -= force_on(*solver, "square", {0.5 * size, 0.5 * size, 0.5}).torque[2];
  }
  EXPECT_NEAR(sum / revolution / (rate * rate * std::pow(reach, 4)), 0.2989, 0.001);
}

/// Mean velocity of the fluid, over that of a plate across a channel that pushes it on.
double pushed_by_plate(double thickness) {
  Case c = plane_case({60, 8, 1}, 0.6, true);
  c.domain.periodic = {true, false, false};
  Case::Shape shape;
  shape.name = "plate";
  shape.kind = "box";
  shape.center = {20.3, 4, 0};
  shape.size = {thickness, 8, 0};
  c.geometry.shapes = {shape};
  c.bodies = {{"plate", {}, {}}};
  c.bodies[0].motion.displacement_formula = {"0.03*(t < 1500 ? 0.5*t - 750/pi*sin(pi*t/1500) : t - 750)", "0"};
  const auto solver = flow_of(c);
  solver->step(2100);
  double sum = 0;
  for (int t = 0; t < 100; ++t) {  // in which it moves on by three nodes
    solver->step(1);
    sum += solver->totals().momentum[0] / 100;
  }
  return sum / (0.03 * 8 * (60 - thickness));
}

/// Half a node, of which no node lies inside at half of all times, is as tight as what is thick; both displace what
/// they sweep, to the walls.
TEST(MovingFlows, PlatesPushTheFluidOn) {
  const double thick = pushed_by_plate(3), thin = pushed_by_plate(0.5);
  EXPECT_NEAR(thick, 1, 0.002);
  EXPECT_NEAR(thin, 1, 0.01);
  RecordProperty("thick", std::to_string(thick));
  RecordProperty("thin", std::to_string(thin));
}

/// A square that turns in a closed box covers and uncovers some nodes at each step; interpolated links let through a
/// little, too. What the run gives back keeps the mean of the mass: without it 1.7 nodes' worth are gained in two
/// revolutions, and more each time.
TEST(MovingFlows, TurningSquareKeepsTheMass) {
  const int size = 64;
  const double half = 0.22 * size, rate = 0.05 / (half * std::sqrt(2));
  const Case c = turning_square(size, rate);
  const auto solver = flow_of(c);
  fluvia::MassKeeper keeper(*solver, true);
  keeper.begin(*solver);
  const auto revolution = static_cast<int>(2 * pi / rate);
  double sum = 0, most = 0;
  for (int t = 1; t <= 2 * revolution; ++t) {
    solver->step(1);
    if (t % keeper.interval() == 0) keeper.advance(*solver);
    if (t <= revolution || t % 10 != 0) continue;
    const double mass = solver->totals().mass;
    sum += mass;
    most = std::max(most, std::abs(mass));
  }
  const double nodes = size * size - 4 * half * half;
  EXPECT_LT(std::abs(10 * sum / revolution) / nodes, 1e-5);
  EXPECT_LT(most / nodes, 2e-4);
}

/// H. Duetsch, F. Durst, S. Becker, H. Lienhart, J. Fluid Mech. 360 (1998) 249: Re 100, Keulegan-Carpenter number 5,
/// C_d = 2.09 and C_i = 1.45 in Morison's equation. Twenty nodes across, in a box of 16 by 10 diameters, whose other
/// images add a little; a prototype got 2.131 and 1.497 in the same box, and 2.108 and 1.468 in a larger one.
TEST(MovingFlows, OscillatingCylinderHasTheKnownForce) {
  const double diameter = 20, speed = 0.08, period = 5 * diameter / speed, reach = 5 * diameter / (2 * pi);
  Case c = plane_case({320, 200, 1}, 0.5 + 3 * speed * diameter / 100, true);
  add_cylinder(c, "cylinder", {160.8, 100.7, 0}, diameter / 2);
  c.bodies = {{"cylinder", {}, {}}};
  // It starts gently, so that no sound runs to and fro.
  c.bodies[0].motion.displacement_formula = {
      "-15.9154943091895*(t < 1250 ? 0.5 - 0.5*cos(pi*t/1250) : 1)*sin(2*pi*t/1250)", "0"};
  const auto solver = flow_of(c);
  const auto place = [&](double t) {
    return -reach * (t < period ? 0.5 - 0.5 * std::cos(pi * t / period) : 1) * std::sin(2 * pi * t / period);
  };
  const int steps = 3 * static_cast<int>(period), from = 2 * static_cast<int>(period);
  double dd = 0, di = 0, ii = 0, fd = 0, fi = 0;  // least squares over the third period
  for (int t = 0; t < steps; ++t) {
    solver->step(1);
    if (t < from) continue;
    const double force = force_on(*solver, "cylinder", {}).force[0];
    const double velocity = place(t + 1) - place(t);
    const double acceleration = 0.5 * (place(t + 2) - place(t + 1) - place(t) + place(t - 1));
    const double drag = -0.5 * diameter * std::abs(velocity) * velocity;
    const double inertia = -pi * diameter * diameter / 4 * acceleration;
    dd += drag * drag, di += drag * inertia, ii += inertia * inertia;
    fd += drag * force, fi += inertia * force;
  }
  const double determinant = dd * ii - di * di;
  EXPECT_NEAR((fd * ii - fi * di) / determinant, 2.11, 0.03);
  EXPECT_NEAR((dd * fi - di * fd) / determinant, 1.47, 0.03);
}

}  // namespace
