// SPDX-License-Identifier: Apache-2.0
// Bodies of a domain in parts have the bits of those of one solver, and so has what flows around them: every scheme
// that runs in parts, bodies that are told and free, over borders, periodic faces and past solids.
#include <gtest/gtest.h>
#include <omp.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "fluvia/case/physics/registered_formats.hpp"
#include "fluvia/core/scheme/registry.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"
#include "fluvia/solver/plan/scheme.hpp"
#include "support/errors.hpp"
#include "support/free_bodies.hpp"
#include "support/in_parts.hpp"

namespace fluvia::test {
namespace {

/// A bar that turns and a ball that goes along all axes, in a periodic box with a post in it, or without.
Case told(const std::string& lattice, bool has_post) {
  const bool flat = lattice[1] == '2';
  Case c = still_box(lattice, flat ? Int3{37, 42, 1} : Int3{22, 19, 27}, 0.7);
  c.domain.periodic = {true, true, !flat};
  c.physics.initial_velocity = {0.03, -0.02, flat ? 0 : 0.01};
  const double z = flat ? 0 : 9.3;
  add_box(c, "bar", {9.2, 9.7, z}, {flat ? 11.3 : 6.2, 2.1, flat ? 0 : 4.3});
  told_body(c, "bar", {0.023, 0.041, flat ? 0 : 0.051}, {0, 0, 0.021});
  add_ball(c, "ball", {flat ? 30.9 : 15.4, 13.2, flat ? 0 : 23.9}, flat ? 4.4 : 2.6);
  told_body(c, "ball", {0.031, 0.057, flat ? 0 : 0.06}, {0, 0, -0.02});
  if (has_post) {
    add_box(c, "post", flat ? Real3{20, 38, 0} : Real3{18, 4, 13}, flat ? Real3{5, 3, 0} : Real3{2, 2, 4});
    c.monitors.forces = {"post"};
  }
  return c;
}

/// Two free bodies, of which one hangs on a spring, that fall towards the floor.
Case falling(const std::string& lattice) {
  const bool flat = lattice[1] == '2';
  Case c = still_box(lattice, flat ? Int3{33, 46, 1} : Int3{23, 21, 31}, 0.8);
  const double z = flat ? 0 : 20.3;
  add_box(c, "bar", {12.2, flat ? 30.7 : 10.2, z}, {flat ? 11.3 : 9.1, flat ? 4.1 : 5.2, flat ? 0 : 4.3});
  Case::Body::Free& bar = free_body(c, "bar");
  bar.density = 1.6;
  bar.angular_velocity = {0, 0, 0.01};
  add_ball(c, "ball", {flat ? 23.9 : 12.4, 13.2, flat ? 0 : 10.9}, flat ? 5.4 : 3.6);
  Case::Body::Free& ball = free_body(c, "ball");
  ball.velocity = {0, flat ? -0.05 : 0, flat ? 0 : -0.05};
  ball.stiffness = {0.01, 0.01, 0.01};
  c.physics.gravity = {1e-5, flat ? -2e-4 : 0, flat ? 0 : -2e-4};
  return c;
}

/// All that a solver tells.
struct Told {
  Moments moments;
  std::vector<double> forces;
  Totals totals;
};

Told ask(const Solver& solver, const Case& c) {
  Told told{moments_of(solver), {}, solver.totals()};
  const auto& names = solver.geometry().surfaces;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const bool is_asked =
        c.moves(names[k]) || std::ranges::find(c.monitors.forces, names[k]) != c.monitors.forces.end();
    if (!is_asked) continue;
    const SurfaceForce felt = solver.surface_force(static_cast<int>(k), {1, 2, 3});
    for (std::size_t a = 0; a < 3; ++a) told.forces.insert(told.forces.end(), {felt.force[a], felt.torque[a]});
  }
  for (int body = 0; body < static_cast<int>(c.bodies.size()); ++body) {
    const auto state = solver.bodies()->state(body).packed();
    told.forces.insert(told.forces.end(), state.begin(), state.end());
  }
  return told;
}

void expect_same(const Told& a, const Told& b) {
  EXPECT_TRUE(a.moments.density == b.moments.density);
  EXPECT_TRUE(a.moments.velocity == b.moments.velocity);
  EXPECT_EQ(a.forces, b.forces);
  EXPECT_EQ(a.totals.mass, b.totals.mass);
}

/// Two parts have the whole geometry; each of more has what is around it.
std::unique_ptr<Solver> split(const Case& c, int parts) {
  if (parts > 2) return in_parts(c, parts);
  const Grid grid = make_grid(c);
  const Geometry geometry = build_geometry(c, grid);
  return make_domain_solver({c, make_units(c, grid.spacing), geometry}, parts);
}

void compare(const Case& c, const std::vector<int>& numbers, int steps) {
  omp_set_num_threads(1);
  const auto whole = solver_of(c);
  const double weight = whole->set_wall_mass_correction(1e9);
  EXPECT_GT(weight, 0);
  whole->set_wall_mass_correction(1e-4 * weight);
  whole->step(steps);
  const Told expected = ask(*whole, c);
  for (const int parts : numbers) {
    SCOPED_TRACE(testing::Message() << c.numerics.lattice << " " << c.numerics.scheme << " " << c.numerics.format
                                    << " in " << parts);
    const auto several = split(c, parts);
    EXPECT_EQ(several->set_wall_mass_correction(1e9), weight);
    several->set_wall_mass_correction(1e-4 * weight);
    several->step(1);  // in pieces
    several->step(steps - 1);
    expect_same(ask(*several, c), expected);
  }
}

TEST(BodiesInParts, HaveTheBitsOfTheWhole) {
  for (const char* lattice : {"D2Q9", "D3Q19"})
    for (const bool has_post : {false, true}) compare(told(lattice, has_post), {2, 3, 5}, 41);
}

TEST(BodiesInParts, FallAsTheWhole) {
  for (const char* lattice : {"D2Q9", "D3Q19"}) compare(falling(lattice), {2, 3, 5}, 61);
}

TEST(BodiesInParts, HaveTheseBitsWithEverySchemeAndFormat) {
  int parts = 2;
  for (const char* lattice : {"D2Q9", "D3Q15", "D3Q19", "D3Q27"})
    for (const core::Scheme& scheme : core::schemes) {
      if (!scheme.cpu || scheme.half || !is_splittable(scheme)) continue;
      const bool is_free = scheme.copies == 1;
      Case c = is_free ? falling(lattice) : told(lattice, true);
      c.numerics.scheme = scheme.name;
      c.numerics.format = format_names()[static_cast<std::size_t>(parts) % format_names().size()];
      compare(c, {parts}, 26);
      parts = parts == 5 ? 2 : parts + 1;
    }
}

/// What a checkpoint of some parts holds is enough for other numbers of parts.
TEST(BodiesInParts, GoOnInOtherParts) {
  omp_set_num_threads(1);
  Case in_sixteen_bits = falling("D3Q19");
  in_sixteen_bits.numerics.format = "fp16c";
  for (const Case& c : {told("D2Q9", true), falling("D3Q19"), in_sixteen_bits}) {
    const auto whole = solver_of(c);
    whole->step(40);
    const auto first = split(c, 3);
    first->step(13);
    const auto second = split(c, 4);
    second->step(4);
    copy_flow(*first, *second);
    second->step(7);
    const auto third = solver_of(c);
    copy_flow(*second, *third);
    third->step(20);
    expect_same(ask(*third, c), ask(*whole, c));
  }
}

/// All parts hear of velocities that a program gives.
TEST(BodiesInParts, AreSteered) {
  omp_set_num_threads(1);
  const Case c = falling("D2Q9");
  const auto whole = solver_of(c), several = split(c, 3);
  for (Solver* const solver : {whole.get(), several.get()}) {
    solver->step(5);
    solver->apply(BodyVelocity{0, {0.02, 0.01, 0}, {0, 0, -0.01}});
    solver->step(22);
  }
  expect_same(ask(*several, c), ask(*whole, c));
}

TEST(BodiesInParts, SayWhenTheyMeet) {
  Case c = told("D2Q9", false);
  c.bodies[1].motion = {};
  c.bodies[0].motion.velocity = {0.06, 0, 0};
  c.bodies[0].motion.angular_velocity = {};
  const std::string expected = error_of(ExitCode::input, [&] { solver_of(c)->step(400); });
  EXPECT_CONTAINS(expected, "meets");
  EXPECT_EQ(error_of(ExitCode::input, [&] { split(c, 3)->step(400); }), expected);
}

}  // namespace
}  // namespace fluvia::test
