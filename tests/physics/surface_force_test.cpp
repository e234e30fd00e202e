// SPDX-License-Identifier: Apache-2.0
// Forces on surfaces: seen by a moving observer, and split into what pressure and what friction contribute.
#include "fluvia/run/monitors/surface_integrals.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "physics/support.hpp"
#include "reference/combinations.hpp"

namespace physics_test {
namespace {

using namespace fluvia::surface_id;

/// One combination of each lattice, with a collision that it has, for incompressible flow.
std::vector<scene::Combination> one_of_each_lattice() {
  std::vector<scene::Combination> result;
  for (const scene::Combination& c : scene::combinations())
    if (c.physics.equilibrium == "incompressible" && scene::viscosity_name(c.physics).empty() &&
        (result.empty() || result.back().physics.lattice != c.physics.lattice))
      result.push_back(c);
  return result;
}

scene::Options options_of(const scene::Combination& c, double tau) {
  scene::Options o = options(c.physics.lattice, c.physics.collision, tau, c.physics.equilibrium);
  o.physics.magic = 3.0 / 16;
  return o;
}

/// Fluid, openings and a ball that all move alike: to an observer who moves with them nothing happens, so no surface
/// feels a force. Without the momentum of the mass that enters, each opening would feel rho u u_n A. A half space of
/// lattice directions sums third moments exactly as w c c c of a plane needs, so round-off is all that is left. And the
/// flow stays as it is, since initial populations take account of cut links.
TEST(SurfaceForce, UniformFlowExertsNone) {
  for (const scene::Combination& combination : one_of_each_lattice()) {
    SCOPED_TRACE(combination.physics.lattice);
    const int dimension = combination.dimension;
    scene::Scene s = box(dimension, dimension == 2 ? Int3{14, 11, 1} : Int3{14, 11, 9}, {false, true, true});
    const Real3 u = {0.05, -0.02, dimension == 3 ? 0.03 : 0};
    const Real3 center = {6.5, 5.5, 4.5};
    s.solid = [=](const Int3& x) { return std::hypot(x[0] - center[0], x[1] - center[1]) < 2.6 && x[2] < 6; };
    s.bodies = {"body"};
    s.body_of = [](const Int3&) { return first_named; };
    s.conditions = {{x_min, "velocity", u}, {x_max, "velocity", u}, {first_named, "moving_wall", u}};
    s.monitored = {"x_min", "x_max", "body"};
    fluvia::Case c = scene::make_case(s, options_of(combination, 0.7));
    c.physics.initial_velocity = u;
    const auto solver = fluvia::make_solver({c, scene::make_units(0.7), scene::make_geometry(s)});
    for (const int steps : {0, 7}) {
      solver->step(steps);
      for (const Real3& velocity : scene::moments(*solver).velocity)
        for (int a = 0; a < 3; ++a) ASSERT_NEAR(velocity[a], u[a], 1e-14) << "after " << steps << " steps";
      for (const int surface : {static_cast<int>(x_min), static_cast<int>(x_max), first_named}) {
        const auto [force, torque] = solver->surface_force(surface, {1, 2, 3});
        for (int a = 0; a < 3; ++a) {
          EXPECT_NEAR(force[a], 0, 1e-13) << "surface " << surface << " after " << steps << " steps";
          // A plane in which links lie askew bears couples of second order in u, a closed body none.
          if (surface != first_named) continue;
          EXPECT_NEAR(torque[a], 0, 1e-12) << "after " << steps << " steps";
        }
      }
    }
  }
}

/// Couette flow through porous plates: fluid enters at v below and leaves above, the upper plate moves at U. Then
/// u = U (e^(Re y/H) - 1)/(e^Re - 1) with Re = v H/nu, and the plates feel -+mu du/dy at H and 0. The momentum rho U v
/// that leaves through the upper one belongs to the fluid; counted as a force it would change that on the plate by 63%.
/// Half-way walls place a curved profile wrong by a share of (Re/H)^2 = 0.4%.
TEST(SurfaceForce, OfCouetteFlowThroughPorousPlatesIsTheShear) {
  const int height = 16;
  const double tau = 0.8, nu = viscosity_of(tau), v = nu / height, top = 0.02;
  scene::Scene s = box(2, {3, height, 1}, {true, false, true});
  s.conditions = {{y_min, "velocity", {0, v, 0}}, {y_max, "velocity", {top, v, 0}}};
  s.monitored = {"y_min", "y_max"};
  s.initial = [=](const Int3&) { return reference::NodeState{1, {0, v, 0}}; };
  const auto solver = scene::make_solver(s, options("D2Q9", "trt", tau, "incompressible"));
  solver->step(20000);
  const double slope = top / height / (std::numbers::e - 1), area = 3;
  const double below = solver->surface_force(y_min, {}).force[0], above = solver->surface_force(y_max, {}).force[0];
  EXPECT_NEAR(below, nu * slope * area, 0.004 * nu * slope * area);
  EXPECT_NEAR(above, -nu * slope * std::numbers::e * area, 0.004 * nu * slope * std::numbers::e * area);
}

/// The force follows a boundary's value: a wall that moves twice as fast lets in twice the mass at twice the velocity.
TEST(SurfaceForce, MomentumLetInFollowsTheBoundaryValue) {
  const fluvia::SurfaceForce carried = {{1, -2, 0}, {0, 3, 5}};
  const auto force = fluvia::wall_force({{10, 0, 0}, {}}, carried, 2, {0, 0, 1});
  EXPECT_EQ(force.force, (Real3{14, -8, 0}));
  EXPECT_EQ(force.torque, (Real3{4 * (0 - 2), 4 * (3 - 1), 4 * 5}));
}

/// Fluid at rest under gravity, then Poiseuille flow: pressure grows linearly with depth and the shear linearly towards
/// the walls, so extrapolating both to the walls is exact. Each wall carries half of the driving force as friction and
/// pressure differs by the weight of the fluid. Density, and the dynamic viscosity with it, grows by 7e-4 from the
/// upper wall to the lower one, which takes up to a third of that more of the friction.
TEST(ForceParts, AreExactWherePressureAndShearAreLinear) {
  for (const scene::Combination& combination : one_of_each_lattice()) {
    SCOPED_TRACE(combination.physics.lattice);
    const int dimension = combination.dimension, height = 12;
    scene::Scene s = box(dimension, {3, height, dimension == 3 ? 2 : 1}, {true, false, true});
    s.force = {1e-5, -2e-5, 0};
    const auto solver = scene::make_solver(s, options_of(combination, 0.9));
    solver->step(6000);
    const fluvia::SurfaceIntegrals integrals(*solver, {y_min, y_max});
    const auto parts = integrals.evaluate();
    const double volume = 3.0 * height * s.size[2];
    const double drive = s.force[0] * volume, weight = s.force[1] * volume;
    for (const auto& part : parts) EXPECT_NEAR(part.viscous[0], 0.5 * drive, 2.4e-4 * 0.5 * drive);
    EXPECT_NEAR(parts[0].viscous[0] + parts[1].viscous[0], drive, 1e-7 * drive);
    EXPECT_NEAR(parts[0].pressure[1] + parts[1].pressure[1], weight, -1e-4 * weight);
    // Method A takes the pressure half a node off the walls.
    const double shorter = (height - 1.0) / height;
    EXPECT_NEAR(parts[0].exchanged_pressure[1] + parts[1].exchanged_pressure[1], shorter * weight, -1e-4 * weight);
    EXPECT_NEAR(parts[0].pressure[0], 0, 1e-12);
  }
}

/// With a Smagorinsky constant, too, friction balances the force: the stress is found through the eddy viscosity.
TEST(ForceParts, KnowTheEddyViscosity) {
  scene::Scene s = box(2, {3, 12, 1}, {true, false, true});
  s.force = {1e-4, 0, 0};
  auto o = options("D2Q9", "trt", 0.55);
  o.physics.smagorinsky = 0.2;
  auto c = scene::make_case(s, o);
  const auto solver = fluvia::make_solver({c, scene::make_units(0.55), scene::make_geometry(s)});
  solver->step(20000);
  const auto parts = fluvia::SurfaceIntegrals(*solver, {y_min, y_max}).evaluate();
  // The stress is linear across the channel whatever the viscosity does, so extrapolation is exact again.
  EXPECT_NEAR(parts[0].viscous[0], 0.5 * 1e-4 * 36, 0.01 * 0.5 * 1e-4 * 36);
}

}  // namespace
}  // namespace physics_test
