// SPDX-License-Identifier: Apache-2.0
// Bodies whose cut links change while a flow runs: a domain as it is set up, and as it is when surfaces have moved.
#pragma once
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "domain/told.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"
#include "fluvia/solver/links/link_table.hpp"

namespace scene {

/// A closed box with a lid, a spinning ball, and stray nodes that belong to a wall or to a body of their own.
inline Scene stray_bodies(int dimension, const std::string& type, bool walls_between_nodes) {
  constexpr int ball = fluvia::surface_id::first_named, stray = ball + 1;
  Scene s = cavity(dimension == 2 ? Int3{37, 29, 1} : Int3{13, 11, 14});
  if (walls_between_nodes) s = between_nodes(std::move(s), false);
  s.name += ", stray bodies of type " + type;
  s.bodies.emplace_back("stray");
  s.body_of = [body_of = s.body_of](const Int3& x) {
    const int body = body_of(x);
    return body == ball || detail::noise(x, 5) < 0.5 ? body : stray;
  };
  Condition condition{stray, type, {0.01, -0.02, dimension == 3 ? 0.015 : 0}};
  condition.slip_length = 1.5;
  s.conditions.push_back(condition);
  s.monitored.emplace_back("stray");
  return s;
}

/// A scene, and what it is with other owners and distances of the links of some tiles.
struct MovedLinks {
  Scene scene;
  fluvia::Case settings;
  fluvia::Units units;
  fluvia::Geometry before, after;
  std::vector<std::uint32_t> tiles;

  MovedLinks(Scene s, const fluvia::Case& c, double tau)
      : scene(std::move(s)), settings(c), units(make_units(tau)), before(make_geometry(scene)), after(before) {
    constexpr std::uint32_t every = 3;
    for (std::uint32_t t = 1; t < before.nodes.tiles.size(); t += every) tiles.push_back(t);
    std::vector<std::uint8_t> moves(before.nodes.directory.size(), 0);
    for (const std::uint32_t t : tiles) moves[before.nodes.directory_index(before.nodes.tiles[t].position)] = 1;
    const Int3 shape = fluvia::tile_shape(scene.dimension), in_box = before.nodes.tiles_in_box;
    const auto is_moved = [=](const Int3& x) {
      const int tile = x[0] / shape[0] + in_box[0] * (x[1] / shape[1] + in_box[1] * (x[2] / shape[2]));
      return moves[static_cast<std::size_t>(tile)] != 0;
    };
    const int bodies = static_cast<int>(scene.bodies.size()) + 1;
    after.surface_of = [owner = before.surface_of, is_moved, bodies](const Int3& x, const Int3& offset) {
      const int surface = owner(x, offset), wall = fluvia::surface_id::wall;
      return surface < wall || !is_moved(x) ? surface : wall + (surface - wall + 1) % bodies;
    };
    if (!before.distance_of) return;
    after.distance_of = [distance = before.distance_of, is_moved](const Int3& x, const Int3& offset) {
      return is_moved(x) ? distance({x[0] + 100, x[1], x[2]}, offset) : distance(x, offset);
    };
  }
  [[nodiscard]] fluvia::Problem problem(const fluvia::Geometry& geometry) const { return {settings, units, geometry}; }
  [[nodiscard]] fluvia::TileLinks links(const fluvia::Geometry& geometry) const {
    return fluvia::links_of_tiles(problem(geometry), settings.numerics.lattice, tiles);
  }
  [[nodiscard]] std::unique_ptr<fluvia::Solver> solver(const fluvia::Geometry& geometry) const {
    auto solver = fluvia::make_solver({settings, units, geometry});
    initialise(*solver, scene);
    give(*solver);
    return solver;
  }
  /// Lets walls between the nodes give some mass.
  void give(fluvia::Solver& solver) const { solver.set_wall_mass_correction(1e-5); }
};

inline void take(fluvia::Solver& solver, const fluvia::LinkTable& table) {
  dynamic_cast<fluvia::BlockSolver&>(solver).take_links(table);
}

/// A flow whose links are replaced goes on as that of a solver that was set up with them; back again; and as if nothing
/// had happened where they are replaced by what they are.
inline void compare_moved(const MovedLinks& moved, int directions, const std::string& format, int steps = 5) {
  SCOPED_TRACE(moved.scene.name + ' ' + moved.settings.numerics.scheme);
  const auto told = [&](const fluvia::Solver& solver) { return ask(solver, moved.scene, directions, format); };
  const auto go_on_from = [&](fluvia::Solver& solver, const Told& state, std::int64_t step) {
    load(solver, directions, state.populations);
    load_kept(solver, state.memory);
    solver.resume_at(step);
  };
  const auto solver = moved.solver(moved.before), still = moved.solver(moved.before), same = moved.solver(moved.before),
             fresh = moved.solver(moved.after);
  fluvia::LinkTable table(moved.problem(moved.before), moved.settings.numerics.lattice),
      unchanged(moved.problem(moved.before), moved.settings.numerics.lattice);
  solver->step(3);
  std::int64_t step = 3;
  const auto go = [&](fluvia::Solver& one, fluvia::Solver& other) {
    const Told state = told(one);
    go_on_from(other, state, step);
    for (fluvia::Solver* each : {&one, &other}) {
      moved.give(*each);
      each->step(steps);
    }
    step += steps;
    expect_same(told(one), told(other));
  };
  for (int round = 0; round < 2; ++round) {  // the second time there is room
    table.replace(moved.tiles, moved.links(moved.after));
    EXPECT_EQ(table.changed_since(2 * round), moved.tiles);
    take(*solver, table);
    go_on_from(*still, told(*solver), step);
    go(*solver, *fresh);
    if (testing::Test::HasFatalFailure()) return;
    still->step(steps);
    EXPECT_FALSE(told(*still).populations == told(*fresh).populations);
    table.replace(moved.tiles, moved.links(moved.before));
    take(*solver, table);
    EXPECT_TRUE(table.changed_since(table.version()).empty());
    go(*solver, *still);
    if (testing::Test::HasFatalFailure()) return;
  }
  unchanged.replace(moved.tiles, unchanged.links_of(moved.tiles));
  EXPECT_EQ(unchanged.version(), 1);
  take(*same, unchanged);
  go(*solver, *same);
}

}  // namespace scene
