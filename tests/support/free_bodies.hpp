// SPDX-License-Identifier: Apache-2.0
// Cases with bodies that are free or told, and their solvers, in lattice units.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/output/checkpoint/array_ranges.hpp"
#include "fluvia/output/checkpoint/checkpoint_formats.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia::test {

/// A box with walls around it, in which the fluid rests.
inline Case still_box(const std::string& lattice, const Int3& size, double tau) {
  Case c;
  c.domain.dimension = lattice[1] - '0';
  c.domain.nodes = size;
  c.units.tau = tau;
  c.numerics.lattice = lattice;
  c.numerics.collision = "trt";
  c.numerics.scheme = "pull";
  c.numerics.format = "fp64";
  c.numerics.device = "cpu";
  c.numerics.threads = 1;
  return c;
}

inline void add_box(Case& c, const std::string& name, const Real3& center, const Real3& size) {
  Case::Shape& shape = c.geometry.shapes.emplace_back();
  shape.name = name;
  shape.kind = "box";
  shape.center = center;
  shape.size = size;
}

inline void add_ball(Case& c, const std::string& name, const Real3& center, double radius) {
  Case::Shape& shape = c.geometry.shapes.emplace_back();
  shape.name = name;
  shape.kind = "sphere";
  shape.center = center;
  shape.radius = radius;
}

/// The last shape as a body that turns about its center, and goes on, as it is told.
inline void told_body(Case& c, const std::string& surface, const Real3& velocity, const Real3& turn) {
  Case::Body& body = c.bodies.emplace_back();
  body.surface = surface;
  body.motion.center = c.geometry.shapes.back().center;
  body.motion.velocity = velocity;
  body.motion.angular_velocity = turn;
}

/// A free body with the density of the fluid, to be changed.
inline Case::Body::Free& free_body(Case& c, const std::string& surface) {
  Case::Body& body = c.bodies.emplace_back();
  body.surface = surface;
  body.free = Case::Body::Free{};
  body.free->density = 1;
  return *body.free;
}

inline std::unique_ptr<Solver> solver_of(const Case& c) {
  validate(c);
  const Grid grid = make_grid(c);
  const Units units = make_units(c, grid.spacing);
  return make_solver({c, units, build_geometry(c, grid)});
}

inline Moments moments_of(const Solver& solver) {
  Moments m;
  solver.moments(0, solver.geometry().nodes.tiles.size(), false, m);
  return m;
}

/// Lets a solver go on from where another one is, by what checkpoints hold.
inline void copy_flow(const Solver& from, Solver& to) {
  std::vector<std::byte> buffer;
  for (std::size_t array = 0; array < from.arrays().size(); ++array) {
    const std::size_t bytes = format_bytes(from.arrays()[array].format(from.plan().format->name));
    for_each_range(from, array, [&](const ArrayRange& range, const EntryRange& entries) {
      buffer.resize(entries.count * bytes);
      from.save(range, buffer);
      to.load(range, buffer);
    });
  }
  to.resume_at(from.time_step());
}

}  // namespace fluvia::test
