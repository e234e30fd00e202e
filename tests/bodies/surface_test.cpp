// SPDX-License-Identifier: Apache-2.0
// Bodies whose surface comes from a file: beside the same shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>
#include <vector>

#include "fluvia/backend/backend.hpp"
#include "fluvia/geometry/mesh/stl.hpp"
#include "fluvia/solver/bodies/enclosed_space.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia {
namespace {

using geometry::TriangleSoup;
using std::numbers::pi;
using test::error_of;

/// The surface of a box, the last `left_out` triangles missing.
TriangleSoup box_triangles(const Real3& low, const Real3& high, std::size_t left_out = 0) {
  TriangleSoup soup;
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (const bool upper : {false, true}) {
      const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
      Real3 p[4];
      for (int i = 0; i < 4; ++i) {
        p[i][axis] = upper ? high[axis] : low[axis];
        p[i][u] = i == 1 || i == 2 ? high[u] : low[u];
        p[i][v] = i >= 2 ? high[v] : low[v];
      }
      if (!upper) std::swap(p[1], p[3]);
      soup.push_back({p[0], p[1], p[2]});
      soup.push_back({p[0], p[2], p[3]});
    }
  soup.resize(soup.size() - left_out);
  return soup;
}

TriangleSoup ball_triangles(const Real3& center, double radius, int bands) {
  const auto point = [&](int i, int j) {
    const double polar = pi * i / bands, angle = pi * (j % (2 * bands)) / bands;
    const double ring = i == 0 || i == bands ? 0 : std::sin(polar);
    return center + radius * Real3{ring * std::cos(angle), ring * std::sin(angle), std::cos(polar)};
  };
  TriangleSoup soup;
  for (int i = 0; i < bands; ++i)
    for (int j = 0; j < 2 * bands; ++j) {
      if (i > 0) soup.push_back({point(i, j), point(i + 1, j), point(i, j + 1)});
      if (i + 1 < bands) soup.push_back({point(i, j + 1), point(i + 1, j), point(i + 1, j + 1)});
    }
  return soup;
}

EnclosedSpace space_of(const TriangleSoup& soup) {
  const geometry::Patch patch{soup, 0};
  return {geometry::weld({&patch, 1}, 1e-9), "surface"};
}

/// A number between 0 and 1 that follows from others.
double spread(int k, double by) {
  return k * by - std::floor(k * by);
}

/// Two boxes that overlap, as blades and a hub: what lies within both is no surface.
TEST(EnclosedSpace, MeasuresWhatOverlapsOnce) {
  TriangleSoup soup = box_triangles({3.2, 4.1, 2.7}, {15.4, 8.3, 11.2});
  for (const auto& triangle : box_triangles({7.1, 5.2, 4.4}, {10.3, 17.9, 9.6})) soup.push_back(triangle);
  const auto space = std::make_shared<const EnclosedSpace>(space_of(soup));
  EXPECT_NEAR(space->near_distance({5, 6, 11.5}), 0.3, 1e-12);
  EXPECT_NEAR(space->near_distance({15.6, 8.5, 11.4}), std::sqrt(0.12), 1e-12);  // beside a corner
  EXPECT_NEAR(space->near_distance({5, 8.1, 6}), -0.2, 1e-12);
  EXPECT_LE(space->near_distance({8.5, 8.2, 7}), -1);  // at a side of one box, within the other
  BodyShape shape;
  shape.distance = [space](const Real3& place) { return space->distance(place); };
  shape.near_distance = [space](const Real3& place) { return space->near_distance(place); };
  shape.parts = {{{3.2, 4.1, 2.7}, {15.4, 17.9, 11.2}, 0}};
  shape.middle = {9.3, 11, 6.95};
  const BodyMeasure measure = measure_body(shape, 3);
  const double first = 12.2 * 4.2 * 8.5, second = 3.2 * 12.7 * 5.2, both = 3.2 * 3.1 * 5.2;
  const double volume = first + second - both;
  EXPECT_NEAR(measure.volume, volume, 2e-3 * volume);
  EXPECT_NEAR(measure.centroid[1], (first * 6.2 + second * 11.55 - both * 6.75) / volume, 0.02);
}

/// Where it says that a place is inside, and where ways meet the surface, beside the formulas of a box and a ball.
TEST(EnclosedSpace, IsThatOfTheSurface) {
  const Real3 low{3.2, 4.1, 2.7}, high{9.4, 6.3, 11.2}, center{6.1, 5.3, 7.7};
  const auto box = space_of(box_triangles(low, high)), ball = space_of(ball_triangles(center, 3.7, 100)),
             small = space_of(ball_triangles(center, 0.7, 100));
  const auto to_box = [&](const Real3& x) {
    double out = -1e9;
    for (std::size_t a = 0; a < 3; ++a) out = std::max({out, low[a] - x[a], x[a] - high[a]});
    return out;
  };
  int entries = 0, chords = 0;
  for (int k = 1; k < 20000; ++k) {
    const Real3 from{14 * spread(k, 0.7548776662), 10 * spread(k, 0.5698402910), 16 * spread(k, 0.3247179572)};
    Real3 to = from;
    for (std::size_t a = 0; a < 3; ++a)
      to[a] += std::floor(3 * spread(k, 0.8191725134 / static_cast<double>(a + 1))) - 1;
    const double is = box.distance(from), exact = to_box(from);
    ASSERT_EQ(is <= 0, exact <= 0);
    EXPECT_LE(std::abs(is), std::abs(exact) * std::sqrt(3) + 1e-9);
    if (exact > 0 && to_box(to) <= 0) {
      double part = 0;  // the last plane that the way meets
      for (std::size_t a = 0; a < 3; ++a) {
        if (from[a] < low[a]) part = std::max(part, (low[a] - from[a]) / (to[a] - from[a]));
        if (from[a] > high[a]) part = std::max(part, (high[a] - from[a]) / (to[a] - from[a]));
      }
      EXPECT_NEAR(box.entry(from, to), part, 1e-13);
      ++entries;
    }
    const double away = norm(from - center) - 3.7;
    if (std::abs(away) > 1e-3) {
      ASSERT_EQ(ball.distance(from) <= 0, away <= 0);
    }
    // From around a smaller ball, for more ways through it.
    // Around a small ball, so that many ways go through it.
    const Real3 start = center + 0.25 * (from - center), end = start + to - from, way = to - from;
    if (norm(start - center) < 0.7 || norm(end - center) < 0.7) continue;
    const double square = dot(way, way), nearest = square > 0 ? dot(way, center - start) / square : 0;
    const Real3 arm = start + nearest * way - center;
    const double deep = 0.7 * 0.7 - dot(arm, arm);
    const auto chord = small.chord(start, end);
    if (nearest > 0 && nearest < 1 && deep > 0.002) {
      ASSERT_TRUE(chord);
      EXPECT_NEAR(chord->entry, nearest - std::sqrt(deep / square), 0.005);
      EXPECT_NEAR(chord->exit, nearest + std::sqrt(deep / square), 0.005);
      ++chords;
    } else if (deep < 0 || nearest < 0 || nearest > 1) {
      EXPECT_FALSE(chord);
    }
  }
  EXPECT_GT(entries, 300);
  EXPECT_GT(chords, 300);
}

/// Faces on nodes count as covered, as those of shapes do; overlapping parts are one.
TEST(EnclosedSpace, TakesFacesOnNodesAndOverlappingParts) {
  const auto box = space_of(box_triangles({2.5, 2.5, 2.5}, {6.5, 5.5, 4.5}));
  for (int z = 0; z < 8; ++z)
    for (int y = 0; y < 8; ++y)
      for (int x = 0; x < 9; ++x) {
        const bool covered = x >= 2 && x <= 6 && y >= 2 && y <= 5 && z >= 2 && z <= 4;
        EXPECT_EQ(box.distance({x + 0.5, y + 0.5, z + 0.5}) <= 0, covered) << x << y << z;
      }
  TriangleSoup both = box_triangles({2, 2, 2}, {6, 6, 6});
  const TriangleSoup other = box_triangles({4, 3, 3}, {9, 5, 5});
  both.insert(both.end(), other.begin(), other.end());
  const auto united = space_of(both);
  EXPECT_LE(united.distance({5, 4, 4}), 0);
  EXPECT_LE(united.distance({8, 4, 4}), 0);
  EXPECT_GT(united.distance({8, 5.5, 4}), 0);
  EXPECT_NEAR(united.entry({9.7, 4.1, 4.2}, {8.7, 4.1, 4.2}), 0.7, 1e-12);
}

/// A box of nodes through which something moves and turns.
Case moving_case(const std::string& lattice) {
  Case c;
  c.domain.nodes = Int3{26, 25, 24};
  c.domain.periodic = {true, true, true};
  c.units.tau = 0.6;
  c.numerics.lattice = lattice;
  c.numerics.collision = "trt";
  c.numerics.scheme = "aa";
  c.numerics.format = "fp64";
  c.numerics.device = "cpu";
  Case::Body body;
  body.surface = "thing";
  body.motion = {Real3{11.5, 12.25, 11.75}, {0.02, -0.015, 0.01}, {0.005, 0.01, -0.01}, {}, {}};
  c.bodies = {body};
  return c;
}

Case::Shape shape_of(const std::string& kind) {
  Case::Shape shape;
  shape.name = "thing";
  shape.kind = kind;
  shape.center = {11.5, 12.25, 11.75};
  return shape;
}

Case::Stl file_of(const std::string& name) {
  Case::Stl stl;
  stl.file = name;
  stl.name = "thing";
  stl.fluid = "outside";
  return stl;
}

struct Course {
  std::vector<Real3> forces;
  Moments end;
};

Course course_of(Case c, int threads = 1) {
  c.numerics.threads = threads;
  validate(c);
  const Grid grid = make_grid(c);
  const auto solver = make_solver({c, make_units(c, grid.spacing), build_geometry(c, grid)});
  const auto& names = solver->geometry().surfaces;
  const auto surface = static_cast<int>(std::find(names.begin(), names.end(), "thing") - names.begin());
  Course course;
  for (int t = 0; t < 40; ++t) {
    solver->step(1);
    course.forces.push_back(solver->surface_force(surface, {}).force);
  }
  solver->moments(0, solver->geometry().nodes.tiles.size(), false, course.end);
  return course;
}

/// Numbers that STL files hold exactly, so that both are the same box; shapes are met to 1e-9 of a link.
TEST(BodiesFromFiles, BoxIsTheShape) {
  const test::TemporaryFolder folder;
  geometry::write_stl(folder.path() / "box.stl", box_triangles({8.25, 9.375, 8.625}, {14.75, 15.125, 14.875}));
  Case shape = moving_case("D3Q19"), file = shape;
  shape.geometry.shapes = {shape_of("box")};
  shape.geometry.shapes[0].size = {6.5, 5.75, 6.25};
  file.directory = folder.path();
  file.geometry.stl = {file_of("box.stl")};
  const Course exact = course_of(shape), course = course_of(file);
  for (std::size_t t = 0; t < exact.forces.size(); ++t)
    for (std::size_t a = 0; a < 3; ++a) ASSERT_NEAR(course.forces[t][a], exact.forces[t][a], 1e-8) << t;
  for (std::size_t n = 0; n < exact.end.density.size(); ++n)
    ASSERT_NEAR(course.end.density[n], exact.end.density[n], 1e-10);
  const Course parallel = course_of(file, 3);
  EXPECT_EQ(parallel.forces, course.forces);
  EXPECT_EQ(parallel.end.velocity, course.end.velocity);
}

/// Chords of 1.5 degrees lie 1e-4 of the radius below their arcs.
TEST(BodiesFromFiles, BallIsTheShapeToItsFacets) {
  const test::TemporaryFolder folder;
  geometry::write_stl(folder.path() / "ball.stl", ball_triangles({11.5, 12.25, 11.75}, 4.3, 120));
  Case shape = moving_case("D3Q27"), file = shape;
  shape.geometry.shapes = {shape_of("sphere")};
  shape.geometry.shapes[0].radius = 4.3;
  file.directory = folder.path();
  file.geometry.stl = {file_of("ball.stl")};
  const Course exact = course_of(shape), course = course_of(file);
  double most = 0;
  for (const Real3& force : exact.forces) most = std::max(most, norm(force));
  double difference = 0;
  for (std::size_t t = 0; t < exact.forces.size(); ++t) difference += norm(course.forces[t] - exact.forces[t]);
  EXPECT_LT(difference / 40, 6e-3 * most);
}

TEST(BodiesFromFiles, SaysWhatIsNotPossible) {
  const test::TemporaryFolder folder;
  geometry::write_stl(folder.path() / "open.stl", box_triangles({8, 9, 8}, {14, 15, 15}, 2));
  const auto message = [&](const auto& change) {
    Case c = moving_case("D3Q19");
    c.directory = folder.path();
    c.geometry.stl = {file_of("open.stl")};
    change(c);
    return error_of(ExitCode::input, [&] { course_of(c); });
  };
  EXPECT_CONTAINS(message([](Case&) {}), "must be closed, and has a hole");
  EXPECT_CONTAINS(message([](Case&) {}), "around (11, 12, 15)");
  EXPECT_CONTAINS(message([](Case& c) { c.geometry.stl[0].fluid = "inside"; }), "set fluid = \"outside\"");
  EXPECT_CONTAINS(message([](Case& c) { c.geometry.stl[0].fluid = "both"; }), "set fluid = \"outside\"");
  EXPECT_CONTAINS(message([](Case& c) { c.geometry.shapes = {shape_of("sphere")}, c.geometry.shapes[0].radius = 3; }),
                  "one kind");
  EXPECT_CONTAINS(message([](Case& c) { c.bodies[0].surface = "think"; }), "'think' is no shape and no surface");
}

}  // namespace
}  // namespace fluvia
