// SPDX-License-Identifier: Apache-2.0
// A flow with scalars that has all that can happen to them, and its solvers side by side: GPUs beside CPUs, whose
// scalars follow the oracle.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/physics/registered_formats.hpp"

namespace fluvia::test {

/// A channel around a post that keeps a temperature, with an inlet that keeps another, walls that heat and exchange,
/// and an outlet; the age of the fluid beside it. Numbers of nodes are no multiples of tiles.
struct ScalarChannel {
  int dimension = 2;
  std::string collision = "bgk", scheme = "pull", format = "fp64", walls = "interpolated";
  int gpu_threads = 0;
  double expansion = 0.3;  ///< of the temperature
  bool changes = false;    ///< what surfaces prescribe, and the source of the age, change in time

  [[nodiscard]] Case on(const std::string& device) const {
    const bool flat = dimension == 2;
    const std::string lattice = flat ? "D2Q9" : "D3Q19", zero = flat ? "" : ", 0";
    const std::string text = fmt::format(
        R"case(
[units]
system = "lattice"
viscosity = 0.06
[domain]
dimension = {0}
nodes = {1}
periodic = [false, false, {2}]
[walls]
method = "{3}"
[physics]
{13}
acceleration = [1e-6, 0{4}]
[[geometry.shape]]
name = "post"
kind = "cylinder"
{5}
radius = 3.3
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = [0.03, 0{4}]
scalars = {{ heat = {{ value = {inlet} }}, age = {{ value = 0 }} }}
[[boundary]]
surface = "x_max"
type = "pressure"
[[boundary]]
surface = "y_min"
type = "wall"
scalars = {{ heat = {{ flux = {flux} }} }}
[[boundary]]
surface = "y_max"
type = "wall"
scalars = {{ heat = {{ exchange = 0.03, ambient = 1.5 }} }}
[[boundary]]
surface = "post"
type = "wall"
scalars = {{ heat = {{ value = 4 }} }}
[[scalar]]
name = "heat"
diffusivity = 0.04
reference = 2
initial = 2
initial_formula = "0.3*sin(0.2*x)*cos(0.3*y)"
expansion = {14}
[[scalar]]
name = "age"
lattice = "{6}"
diffusivity = 0.02
initial = 0
source = "{source}"
[numerics]
lattice = "{7}"
collision = "{8}"
scheme = "{9}"
format = "{10}"
threads = 2
gpu_threads = {11}
device = "{12}"
trial = false
[run]
steps = 100
)case",
        dimension, flat ? "[37, 19]" : "[21, 13, 8]", flat ? "false" : "true", walls, zero,
        flat ? "from = [14.2, 9.6]\nto = [14.2, 9.6]" : "from = [9.2, 6.6, -9]\nto = [9.2, 6.6, 99]", lattice, lattice,
        collision, device == "cpu" ? "pull" : scheme, format, gpu_threads, device,
        expansion != 0 ? "gravity = [0, -1e-3" + zero + "]" : "", expansion,
        fmt::arg("inlet", changes ? "\"3 + sin(0.3*t)\"" : "3"), fmt::arg("flux", changes ? "\"1e-3*t\"" : "0.002"),
        fmt::arg("source", changes ? "1 + 0.1*x*cos(0.4*t)" : "age"));
    return parse_case(text, "channel.toml");
  }
};

inline std::unique_ptr<Solver> make_solver_of(const Case& c) {
  const Grid grid = make_grid(c);
  return fluvia::make_solver({c, make_units(c, grid.spacing), build_geometry(c, grid)});
}

inline std::vector<std::byte> saved(const Solver& solver) {
  const NodeMap& nodes = solver.geometry().nodes;
  std::vector<std::byte> all;
  for (std::size_t a = 0; a < solver.arrays().size(); ++a) {
    const NodeArray& array = solver.arrays()[a];
    const auto number = static_cast<std::size_t>(storage_bytes(array.format(solver.plan().format->name)));
    for (int component = 0; component < array.components; ++component) {
      std::vector<std::byte> part(array.entries(nodes, 0, nodes.tiles.size()).count * number);
      solver.save({a, component, 0, nodes.tiles.size()}, part);
      all.insert(all.end(), part.begin(), part.end());
    }
  }
  return all;
}

/// Loads what saved() gave, in two ranges of tiles.
inline void load(Solver& solver, std::span<const std::byte> all) {
  const NodeMap& nodes = solver.geometry().nodes;
  const std::uint64_t half = nodes.tiles.size() / 2;
  for (std::size_t a = 0; a < solver.arrays().size(); ++a) {
    const NodeArray& array = solver.arrays()[a];
    const auto number = static_cast<std::size_t>(storage_bytes(array.format(solver.plan().format->name)));
    for (int component = 0; component < array.components; ++component)
      for (const auto& [first, count] : {std::pair{std::uint64_t{0}, half}, {half, nodes.tiles.size() - half}}) {
        const std::size_t bytes = array.entries(nodes, first, count).count * number;
        solver.load({a, component, first, count}, all.first(bytes));
        all = all.subspan(bytes);
      }
  }
}

/// The largest difference of numbers of two states, 1e9 if one has something that is no number.
inline double difference(const Solver& one, const Solver& other) {
  const std::vector<std::byte> a = saved(one), b = saved(other);
  EXPECT_EQ(a.size(), b.size());
  const NodeMap& nodes = one.geometry().nodes;
  double largest = 0;
  std::size_t at = 0;
  const auto compare = [&]<class Number>(Number x, Number y) {
    std::memcpy(&x, &a[at], sizeof(x));
    std::memcpy(&y, &b[at], sizeof(y));
    at += sizeof(x);
    const double apart = std::abs(static_cast<double>(x) - static_cast<double>(y));
    largest = std::isnan(apart) ? 1e9 : std::max(largest, apart);
  };
  for (const NodeArray& array : one.arrays()) {
    const bool is_double = storage_bytes(array.format(one.plan().format->name)) == sizeof(double);
    const std::uint64_t count =
        static_cast<std::uint64_t>(array.components) * array.entries(nodes, 0, nodes.tiles.size()).count;
    for (std::uint64_t k = 0; k < count && at + sizeof(float) <= b.size(); ++k)
      is_double ? compare(0.0, 0.0) : compare(0.0F, 0.0F);
  }
  return largest;
}

/// What is read of the scalars: fields, sums, what passes surfaces.
inline void compare_readings(const Solver& solver, const Solver& on_cpu, double tolerance) {
  const Geometry& geometry = solver.geometry();
  const std::size_t scalars = solver.plan().scalars.size();
  Moments found, expected;
  solver.moments(0, geometry.nodes.tiles.size(), false, found);
  on_cpu.moments(0, geometry.nodes.tiles.size(), false, expected);
  ASSERT_EQ(found.scalars.size(), geometry.nodes.fluid_nodes * scalars);
  for (std::size_t k = 0; k < scalars; ++k) {
    SCOPED_TRACE(solver.plan().scalars[k].name);
    double apart = 0;
    for (std::size_t n = k; n < found.scalars.size(); n += scalars)
      apart = std::max(apart, std::abs(found.scalars[n] - expected.scalars[n]));
    EXPECT_LT(apart, tolerance);
    const ScalarSummary a = solver.scalar_summary(k), b = on_cpu.scalar_summary(k);
    EXPECT_NEAR(a.mean, b.mean, tolerance);
    EXPECT_NEAR(a.least, b.least, tolerance);
    EXPECT_NEAR(a.most, b.most, tolerance);
    EXPECT_NEAR(a.content, b.content, 1e3 * tolerance);
    EXPECT_NEAR(a.source, b.source, 1e3 * tolerance);
    EXPECT_TRUE(a.finite);
    double passed = 0;
    for (std::size_t s = 0; s < geometry.surfaces.size(); ++s) {
      const ScalarPassage p = solver.scalar_passage(k, static_cast<int>(s)),
                          q = on_cpu.scalar_passage(k, static_cast<int>(s));
      EXPECT_NEAR(p.rate, q.rate, 1e2 * tolerance) << geometry.surfaces[s];
      EXPECT_NEAR(p.area, q.area, 1e-12) << geometry.surfaces[s];
      passed += std::abs(p.rate);
    }
    EXPECT_GT(passed, 1e-3);
  }
}

}  // namespace fluvia::test
