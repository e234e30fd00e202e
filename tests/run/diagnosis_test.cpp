// SPDX-License-Identifier: Apache-2.0
// What a run says of a flow that broke down: where, when, what was seen there and why, each from a flow that is known.
#include "fluvia/run/divergence/diagnosis.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "output/fake_solver.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

class Diagnosis : public testing::Test {
 protected:
  Diagnosis() {
    case_.run.max_mach = 0.4;
    units_.si = true;
    units_.spacing = 0.2;
    units_.time_step = 0.03;
    units_.tau = 0.71;
    grid_ = grid_of(solver_, 0.2, {-1.5, 4.25, 10});
    solver_.now = 6000;
    solver_.shape.surface_of = [](const Int3& n, const Int3& o) {
      for (int axis = 0; axis < 3; ++axis) {
        if (n[axis] + o[axis] < 0) return 2 * axis;
        if (n[axis] + o[axis] >= 20 + axis) return 2 * axis + 1;
      }
      return static_cast<int>(surface_id::wall);
    };
  }
  std::string at(const Int3& node, bool finite = true) {
    Totals totals;
    totals.finite = finite;
    totals.max_speed = 0.3;
    const auto index = static_cast<std::uint64_t>(solver_.shape.nodes.node_index(node));
    (finite ? totals.max_speed_node : totals.bad_node) = index;
    (finite ? totals.bad_node : totals.max_speed_node) = 1;
    return diagnose_instability(case_, {solver_, units_, grid_}, totals);
  }
  bool names(const std::string& part, const Int3& node = {10, 10, 10}) {
    return at(node).find(part) != std::string::npos;
  }
  Case::Boundary& add(const std::string& surface, const std::string& type) {
    Case::Boundary b;
    b.surface = surface;
    b.type = type;
    case_.boundaries.push_back(b);
    return case_.boundaries.back();
  }
  FakeSolver solver_{3, {20, 21, 22}, [](const Int3& n) { return n[0] != 14 || n[1] != 5; }};
  Case case_;
  Units units_;
  Grid grid_;
};

TEST_F(Diagnosis, SaysWhereAndWhen) {
  EXPECT_CONTAINS(at({4, 17, 9}),
                  "the flow became unstable at step 6000 (time 180 s): Mach 0.52 exceeds the limit 0.4 at node "
                  "(4, 17, 9), position (-0.6, 7.75, 11.9)");
  units_ = Units{};
  grid_ = grid_of(solver_, 1, {100, 200, 300});
  EXPECT_CONTAINS(at({19, 0, 21}), "(time 6000): ");
  EXPECT_CONTAINS(at({19, 0, 21}), "at node (19, 0, 21), position (119.5, 200.5, 321.5)");
}

TEST_F(Diagnosis, SaysWhatTheGuardSaw) {
  solver_.density = [](const Int3& n) { return n == Int3{13, 6, 7} ? -0.25 : n == Int3{1, 2, 3} ? std::nan("") : 0.9; };
  EXPECT_CONTAINS(at({13, 6, 7}, false), "the density, -0.25 times that at rest, is not above 0 at node (13, 6, 7)");
  EXPECT_CONTAINS(at({1, 2, 3}, false), "a value is not finite at node (1, 2, 3)");
  EXPECT_CONTAINS(at({12, 6, 7}, false), "a value is not finite at node (12, 6, 7)");  // its velocity, then
  solver_.density = [](const Int3&) { return 0.0; };
  EXPECT_CONTAINS(at({5, 6, 7}, false), "the density, 0 times that at rest");
}

TEST_F(Diagnosis, NamesTheNearestSurface) {
  add("x_min", "pressure");
  add("y_max", "moving_wall");
  add("z_min", "velocity");
  EXPECT_TRUE(names("likely cause: opening 'x_min' (pressure), next to it: move this opening", {0, 10, 10}));
  EXPECT_TRUE(names("opening 'x_min' (pressure), 2 nodes from it", {1, 10, 10}));
  EXPECT_TRUE(names("opening 'x_min' (pressure), 4 nodes from it", {3, 10, 10}));
  EXPECT_FALSE(names("x_min", {4, 10, 10}));
  EXPECT_TRUE(names("wall 'y_max' (moving_wall), 3 nodes from it: make it slower", {10, 18, 10}));
  EXPECT_TRUE(names("opening 'z_min' (velocity), 2 nodes from it", {10, 10, 1}));
  EXPECT_FALSE(names("z_min", {10, 10, 4}));
  EXPECT_TRUE(names("opening 'z_min' (velocity), next to it", {1, 10, 0})) << "the nearest of two";
  EXPECT_FALSE(names("x_max", {18, 10, 10})) << "nothing to say about a plain wall ...";
  case_.geometry.shapes.emplace_back();
  case_.geometry.shapes.back().kind = "sphere";
  case_.walls.method = "interpolated";
  EXPECT_TRUE(names("wall 'wall' (wall), 2 nodes from it: resolve gaps", {12, 5, 10})) << "... that lies half-way";
  EXPECT_FALSE(names("'wall'", {10, 10, 10}));
}

TEST_F(Diagnosis, NamesWhatTheCaseAsksFor) {
  EXPECT_TRUE(names("likely cause: the flow is under-resolved there"));
  units_.tau = 0.509;
  EXPECT_TRUE(names("likely cause: tau = 0.509 is close to 1/2"));
  EXPECT_FALSE(names("under-resolved"));
  units_.tau = 0.511;
  EXPECT_FALSE(names("is close to 1/2"));
  for (const char* collision : {"bgk", "trt", "mrt", "auto"}) {
    case_.numerics.collision = collision;
    EXPECT_EQ(names("is among the least stable ones"), collision[1] == 'g' || collision == std::string("trt"));
  }
  for (const char* format : {"fp16s", "fp16c", "fp32"}) {
    case_.numerics.format = format;
    EXPECT_EQ(names("stores few digits"), format[2] == '1') << format;
  }
}

TEST_F(Diagnosis, NamesVelocitiesThatAreTooHigh) {
  const std::string too_fast = "a prescribed lattice velocity of 0.12 exceeds 0.1";
  units_.reference_velocity = 0.1;
  EXPECT_FALSE(names("exceeds 0.1:"));
  units_.reference_velocity = 0.12;
  EXPECT_TRUE(names(too_fast));
  units_.reference_velocity = 0;
  case_.physics.initial_velocity = {0, 0.72 / 0.9, 0};
  EXPECT_TRUE(names(too_fast));
  case_.physics.initial_velocity = {};
  Case::Boundary& b = add("x_min", "velocity");
  EXPECT_FALSE(names("exceeds 0.1:"));
  b.speed = -0.8;
  EXPECT_TRUE(names(too_fast));
  b.speed = 0.8;
  EXPECT_TRUE(names(too_fast));
  b.speed.reset();
  b.velocity = {0.48, -0.64, 0};
  EXPECT_TRUE(names(too_fast));
  b.velocity = {0, 0.48, 0.64};
  EXPECT_TRUE(names(too_fast));
}

TEST_F(Diagnosis, NamesASuddenStart) {
  const std::string sudden = "boundaries start at full speed";
  solver_.now = 4999;
  add("x_max", "pressure");
  EXPECT_FALSE(names(sudden));
  Case::Boundary& b = add("x_min", "velocity");
  EXPECT_TRUE(names(sudden));
  b.series = "ramp.csv";
  EXPECT_FALSE(names(sudden));
  b.series.clear();
  solver_.now = 5000;
  EXPECT_FALSE(names(sudden));
}

}  // namespace
}  // namespace fluvia::test
