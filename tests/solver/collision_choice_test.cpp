// SPDX-License-Identifier: Apache-2.0
// What `collision = "auto"` and `initial_flow` turn into.
#include "fluvia/solver/plan/collision_choice.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fluvia/case/physics/initial_flows.hpp"
#include "fluvia/case/physics/registered_physics.hpp"

namespace fluvia {
namespace {

TEST(CollisionChoice, KeepsTheWallsOfTrtWhereTauIsFarFromOneHalf) {
  for (const std::string lattice : {"D2Q9", "D3Q15", "D3Q19", "D3Q27"})
    for (const double tau : {0.55, 0.8, 2.0})
      EXPECT_EQ(choose_collision(lattice, "quasi-compressible", tau).collision, "trt") << lattice << ' ' << tau;
}

TEST(CollisionChoice, TakesAStableOneWhereTheFlowIsFastForItsViscosity) {
  EXPECT_EQ(choose_collision("D2Q9", "quasi-compressible", 0.55, 0.1).collision, "trt");
  const CollisionChoice fast = choose_collision("D3Q19", "quasi-compressible", 0.6, 0.3);
  EXPECT_EQ(fast.collision, "mrt");
  EXPECT_NE(fast.reason.find("a node's Reynolds number is 9, above 6"), std::string::npos) << fast.reason;
}

TEST(CollisionChoice, TakesAStableOneNearOneHalf) {
  for (const std::string lattice : {"D2Q9", "D3Q15", "D3Q19"})
    EXPECT_EQ(choose_collision(lattice, "quasi-compressible", 0.51).collision, "mrt") << lattice;
  EXPECT_EQ(choose_collision("D3Q19", "improved", 0.51).collision, "mrt");
  EXPECT_EQ(choose_collision("D3Q27", "quasi-compressible", 0.51).collision, "cumulant");
  EXPECT_EQ(choose_collision("D3Q27", "incompressible", 0.51).collision, "regularized");
  EXPECT_NE(choose_collision("D3Q27", "incompressible", 0.51).reason.find("tau = 0.51"), std::string::npos);
}

/// Two relaxation times are unstable at interfaces between levels sooner than elsewhere.
TEST(CollisionChoice, LeavesTrtEarlierBesideLevels) {
  const auto beside_levels = [](const std::string& lattice, double tau) {
    return choose_collision(lattice, "quasi-compressible", tau, 0, Interfaces::levels).collision;
  };
  for (const std::string lattice : {"D2Q9", "D3Q15", "D3Q19"}) {
    EXPECT_EQ(beside_levels(lattice, 0.68), "trt") << lattice;
    EXPECT_EQ(beside_levels(lattice, 0.66), "mrt") << lattice;
  }
  EXPECT_EQ(beside_levels("D3Q27", 0.66), "recursive-regularized");
  const CollisionChoice choice = choose_collision("D2Q9", "quasi-compressible", 0.6, 0, Interfaces::levels);
  EXPECT_NE(choice.reason.find("less stable beside finer levels"), std::string::npos) << choice.reason;
}

/// In a stream past levels whose nodes have Reynolds numbers beyond 60 outlets are stable with one collision only.
TEST(CollisionChoice, TakesTheOneThatOpeningsBearBesideLevels) {
  const auto choice = [](const std::string& lattice, double tau, Interfaces interfaces) {
    return choose_collision(lattice, "quasi-compressible", tau, 0.06, interfaces);
  };
  EXPECT_EQ(choice("D3Q19", 0.503, Interfaces::levels_and_openings).collision, "mrt");
  const CollisionChoice thin = choice("D3Q19", 0.502, Interfaces::levels_and_openings);
  EXPECT_EQ(thin.collision, "recursive-regularized");
  EXPECT_NE(thin.reason.find("a node's Reynolds number is 90, above 60"), std::string::npos) << thin.reason;
  EXPECT_EQ(choice("D3Q19", 0.502, Interfaces::levels).collision, "mrt");
  EXPECT_EQ(choice("D3Q19", 0.502, Interfaces::none).collision, "mrt");
  EXPECT_EQ(choice("D2Q9", 0.502, Interfaces::levels_and_openings).collision, "mrt");
}

/// Whatever the lattice and the equilibrium, the choice works with them.
TEST(CollisionChoice, Works) {
  for (const std::string& lattice : lattice_names())
    for (const std::string& equilibrium : equilibrium_names())
      for (const double tau : {0.501, 0.6}) {
        if (!equilibrium_problem(equilibrium, "auto", lattice).empty()) continue;
        for (const Interfaces interfaces : {Interfaces::none, Interfaces::levels, Interfaces::levels_and_openings}) {
          const std::string collision = choose_collision(lattice, equilibrium, tau, 0.1, interfaces).collision;
          EXPECT_EQ(collision_problem(collision, lattice), "");
          EXPECT_EQ(equilibrium_problem(equilibrium, collision, lattice), "");
        }
      }
}

TEST(CollisionChoice, EquilibriaAreRefusedWithTheReason) {
  EXPECT_EQ(equilibrium_problem("improved", "auto", "D2Q9"),
            "'improved' does not work on D2Q9: it needs the fourth moments of D3Q19, whose error it corrects; use "
            "quasi-compressible or incompressible");
  EXPECT_EQ(equilibrium_problem("incompressible", "cumulant", "D3Q27"),
            "'incompressible' does not work with collision 'cumulant', which has an equilibrium of its own; use "
            "quasi-compressible");
}

/// Flows that fit a periodic box have no divergence: central differences of an analytic field, to their error.
TEST(InitialFlows, HaveNoDivergence) {
  for (const InitialFlow& flow : initial_flows())
    for (const int dimension : {2, 3}) {
      SCOPED_TRACE(testing::Message() << flow.name << ' ' << dimension);
      const Real3 x{0.17, 0.31, 0.43};
      const double h = 1e-5;
      double divergence = 0;
      for (int axis = 0; axis < dimension; ++axis) {
        Real3 forth = x, back = x;
        forth[axis] += h;
        back[axis] -= h;
        divergence += (flow.at(forth, dimension).velocity[axis] - flow.at(back, dimension).velocity[axis]) / (2 * h);
      }
      EXPECT_NEAR(divergence, 0, 1e-7);
      EXPECT_GT(norm(flow.at(x, dimension).velocity), 0.1);
    }
}

/// In 2D the vortex is the exact solution with p = rho U^2 / 4 (cos 2x + cos 2y).
TEST(InitialFlows, TaylorGreenBalancesItsPressure) {
  const FlowAtPoint point = find_initial_flow("taylor-green")->at({0.125, 0.25, 0}, 2);
  EXPECT_NEAR(point.pressure, (0.0 - 1.0) / 4, 1e-15);
  EXPECT_NEAR(point.velocity[1], -std::sqrt(0.5), 1e-15);
  EXPECT_EQ(find_initial_flow("uniform"), nullptr);
}

}  // namespace
}  // namespace fluvia
