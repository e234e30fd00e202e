// SPDX-License-Identifier: Apache-2.0
// Built with the collision that docs/adding-a-collision.md adds (CMakeLists.txt).
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/case/names.hpp"
#include "support/extension_page.hpp"
#include "support/specification.hpp"

namespace {

using namespace fluvia;

Case vortex(const std::string& keys) {
  return parse_case(R"([units]
tau = 0.8
[domain]
dimension = 2
nodes = [32, 32]
periodic = [true, true]
[physics]
initial_flow = "taylor-green"
initial_speed = 0.01
[run]
steps = 1
[numerics]
device = "cpu"
threads = 1
scheme = "pull"
format = "fp64"
collision = "even"
)" + keys,
                    "page.toml");
}

double fastest(const Solver& solver) {
  double speed = 0;
  for (const Real3& u : test::moments_of(solver).velocity) speed = std::max(speed, std::hypot(u[0], u[1]));
  return speed;
}

/// A Taylor-Green vortex decays like exp(-2 nu k^2 t), to an error of k^2.
TEST(CollisionPage, TheCollisionHasItsViscosity) {
  const auto solver = test::solver_of(vortex(""));
  const double before = fastest(*solver), k = 2 * std::numbers::pi / 32;
  solver->step(200);
  const double rate = -std::log(fastest(*solver) / before) / 200;
  EXPECT_NEAR(rate / (2 * 0.1 * k * k), 1, 0.01);
}

TEST(CollisionPage, WhatIsKnownOfTheCollisionFollows) {
  EXPECT_EQ(names::collisions.back(), "even");
  EXPECT_EQ(facts_of_collision("even").work, core::Work::little);
  EXPECT_FALSE(gives_way_early("even"));
  EXPECT_EQ(collisions_with(core::OddRates::one), (names::List{"regularized", "recursive-regularized", "even"}));
  EXPECT_NE(collision_problem("even", "D3Q13").find("'even' does not work on D3Q13"), std::string::npos);
  try {
    (void)vortex("magic = 0.1\n");
    FAIL() << "a key of another collision";
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("(only for trt)"), std::string::npos) << error.what();
  }
}

TEST(CollisionPage, KernelsAreMadeForIt) {
  const cuda::Specification s = test::specification("D2Q9", "pull", "fp32", "even");
  EXPECT_NE(cuda::compile_request(s, {cuda::KernelKind::step, 0}).source.find("using Collision = fluvia::core::Even;"),
            std::string::npos);
}

}  // namespace
