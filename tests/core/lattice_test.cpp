// SPDX-License-Identifier: Apache-2.0
// Lattices and equilibria of the registries against sums written out here.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <tuple>

#include "fluvia/core/equilibrium/registry.hpp"
#include "fluvia/core/lattice/registry.hpp"

namespace fluvia::core {
namespace {

template <class Visitor>
void for_each_lattice(Visitor&& visit) {
  for_each_type(Lattices{}, [&]<class Lattice>(Lattice lattice) {
    SCOPED_TRACE(Lattice::name);
    visit(lattice);
  });
}

template <class Lattice, class Visitor>
void for_each_equilibrium(Visitor&& visit) {
  for_each_type(Equilibria{}, [&]<class Equilibrium>(Equilibrium equilibrium) {
    if constexpr (Equilibrium::template supports<Lattice>) visit(equilibrium);
  });
}

TEST(Lattices, NamesSayDimensionAndNumberOfDirections) {
  for_each_lattice([]<class Lattice>(Lattice) {
    EXPECT_EQ(std::string(Lattice::name), "D" + std::to_string(Lattice::D) + "Q" + std::to_string(Lattice::Q));
  });
}

TEST(Lattices, VelocitiesAreDistinctAndOppositesAreNeighbours) {
  for_each_lattice([]<class Lattice>(Lattice) {
    std::set<std::tuple<int, int, int>> seen;
    for (int i = 0; i < Lattice::Q; ++i) {
      seen.insert({Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]});
      EXPECT_EQ(opposite(opposite(i)), i);
      for (int a = 0; a < 3; ++a) EXPECT_EQ(Lattice::c[opposite(i)][a], -Lattice::c[i][a]);
      for (int a = Lattice::D; a < 3; ++a) EXPECT_EQ(Lattice::c[i][a], 0);
    }
    EXPECT_EQ(seen.size(), static_cast<std::size_t>(Lattice::Q));
  });
}

struct Cross {
  static constexpr int D = 2, Q = 5;
  static constexpr signed char c[Q][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}};
};
struct LeapingCross {
  static constexpr int D = 2, Q = 5;
  static constexpr signed char c[Q][3] = {{0, 0, 0}, {2, 0, 0}, {-2, 0, 0}, {0, 1, 0}, {0, -1, 0}};
};
struct CrossOutOfItsPlane {
  static constexpr int D = 2, Q = 5;
  static constexpr signed char c[Q][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}};
};
struct DoubledCross {
  static constexpr int D = 2, Q = 5;
  static constexpr signed char c[Q][3] = {{0, 0, 0}, {1, 0, 0}, {-1, 0, 0}, {1, 0, 0}, {-1, 0, 0}};
};

/// What is_valid_lattice() asserts; that it asserts it is a test of its own, headers.lattice_that_leaps_is_refused.
TEST(Lattices, ThatReachBeyondNeighboursOrRepeatAreKnown) {
  EXPECT_TRUE(detail::leads_to_neighbours<Cross>() && detail::directions_differ<Cross>());
  EXPECT_FALSE(detail::leads_to_neighbours<LeapingCross>());
  EXPECT_FALSE(detail::leads_to_neighbours<CrossOutOfItsPlane>());
  EXPECT_TRUE(detail::leads_to_neighbours<DoubledCross>());
  EXPECT_FALSE(detail::directions_differ<DoubledCross>());
}

TEST(Lattices, MirrorsAreInvolutionsThatKeepTheWeight) {
  for_each_lattice([]<class Lattice>(Lattice) {
    for (int i = 0; i < Lattice::Q; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const int j = mirrored<Lattice>(i, axis);
        ASSERT_GE(j, 0);
        EXPECT_EQ(mirrored<Lattice>(j, axis), i);
        EXPECT_EQ(Lattice::w[j], Lattice::w[i]);
      }
  });
}

/// Odd moments vanish up to fifth order and the even ones are isotropic up to fourth: the conditions for Navier-Stokes
/// with one rate for all stresses. On D3Q13 sum w c_a^2 c_b^2 = 4/24.
TEST(Lattices, WeightsAreIsotropic) {
  for_each_lattice([]<class Lattice>(Lattice) {
    for (int a = 0; a < Lattice::D; ++a)
      for (int b = 0; b < Lattice::D; ++b) {
        double first = 0, second = 0, third = 0, fourth = 0;
        for (int i = 0; i < Lattice::Q; ++i) {
          const double ca = Lattice::c[i][a], cb = Lattice::c[i][b];
          first += Lattice::w[i] * ca;
          second += Lattice::w[i] * ca * cb;
          third += Lattice::w[i] * ca * ca * cb;
          fourth += Lattice::w[i] * ca * ca * cb * cb;
        }
        EXPECT_NEAR(first, 0, 1e-15);
        EXPECT_NEAR(second, a == b ? 1.0 / 3 : 0, 1e-15);
        EXPECT_NEAR(third, 0, 1e-15);
        EXPECT_NEAR(fourth, a == b ? 1.0 / 3 : std::string(Lattice::name) == "D3Q13" ? 1.0 / 6 : 1.0 / 9, 1e-15);
      }
  });
}

/// rho, rho u and rho (cs2 delta + u u) exactly; 1e-15 is round-off of sums of order one.
TEST(Equilibria, FirstThreeMomentsAreExact) {
  constexpr double deviation = 0.02, velocity[3] = {0.05, -0.03, 0.07};
  for_each_lattice([&]<class Lattice>(Lattice) {
    for_each_equilibrium<Lattice>([&]<class Equilibrium>(Equilibrium) {
      SCOPED_TRACE(Equilibrium::name);
      Macroscopic<double> m{deviation, {velocity[0], velocity[1], Lattice::D == 3 ? velocity[2] : 0}};
      double f[Lattice::Q];
      equilibrium<Lattice, Equilibrium>(m, f);
      const double density = std::string(Equilibrium::name) == "incompressible" ? 1.0 : 1 + deviation;
      double mass = 0;
      for (int i = 0; i < Lattice::Q; ++i) mass += f[i];
      EXPECT_NEAR(mass, deviation, 1e-15);
      for (int a = 0; a < Lattice::D; ++a) {
        double momentum = 0;
        for (int i = 0; i < Lattice::Q; ++i) momentum += f[i] * Lattice::c[i][a];
        EXPECT_NEAR(momentum, density * m.velocity[a], 1e-15);
        for (int b = 0; b < Lattice::D; ++b) {
          double flux = 0;
          for (int i = 0; i < Lattice::Q; ++i) flux += f[i] * Lattice::c[i][a] * Lattice::c[i][b];
          EXPECT_NEAR(flux, density * m.velocity[a] * m.velocity[b] + (a == b ? deviation / 3 : 0), 1e-15);
        }
      }
    });
  });
}

/// rho/9 + rho (u_a^2 + u_b^2)/3; the second-order equilibrium of D3Q19 has -rho u_c^2/6 more, that of D3Q27 has not.
template <class Lattice, class Equilibrium>
double fourth_moment_error() {
  const Macroscopic<double> m{0.02, {0.05, -0.03, 0.07}};
  double f[Lattice::Q], largest = 0;
  equilibrium<Lattice, Equilibrium>(m, f);
  for (int axis = 0; axis < 3; ++axis) {
    const int a = (axis + 1) % 3, b = (axis + 2) % 3;
    double sum = 0;
    for (int i = 0; i < Lattice::Q; ++i)
      sum += (f[i] + Lattice::w[i]) * std::pow(Lattice::c[i][a] * Lattice::c[i][b], 2);
    const double squares = m.velocity[a] * m.velocity[a] + m.velocity[b] * m.velocity[b];
    largest = std::max(largest, std::abs(sum - 1.02 * (1.0 / 9 + squares / 3)));
  }
  return largest;
}

TEST(Equilibria, ImprovedHasIsotropicFourthMoments) {
  EXPECT_LT((fourth_moment_error<D3Q19, Improved>()), 1e-15);
  EXPECT_LT((fourth_moment_error<D3Q27, QuasiCompressible>()), 1e-15);
  EXPECT_NEAR((fourth_moment_error<D3Q19, QuasiCompressible>()), 1.02 * 0.07 * 0.07 / 6, 1e-15);
  EXPECT_TRUE(Improved::supports<D3Q19>);
  EXPECT_FALSE(Improved::supports<D2Q9> || Improved::supports<D3Q27> || Improved::supports<D3Q15>);
}

/// The moments of an equilibrium are what it was made from.
TEST(Equilibria, MomentsInvertThem) {
  for_each_lattice([&]<class Lattice>(Lattice) {
    for_each_equilibrium<Lattice>([&]<class Equilibrium>(Equilibrium) {
      SCOPED_TRACE(Equilibrium::name);
      const Macroscopic<double> m{-0.01, {0.02, 0.04, Lattice::D == 3 ? -0.05 : 0}};
      double f[Lattice::Q], stress[6];
      equilibrium<Lattice, Equilibrium>(m, f);
      const double no_force[3] = {};
      const auto found = moments<Lattice, Equilibrium>(f, no_force);
      nonequilibrium_stress<Lattice, Equilibrium>(f, found, stress);
      EXPECT_NEAR(found.density_deviation, m.density_deviation, 1e-15);
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(found.velocity[a], m.velocity[a], 1e-15);
      for (const double s : stress) EXPECT_NEAR(s, 0, 1e-15);
    });
  });
}

}  // namespace
}  // namespace fluvia::core
