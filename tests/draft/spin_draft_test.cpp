// SPDX-License-Identifier: Apache-2.0
// `fluvia new --from FILE --wind 3m/s --spin 1200rpm`: a body that turns in a wind.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "draft/draft_support.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/case/case.hpp"
#include "fluvia/draft/draft.hpp"
#include "fluvia/run/session.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// A bar of 60 x 12 x 10 mm, long along y, in a wind along x.
DraftRequest turning_bar(const TemporaryFolder& folder) {
  DraftRequest request;
  request.files = {folder.write("bar.stl", binary_stl(box_soup({10, 20, 30}, {20, 80, 42})))};
  request.folder = folder.path();
  request.unit = 1e-3;
  request.wind = 3;
  request.spin = parse_quantity("1200rpm", QuantityKind::rotation, "--spin");
  request.most_nodes = 60000;
  return request;
}

TEST(SpinDraft, TurnsTheBodyAboutTheWind) {
  const TemporaryFolder folder;
  for (const auto& [direction, sign] : {std::pair<std::string, int>{"x", 1}, {"-x", -1}}) {
    DraftRequest request = turning_bar(folder);
    request.direction = direction;
    const Made made = make(request);
    const Case& c = made.c;
    ASSERT_EQ(c.bodies.size(), 1U);
    const double rate = 40 * std::numbers::pi, radius = std::hypot(0.030, 0.006);
    EXPECT_NEAR(c.bodies[0].motion.angular_velocity[0], sign * rate, 1e-6);
    ASSERT_TRUE(c.bodies[0].motion.center);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR((*c.bodies[0].motion.center)[axis], (std::array{0.015, 0.05, 0.036})[axis], 1e-5);
    EXPECT_NEAR(*c.units.reference_velocity, rate * radius, 1e-3 * rate * radius);
    EXPECT_NEAR(*c.monitors.reference_area, std::numbers::pi * radius * radius, 1e-3 * radius * radius);
    EXPECT_LT(rate * radius / made.units.si_velocity(1), 0.06) << "tips are slow on the lattice";
    EXPECT_EQ(boundary_at(c, "y_min").type, "moving_wall") << "bodies move between no planes of symmetry";
    EXPECT_CONTAINS(made.draft.text, "It turns once in 0.05 s");
  }
}

/// As it is written, and in both directions.
TEST(SpinDraft, Runs) {
  const TemporaryFolder folder;
  DraftRequest request = turning_bar(folder);
  request.spin = -*request.spin;
  request.most_nodes = 30000;
  Made made = make(request);
  made.c.numerics.device = "cpu";
  Session session(made.c);
  session.advance(60);
  const std::vector<std::string> names = session.monitor_names();
  const auto power =
      std::find_if(names.begin(), names.end(), [](auto& name) { return name.starts_with("power_body"); });
  ASSERT_NE(power, names.end());
  EXPECT_GT(session.monitors().at(static_cast<std::size_t>(power - names.begin())), 0) << "it drives the air";
}

/// All that the body sweeps has the finest level, with the nodes around that bodies on levels need.
TEST(SpinDraft, TurnsOnTheFinestLevel) {
  const TemporaryFolder folder;
  for (const int levels : {1, 2}) {
    SCOPED_TRACE(levels);
    DraftRequest request = turning_bar(folder);
    request.levels = levels;
    request.spacing = 2.5e-3;
    Made made = make(request);
    ASSERT_EQ(made.c.finest_level(), levels);
    const Case::Refine& finest = made.c.refine.front();
    ASSERT_EQ(finest.level, levels);
    ASSERT_TRUE(finest.box);
    const double radius = std::hypot(0.030, 0.006), around = 3 * *request.spacing;
    for (const int axis : {1, 2}) {
      const double center = std::array{0.015, 0.05, 0.036}[axis];
      EXPECT_LT((*finest.box)[0][axis], center - radius - around);
      EXPECT_GT((*finest.box)[1][axis], center + radius + around);
    }
    EXPECT_GT(made.c.physics.initial_velocity[0], 0) << "the wind blows from the start";
    made.c.numerics.device = "cpu";
    Session session(made.c);
    session.advance(8);
  }
}

TEST(SpinDraft, IsRefusedWhereItCannotBe) {
  const TemporaryFolder folder;
  const auto refused = [&](const auto& change, const std::string& part) {
    DraftRequest request = turning_bar(folder);
    change(request);
    EXPECT_CONTAINS(refusal(request), part);
  };
  refused([](auto& r) { r.wind.reset(); }, "--spin: is for a body with --wind");
  refused([](auto& r) { r.ground = "moving"; }, "--spin: turns a body that stands on no ground");
  refused([](auto& r) { r.heat = 5; }, "--spin: turns a body without heat");
  refused([](auto& r) { r.wall_functions = true; }, "--spin: walls that move have no law of the wall yet");
  expect_one_closed_body(turning_bar(folder), folder, "--spin: turns one body");
}

}  // namespace
}  // namespace fluvia::test
