// SPDX-License-Identifier: Apache-2.0
// Pictures of planes whose walls lie between the nodes, beside the shapes that these walls have.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "fluvia/output/pictures/slice_picture.hpp"
#include "output/fake_solver.hpp"
#include "output/picture_support.hpp"

namespace fluvia::test {
namespace {

/// A wall given by a function that is negative in the fluid; points in nodes from the corner of the box.
using Shape = std::function<double(const Real3&)>;

Real3 centre_of(const Int3& node) {
  return {node[0] + 0.5, node[1] + 0.5, node[2] + 0.5};
}

/// A solver whose walls are interpolated: where the shape is 0 along each link, with its gradient as normal.
FakeSolver flow_in(int dimension, const Int3& size, const Shape& shape, const Bool3& periodic = {}) {
  FakeSolver solver(
      dimension, size, [&](const Int3& n) { return shape(centre_of(n)) < 0; }, periodic);
  const auto part_of = [shape](const Int3& node, const Int3& offset) {
    double low = 0, high = 1;
    for (int k = 0; k < 40; ++k) {
      const double middle = 0.5 * (low + high);
      const Real3 step{double(offset[0]), double(offset[1]), double(offset[2])};
      (shape(centre_of(node) + middle * step) < 0 ? low : high) = middle;
    }
    return high;
  };
  solver.shape.distance_of = part_of;
  solver.shape.normal_of = [shape, part_of](const Int3& node, const Int3& offset) {
    const Real3 at =
        centre_of(node) + part_of(node, offset) * Real3{double(offset[0]), double(offset[1]), double(offset[2])};
    Real3 normal{};
    for (std::size_t k = 0; k < 3; ++k) {
      Real3 before = at, behind = at;
      before[k] -= 1e-5;
      behind[k] += 1e-5;
      normal[k] = (shape(behind) - shape(before)) / 2e-5;
    }
    return (1 / norm(normal)) * normal;
  };
  return solver;
}

Case::Output::Slice plane_of(const std::string& field, int axis = 2) {
  Case::Output::Slice slice;
  slice.field = field;
  slice.axis = axis;
  return slice;
}

Drawing drawn(const Figure& figure, const std::string& name) {
  keep(figure, name);
  Drawing page = draw_figure(figure, PictureFormat::png);
  expect_readable(page, figure);
  expect_sharp_cells(page, figure);
  return page;
}

/// How many pixels of a figure are not on the side of the wall where the shape has their middle, but for those that the
/// wall cuts, within 0.75 pixels; and how far from the wall the farthest of them is, nodes.
struct Misplaced {
  int pixels = 0;
  double farthest = 0;
};
Misplaced misplaced(const Figure& figure, const std::function<double(const Point&)>& distance) {
  Misplaced result;
  for (int y = 0; y < figure.height * figure.detail; ++y)
    for (int x = 0; x < figure.width * figure.detail; ++x) {
      const double beyond = distance({(x + 0.5) / figure.detail, (y + 0.5) / figure.detail});
      if (std::abs(beyond) * figure.detail < 0.75) continue;
      const bool solid =
          figure.cells[std::size_t(y) * std::size_t(figure.width * figure.detail) + std::size_t(x)] == solid_color;
      if (solid == (beyond > 0)) continue;
      ++result.pixels;
      result.farthest = std::max(result.farthest, std::abs(beyond));
    }
  return result;
}

/// A body of 20 nodes across is round to a hundredth of a node, and its speed goes to 0 at its wall.
TEST(TrueWalls, CylinderIsRound) {
  const auto radius = [](double x, double y) { return std::hypot(x - 25.3, y - 20.6); };
  FakeSolver solver = flow_in(2, {60, 40, 1}, [&](const Real3& p) { return 10.2 - radius(p[0], p[1]); });
  solver.velocity = [&](const Int3& n) { return Real3{0.01 * (radius(n[0] + 0.5, n[1] + 0.5) - 10.2), 0, 0}; };
  const Units units;
  const Grid grid = grid_of(solver);
  const Figure figure = slice_figure({solver, units, grid}, plane_of("velocity"), "A cylinder");
  drawn(figure, "true-cylinder");
  ASSERT_EQ(figure.detail, 20);
  const Misplaced wrong = misplaced(figure, [&](const Point& p) { return 10.2 - radius(p[0], p[1]); });
  EXPECT_LT(wrong.farthest, 0.06);
  EXPECT_LT(wrong.pixels, 20);
  // Along the line from the wall to the right the speed rises from 0 as it does at the nodes.
  const int row = static_cast<int>(20.6 * figure.detail);
  for (double from_wall = 0.1; from_wall < 3; from_wall += 0.1) {
    const int column = static_cast<int>((25.3 + 10.2 + from_wall) * figure.detail);
    const double x = (column + 0.5) / figure.detail, y = (row + 0.5) / figure.detail;
    const Color found = figure.cells[std::size_t(row * figure.width * figure.detail + column)];
    const Color expected = figure.bar->color(0.01 * (radius(x, y) - 10.2));
    for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(found[k], expected[k], 4) << from_wall;
  }
}

/// The speed at a wall that moves is the wall's.
TEST(TrueWalls, FluidMovesWithMovingWalls) {
  FakeSolver solver = flow_in(2, {30, 24, 1}, [](const Real3& p) { return p[1] - 20.3; }, {true, false, false});
  solver.velocity = [](const Int3& n) { return Real3{0.1 * (n[1] + 0.5) / 20.3, 0, 0}; };
  const Units units;
  const Grid grid = grid_of(solver);
  const WallVelocity lid = [](int, const Real3&) { return Real3{0.1, 0, 0}; };
  const Figure moves = slice_figure({solver, units, grid}, plane_of("velocity"), "A lid", {}, {lid, nullptr});
  drawn(moves, "true-lid");
  const auto color_at = [](const Figure& figure, double y) {
    const int row = static_cast<int>(y * figure.detail), column = 10 * figure.detail;
    return figure.cells[std::size_t(row * figure.width * figure.detail + column)];
  };
  const Color expected = moves.bar->color(0.1);
  for (std::size_t k = 0; k < 3; ++k) EXPECT_NEAR(color_at(moves, 20.24)[k], expected[k], 6);
  const Figure rests = slice_figure({solver, units, grid}, plane_of("velocity"), "A wall");
  EXPECT_LT(color_at(rests, 20.24)[1], 30) << "the speed at a wall at rest is 0";
  const WallVelocity slips = [](int, const Real3&) { return std::nullopt; };
  const Figure free = slice_figure({solver, units, grid}, plane_of("velocity"), "Slip", {}, {slips, nullptr});
  EXPECT_EQ(color_at(free, 20.2), solid_color) << "walls without friction are half-way, at 20";
  EXPECT_NE(color_at(free, 19.9), solid_color);
}

/// A pipe across the axes of the box, cut by planes across each of them.
TEST(TrueWalls, PlanesThroughASlantedPipe) {
  const Real3 along = (1 / std::sqrt(14.0)) * Real3{1, 2, 3};
  const auto distance = [&](const Real3& p) {
    const Real3 from = p - Real3{16.2, 16.7, 16.4};
    return norm(from - dot(from, along) * along) - 8.4;
  };
  const FakeSolver solver = flow_in(3, {32, 32, 32}, distance);
  const Units units;
  const Grid grid = grid_of(solver);
  for (int axis = 0; axis < 3; ++axis) {
    const Figure figure = slice_figure({solver, units, grid}, plane_of("pressure", axis), "A slanted pipe");
    drawn(figure, std::string("true-pipe-") + "xyz"[axis]);
    const Misplaced wrong = misplaced(figure, [&](const Point& p) {
      Real3 place{16.5, 16.5, 16.5};
      place[axis == 0 ? 1 : 0] = p[0];
      place[axis == 2 ? 1 : 2] = p[1];
      return distance(place);
    });
    // Traces in the plane are longer than distances by the slant, so that the bound is wider than that of cylinders.
    EXPECT_LT(wrong.farthest, 0.1) << axis;
    EXPECT_LT(wrong.pixels, 0.002 * double(figure.cells.size())) << axis;
  }
}

/// A circle that lies across a periodic face is whole on both sides of it.
TEST(TrueWalls, GoOnBeyondPeriodicFaces) {
  const auto distance = [](double x, double y) {
    const double across = x > 20 ? x - 40 : x;
    return 7.3 - std::hypot(across - 0.2, y - 12.1);
  };
  const FakeSolver solver = flow_in(2, {40, 25, 1},
                                    [&](const Real3& p) {
                                      return distance(p[0] < 0 ? p[0] + 40 : p[0] > 40 ? p[0] - 40 : p[0], p[1]);
                                    },
                                    {true, false, false});
  const Units units;
  const Grid grid = grid_of(solver);
  const Figure figure = slice_figure({solver, units, grid}, plane_of("velocity"), "Across a face");
  drawn(figure, "true-periodic");
  const Misplaced wrong = misplaced(figure, [&](const Point& p) { return distance(p[0], p[1]); });
  EXPECT_LT(wrong.farthest, 0.1);
  EXPECT_LT(wrong.pixels, 40);
}

/// A sheet that is thinner than a node has two walls, and is as thick as it is.
TEST(TrueWalls, ThinSheets) {
  const auto beyond = [](double x) { return 0.2 - std::abs(x - 12.5); };
  const FakeSolver solver = flow_in(2, {25, 20, 1}, [&](const Real3& p) { return beyond(p[0]); });
  const Units units;
  const Grid grid = grid_of(solver);
  const Figure figure = slice_figure({solver, units, grid}, plane_of("velocity"), "A sheet");
  drawn(figure, "true-sheet");
  EXPECT_EQ(misplaced(figure, [&](const Point& p) { return beyond(p[0]); }).pixels, 0);
}

/// Lines and arrows end at the wall that is seen, not where nodes end.
TEST(TrueWalls, StreamlinesStayInTheFluid) {
  const auto beyond = [](double x, double y) { return 6.8 - std::hypot(x - 20.2, y - 15.3); };
  FakeSolver solver = flow_in(2, {50, 30, 1}, [&](const Real3& p) { return beyond(p[0], p[1]); });
  solver.velocity = [](const Int3&) { return Real3{0.05, 0, 0}; };
  const Units units;
  const Grid grid = grid_of(solver);
  Case::Output::Slice slice = plane_of("velocity");
  slice.streamlines = 20;
  slice.arrows = 20;
  const Figure figure = slice_figure({solver, units, grid}, slice, "Lines");
  keep(figure, "true-streamlines");
  EXPECT_GT(figure.lines.size(), 10u);
  for (const Polyline& line : figure.lines)
    for (const Point& p : line) EXPECT_LT(beyond(p[0], p[1]), 0.1);
  EXPECT_GT(figure.arrows.size(), 100u);
  for (const Figure::Arrow& arrow : figure.arrows) EXPECT_LT(beyond(arrow.to[0], arrow.to[1]), 0.1);
}

/// A node that is not finite is magenta, and no other is.
TEST(TrueWalls, BrokenNodes) {
  FakeSolver solver = flow_in(2, {20, 20, 1}, [](const Real3& p) { return p[0] - 15.2; });
  solver.density = [](const Int3& n) { return n == Int3{14, 10, 0} ? std::nan("") : 1.0; };
  const Units units;
  const Grid grid = grid_of(solver);
  const Figure figure = slice_figure({solver, units, grid}, plane_of("pressure"), "Broken");
  const Drawing page = drawn(figure, "true-broken");
  const double cells = double(count(page, figure, broken_color)) / (figure.detail * figure.detail);
  EXPECT_NEAR(cells, 1.2, 0.1) << "the node's cell, and what is between it and the wall";
  ASSERT_EQ(figure.legend.size(), 2u);
}

/// Geometries whose walls are half-way are drawn as they are computed, in squares.
TEST(TrueWalls, HalfWayWallsAreSquares) {
  FakeSolver solver =
      flow_in(2, {60, 40, 1}, [](const Real3& p) { return 10.2 - std::hypot(p[0] - 25.3, p[1] - 20.6); });
  solver.shape.distance_of = {};
  const Units units;
  const Grid grid = grid_of(solver);
  const Figure figure = slice_figure({solver, units, grid}, plane_of("velocity"), "Half-way");
  EXPECT_EQ(figure.detail, 1);
  EXPECT_EQ(figure.cells.size(), 2400u);
}

}  // namespace
}  // namespace fluvia::test
