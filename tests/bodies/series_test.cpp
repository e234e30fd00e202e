// SPDX-License-Identifier: Apache-2.0
// Bodies whose course comes from a file.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <functional>
#include <numbers>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/case/physics/registered_physics.hpp"
#include "fluvia/solver/bodies/motion_table.hpp"
#include "fluvia/solver/bodies/rigid_motion.hpp"
#include "fluvia/units/units.hpp"
#include "support/errors.hpp"
#include "support/temporary_folder.hpp"

namespace {

using fluvia::MotionTable;
using fluvia::operator+;
using fluvia::operator-;
using fluvia::operator*;
using fluvia::Pose;
using fluvia::Real3;
using fluvia::test::error_of;

class Courses : public testing::Test {
 protected:
  [[nodiscard]] std::filesystem::path file(const std::string& text) const {
    std::ofstream(folder_.path() / "motion.csv") << text;
    return folder_.path() / "motion.csv";
  }
  /// The motion of a body at `center` in lattice units, or in SI units with the spacing and step.
  [[nodiscard]] fluvia::RigidMotion motion_of(const std::string& text, int dimension, bool periodic,
                                              const Real3& center) const {
    fluvia::Case c;
    c.domain.dimension = dimension;
    c.directory = folder_.path();
    c.units.tau = 0.8;
    fluvia::Case::Body::Motion motion;
    motion.series = file(text).filename();
    motion.series_periodic = periodic;
    return {c, motion, "body[0].motion", fluvia::make_units(c, 1), center};
  }

 private:
  fluvia::test::TemporaryFolder folder_;
};

void expect_near(const Real3& a, const Real3& b, double tolerance) {
  for (int axis = 0; axis < 3; ++axis) EXPECT_NEAR(a[axis], b[axis], tolerance) << "along " << axis;
}

/// Slopes are those of parabolas: what is one between rows that are not equally far apart comes back.
TEST_F(Courses, GoAlongParabolas) {
  std::string rows = "t,x,y,turn\n";
  const auto place = [](double t) { return 2 + 3 * t - 0.5 * t * t; };
  for (const double t : {0.0, 0.5, 1.5, 2.0, 4.0, 5.0})
    rows += fmt::format("{},{},{},{}\n", t, place(t), -place(t), 0.1 * place(t));
  const MotionTable table(file(rows), 2, false);
  for (const double t : {0.5, 0.7, 1.0, 1.9, 2.5, 3.9}) {  // beside the first and the last row slopes are of one side
    const MotionTable::Row row = table.at(t);
    expect_near(row.shift, {place(t), -place(t), 0}, 1e-13);
    expect_near(row.turn, {0, 0, 0.1 * place(t)}, 1e-13);
  }
  expect_near(table.at(-1).shift, {2, -2, 0}, 0);
  expect_near(table.at(9).shift, {place(5), -place(5), 0}, 0);
}

/// What moves and turns evenly is that of constant velocities, also about an axis that no coordinate axis is.
TEST_F(Courses, ThatAreStraightAreConstantVelocities) {
  const Real3 velocity{0.03, -0.02, 0.01}, rate{0.004, 0.002, -0.005}, center{7.5, 8, 9.25};
  std::string rows;
  for (const double t : {0.0, 10.0, 15.0, 40.0})
    rows += fmt::format("{};{};{};{};{};{};{}\n", t, t * velocity[0], t * velocity[1], t * velocity[2], t * rate[0],
                        t * rate[1], t * rate[2]);
  const fluvia::RigidMotion motion = motion_of(rows, 3, false, center);
  fluvia::Case c;
  c.units.tau = 0.8;
  fluvia::Case::Body::Motion constant;
  constant.velocity = velocity;
  constant.angular_velocity = rate;
  const fluvia::RigidMotion other(c, constant, "body[0].motion", fluvia::make_units(c, 1), center);
  for (const std::int64_t step : {0, 1, 17, 39}) {
    const Pose a = motion.at(step), b = other.at(step);
    expect_near(a.center, b.center, 1e-12);
    expect_near(a.velocity, b.velocity, 1e-12);
    expect_near(a.angular_velocity, b.angular_velocity, 1e-12);
    for (std::size_t axis = 0; axis < 3; ++axis) expect_near(a.axes[axis], b.axes[axis], 1e-12);
  }
  const Pose after = motion.at(60);  // it has arrived
  expect_near(after.center, center + 40.0 * velocity, 1e-12);
  EXPECT_EQ(after.velocity, Real3{});
  EXPECT_EQ(after.angular_velocity, Real3{});
}

/// Velocities lead from step to step, and from the end of a cycle into the next one.
TEST_F(Courses, RepeatWithoutAJump) {
  std::string rows;
  constexpr int period = 24;
  for (int k = 0; k <= 8; ++k) {
    const double phase = 2 * std::numbers::pi * k / 8;
    rows += fmt::format("{} {} {} {}\n", k * period / 8, 2 * std::cos(phase), std::sin(phase), phase);
  }
  const fluvia::RigidMotion motion = motion_of(rows, 2, true, {20, 20, 0.5});
  const Pose begin = motion.at(0);
  for (int step = 0; step < 3 * period; ++step) {
    const Pose here = motion.at(step), next = motion.at(step + 1);
    expect_near(here.center + here.velocity, next.center, 1e-12);
    EXPECT_NEAR(here.angular_velocity[2], 2 * std::numbers::pi / period, 1e-12) << step;
    EXPECT_LT(fluvia::norm(next.velocity - here.velocity), 0.2) << step;  // of a circle (2 pi / 24)^2 2 = 0.14
  }
  expect_near(motion.at(period).center, begin.center, 1e-12);
  expect_near(motion.at(2 * period).axes[0], begin.axes[0], 1e-12);
}

TEST_F(Courses, AreRefusedWithTheLine) {
  const auto message = [&](const std::string& text, int dimension, bool periodic) {
    return error_of(fluvia::ExitCode::input, [&] { MotionTable(file(text), dimension, periodic); });
  };
  EXPECT_CONTAINS(message("0,1,2,3\n1,1,2\n", 2, false), "motion.csv:2");
  EXPECT_CONTAINS(message("0,1,2,3\n1,1,2,3\n", 3, false), "turn_z");
  EXPECT_CONTAINS(message("0,1,2,3\n1,1,2,3\n1,1,2,3\n", 2, false), "motion.csv:3: time 1 does not follow 1");
  EXPECT_CONTAINS(message("0,1,2,3\n", 2, false), "at least two rows of t, x, y, turn");
  EXPECT_CONTAINS(message("0,1,2,0\n1,1,3,0\n2,1,4,0\n", 2, true), "not where it began");
  EXPECT_CONTAINS(message("0,1,2,0\n1,1,3,0\n2,1,2,3\n", 2, true), "not where it began");
}

TEST_F(Courses, AreTheWholeMotion) {
  const auto message = [](const std::function<void(fluvia::Case::Body::Motion&)>& change) {
    fluvia::Case c;
    c.units.tau = 0.8;
    c.domain.nodes = fluvia::Int3{30, 30, 30};
    fluvia::Case::Shape ball;
    ball.name = "ball";
    ball.kind = "sphere";
    ball.center = {15, 15, 15};
    ball.radius = 4;
    c.geometry.shapes.push_back(ball);
    fluvia::Case::Body body;
    body.surface = "ball";
    body.motion.series = "motion.csv";
    change(body.motion);
    c.bodies.push_back(body);
    return error_of(fluvia::ExitCode::input, [&] { fluvia::validate(c); });
  };
  EXPECT_CONTAINS(message([](auto& m) {
                    m.velocity = {0.1, 0, 0};
                  }),
                  "motion.velocity: cannot be given beside 'series'");
  EXPECT_CONTAINS(message([](auto& m) { m.displacement_formula = {"t", "0", "0"}; }), "displacement_formula");
  EXPECT_CONTAINS(message([](auto& m) { m.series.clear(), m.series_periodic = true; }), "needs 'series'");
}

}  // namespace
