// SPDX-License-Identifier: Apache-2.0
// Every registered lattice, collision, equilibrium, viscosity, scheme and format against the reference solver, on
// domains with walls, openings, moving and slipping surfaces, obstacles and forces: of each lattice every pair of the
// others. New entries of a registry are tested unasked.
#include "fluvia/core/collision/registry.hpp"

#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <tuple>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "reference/combinations.hpp"
#include "reference/scenes.hpp"
#include "support/covering.hpp"

namespace {

using fluvia::Int3;
using fluvia::core::for_each_type;
using scene::Combination;
using scene::Encoding;
using scene::encodings;
using scene::Scene;

/// Largest deviation of the populations in these scenes: w 3 rho u with u = 0.05, on an axis of D2Q9 or D3Q27's rest.
constexpr double largest_deviation = 0.03;

/// How far populations may be from the reference after some steps.
/// fp64: the reference works with f of order 0.3, rounds to 5e-17, and a step sums Q of them; dozens of steps stay
///   below 1e-14 as long as nothing is unstable; 1e-13 leaves room for MRT's larger coefficients.
/// fp32: deviations of order 0.03 round to 2e-9, 1/rho to 6e-8 relative, that is 3e-9 for u = 0.05. All of these adding
///   up over 12 steps and a few operations gives 2e-7, 4e-6 of the velocity scale.
/// Formats that round: each store rounds to half a unit, 2^-(m+1) of the deviation with m mantissa bits; one of these
///   per step, all of the same sign; stochastically, a whole unit.
double tolerance_of(const Encoding& e, int steps) {
  const fluvia::FormatFacts& format = *fluvia::find_format(e.format);
  if (!format.rounds) return format.arithmetic_bytes == 8 ? 1e-13 : 2e-7;
  const int mantissa_bits = format.precision_bits - 1 + (e.rounding == "nearest" ? 1 : 0);
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

/// What was computed last of one kind, because neighbouring rows often ask for the same.
template <class Key, class Value>
class Last {
 public:
  template <class Compute>
  const Value& get(const Key& key, const Compute& compute) {
    if (!key_ || *key_ != key) {
      value_ = compute();
      key_ = key;
    }
    return value_;
  }

 private:
  std::optional<Key> key_;
  Value value_{};
};

/// What is combined with the storage on one lattice, by collision, equilibrium and viscosity.
class PhysicsOf {
 public:
  explicit PhysicsOf(const std::string& lattice) {
    for (const Combination& c : scene::every_combination())
      if (c.physics.lattice == lattice) {
        const std::string viscosity = scene::viscosity_name(c.physics);
        by_names_.emplace(Names(c.physics.collision, c.physics.equilibrium, viscosity), c);
        dimension = c.dimension;
        append(collisions, c.physics.collision);
        append(equilibria, c.physics.equilibrium);
        append(viscosities, viscosity);
      }
  }
  using Names = std::tuple<std::string, std::string, std::string>;
  [[nodiscard]] bool has(const Names& names) const { return by_names_.contains(names); }
  [[nodiscard]] const Combination& at(const Names& names) const { return by_names_.at(names); }

  int dimension = 0;
  std::vector<std::string> collisions, equilibria, viscosities;

 private:
  static void append(std::vector<std::string>& names, const std::string& name) {
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  std::map<Names, Combination> by_names_;
};

class Registry : public testing::TestWithParam<std::string> {};

/// All schemes have the bits of the first, and the first follows the reference.
TEST_P(Registry, EverySchemeAndFormatFollowsTheReference) {
  omp_set_num_threads(1);  // on domains this small threads would only wait for each other
  const PhysicsOf physics(GetParam());
  const int dimension = physics.dimension;
  std::vector<Scene> scenes = scene::all_scenes(dimension);
  for (Scene& s : scene::wall_scenes(dimension)) scenes.push_back(std::move(s));
  for (Scene& s : scene::sheet_scenes(dimension)) scenes.push_back(std::move(s));
  for (Scene& s : scene::own_force_scenes(dimension)) scenes.push_back(std::move(s));
  if (fluvia::facts_of_lattice(GetParam()).isotropic)
    scenes.push_back(scene::rough_duct(dimension == 2 ? Int3{67, 13, 1} : Int3{13, 7, 5}));
  std::vector<std::size_t> numbers(scenes.size());
  std::iota(numbers.begin(), numbers.end(), std::size_t{0});
  const auto combine = [&](const std::string& collision, const std::string& equilibrium, const std::string& viscosity,
                           const auto&...) {
    return physics.has({collision, equilibrium, viscosity});
  };
  const std::vector<int> odd_and_even = {7, 12};
  Last<std::tuple<PhysicsOf::Names, std::size_t, int>, std::vector<double>> reference;
  Last<std::tuple<PhysicsOf::Names, std::size_t, int, std::string, std::string>, std::vector<std::byte>> first;
  for (const auto& [collision, equilibrium, viscosity, number, steps, encoding, variant] :
       fluvia::test::covering(combine, physics.collisions, physics.equilibria, physics.viscosities, numbers,
                              odd_and_even, encodings(), scene::variants(dimension))) {
    const Scene& s = scenes[number];
    const PhysicsOf::Names names(collision, equilibrium, viscosity);
    SCOPED_TRACE(testing::Message() << collision << ' ' << equilibrium << ' ' << viscosity << ' ' << s.name << ' '
                                    << steps << " steps, " << encoding << ' ' << variant);
    const Combination& c = physics.at(names);
    const auto run = [&, &e = encoding, &count = steps](const scene::Variant& v) {
      const auto solver = scene::make_solver(s, {c.physics, v.scheme.name, e.format, 1, "cpu", v.tile, 0, e.rounding});
      solver->step(count);
      return scene::save(*solver, c.directions, scene::bytes_of(e.format));
    };
    const std::vector<double>& expected = reference.get({names, number, steps}, [&, &count = steps] {
      reference::Solver oracle = scene::make_reference(s, c.physics);
      oracle.step(count);
      return canonical(oracle, scene::make_geometry(s).nodes, c);
    });
    const std::vector<std::byte>& populations = first.get({names, number, steps, encoding.format, encoding.rounding},
                                                          [&] { return run({fluvia::core::schemes[0]}); });
    ASSERT_LE(largest_difference(scene::decode(populations, encoding.format), expected), tolerance_of(encoding, steps));
    ASSERT_TRUE(run(variant) == populations) << "differs from scheme " << fluvia::core::schemes[0].name;
  }
}

/// True for the combination of a lattice with which threads are tested.
bool is_simplest(const Combination& c) {
  const bool has_bgk = fluvia::collision_problem(fluvia::core::Bgk::name, c.physics.lattice).empty();
  return c.physics.collision == (has_bgk ? fluvia::core::Bgk::name : fluvia::core::Mrt::name) &&
         c.physics.equilibrium == "quasi-compressible" && scene::viscosity_name(c.physics).empty();
}

/// Domains that the solver spreads over three threads; it wants some 64 rows for each.
std::vector<Scene> large_scenes(int dimension) {
  using scene::between_nodes;
  if (dimension == 2)
    return {scene::with_own_forces(scene::channel({11, 211, 1})), between_nodes(scene::porous({67, 109, 1}), true)};
  return {scene::with_own_forces(scene::channel({5, 15, 14})), between_nodes(scene::porous({66, 9, 13}), false)};
}

/// Threads share storage, not physics: one collision, but every lattice, scheme and format.
TEST(Threads, DoNotChangeABit) {
  for (const int dimension : {2, 3}) {
    std::vector<Combination> of_lattices;
    for (const Combination& c : scene::every_combination())
      if (c.dimension == dimension && is_simplest(c)) of_lattices.push_back(c);
    for (const auto& [c, s, encoding, variant, several] :
         fluvia::test::covering(fluvia::test::all_allowed, of_lattices, large_scenes(dimension), encodings(),
                                scene::variants(dimension), std::vector<int>{2, 3})) {
      SCOPED_TRACE(testing::Message() << c.physics.lattice << ' ' << s.name << ' ' << encoding << ' ' << variant << ' '
                                      << several << " threads");
      const auto run = [&, &c = c, &s = s, &encoding = encoding, &variant = variant](int threads) {
        omp_set_num_threads(threads);
        const auto solver = scene::make_solver(
            s, {c.physics, variant.scheme.name, encoding.format, threads, "cpu", variant.tile, 0, encoding.rounding});
        solver->step(5);
        return scene::moments(*solver, true);
      };
      const fluvia::Moments one = run(1), m = run(several);
      ASSERT_TRUE(one.density == m.density);
      ASSERT_TRUE(one.velocity == m.velocity);
      ASSERT_TRUE(one.stress == m.stress);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, Registry, testing::ValuesIn(fluvia::lattice_names()),
                         [](const auto& instance) { return instance.param; });

}  // namespace
