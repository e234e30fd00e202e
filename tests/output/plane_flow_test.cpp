// SPDX-License-Identifier: Apache-2.0
#include "fluvia/output/pictures/plane/plane_flow.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

namespace fluvia::test {
namespace {

PlaneFlow flow_of(
    int columns, int rows, const std::function<Point(double x, double y)>& velocity,
    const std::function<bool(double x, double y)>& fluid = [](double, double) { return true; }) {
  PlaneFlow flow{columns, rows, {}, {}};
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const bool there = fluid(i + 0.5, j + 0.5);
      const Point v = there ? velocity(i + 0.5, j + 0.5) : Point{};
      flow.velocity.push_back({float(v[0]), float(v[1])});
      flow.fluid.push_back(there ? 1 : 0);
    }
  return flow;
}

double nearest(const Point& p, const Polyline& line) {
  double best = 1e9;
  for (const Point& q : line) best = std::min(best, std::hypot(p[0] - q[0], p[1] - q[1]));
  return best;
}

/// No two lines come closer than half of the separation, and no fluid is farther than `reach` from a line.
void expect_even(const std::vector<Polyline>& lines, const PlaneFlow& flow, double separation, double reach) {
  for (std::size_t a = 0; a < lines.size(); ++a)
    for (std::size_t b = 0; b < a; ++b)
      for (const Point& p : lines[a]) ASSERT_GE(nearest(p, lines[b]), 0.5 * separation) << a << " and " << b;
  for (int j = 0; j < flow.rows; ++j)
    for (int i = 0; i < flow.columns; ++i) {
      if (!flow.fluid[std::size_t(j * flow.columns + i)]) continue;
      double best = 1e9;
      for (const Polyline& line : lines) best = std::min(best, nearest({i + 0.5, j + 0.5}, line));
      EXPECT_LE(best, reach) << i << " " << j;
    }
}

TEST(PlaneFlow, StreamlinesOfAUniformFlowAreParallel) {
  const PlaneFlow flow = flow_of(80, 40, [](double, double) { return Point{0.3, 0}; });
  const auto lines = evenly_spaced_streamlines(flow, 5);
  EXPECT_GE(lines.size(), 7u);
  EXPECT_LE(lines.size(), 9u);
  for (const Polyline& line : lines) {
    for (const Point& p : line) EXPECT_NEAR(p[1], line.front()[1], 1e-6);
    EXPECT_LT(line.front()[0], 1) << "from one edge";
    EXPECT_GT(line.back()[0], 79) << "to the other, downstream";
  }
  expect_even(lines, flow, 5, 5.1);
}

TEST(PlaneFlow, StreamlinesOfAVortexAreCircles) {
  const PlaneFlow flow = flow_of(
      60, 60,
      [](double x, double y) {
        return Point{-0.01 * (y - 30), 0.01 * (x - 30)};
      },
      [](double x, double y) { return std::hypot(x - 30, y - 30) < 28; });
  const auto lines = evenly_spaced_streamlines(flow, 4);
  EXPECT_GE(lines.size(), 5u);
  for (const Polyline& line : lines) {
    const double radius = std::hypot(line.front()[0] - 30, line.front()[1] - 30);
    for (const Point& p : line) EXPECT_NEAR(std::hypot(p[0] - 30, p[1] - 30), radius, 0.05 * radius + 0.02);
    EXPECT_LT(double(line.size()) * 0.5, 2.2 * 3.15 * radius + 8) << "once around, not for ever";
  }
  expect_even(lines, flow, 4, 5.5);
}

TEST(PlaneFlow, StreamlinesFillSeparatePoresAndStayInTheFluid) {
  const auto fluid = [](double, double y) { return std::fmod(y, 20) > 8; };
  const PlaneFlow flow = flow_of(
      90, 60,
      [](double, double y) {
        return Point{y > 30 ? -0.1 : 0.1, 0.02};
      },
      fluid);
  const auto lines = evenly_spaced_streamlines(flow, 6);
  for (const double pore : {0, 20, 40})
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [&](const Polyline& line) {
      return line[0][1] > pore && line[0][1] < pore + 20;
    })) << pore;
  for (const Polyline& line : lines)
    for (const Point& p : line) ASSERT_TRUE(fluid(p[0], std::floor(p[1]) + 0.5)) << p[0] << " " << p[1];
}

TEST(PlaneFlow, RestAndTinyPlanesHaveNoMarks) {
  EXPECT_TRUE(evenly_spaced_streamlines(flow_of(20, 20, [](double, double) { return Point{}; }), 3).empty());
  EXPECT_TRUE(make_arrows(flow_of(20, 20, [](double, double) { return Point{}; }), 3).arrows.empty());
  for (const auto& [columns, rows] : {std::pair{1, 1}, {1, 50}, {50, 1}}) {
    const PlaneFlow flow = flow_of(columns, rows, [](double, double) { return Point{1, 1}; });
    EXPECT_LE(evenly_spaced_streamlines(flow, 0.1).size(), 60u);
    EXPECT_LE(make_arrows(flow, 0.1).arrows.size(), 50u);
  }
}

TEST(PlaneFlow, ArrowsAreAsLongAsTheFlowIsFast) {
  const PlaneFlow flow = flow_of(
      60, 30,
      [](double x, double) {
        return Point{0, 0.001 * x};
      },
      [](double x, double) { return x < 50; });
  const PlaneArrows arrows = make_arrows(flow, 10);
  EXPECT_EQ(arrows.arrows.size(), 15u);  // 5 x 3; the last column is solid
  EXPECT_NEAR(arrows.longest, 0.045, 1e-6);
  for (const Figure::Arrow& arrow : arrows.arrows) {
    EXPECT_DOUBLE_EQ(arrow.from[0], arrow.to[0]);
    EXPECT_NEAR(arrow.to[1] - arrow.from[1], 9.5 * arrow.from[0] / 45, 1e-4);
    EXPECT_NEAR(std::fmod(0.5 * (arrow.to[1] + arrow.from[1]), 10), 5, 1e-9);
  }
}

}  // namespace
}  // namespace fluvia::test
