// SPDX-License-Identifier: Apache-2.0
// Every registered lattice x collision x equilibrium x scheme x format against the reference solver, on domains with
// walls, openings, moving and slipping surfaces, obstacles and forces. New entries of a registry are tested unasked.
#include "fluvia/core/collision/registry.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <ostream>
#include <tuple>

#include "fluvia/case/registered_physics.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"

namespace {

using fluvia::core::for_each_type;
using scene::Combination;
using scene::combinations;
using scene::Encoding;
using scene::encodings;
using scene::Options;
using scene::Scene;

/// Largest deviation of the populations in these scenes: w 3 rho u with u = 0.05, on an axis of D2Q9 or D3Q27's rest.
constexpr double largest_deviation = 0.03;

/// How far populations may be from the reference after some steps.
/// fp64: the reference works with f of order 0.3, rounds to 5e-17, and a step sums Q of them; dozens of steps stay
///   below 1e-14 as long as nothing is unstable; 1e-13 leaves room for MRT's larger coefficients.
/// fp32: deviations of order 0.03 round to 2e-9, 1/rho to 6e-8 relative, that is 3e-9 for u = 0.05. All of these adding
///   up over 12 steps and a few operations gives 2e-7, 4e-6 of the velocity scale.
/// 16 bits: each store rounds to half a unit, 2^-(m+1) of the deviation with m mantissa bits; one of these per step,
/// all
///   of the same sign; stochastically, a whole unit.
double tolerance_of(const Encoding& e, int steps) {
  if (e.format == "fp64") return 1e-13;
  if (e.format == "fp32") return 2e-7;
  const int mantissa_bits = (e.format == "fp16c" ? 11 : 10) + (e.rounding == "nearest" ? 1 : 0);
  return steps * largest_deviation * std::ldexp(1.0, -mantissa_bits) + 2e-7;
}

/// Deviations f_i - w_i of the reference in canonical order, in Fluvia's order of directions.
std::vector<double> canonical(const reference::Solver& oracle, const fluvia::NodeMap& nodes, const Combination& c) {
  std::vector<double> result(nodes.fluid_nodes * c.directions);
  for_each_type(fluvia::core::Lattices{}, [&]<class Lattice>(Lattice) {
    if (c.physics.lattice != Lattice::name) return;
    for (int i = 0; i < Lattice::Q; ++i) {
      const int k = oracle.lattice().find({Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]});
      scene::for_each_fluid_node(nodes, [&](const fluvia::Int3& x, std::uint64_t n) {
        result[i * nodes.fluid_nodes + n] = oracle.arriving(x)[k] - oracle.lattice().w[k];
      });
    }
  });
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  if (a.size() != b.size()) return std::numeric_limits<double>::infinity();
  double largest = 0;
  for (std::size_t k = 0; k < a.size(); ++k)
    largest = std::isfinite(a[k]) ? std::max(largest, std::abs(a[k] - b[k])) : std::numeric_limits<double>::infinity();
  return largest;
}

/// True for the combination with which every scheme is run. On a CPU, collisions know nothing of storage, so with the
/// others the schemes on sites, which share all of their code but the index map, take turns.
bool runs_every_scheme(const Combination& c) {
  const bool has_bgk = fluvia::collision_problem(fluvia::core::Bgk::name, c.physics.lattice).empty();
  return c.physics.collision == (has_bgk ? fluvia::core::Bgk::name : fluvia::core::Mrt::name) &&
         c.physics.equilibrium == "quasi-compressible" && scene::viscosity_name(c.physics).empty();
}

/// Every scheme and format of one combination on one scene; `turn` counts both.
void check(const Scene& s, const Combination& c, int steps, std::size_t turn) {
  reference::Solver oracle = scene::make_reference(s, c.physics);
  oracle.step(steps);
  const std::vector<double> expected = canonical(oracle, scene::make_geometry(s).nodes, c);
  for (const Encoding& e : encodings()) {
    std::vector<std::byte> first;
    for (const scene::Variant& v : scene::variants(c.dimension)) {
      if (v.scheme.has_sites() && !runs_every_scheme(c) && ++turn % 8 != 0) continue;
      SCOPED_TRACE(testing::Message() << e << ' ' << v);
      const auto solver = scene::make_solver(s, {c.physics, v.scheme.name, e.format, 1, "cpu", v.tile, 0, e.rounding});
      solver->step(steps);
      const std::vector<std::byte> populations = scene::save(*solver, c.directions, scene::bytes_of(e.format));
      if (first.empty()) {
        first = populations;
        ASSERT_LE(largest_difference(scene::decode(populations, e.format), expected), tolerance_of(e, steps));
      } else {
        ASSERT_TRUE(populations == first) << "differs from scheme " << fluvia::core::schemes[0].name;
      }
    }
  }
}

class Registry : public testing::TestWithParam<Combination> {};

TEST_P(Registry, EverySchemeAndFormatFollowsTheReference) {
  omp_set_num_threads(1);  // on domains this small threads would only wait for each other
  int steps = 7;
  std::size_t turn = 0;
  for (const Combination& c : combinations())
    turn += c.physics.lattice + c.physics.collision < GetParam().physics.lattice + GetParam().physics.collision ? 1 : 0;
  for (const Scene& s : scene::all_scenes(GetParam().dimension)) {
    SCOPED_TRACE(s.name);
    check(s, GetParam(), steps, turn++);
    if (HasFatalFailure()) return;
    steps = 19 - steps;  // odd and even numbers of steps: 7, 12
  }
}

/// Walls between the nodes; the scenes take turns.
TEST_P(Registry, EverySchemeAndFormatFollowsTheReferenceAtWallsBetweenNodes) {
  omp_set_num_threads(1);
  const auto key = [](const Combination& c) {
    return std::tuple(c.physics.lattice, c.physics.collision, c.physics.equilibrium, scene::viscosity_name(c.physics));
  };
  std::size_t turn = 0;
  for (const Combination& c : combinations()) turn += key(c) < key(GetParam()) ? 1 : 0;
  const std::vector<Scene> scenes = scene::wall_scenes(GetParam().dimension);
  for (const std::size_t k : {turn % scenes.size(), (turn + 1) % scenes.size()}) {
    SCOPED_TRACE(scenes[k].name);
    check(scenes[k], GetParam(), k % 2 == 0 ? 7 : 12, turn++);
    if (HasFatalFailure()) return;
  }
}

/// Domains that the solver spreads over three threads; it wants some 64 rows for each.
std::vector<Scene> large_scenes(int dimension) {
  using scene::between_nodes;
  if (dimension == 2) return {scene::channel({11, 211, 1}), between_nodes(scene::porous({67, 109, 1}), true)};
  return {scene::channel({5, 15, 14}), between_nodes(scene::porous({66, 9, 13}), false)};
}

/// Threads share storage, not physics: one collision, but every lattice, scheme and format.
TEST(Threads, DoNotChangeABit) {
  for (const Combination& c : combinations()) {
    if (!runs_every_scheme(c)) continue;
    for (const Scene& s : large_scenes(c.dimension))
      for (const Encoding& e : encodings())
        for (const scene::Variant& v : scene::variants(c.dimension)) {
          if (v.scheme.has_sites() && e.format != "fp32") continue;  // formats share the code that threads share
          SCOPED_TRACE(testing::Message() << c.physics.lattice << ' ' << s.name << ' ' << e << ' ' << v);
          fluvia::Moments m[3];
          for (int threads = 1; threads <= 3; ++threads) {
            omp_set_num_threads(threads);
            const auto solver =
                scene::make_solver(s, {c.physics, v.scheme.name, e.format, threads, "cpu", v.tile, 0, e.rounding});
            solver->step(5);
            m[threads - 1] = scene::moments(*solver, true);
          }
          for (const int k : {1, 2}) {
            ASSERT_TRUE(m[0].density == m[k].density);
            ASSERT_TRUE(m[0].velocity == m[k].velocity);
            ASSERT_TRUE(m[0].stress == m[k].stress);
          }
        }
  }
}

std::string name_of(const testing::TestParamInfo<Combination>& info) {
  const reference::Physics& p = info.param.physics;
  std::string name = p.lattice + "_" + p.collision + "_" + p.equilibrium + "_" + scene::viscosity_name(p);
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, Registry, testing::ValuesIn(combinations()), name_of);

}  // namespace
