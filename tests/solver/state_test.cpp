// SPDX-License-Identifier: Apache-2.0
// What a solver reports about its state (moments, stress, forces, flows, totals) against the reference solver.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <tuple>
#include <utility>

#include "fluvia/solver/plan/scheme.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"
#include "support/covering.hpp"

namespace {

using fluvia::Real3;
using scene::Scene;

// The reference and the solver work in double precision on numbers of order one, some 100 operations a step, 8 steps.
constexpr double round_off = 1e-13;
// Forces and flows are sums over up to a thousand links.
constexpr double sum_round_off = 1e-12;

reference::Physics physics_of(const std::string& lattice, const std::string& equilibrium) {
  reference::Physics physics;
  physics.lattice = lattice;
  physics.collision = lattice == "D3Q13" ? "mrt" : "trt";
  physics.equilibrium = equilibrium;
  physics.tau = 0.6;
  physics.smagorinsky = equilibrium == "incompressible" ? 0.2 : 0;
  return physics;
}

/// Schemes by name, with the edge of their tiles, of all dimensions.
std::vector<std::pair<std::string, int>> every_variant() {
  std::vector<std::pair<std::string, int>> result;
  for (const int dimension : {2, 3})
    for (const scene::Variant& v : scene::variants(dimension))
      if (const std::pair<std::string, int> one{v.scheme.name, v.tile};
          std::find(result.begin(), result.end(), one) == result.end())
        result.push_back(one);
  return result;
}

void expect_moments(const fluvia::Solver& solver, const reference::Solver& oracle) {
  const fluvia::Moments m = scene::moments(solver, true);
  constexpr int row[6] = {0, 1, 2, 0, 1, 2}, column[6] = {0, 1, 2, 1, 2, 0};
  scene::for_each_fluid_node(solver.geometry().nodes, [&](const fluvia::Int3& x, std::uint64_t n) {
    const reference::NodeState state = oracle.state(x);
    const reference::Tensor stress = oracle.stress(x);
    ASSERT_NEAR(m.density[n], state.density, round_off);
    for (int a = 0; a < 3; ++a) ASSERT_NEAR(m.velocity[n][a], state.velocity[a], round_off);
    for (int k = 0; k < 6; ++k) ASSERT_NEAR(m.stress[n][k], stress[row[k]][column[k]], round_off) << "component " << k;
  });
}

/// How many of the scene's surfaces feel a force.
int expect_forces(const Scene& s, const fluvia::Solver& solver, const reference::Solver& oracle) {
  int felt = 0;
  const auto names = s.surfaces();
  for (const std::string& name : s.monitored) {
    const int surface = static_cast<int>(std::find(names.begin(), names.end(), name) - names.begin());
    const Real3 center = {3.3, -1.2, 0.7};
    const auto [force, torque] = oracle.force_and_torque_on(surface, center);
    const fluvia::SurfaceForce found = solver.surface_force(surface, center);
    for (int a = 0; a < 3; ++a) {
      EXPECT_NEAR(found.force[a], force[a], sum_round_off) << name;
      EXPECT_NEAR(found.torque[a], torque[a], 20 * sum_round_off) << name;  // arms of some 20 nodes
    }
    if (fluvia::norm(force) > 1e-4) ++felt;
  }
  return felt;
}

/// Through how many of the scene's openings something flows.
int expect_flows(const Scene& s, const fluvia::Solver& solver, const reference::Solver& oracle) {
  int open = 0;
  for (std::size_t k = 0; k < s.openings.size(); ++k) {
    const double expected = oracle.inflow(s.openings[k].surface);
    EXPECT_NEAR(solver.opening_flow(static_cast<int>(k)).flow_rate, expected, sum_round_off);
    if (std::abs(expected) > 1e-4) ++open;
  }
  return open;
}

void expect_totals_of_moments(const fluvia::Solver& solver) {
  const fluvia::Moments m = scene::moments(solver);
  const fluvia::Totals totals = solver.totals();
  double mass = 0, energy = 0, fastest = 0;
  Real3 momentum{};
  for (std::size_t n = 0; n < m.density.size(); ++n) {
    const double squared = fluvia::dot(m.velocity[n], m.velocity[n]);
    mass += m.density[n] - 1;
    energy += 0.5 * m.density[n] * squared;
    fastest = std::max(fastest, std::sqrt(squared));
    for (int a = 0; a < 3; ++a) momentum[a] += m.density[n] * m.velocity[n][a];
  }
  EXPECT_NEAR(totals.mass, mass, sum_round_off);
  EXPECT_NEAR(totals.kinetic_energy, energy, sum_round_off);
  EXPECT_NEAR(totals.max_speed, fastest, round_off);
  EXPECT_NEAR(fluvia::norm(m.velocity[totals.max_speed_node]), fastest, round_off);
  for (int a = 0; a < 3; ++a) EXPECT_NEAR(totals.momentum[a], momentum[a], sum_round_off);
  EXPECT_TRUE(totals.finite);
}

std::vector<Scene> state_scenes(int dimension) {
  std::vector<Scene> all = scene::all_scenes(dimension);
  all.push_back(
      scene::with_own_forces(scene::channel(dimension == 2 ? fluvia::Int3{37, 21, 1} : fluvia::Int3{13, 7, 9})));
  return all;
}

/// Each pair of lattice, scene, equilibrium and scheme. The reference takes most of the time, so that everything which
/// a solver reports is compared with one run of it.
TEST(State, IsThatOfTheReference) {
  omp_set_num_threads(1);
  std::vector<std::size_t> numbers(state_scenes(2).size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const auto is_there = [](const std::string& lattice, std::size_t, const std::string&,
                           const std::pair<std::string, int>& variant) {
    const std::vector<scene::Variant> all = scene::variants(lattice[1] - '0');
    return std::any_of(all.begin(), all.end(), [&](const scene::Variant& v) {
      return v.scheme.name == variant.first && v.tile == variant.second;
    });
  };
  using Key = std::tuple<std::string, std::size_t, std::string>;
  std::optional<std::pair<Key, reference::Solver>> last;  // neighbouring rows often ask for the same
  int forces = 0, flows = 0;
  for (const auto& [lattice, number, equilibrium, variant] :
       fluvia::test::covering(is_there, std::vector<std::string>{"D2Q9", "D3Q13", "D3Q19"}, numbers,
                              std::vector<std::string>{"quasi-compressible", "incompressible"}, every_variant())) {
    const Scene s = state_scenes(lattice[1] - '0')[number];
    const reference::Physics physics = physics_of(lattice, equilibrium);
    SCOPED_TRACE(testing::Message() << s.name << ' ' << lattice << ' ' << equilibrium << ' ' << variant.first << ' '
                                    << variant.second);
    const Key key(lattice, number, equilibrium);
    if (!last || last->first != key) {
      last.emplace(key, scene::make_reference(s, physics));
      last->second.step(8);
    }
    const auto solver = scene::make_solver(s, {physics, variant.first, "fp64", 1, "cpu", variant.second});
    solver->step(8);
    expect_moments(*solver, last->second);
    forces += expect_forces(s, *solver, last->second);
    flows += expect_flows(s, *solver, last->second);
    expect_totals_of_moments(*solver);
    if (HasFailure()) return;
  }
  EXPECT_GT(forces, 50) << "most surfaces feel a force";
  EXPECT_GT(flows, 20);
}

/// A NaN anywhere is found and named, also the one that only one population carries.
TEST(State, TotalsNameANodeThatIsNotFinite) {
  const Scene s = scene::porous({67, 5, 6});
  reference::Physics physics;
  physics.lattice = "D3Q19";
  for (const std::string& scheme : fluvia::scheme_names()) {
    SCOPED_TRACE(scheme);
    const auto solver = scene::make_solver(s, {physics, scheme, "fp32", 1});
    solver->step(3);
    const std::uint64_t node = solver->geometry().nodes.fluid_nodes / 2;
    std::vector<float> f(solver->geometry().nodes.fluid_nodes);
    const std::span<float> values(f);
    solver->save({fluvia::flow_populations, 4, 0, solver->geometry().nodes.tiles.size()},
                 std::as_writable_bytes(values));
    f[node] = std::nanf("");
    solver->load({fluvia::flow_populations, 4, 0, solver->geometry().nodes.tiles.size()}, std::as_bytes(values));
    EXPECT_FALSE(solver->totals().finite);
    EXPECT_EQ(solver->totals().bad_node, node);
  }
}

/// Writers and checkpoints ask for ranges of tiles; together they must be the whole.
TEST(State, RangesOfTilesAddUpToTheWhole) {
  for (const Scene& s : {scene::cavity({67, 19, 1}), scene::channel({13, 7, 9})}) {
    reference::Physics physics;
    physics.lattice = s.dimension == 2 ? "D2Q9" : "D3Q19";
    for (const std::string& scheme : fluvia::scheme_names()) {
      SCOPED_TRACE(scheme);
      const auto solver = scene::make_solver(s, {physics, scheme, "fp64", 1});
      solver->step(5);
      const fluvia::NodeMap& nodes = solver->geometry().nodes;
      const fluvia::Moments whole = scene::moments(*solver, true);
      std::vector<double> all(nodes.fluid_nodes), part;
      solver->save({fluvia::flow_populations, 5, 0, nodes.tiles.size()}, std::as_writable_bytes(std::span(all)));
      for (std::uint64_t first = 0; first < nodes.tiles.size(); first += 3) {
        const std::uint64_t count = std::min<std::uint64_t>(3, nodes.tiles.size() - first);
        fluvia::Moments m;
        solver->moments(first, count, true, m);
        part.assign(m.density.size(), 0);
        solver->save({fluvia::flow_populations, 5, first, count}, std::as_writable_bytes(std::span(part)));
        for (std::size_t k = 0; k < m.density.size(); ++k) {
          const std::uint64_t n = nodes.tiles[first].first_node + k;
          ASSERT_EQ(m.density[k], whole.density[n]);
          ASSERT_EQ(m.velocity[k], whole.velocity[n]);
          ASSERT_EQ(m.stress[k], whole.stress[n]);
          ASSERT_EQ(part[k], all[n]);
        }
      }
    }
  }
}

}  // namespace
