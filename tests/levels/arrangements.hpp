// SPDX-License-Identifier: Apache-2.0
// Flows on several levels for tests: what Fluvia computes, and what the reference solver does.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/backend/levels.hpp"
#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/geometry/levels/level_map.hpp"
#include "reference/levels/level_solver.hpp"
#include "support/sheets.hpp"

namespace levels_test {

using fluvia::Case;
using fluvia::Geometry;
using fluvia::Grid;
using fluvia::Int3;
using fluvia::Real3;
namespace oracle = ::reference::levels;

/// A flow on several levels.
struct Arrangement {
  std::string name;
  bool flat = true;
  Int3 size{};
  fluvia::Bool3 periodic{true, true, true};
  std::vector<Case::Refine> regions;
  double radius = 0;  ///< of a solid across an interface
  Real3 center{};
  double lid = 0;                     ///< velocity along x of the upper face across the last axis
  double floor = 0;                   ///< that of the lower one
  double turn = 0;                    ///< angular velocity of the solid, about z
  double slip = -1;                   ///< slip length of the faces across the last axis; negative: the fluid sticks
  bool own_forces = false;            ///< force_at() besides
  double sponge = 0;                  ///< before the upper face across x, through which nothing flows
  fluvia::test::Rectangles sheets{};  ///< corners of rectangles across x with fluid on both sides
};

/// Whether one of the sheets lies between two places.
inline bool is_between(const fluvia::test::Rectangles& sheets, bool flat, const Real3& from, const Real3& to) {
  return std::any_of(sheets.begin(), sheets.end(), [&](const std::pair<Real3, Real3>& sheet) {
    const auto& [lower, upper] = sheet;
    if ((from[0] < lower[0]) == (to[0] < lower[0])) return false;
    const double part = (lower[0] - from[0]) / (to[0] - from[0]);
    for (std::size_t a = 1; a < (flat ? 2 : 3); ++a) {
      const double x = from[a] + part * (to[a] - from[a]);
      if (x < lower[a] || x > upper[a]) return false;
    }
    return true;
  });
}

inline Case::Refine region(int level, const Real3& lower, const Real3& upper) {
  Case::Refine refine;
  refine.level = level;
  refine.box = {lower, upper};
  return refine;
}

/// Tiles are 8 nodes wide in 2D and 4 in 3D, so that lengths of one are half of those of the other.
inline Arrangement setup_of(const std::string& name, bool flat) {
  const double s = flat ? 8 : 4;
  const auto at = [&](double x, double y, double z) { return Real3{s * x, s * y, flat ? 1 : s * z}; };
  Arrangement setup{name, flat, {}, {true, true, !flat}, {}, 0, {}, 0, 0, 0, -1, name == "forces"};
  const int wide = static_cast<int>(s) * (name == "three levels" ? 5 : 4);
  setup.size = {wide, wide, flat ? 1 : wide};
  setup.regions = {region(1, at(1, 1, 1), at(3, 3, 3))};
  if (name == "notch")
    setup.regions = {region(1, at(1, 1, 1), at(2, 3, 3)), region(1, at(1, 1, 1), at(3, 2, 3)),
                     region(1, at(1, 1, 1), at(3, 3, 2))};
  if (name == "three levels") setup.regions = {region(2, at(2, 2, 2), at(3, 3, 3))};
  if (name == "solid") {
    setup.periodic = {true, !flat, false};
    setup.radius = 0.29 * s;
    setup.center = at(1.05, 2.1, 1.9);
  }
  if (name == "hollow") {  // between two solid cells, of which one lies farther from the interface
    setup.radius = 1.6;
    setup.center = at(1, 2, 2);
    setup.center[0] -= 2;
    for (int a = 1; a < (flat ? 2 : 3); ++a) setup.center[static_cast<std::size_t>(a)] += 0.5;
  }
  if (name == "sponge") {  // deeper than what is left of the coarsest level before the face
    setup.periodic = {false, true, !flat};
    setup.sponge = 2.5 * s;
  }
  if (name == "sheets")  // one on each level
    setup.sheets = {{at(1.75, 1.54, 1.54), at(1.75, 2.46, 2.46)}, {at(3.75, 0.54, 1.04), at(3.75, 1.96, 3.04)}};
  if (name == "lid") {  // finer beside all of a wall that moves
    setup.periodic = {true, !flat, false};
    setup.regions = {region(1, flat ? at(0, 3.1, 0) : at(0, 0, 3.1), at(4, 4, 4))};
    setup.lid = 0.02;
  }
  if (name == "lid across" ||
      name == "slip") {  // interfaces of three levels that end at a wall which moves, one at rest and a moving one
    setup.periodic = {true, !flat, false};
    setup.size[0] = setup.size[flat ? 1 : 2] = static_cast<int>(6 * s);
    setup.regions = {region(2, flat ? at(2.1, 4.1, 0) : at(2.1, 1.1, 4.1), at(3.9, flat ? 6 : 2.9, 6)),
                     region(1, flat ? at(1.1, 0, 0) : at(1.1, 0.1, 0), at(2.9, 2, 1))};
    setup.lid = 0.02;
    setup.floor = -0.03;
  }
  if (name == "slip") setup.lid = setup.floor = 0, setup.slip = 0.8;
  if (name == "turning") {  // a solid across interfaces, and a wall that moves beside it
    setup.periodic = {true, !flat, false};
    setup.radius = 0.45 * s;
    setup.center = at(1.05, 2.1, flat ? 1.9 : 3.1);
    setup.regions.push_back(region(1, at(1, 1, 1), at(3, 3, 4)));
    setup.turn = 0.01;
    setup.lid = 0.02;
  }
  return setup;
}

inline Case case_of(const Arrangement& setup, const std::string& lattice, const std::string& collision,
                    const std::string& scheme) {
  Case c;
  c.domain.dimension = setup.flat ? 2 : 3;
  c.domain.nodes = setup.size;
  c.domain.periodic = setup.periodic;
  c.units.tau = 0.55;
  c.numerics.lattice = lattice;
  c.numerics.collision = collision;
  c.numerics.scheme = scheme;
  c.numerics.format = "fp64";
  c.numerics.device = "cpu";
  c.numerics.threads = 2;
  c.numerics.trial = false;
  c.physics.acceleration = {1e-5, -2e-5, 0};
  c.walls.method = "half-way";
  c.run.steps = 1;
  c.refine = setup.regions;
  if (setup.own_forces)
    c.physics.acceleration_formula = {"1e-4*sin(0.7*y)", "2e-4*cos(0.5*x)", setup.flat ? "0" : "1e-4*sin(0.6*x)"};
  for (const bool upper : {true, false}) {
    Case::Boundary lid;
    lid.surface = std::string(setup.flat ? "y" : "z") + (upper ? "_max" : "_min");
    lid.type = "moving_wall";
    lid.velocity = {upper ? setup.lid : setup.floor, 0, 0};
    if (lid.velocity[0] != 0) c.boundaries.push_back(lid);
  }
  for (const char* const side : {"_min", "_max"}) {
    if (setup.slip < 0) continue;
    Case::Boundary& sliding = c.boundaries.emplace_back();
    sliding.surface = std::string(setup.flat ? "y" : "z") + side;
    sliding.type = "half_slip";
    sliding.values["slip_length"] = setup.slip;
  }
  if (setup.turn != 0) {
    Case::Boundary turning;
    turning.surface = "ball";
    turning.type = "moving_wall";
    turning.angular_velocity = {0, 0, setup.turn};
    turning.rotation_center = setup.center;
    c.boundaries.push_back(turning);
  }
  if (setup.sponge > 0) {
    Case::Boundary closed;
    closed.surface = "x_max";
    closed.type = "velocity";
    closed.velocity = {0, 0, 0};
    closed.sponge = setup.sponge;
    c.boundaries = {closed};
  }
  if (setup.radius > 0) {
    Case::Shape shape;
    shape.name = "ball";
    shape.kind = setup.flat ? "cylinder" : "sphere";
    shape.center = setup.center;
    shape.from = {setup.center[0], setup.center[1], -1};
    shape.to = {setup.center[0], setup.center[1], 2};
    shape.radius = setup.radius;
    c.geometry.shapes = {shape};
  }
  if (!setup.sheets.empty()) c.geometry.stl = {fluvia::test::sheets_across_x(setup.sheets, setup.flat)};
  return c;
}

/// Smooth on no level.
inline Real3 velocity_at(const Real3& x, bool flat) {
  return {0.03 * std::sin(0.7 * x[1]) + 0.01, 0.02 * std::cos(0.5 * x[0] + 0.3),
          flat ? 0 : 0.02 * std::sin(0.6 * x[1])};
}
inline double density_at(const Real3& x) {
  return 1 + 0.01 * std::sin(0.4 * x[0] + 0.2);
}

/// What the formulas of case_of() say.
inline Real3 force_at(const Real3& x, bool flat) {
  return {1e-4 * std::sin(0.7 * x[1]), 2e-4 * std::cos(0.5 * x[0]), flat ? 0 : 1e-4 * std::sin(0.6 * x[0])};
}

struct Flow {
  Case settings;
  Grid grid;
  fluvia::Units units;
  std::unique_ptr<fluvia::Solver> solver;

  /// `parts`: of each level, in this process.
  explicit Flow(Case c, int parts = 1) : settings(std::move(c)) {
    grid = fluvia::make_grid(settings);
    units = fluvia::make_units(settings, grid.spacing);
    fluvia::Geometry geometry = fluvia::build_geometry(settings, grid);
    if (parts > 1)
      solver = fluvia::make_levels_in_parts({settings, units, geometry}, parts);
    else
      solver = fluvia::make_solver({settings, units, std::move(geometry)});
  }
};

/// Position of a node of a level in nodes of the coarsest.
inline Real3 position(const fluvia::FlowLevel& level, const Int3& node) {
  const double spacing = level.units.spacing;
  return {spacing * (node[0] + 0.5), spacing * (node[1] + 0.5),
          level.grid.dimension == 3 ? spacing * (node[2] + 0.5) : 0};
}

/// Calls visit(level, node, canonical index) for all nodes that levels compute.
template <class Visit>
void for_each_node(const fluvia::Solver& solver, const Visit& visit) {
  for (std::size_t l = 0; l < solver.levels().size(); ++l) {
    const fluvia::NodeMap& nodes = solver.levels()[l].state->geometry().nodes;
    for (const fluvia::NodeMap::Tile& tile : nodes.tiles) {
      std::uint64_t index = tile.first_node;
      for (std::uint64_t rest = tile.mask; rest != 0; rest &= rest - 1)
        visit(l, nodes.node_position(tile, std::countr_zero(rest)), index++);
    }
  }
}

/// Begins both with the same flow, each node at equilibrium at its own place.
inline void start(fluvia::Solver& solver, oracle::LevelSolver& expected, bool flat) {
  for (const fluvia::FlowLevel& level : solver.levels()) {
    auto& own = const_cast<fluvia::Solver&>(*level.state);
    own.initialise([&](const Int3& node, double& density, Real3& velocity) {
      const Real3 x = position(level, node);
      density = density_at(x);
      velocity = velocity_at(x, flat);
    });
  }
  for (oracle::Cells& cells : expected.levels())
    for (std::size_t n = 0; n < cells.kinds.size(); ++n) {
      if (cells.kinds[n] != oracle::Kind::own) continue;
      const Real3 x = cells.position(cells.cell(n));
      reference::NodeState state;
      state.density = density_at(x);
      state.velocity = velocity_at(x, flat);
      cells.populations[n] = cells.collision().equilibrium(state);
      // Fluvia has what came back from a wall before the wall's velocity is added.
      for (int i = 0; i < cells.lattice().size(); ++i)
        cells.populations[n][i] += cells.came_from(cells.cell(n), i).added;
    }
}

inline oracle::Scene scene_of(const Arrangement& setup, const Flow& flow, const fluvia::LevelMap& map) {
  oracle::Scene scene;
  scene.box.size = setup.size;
  scene.box.periodic = setup.periodic;
  scene.box.lid = setup.lid;
  scene.box.floor = setup.floor;
  scene.box.sponge = setup.sponge;
  scene.box.slip = {setup.slip, setup.slip};
  const Case& c = flow.settings;
  scene.physics.lattice = c.numerics.lattice;
  scene.physics.collision = c.numerics.collision;
  scene.physics.tau = *c.units.tau;
  scene.physics.smagorinsky = c.physics.smagorinsky;
  scene.physics.force = c.physics.acceleration;
  if (c.physics.rheology) {
    scene.physics.rheology.model = *c.physics.rheology->model;
    scene.physics.rheology.numbers = c.physics.rheology->values;
    scene.physics.rheology.least = c.physics.rheology->least_viscosity.value_or(0);
    scene.physics.rheology.most = c.physics.rheology->most_viscosity.value_or(1e300);
  }
  if (setup.own_forces) scene.own_force = [flat = setup.flat](const Real3& x) { return force_at(x, flat); };
  if (!setup.sheets.empty())
    scene.box.is_barred = [setup](const Real3& from, const Real3& to) {
      return is_between(setup.sheets, setup.flat, from, to);
    };
  const Int3 shape = fluvia::tile_shape(c.domain.dimension);
  scene.level = [map, shape](const Int3& node) {
    Int3 tile{node[0] / shape[0], node[1] / shape[1], node[2] / shape[2]};
    int level = 0;
    for (; map.is_refined(level, tile); ++level)
      for (int a = 0; a < (shape[2] == 1 ? 2 : 3); ++a) tile[a] *= 2;
    return level;
  };
  if (setup.radius > 0)
    scene.solid = [setup](const Real3& x) {
      const Real3 d{x[0] - setup.center[0], x[1] - setup.center[1], setup.flat ? 0 : x[2] - setup.center[2]};
      return fluvia::norm(d) < setup.radius;
    };
  if (setup.turn != 0)
    scene.solid_velocity = [setup](const Real3& x) {
      return Real3{-setup.turn * (x[1] - setup.center[1]), setup.turn * (x[0] - setup.center[0]), 0};
    };
  return scene;
}

/// Largest difference of density and velocity of all nodes from those of the reference solver.
inline double difference(const fluvia::Solver& solver, const oracle::LevelSolver& expected) {
  double largest = 0;
  std::vector<fluvia::Moments> moments(solver.levels().size());
  for (std::size_t l = 0; l < moments.size(); ++l) {
    const fluvia::FlowState& state = *solver.levels()[l].state;
    state.moments(0, state.geometry().nodes.tiles.size(), false, moments[l]);
  }
  std::size_t count = 0;
  for_each_node(solver, [&](std::size_t l, const Int3& node, std::uint64_t index) {
    const oracle::Cells& cells = expected.levels()[l];
    ASSERT_EQ(cells.kind(node), oracle::Kind::own) << l << ": " << node[0] << ", " << node[1] << ", " << node[2];
    ++count;
    const reference::NodeState state = cells.state(cells.index(node));
    largest = std::max(largest, std::abs(state.density - moments[l].density[index]));
    for (int a = 0; a < 3; ++a)
      largest = std::max(largest, std::abs(state.velocity[a] - moments[l].velocity[index][a]));
  });
  std::size_t own = 0;
  expected.for_each([&](const oracle::Cells&, std::size_t) { ++own; });
  EXPECT_EQ(count, own);
  return largest;
}

/// A flow that begins with velocity_at().
inline Flow started(Case c, bool flat, int parts = 1) {
  Flow flow(std::move(c), parts);
  for (const fluvia::FlowLevel& level : flow.solver->levels())
    const_cast<fluvia::Solver&>(*level.state).initialise([&](const Int3& node, double& density, Real3& velocity) {
      density = density_at(position(level, node));
      velocity = velocity_at(position(level, node), flat);
    });
  return flow;
}

/// All arrays, one after the other.
inline std::vector<std::byte> saved(const fluvia::Solver& solver) {
  std::vector<std::byte> all;
  const fluvia::NodeMap& nodes = solver.geometry().nodes;
  for (std::size_t a = 0; a < solver.arrays().size(); ++a) {
    const fluvia::NodeArray& array = solver.arrays()[a];
    const auto bytes = static_cast<std::size_t>(fluvia::storage_bytes(array.format(solver.plan().format->name)));
    for (int component = 0; component < array.components; ++component)
      for (std::uint64_t first = 0; first < nodes.tiles.size(); first += 7) {  // ranges end within layers, too
        const std::uint64_t count = std::min<std::uint64_t>(7, nodes.tiles.size() - first);
        std::vector<std::byte> part(array.entries(nodes, first, count).count * bytes);
        solver.save({a, component, first, count}, part);
        all.insert(all.end(), part.begin(), part.end());
      }
  }
  return all;
}
/// Loads what saved() gave.
inline void load(fluvia::Solver& solver, std::span<const std::byte> all) {
  const fluvia::NodeMap& nodes = solver.geometry().nodes;
  for (std::size_t a = 0; a < solver.arrays().size(); ++a) {
    const fluvia::NodeArray& array = solver.arrays()[a];
    const auto bytes = static_cast<std::size_t>(fluvia::storage_bytes(array.format(solver.plan().format->name)));
    for (int component = 0; component < array.components; ++component)
      for (std::uint64_t first = 0; first < nodes.tiles.size(); first += 5) {
        const std::uint64_t count = std::min<std::uint64_t>(5, nodes.tiles.size() - first);
        const std::size_t size = array.entries(nodes, first, count).count * bytes;
        solver.load({a, component, first, count}, all.first(size));
        all = all.subspan(size);
      }
  }
  EXPECT_TRUE(all.empty());
}

/// Openings that several levels meet, beside walls that are interpolated.
inline Case between_openings(bool flat, const std::string& outlet) {
  Case c = case_of(setup_of("patch", flat), flat ? "D2Q9" : "D3Q19", "recursive-regularized", "compact-pull");
  const int s = flat ? 8 : 4;
  c.domain.nodes = {5 * s, 5 * s, flat ? 1 : 5 * s};
  c.domain.periodic = {false, false, !flat};
  c.physics.acceleration = {};
  c.walls.method = "interpolated";
  c.numerics.threads = 1;
  Case::Boundary in, out;
  in.surface = "x_min";
  in.type = "velocity";
  in.speed = 0.05;
  in.profile = "parabolic";
  out.surface = "x_max";
  out.type = outlet;
  if (outlet == "non_reflecting") out.sponge = 1.5 * s;
  c.boundaries = {in, out};
  const double upper = 5.0 * s, high = flat ? 1 : upper;
  c.refine = {region(1, {0, 2.0 * s, 0}, {upper, upper, high}), region(2, {0, 3.6 * s, 0}, {upper, upper, high})};
  Case::Shape ball;
  ball.name = "ball";
  ball.kind = flat ? "cylinder" : "sphere";
  ball.center = {2.4 * s, 1.2 * s, 2.5 * s};
  ball.from = {2.4 * s, 1.2 * s, -1};
  ball.to = {2.4 * s, 1.2 * s, 2};
  ball.radius = 0.4 * s;
  c.geometry.shapes = {ball};
  return c;
}

/// Planes of symmetry that interfaces of three levels cross.
inline Case between_mirrors(const std::string& lattice) {
  const bool flat = lattice == "D2Q9";
  const int s = flat ? 8 : 4;
  Arrangement quarter{"quarter", flat, {5 * s, 5 * s, flat ? 1 : 5 * s}, {false, false, !flat}, {}, 0, {}, 0};
  quarter.regions = {region(2, {0, 0, 0}, {0.5 * s, 0.5 * s, flat ? 1 : 5.0 * s})};
  Case c = case_of(quarter, lattice, "regularized", "compact-aa");
  c.physics.acceleration = {};
  c.numerics.threads = 1;
  for (const char* face : {"x_min", "x_max", "y_min", "y_max"}) {
    Case::Boundary mirror;
    mirror.surface = face;
    mirror.type = "symmetry";
    c.boundaries.push_back(mirror);
  }
  return c;
}

/// Whether all sums of two flows have the same bits.
inline void expect_same_sums(const fluvia::Solver& a, const fluvia::Solver& b) {
  const fluvia::Totals x = a.totals(), y = b.totals();
  EXPECT_EQ(x.mass, y.mass);
  EXPECT_EQ(x.momentum, y.momentum);
  EXPECT_EQ(x.kinetic_energy, y.kinetic_energy);
  EXPECT_EQ(x.max_speed, y.max_speed);
  EXPECT_EQ(x.max_speed_node, y.max_speed_node);
  const std::vector<std::string>& surfaces = a.geometry().surfaces;
  const auto ball = std::find(surfaces.begin(), surfaces.end(), "ball");
  if (ball != surfaces.end()) {
    const auto surface = static_cast<int>(ball - surfaces.begin());
    const fluvia::SurfaceForce f = a.surface_force(surface, {1, 2, 3}), g = b.surface_force(surface, {1, 2, 3});
    EXPECT_NE(f.force, Real3{});
    EXPECT_EQ(f.force, g.force);
    EXPECT_EQ(f.torque, g.torque);
  }
  for (int opening = 0; opening < static_cast<int>(a.geometry().openings.size()); ++opening) {
    const fluvia::OpeningFlow f = a.opening_flow(opening), g = b.opening_flow(opening);
    EXPECT_EQ(f.flow_rate, g.flow_rate);
    EXPECT_EQ(f.mean_pressure, g.mean_pressure);
  }
}

/// Whether flows have the bits of the first one, from its start and from the middle of that of another. `others`: each
/// with its number of parts.
inline void expect_same_bits(Case c, bool flat, std::vector<std::pair<Case, int>> others) {
  const auto measure = [](Case& of) {
    if (!of.geometry.shapes.empty()) of.monitors.forces = {"ball"};
  };
  measure(c);
  Flow first = started(c, flat);
  first.solver->step(3);
  const std::vector<std::byte> half_way = saved(*first.solver);
  first.solver->step(4);
  const std::vector<std::byte> expected = saved(*first.solver);
  for (auto& [other, parts] : others) {
    SCOPED_TRACE(fmt::format("{} parts, {} with {} threads and {} steps a pass", parts, other.numerics.scheme,
                             other.numerics.threads, other.numerics.steps_per_pass));
    measure(other);
    Flow flow = started(other, flat, parts);
    flow.solver->step(7);
    EXPECT_TRUE(saved(*flow.solver) == expected);
    expect_same_sums(*flow.solver, *first.solver);
    Flow again = started(other, flat, parts);
    again.solver->step(parts % 2);
    load(*again.solver, half_way);
    again.solver->resume_at(3);
    again.solver->step(4);
    EXPECT_TRUE(saved(*again.solver) == expected) << "resumed";
  }
}

}  // namespace levels_test
