// SPDX-License-Identifier: Apache-2.0
// Openings: what goes in, what comes out, and what must not come back.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/initial_state.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "reference/scenes.hpp"
#include "support/temporary_folder.hpp"

namespace {

using fluvia::Int3;
using fluvia::Real3;
using scene::Scene;
namespace surface = fluvia::surface_id;

scene::Options options(double tau) {
  scene::Options o;
  o.physics.lattice = "D2Q9";
  o.physics.collision = "trt";
  o.physics.tau = tau;
  o.scheme = "pull";
  o.format = "fp64";
  return o;
}

/// A strip without walls, periodic across, between a velocity and an outlet.
Scene strip(int length, double speed, const std::string& outlet) {
  Scene s = scene::base_scene("strip", {length, 3, 1}, {false, true, false});
  s.conditions = {{surface::x_min, "velocity", {speed, 0, 0}}, {surface::x_max, outlet}};
  s.openings = {scene::detail::opening(surface::x_min, s.size), scene::detail::opening(surface::x_max, s.size)};
  s.initial = [=](const Int3&) { return reference::NodeState{1, {speed, 0, 0}}; };
  return s;
}

double gauge_pressure(const fluvia::Solver& solver, const Int3& node) {
  const fluvia::Moments m = scene::moments(solver);
  return (m.density[static_cast<std::size_t>(solver.geometry().nodes.node_index(node))] - 1) / 3;
}

/// A uniform flow at the prescribed pressure is a solution: 0 means 0, up to 1% of the dynamic pressure. It was 5 and
/// 58% when the velocity in the even equilibrium came from a first pass without it. What the start leaves behind
/// decays.
TEST(PressureOpening, KeepsAUniformFlowAtItsPressure) {
  for (const char* outlet : {"pressure", "non_reflecting"})
    for (const double speed : {0.0125, 0.1}) {
      SCOPED_TRACE(std::string(outlet) + " " + std::to_string(speed));
      const auto solver = scene::make_solver(strip(40, speed, outlet), options(0.8));
      solver->step(20000);
      EXPECT_NEAR(gauge_pressure(*solver, {20, 1, 0}), 0, 0.01 * 0.5 * speed * speed);
      EXPECT_NEAR(solver->opening_flow(1).mean_pressure, 0, 0.01 * 0.5 * speed * speed);
    }
}

/// Share of a sound pulse of amplitude 1e-3 that an outlet sends back.
double reflected(const std::string& outlet, double relaxation, double sponge = 0) {
  constexpr int length = 400;
  constexpr double amplitude = 1e-3, width = 8;
  const double c = std::sqrt(1.0 / 3);
  Scene s = strip(length, 0, outlet);
  s.conditions[0] = {surface::x_min, "moving_wall"};
  s.conditions[1].relaxation = relaxation;
  s.conditions[1].sponge = sponge;
  s.initial = [=](const Int3& x) {
    const double d = amplitude * std::exp(-std::pow((x[0] + 0.5 - 0.6 * length) / width, 2));
    return reference::NodeState{1 + d, {c * d, 0, 0}};
  };
  const auto solver = scene::make_solver(s, options(0.52));
  solver->step(static_cast<int>(0.7 * length / c));  // there, and back to x = 0.7
  const fluvia::Moments m = scene::moments(*solver);
  double largest = 0;
  for (int x = length / 4; x < length; ++x)
    largest = std::max(
        largest, std::abs(m.density[static_cast<std::size_t>(solver->geometry().nodes.node_index({x, 1, 0}))] - 1));
  return largest / amplitude;
}

TEST(NonReflectingOpening, LetsSoundOut) {
  EXPECT_LE(reflected("non_reflecting", 0.25), 0.02);
  EXPECT_LE(reflected("non_reflecting", 0), 0.02);
  EXPECT_GE(reflected("pressure", 0), 0.5);  // the test can tell
}

/// A vortex with the largest speed `swirl` at `radius` nodes from its middle, in a flow along x, and its pressure.
struct Vortex {
  double x, y, radius, swirl;
  [[nodiscard]] double density_drop(double squared) const { return 1 - std::exp(-1.5 * swirl * swirl * squared); }
  [[nodiscard]] reference::NodeState in(double speed, const Int3& node) const {
    const double dx = node[0] + 0.5 - x, dy = node[1] + 0.5 - y, r2 = (dx * dx + dy * dy) / (radius * radius);
    const double turn = swirl / radius * std::exp(0.5 * (1 - r2));
    return {1 - density_drop(std::exp(1 - r2)), {speed - turn * dy, turn * dx, 0}};
  }
};

scene::Options at_low_viscosity(double tau) {
  scene::Options o = options(tau);
  o.physics.collision = "mrt";
  return o;
}

std::unique_ptr<fluvia::Solver> vortex_solver(const Vortex& vortex, double speed, int length, int width,
                                              const std::string& outlet, const scene::Options& o) {
  Scene s = strip(length, speed, outlet);
  s.size[1] = width;
  s.openings = {scene::detail::opening(surface::x_min, s.size), scene::detail::opening(surface::x_max, s.size)};
  s.conditions[1].relaxation = 0.05;
  s.initial = [=](const Int3& x) { return vortex.in(speed, x); };
  auto solver = scene::make_solver(s, o);
  fluvia::bounce_cut_links(*solver);
  return solver;
}

/// What an outlet adds to the density 30 nodes before it while a vortex leaves, in the vortex's own drop: the
/// difference from a domain that is 200 nodes longer.
double noise_of_leaving_vortex(const std::string& outlet) {
  constexpr int length = 110, width = 80;
  constexpr double speed = 0.1;
  const Vortex vortex = {length - 50, 0.5 * width, 8, 0.05};
  const auto solver = vortex_solver(vortex, speed, length, width, outlet, at_low_viscosity(0.55));
  const auto longer = vortex_solver(vortex, speed, length + 200, width, "non_reflecting", at_low_viscosity(0.55));
  double noise = 0;
  for (int step = 0; step < 850; step += 25) {
    solver->step(25);
    longer->step(25);
    const fluvia::Moments a = scene::moments(*solver), b = scene::moments(*longer);
    for (int y = 0; y < width; ++y) {
      const Int3 node = {length - 30, y, 0};
      noise = std::max(noise, std::abs(a.density[static_cast<std::size_t>(solver->geometry().nodes.node_index(node))] -
                                       b.density[static_cast<std::size_t>(longer->geometry().nodes.node_index(node))]));
    }
  }
  return noise / vortex.density_drop(std::exp(1.0));
}

/// Without the transport by the mean flow it was 13 to 18%.
TEST(NonReflectingOpening, LetsAVortexOut) {
  EXPECT_LE(noise_of_leaving_vortex("non_reflecting"), 0.03);
  EXPECT_GE(noise_of_leaving_vortex("pressure"), 0.04);  // the test can tell
}

/// A vortex much faster than the flow turns in the outlet, so that half of it comes back in. At tau = 0.509 pressure
/// outlets blew up after 2000 steps.
TEST(Openings, SurviveBackflow) {
  for (const char* outlet : {"pressure", "non_reflecting"}) {
    SCOPED_TRACE(outlet);
    const Vortex vortex = {108, 30, 6, 0.08};
    const auto solver = vortex_solver(vortex, 0.02, 120, 60, outlet, at_low_viscosity(0.509));
    solver->step(8000);
    EXPECT_TRUE(solver->totals().finite);
    EXPECT_LE(solver->totals().max_speed, 0.05);
  }
}

/// A vortex as fast as the flow beside the inlet.
TEST(Openings, InletSurvivesAVortexBesideIt) {
  for (const double speed : {0.05, 0.1}) {
    const Vortex vortex = {12, 30, 6, speed};
    const auto solver = vortex_solver(vortex, speed, 120, 60, "pressure", at_low_viscosity(0.509));
    solver->step(6000);
    EXPECT_TRUE(solver->totals().finite);
    EXPECT_LE(solver->totals().max_speed, 1.1 * speed);
    EXPECT_NEAR(solver->opening_flow(0).flow_rate, 60 * speed, 1e-10 * speed);
  }
}

/// Half of the fluctuation that reaches a pressure outlet comes back at most a hundredth through a sponge. Beside a
/// plane of symmetry, where the fluid does not move across, the sponge holds it up less.
TEST(Sponge, TakesSoundOut) {
  EXPECT_LE(reflected("pressure", 0, 60), 0.02);
  EXPECT_LE(reflected("symmetry", 0, 60), 0.05);
  EXPECT_GE(reflected("symmetry", 0), 0.5);
}

/// A flow that starts from rest gets through: a layer whose mean ran over passages of the box held half of it back.
TEST(Sponge, LetsAFlowStart) {
  Scene s = strip(200, 0.05, "pressure");
  s.conditions[1].sponge = 40;
  s.initial = [](const Int3&) { return reference::NodeState{1, {0, 0, 0}}; };
  const auto solver = scene::make_solver(s, options(0.6));
  solver->step(12000);  // 35 passages of sound
  EXPECT_NEAR(-solver->opening_flow(1).flow_rate, 3 * 0.05, 0.02 * 3 * 0.05);
  EXPECT_NEAR(gauge_pressure(*solver, {20, 1, 0}), 0, 0.1 * 0.5 * 0.05 * 0.05);
}

/// A closed box with a lid. On the edges of the floor the links that were left let mass in and out, and every such flow
/// blew up within 150 steps.
TEST(HalfSlip, LivesOnEdgesAndKeepsTheMass) {
  for (const char* lattice : {"D2Q9", "D3Q15", "D3Q19", "D3Q27"}) {
    SCOPED_TRACE(lattice);
    Scene s = scene::base_scene("box", {9, 12, lattice[1] == '2' ? 1 : 8}, {false, false, lattice[1] == '2'});
    s.conditions = {{surface::y_max, "moving_wall", {0.05, 0, 0}}, {surface::y_min, "half_slip"}};
    s.conditions[1].slip_length = 1;
    s.initial = [](const Int3&) { return reference::NodeState{1, {0, 0, 0}}; };
    scene::Options o = options(0.6);
    o.physics.lattice = lattice;
    const auto solver = scene::make_solver(s, o);
    solver->step(3000);
    const fluvia::Totals totals = solver->totals();
    ASSERT_TRUE(totals.finite);
    EXPECT_LE(totals.max_speed, 0.05);
    EXPECT_NEAR(totals.mass, 0, 1e-9);
  }
}

TEST(Openings, SlidingIsRefusedWhereItIsUnstable) {
  Scene s = scene::base_scene("slide", {6, 6, 6}, {true, false, true});
  s.conditions = {{surface::y_min, "half_slip"}};
  scene::Options o = options(0.8);
  o.physics.lattice = "D3Q13";
  o.physics.collision = "mrt";
  try {
    scene::make_solver(s, o);
    FAIL();
  } catch (const fluvia::Error& error) {
    EXPECT_NE(std::string(error.what()).find("half_slip"), std::string::npos) << error.what();
  }
}

/// Laplace's solution for a channel between plates, and the series solution of a square duct (White, Viscous Fluid
/// Flow, eq. 3-48): the maximum is 2.0962 times the mean.
TEST(DevelopedProfile, IsThatOfALongDuct) {
  for (const bool square : {false, true}) {
    constexpr int n = 24;
    fluvia::Case c;
    c.domain.dimension = 3;
    c.domain.nodes = Int3{4, n, square ? n : 2};
    c.domain.periodic = {false, false, !square};
    c.numerics.lattice = "D3Q19";
    fluvia::Case::Boundary inlet, outlet;
    inlet.surface = "x_min";
    inlet.type = "velocity";
    inlet.speed = 0.01;
    inlet.profile = "developed";
    outlet.surface = "x_max";
    outlet.type = "pressure";
    c.boundaries = {inlet, outlet};
    const fluvia::Grid grid = fluvia::make_grid(c);
    const fluvia::BoundarySetup setup =
        fluvia::make_boundary_setup({c, scene::make_units(0.8), fluvia::build_geometry(c, grid)}, "D3Q19");
    double fastest = 0;
    for (std::size_t k = 0; k < setup.links.size(); ++k)
      if (setup.links.at[k].surface == surface::x_min) fastest = std::max(fastest, setup.links.velocity[k][0]);
    // The finite grid and the nearest node to the middle, half a node away: 2/n^2 and less.
    EXPECT_NEAR(fastest / 0.01, square ? 2.0962 : 1.5, 0.015);
  }
}

/// A table of a linear profile gives it exactly, whatever its points; with a speed only its shape counts.
TEST(TableProfile, GivesALinearProfileExactly) {
  const fluvia::test::TemporaryFolder folder;
  const std::filesystem::path file = folder.path() / "plane.csv";
  std::ofstream out(file);
  out << "x,y,z,speed\n";
  for (int k = 0; k < 200; ++k) {
    const double y = 28 * scene::detail::noise({k, 0, 0}, 1) - 2, z = 24 * scene::detail::noise({k, 1, 0}, 2) - 2;
    out << "0," << y << "," << z << "," << 0.01 + 0.001 * y - 0.0005 * z << "\n";
  }
  out.close();
  for (const bool absolute : {true, false}) {
    fluvia::Case c;
    c.domain.dimension = 3;
    c.domain.nodes = Int3{4, 24, 20};
    c.domain.periodic = {false, false, false};
    fluvia::Case::Boundary inlet, outlet;
    inlet.surface = "x_min";
    inlet.type = "velocity";
    inlet.profile = "table";
    inlet.profile_file = file;
    if (!absolute) inlet.flow_rate = 2;
    outlet.surface = "x_max";
    outlet.type = "pressure";
    c.boundaries = {inlet, outlet};
    const fluvia::Geometry geometry = fluvia::build_geometry(c, fluvia::make_grid(c));
    const fluvia::BoundarySetup setup = fluvia::make_boundary_setup({c, scene::make_units(0.8), geometry}, "D3Q19");
    double flow = 0;
    const auto& velocities = fluvia::facts_of_lattice("D3Q19").velocities;
    const auto& weights = fluvia::facts_of_lattice("D3Q19").weights;
    for (std::size_t k = 0; k < setup.links.size(); ++k) {
      const fluvia::CutLink& link = setup.links.at[k];
      if (link.surface != surface::x_min) continue;
      const Int3& v = velocities[link.direction];
      flow += 6 * weights[link.direction] * v[0] * setup.links.velocity[k][0];
      const Int3 x = geometry.nodes.node_position(geometry.nodes.tiles[link.tile], link.bit);
      const double y = x[1] + 0.5 - 0.5 * v[1], z = x[2] + 0.5 - 0.5 * v[2];
      if (absolute) {
        EXPECT_NEAR(setup.links.velocity[k][0], 0.01 + 0.001 * y - 0.0005 * z, 1e-6);
      }
    }
    if (!absolute) {
      EXPECT_NEAR(flow, 2, 1e-12);
    }
  }
}

}  // namespace
