// SPDX-License-Identifier: Apache-2.0
// Schemes that store every second node, on D3Q13: the same flow there as on the full lattice, and sums over nodes and
// links that stand for the whole domain.
#include "fluvia/solver/plan/half_lattice.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/run/monitors/surface_integrals.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"

namespace {

using fluvia::Int3;
using fluvia::Real3;
using scene::Options;
using scene::Scene;

reference::Physics d3q13(const std::string& equilibrium = "quasi-compressible") {
  reference::Physics physics;
  physics.lattice = "D3Q13";
  physics.collision = "mrt";
  physics.equilibrium = equilibrium;
  physics.tau = 0.71;
  return physics;
}

/// Round-off in fp64 as in the registry's test; in fp32 deviations of order 0.03 round to 2e-9 a step and operation.
double tolerance_of(const std::string& format) {
  if (format == "fp64") return 1e-13;
  return format == "fp32" ? 2e-7 : 12 * 0.03 * std::ldexp(1.0, -11) + 2e-7;
}

/// Largest difference between the populations of a half lattice and those of the reference's full one.
double largest_difference(const fluvia::Solver& solver, const reference::Solver& oracle, const std::string& format) {
  using Lattice = fluvia::core::D3Q13;
  const std::vector<double> found = scene::decode(scene::save(solver, Lattice::Q, scene::bytes_of(format)), format);
  const fluvia::NodeMap& nodes = solver.geometry().nodes;
  double largest = 0;
  for (int i = 0; i < Lattice::Q; ++i) {
    const int k = oracle.lattice().find({Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]});
    scene::for_each_fluid_node(nodes, [&](const Int3& x, std::uint64_t n) {
      const double difference =
          std::abs(found[i * nodes.fluid_nodes + n] - (oracle.arriving(x)[k] - oracle.lattice().w[k]));
      largest = std::isfinite(difference) ? std::max(largest, difference) : INFINITY;
    });
  }
  return largest;
}

std::vector<Scene> half_scenes_and_own_forces() {
  std::vector<Scene> scenes = scene::half_scenes();
  scenes.push_back(scene::with_own_forces(scene::channel({13, 7, 9})));
  return scenes;
}

TEST(HalfLattice, EverySchemeAndFormatFollowsTheReference) {
  omp_set_num_threads(1);
  for (const char* equilibrium : {"quasi-compressible", "incompressible"})
    for (const Scene& s : half_scenes_and_own_forces()) {
      auto oracle = scene::make_reference(s, d3q13(equilibrium));
      oracle.step(7);
      for (const std::string& format : fluvia::format_names()) {
        std::vector<std::byte> first;
        for (const std::string& scheme : fluvia::half_scheme_names("cpu")) {
          SCOPED_TRACE(testing::Message() << s.name << ' ' << equilibrium << ' ' << format << ' ' << scheme);
          const auto solver = scene::make_solver(s, {d3q13(equilibrium), scheme, format, 1});
          const fluvia::NodeMap& nodes = solver->geometry().nodes;
          EXPECT_TRUE(nodes.half);
          scene::for_each_fluid_node(nodes,
                                     [](const Int3& x, std::uint64_t) { EXPECT_EQ((x[0] + x[1] + x[2]) % 2, 0); });
          solver->step(7);
          EXPECT_LE(largest_difference(*solver, oracle, format), tolerance_of(format));
          const auto populations = scene::save(*solver, 13, scene::bytes_of(format));
          if (first.empty()) first = populations;
          EXPECT_TRUE(populations == first) << "differs from the first scheme";
        }
      }
    }
}

/// A bar in a periodic stream takes the momentum that the force gives to the fluid: force times fluid volume, and that
/// is twice the number of stored nodes.
TEST(HalfLattice, ForcesAndTotalsStandForTheWholeDomain) {
  omp_set_num_threads(1);
  Scene s = scene::base_scene("bar", {4, 12, 12}, {true, true, true});
  s.solid = [](const Int3& x) { return x[1] >= 4 && x[1] < 8 && x[2] >= 4 && x[2] < 8; };
  s.monitored = {"wall"};
  s.force = {1e-5, 0, 0};
  s.initial = [](const Int3&) { return reference::NodeState{}; };
  for (const std::string& scheme : fluvia::half_scheme_names("cpu")) {
    SCOPED_TRACE(scheme);
    const auto half = scene::make_solver(s, {d3q13(), scheme, "fp64", 1});
    const auto full = scene::make_solver(s, {d3q13(), "aa", "fp64", 1});
    EXPECT_EQ(2 * half->geometry().nodes.fluid_nodes, full->geometry().nodes.fluid_nodes);
    EXPECT_DOUBLE_EQ(half->geometry().nodes.porosity(), full->geometry().nodes.porosity());
    half->step(3000);
    full->step(3000);
    const double volume = 2.0 * static_cast<double>(half->geometry().nodes.fluid_nodes);
    const double pushed = half->surface_force(fluvia::surface_id::wall, {}).force[0];
    EXPECT_NEAR(pushed, volume * s.force[0], 1e-6 * volume * s.force[0]);
    EXPECT_NEAR(half->totals().momentum[0], full->totals().momentum[0], 1e-12 * full->totals().momentum[0]);
    EXPECT_NEAR(half->totals().kinetic_energy, full->totals().kinetic_energy, 1e-12 * full->totals().kinetic_energy);
  }
}

/// A cube in a stream: mirrored at a middle plane, even nodes become odd ones, so each half carries half of every part
/// of the force, whether measured on the half lattice or on the view of it as a full one.
TEST(HalfLattice, PartsOfForcesStandForTheWholeDomain) {
  omp_set_num_threads(1);
  Scene s = scene::base_scene("cube", {12, 12, 12}, {true, true, true});
  s.solid = [](const Int3& x) { return std::min({x[0], x[1], x[2]}) >= 4 && std::max({x[0], x[1], x[2]}) < 8; };
  s.monitored = {"wall"};
  s.force = {1e-5, 0, 0};
  s.initial = [](const Int3&) { return reference::NodeState{}; };
  const auto half = scene::make_solver(s, {d3q13(), "fcc-aa", "fp64", 1});
  const auto full = scene::make_solver(s, {d3q13(), "aa", "fp64", 1});
  half->step(300);
  full->step(300);
  const fluvia::FullView view(*half, scene::make_geometry(s));
  const auto parts_of = [](const fluvia::Solver& solver) {
    return fluvia::SurfaceIntegrals(solver, {fluvia::surface_id::wall}).evaluate()[0];
  };
  const fluvia::ForceParts expected = parts_of(*full);
  for (const fluvia::ForceParts& parts : {parts_of(*half), parts_of(view)}) {
    EXPECT_NEAR(parts.exchanged_pressure[0], expected.exchanged_pressure[0], 1e-10 * expected.exchanged_pressure[0]);
    EXPECT_NEAR(parts.pressure[0], expected.pressure[0], 1e-10 * expected.pressure[0]);
    EXPECT_NEAR(parts.viscous[0], expected.viscous[0], 1e-10 * expected.viscous[0]);
    EXPECT_GT(parts.pressure[0], 0);
  }
}

TEST(HalfLattice, PrescribedFlowEnters) {
  omp_set_num_threads(1);
  Scene s = scene::channel({20, 8, 8});
  s.force = {};
  s.solid = [](const Int3&) { return false; };
  s.bodies.clear();
  s.monitored.clear();
  fluvia::Case c = scene::make_case(s, {d3q13(), "fcc", "fp64", 1});
  c.boundaries[0].velocity = {};
  c.boundaries[0].flow_rate = 0.64;
  const auto solver = fluvia::make_solver({c, scene::make_units(0.71), scene::make_geometry(s)});
  solver->step(1500);
  EXPECT_NEAR(solver->opening_flow(0).flow_rate, 0.64, 1e-12);
  EXPECT_NEAR(solver->opening_flow(1).flow_rate, -0.64, 1e-4);
}

/// On a linear field the mean of pairs of neighbours is exact, next to walls too.
TEST(FullView, FillsTheMissingNodes) {
  omp_set_num_threads(1);
  Scene s = scene::base_scene("box", {12, 10, 14}, {true, false, false});
  s.solid = [](const Int3& x) { return x[1] == 5 && x[2] == 6 && x[0] > 3; };
  s.initial = [](const Int3& x) {
    return reference::NodeState{1 + 1e-3 * x[2], {1e-3 * x[1], 2e-3 * x[2], -1e-3 * x[1]}};
  };
  const auto half = scene::make_solver(s, {d3q13(), "fcc-aa", "fp64", 1});
  const fluvia::FullView full(*half, scene::make_geometry(s));
  const fluvia::NodeMap& nodes = full.geometry().nodes;
  fluvia::Moments whole;
  full.moments(0, nodes.tiles.size(), true, whole);
  ASSERT_EQ(whole.density.size(), nodes.fluid_nodes);
  ASSERT_EQ(whole.stress.size(), nodes.fluid_nodes);
  scene::for_each_fluid_node(nodes, [&](const Int3& x, std::uint64_t n) {
    const bool stored = (x[0] + x[1] + x[2]) % 2 == 0;
    int pairs = 0;
    for (int axis = 0; axis < 3; ++axis) {
      Int3 before = x, after = x;
      --before[axis];
      ++after[axis];
      pairs += nodes.is_fluid(before) && nodes.is_fluid(after) ? 1 : 0;
    }
    if (!stored && pairs == 0) return;
    const reference::NodeState expected = s.initial(x);
    ASSERT_NEAR(whole.density[n], expected.density, 1e-14);
    for (int a = 0; a < 3; ++a) ASSERT_NEAR(whole.velocity[n][a], expected.velocity[a], 1e-14);
  });
  // Pieces of the map give the same as the whole.
  fluvia::Moments part;
  for (std::uint64_t t = 0; t < nodes.tiles.size(); t += 5) {
    const std::uint64_t count = std::min<std::uint64_t>(5, nodes.tiles.size() - t);
    full.moments(t, count, false, part);
    for (std::size_t k = 0; k < part.density.size(); ++k) {
      ASSERT_EQ(part.density[k], whole.density[nodes.tiles[t].first_node + k]);
      ASSERT_EQ(part.velocity[k], whole.velocity[nodes.tiles[t].first_node + k]);
    }
  }
  const std::uint64_t fastest = full.totals().max_speed_node;
  EXPECT_NEAR(fluvia::norm(whole.velocity[fastest]), full.totals().max_speed, 1e-15);
}

template <class Body>
std::string refusal(Body&& body) {
  try {
    body();
  } catch (const fluvia::Error& error) {
    EXPECT_EQ(error.code(), fluvia::ExitCode::input);
    return error.what();
  }
  return "accepted";
}

TEST(HalfLattice, RefusesWhatCannotBeHalved) {
  const Scene box = scene::open_box({8, 4, 4}), odd = scene::open_box({8, 5, 4});
  auto physics = d3q13();
  EXPECT_NE(refusal([&] {
              scene::make_solver(odd, {physics, "fcc", "fp64", 1});
            }).find("the periodic axis y has 5 nodes"),
            std::string::npos);
  physics.lattice = "D3Q15";
  EXPECT_NE(refusal([&] {
              scene::make_solver(box, {physics, "fcc", "fp64", 1});
            }).find("use lattice D3Q13"),
            std::string::npos);
}

}  // namespace
