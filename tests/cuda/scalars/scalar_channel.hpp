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
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/solver/scalars/flow_scalars.hpp"

namespace fluvia::test {

/// A channel around a post that keeps a temperature, with an inlet that keeps another, walls that heat and exchange,
/// and an outlet; the age of the fluid beside it. Numbers of nodes are no multiples of tiles.
struct ScalarChannel {
  int dimension = 2;
  std::string collision = "bgk", scheme = "pull", format = "fp64", walls = "interpolated";
  int gpu_threads = 0;
  double expansion = 0.3;  ///< of the temperature
  bool changes = false;    ///< what surfaces prescribe, and sources, change in time
  bool solids = false;     ///< in which they spread: a plate and a fin on it, heat; a pad on the upper wall, age

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
scalars = {{ heat = {{ exchange = 0.03, ambient = 1.5 }} }}
[[boundary]]
surface = "y_max"
type = "wall"
scalars = {{ heat = {{ flux = {flux} }}, age = {{ value = 2 }} }}
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
    return parse_case(solids ? text + shapes() : text, "channel.toml");
  }

 private:
  /// Their surfaces are not half-way between nodes.
  [[nodiscard]] std::string shapes() const {
    const bool flat = dimension == 2;
    const auto box = [&](const char* name, const char* center, const char* size) {
      return fmt::format("[[geometry.shape]]\nname = \"{}\"\nkind = \"box\"\ncenter = [{}{}]\nsize = [{}{}]\n", name,
                         center, flat ? "" : ", 4", size, flat ? "" : ", 40");
    };
    return box("plate", flat ? "26, 1.6" : "15.2, 1.3", flat ? "9.3, 3.4" : "5.3, 2.8") +
           box("fin", flat ? "25.1, 4.6" : "15.1, 3.3", flat ? "3.3, 3.1" : "2.3, 2.1") +
           box("pad", flat ? "27, 17.8" : "15.2, 12.1", flat ? "5.4, 4" : "3.3, 3") +
           fmt::format(R"case(
[[solid]]
surface = "plate"
scalar = "heat"
diffusivity = 0.2
capacity_ratio = 0.4
[[solid]]
surface = "fin"
scalar = "heat"
diffusivity = 0.1
capacity_ratio = 3
source = "{}"
[[solid]]
surface = "pad"
scalar = "age"
diffusivity = 0.05
capacity_ratio = 1.5
)case",
                       changes ? "1e-3*x*(1 + 0.1*t)" : "1e-3*x");
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

template <class Visit>
void for_each_position(const Int3& size, const Visit& visit) {
  for (int z = 0; z < size[2]; ++z)
    for (int y = 0; y < size[1]; ++y)
      for (int x = 0; x < size[0]; ++x) visit(Int3{x, y, z});
}

/// What is read of the scalars: fields, sums, what passes surfaces.
inline void compare_readings(const Solver& solver, const Solver& on_cpu, double tolerance) {
  const Geometry& geometry = solver.geometry();
  const std::size_t scalars = solver.plan().scalars.size();
  Moments found, expected;
  solver.moments(0, geometry.nodes.tiles.size(), false, found);
  on_cpu.moments(0, geometry.nodes.tiles.size(), false, expected);
  ASSERT_EQ(found.scalars.size(), geometry.nodes.fluid_nodes * scalars);
  const auto expect_same = [&](const ScalarSummary& a, const ScalarSummary& b) {
    EXPECT_NEAR(a.mean, b.mean, tolerance);
    EXPECT_NEAR(a.least, b.least, tolerance);
    EXPECT_NEAR(a.most, b.most, tolerance);
    EXPECT_NEAR(a.content, b.content, 1e3 * tolerance);
    EXPECT_NEAR(a.source, b.source, 1e3 * tolerance);
    EXPECT_EQ(a.volume > 0, b.volume > 0);
    EXPECT_TRUE(a.finite);
  };
  for (std::size_t k = 0; k < scalars; ++k) {
    SCOPED_TRACE(solver.plan().scalars[k].name);
    double apart = 0;
    for (std::size_t n = k; n < found.scalars.size(); n += scalars)
      apart = std::max(apart, std::abs(found.scalars[n] - expected.scalars[n]));
    EXPECT_LT(apart, tolerance);
    expect_same(solver.scalar_summary(k), on_cpu.scalar_summary(k));
    const std::size_t solids = solver.plan().scalars[k].solids.size();
    for (int solid = 0; solid < static_cast<int>(solids); ++solid)
      expect_same(solver.scalar_summary(k, solid), on_cpu.scalar_summary(k, solid));
    double passed = 0, from_solids = 0;
    for (std::size_t s = 0; s < geometry.surfaces.size(); ++s)
      for (const bool from_solid : {false, true}) {
        const ScalarPassage p = solver.scalar_passage(k, static_cast<int>(s), from_solid),
                            q = on_cpu.scalar_passage(k, static_cast<int>(s), from_solid);
        EXPECT_NEAR(p.rate, q.rate, 1e2 * tolerance) << geometry.surfaces[s];
        EXPECT_NEAR(p.area, q.area, 1e-12) << geometry.surfaces[s];
        (from_solid ? from_solids : passed) += std::abs(p.rate);
      }
    EXPECT_EQ(from_solids > 1e-6, solids > 0);
    std::size_t in_solids = 0;
    for_each_position(geometry.nodes.size, [&](const Int3& at) {
      const std::optional<double> value = solver.scalars()->value_in_solid(k, at),
                                  other = on_cpu.scalars()->value_in_solid(k, at);
      ASSERT_EQ(value.has_value(), other.has_value());
      if (!value) return;
      EXPECT_NEAR(*value, *other, tolerance);
      ++in_solids;
    });
    EXPECT_EQ(in_solids > 0, solids > 0);
    EXPECT_GT(passed, 1e-3);
  }
}

}  // namespace fluvia::test
