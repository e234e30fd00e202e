// SPDX-License-Identifier: Apache-2.0
// Every collision x equilibrium x lattice of the registries: what each must conserve, and where two must agree.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <type_traits>
#include <utility>

#include "fluvia/core/collision/collide.hpp"
#include "fluvia/core/viscosity/registry.hpp"

namespace fluvia::core {
namespace {

// Populations here are of order 0.1 and sums have up to 27 terms: a few units of 1e-16 times that.
constexpr double round_off = 2e-15;

template <class Visitor>
void for_each_physics(Visitor&& visit) {
  for_each_type(Lattices{}, [&]<class Lattice>(Lattice lattice) {
    for_each_type(Equilibria{}, [&]<class Equilibrium>(Equilibrium equilibrium) {
      for_each_type(Collisions{}, [&]<class Collision>(Collision collision) {
        if constexpr (combines<Lattice, Collision, Equilibrium>) {
          SCOPED_TRACE(testing::Message() << Lattice::name << ' ' << Equilibrium::name << ' ' << Collision::name);
          visit(lattice, equilibrium, collision);
        }
      });
    });
  });
}

CollisionParameters<double> parameters_of(double tau, bool force, bool large_eddy) {
  CollisionParameters<double> p;
  p.tau = tau;
  p.omega = 1 / tau;
  p.viscosity[0] = large_eddy ? 0.04 : 0;
  if (force) {
    p.force[0] = 1e-3;
    p.force[1] = -2e-3;
    p.force[2] = 5e-4;
  }
  for (int k = 0; k < max_free_rates; ++k) p.free_rates[k] = 1.1 + 0.15 * k;
  return p;
}

/// Deviations far from equilibrium, the same in every run.
template <class Lattice>
void fill_random(double (&f)[Lattice::Q], unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> spread(-0.5, 0.5);
  for (int i = 0; i < Lattice::Q; ++i) f[i] = Lattice::w[i] * spread(random);
}

template <class Collision, class Lattice, class Equilibrium>
void collide_with(double (&f)[Lattice::Q], const CollisionParameters<double>& p, bool force, bool large_eddy) {
  if (force && large_eddy) collide<Collision, Lattice, Equilibrium, true, Smagorinsky>(f, p);
  if (force && !large_eddy) collide<Collision, Lattice, Equilibrium, true, Newtonian>(f, p);
  if (!force && large_eddy) collide<Collision, Lattice, Equilibrium, false, Smagorinsky>(f, p);
  if (!force && !large_eddy) collide<Collision, Lattice, Equilibrium, false, Newtonian>(f, p);
}

template <class Lattice>
double moment(const double (&f)[Lattice::Q], int a = -1, int b = -1) {
  double sum = 0;
  for (int i = 0; i < Lattice::Q; ++i) sum += f[i] * (a < 0 ? 1 : Lattice::c[i][a]) * (b < 0 ? 1 : Lattice::c[i][b]);
  return sum;
}

template <int Q>
void expect_equal(const double (&a)[Q], const double (&b)[Q], double tolerance = round_off) {
  for (int i = 0; i < Q; ++i) EXPECT_NEAR(a[i], b[i], tolerance) << "direction " << i;
}

TEST(Collisions, ConserveMassAndAddTheForceToMomentum) {
  for_each_physics([]<class Lattice, class Equilibrium, class Collision>(Lattice, Equilibrium, Collision) {
    for (int option = 0; option < 4; ++option) {
      const bool force = option & 1, large_eddy = option & 2;
      SCOPED_TRACE(testing::Message() << "force " << force << " les " << large_eddy);
      double before[Lattice::Q], after[Lattice::Q];
      fill_random<Lattice>(before, 11 + option);
      std::copy(before, before + Lattice::Q, after);
      const auto p = parameters_of(0.6, force, large_eddy);
      collide_with<Collision, Lattice, Equilibrium>(after, p, force, large_eddy);
      EXPECT_NEAR(moment<Lattice>(after), moment<Lattice>(before), round_off);
      for (int a = 0; a < Lattice::D; ++a)
        EXPECT_NEAR(moment<Lattice>(after, a), moment<Lattice>(before, a) + p.force[a], round_off) << "axis " << a;
      EXPECT_GT(std::abs(after[1] - before[1]), 1e-6) << "the collision does something";
    }
  });
}

/// Those whose equilibrium has terms beyond the second order.
template <class Collision>
constexpr bool has_own_equilibrium =
    std::is_same_v<Collision, RecursiveRegularized> || std::is_same_v<Collision, Cumulant>;

TEST(Collisions, LeaveEquilibriumAlone) {
  for_each_physics([]<class Lattice, class Equilibrium, class Collision>(Lattice, Equilibrium, Collision) {
    if constexpr (has_own_equilibrium<Collision>) return;
    for (const bool large_eddy : {false, true}) {
      const Macroscopic<double> m{0.01, {0.03, -0.02, Lattice::D == 3 ? 0.05 : 0}};
      double before[Lattice::Q], after[Lattice::Q];
      equilibrium<Lattice, Equilibrium>(m, before);
      std::copy(before, before + Lattice::Q, after);
      collide_with<Collision, Lattice, Equilibrium>(after, parameters_of(0.7, false, large_eddy), false, large_eddy);
      expect_equal(after, before);
    }
  });
}

/// One with terms of third order finds its own in a step (all its rates being 1 at this viscosity), to third order the
/// given one, and leaves it alone.
TEST(Collisions, LeaveTheirOwnEquilibriumAlone) {
  for_each_physics([]<class Lattice, class Equilibrium, class Collision>(Lattice, Equilibrium, Collision) {
    if constexpr (has_own_equilibrium<Collision>) {
      const Macroscopic<double> m{0.01, {0.03, -0.02, Lattice::D == 3 ? 0.05 : 0}};
      double before[Lattice::Q], once[Lattice::Q], twice[Lattice::Q];
      equilibrium<Lattice, Equilibrium>(m, before);
      std::copy(before, before + Lattice::Q, once);
      auto p = parameters_of(0.7, false, false);
      for (int k = 0; k < max_free_rates; ++k) p.free_rates[k] = CumulantRates(p.omega).value[k];
      collide_with<Collision, Lattice, Equilibrium>(once, p, false, false);
      std::copy(once, once + Lattice::Q, twice);
      collide_with<Collision, Lattice, Equilibrium>(twice, p, false, false);
      expect_equal(once, twice);
      expect_equal(once, before, 0.05 * 0.05 * 0.05);
    }
  });
}

/// The third moments of recursive regularisation are those of the Maxwellian, rho u_a u_a u_b + rho u_b / 3.
TEST(Collisions, RecursiveRegularizedHasThirdMoments) {
  for_each_type(Lattices{}, []<class Lattice>(Lattice) {
    if constexpr (RecursiveRegularized::supports<Lattice>) {
      SCOPED_TRACE(Lattice::name);
      const Macroscopic<double> m{0.01, {0.03, -0.02, Lattice::D == 3 ? 0.05 : 0}};
      double f[Lattice::Q];
      equilibrium<Lattice, QuasiCompressible>(m, f);
      collide_with<RecursiveRegularized, Lattice, QuasiCompressible>(f, parameters_of(0.7, false, false), false, false);
      for (int a = 0; a < Lattice::D; ++a)
        for (int b = 0; b < Lattice::D; ++b) {
          double third = 0;
          for (int i = 0; i < Lattice::Q; ++i) third += f[i] * Lattice::c[i][a] * Lattice::c[i][a] * Lattice::c[i][b];
          const double expected = 1.01 * m.velocity[b] * (1.0 / 3 + m.velocity[a] * m.velocity[a]);
          if (a != b) {
            EXPECT_NEAR(third, expected, round_off);
          }
        }
    }
  });
}

/// Rate of a stress component on a lattice: omega, or on D3Q13 the two of Toelke & Krafczyk (S3) eq. 7.
double stress_rate(const std::string& lattice, int component, double tau) {
  const double viscosity = (tau - 0.5) / 3;
  if (lattice == "D3Q13") return 2 / ((component < 3 ? 8 : 4) * viscosity + 1);
  return 1 / tau;
}

/// The deviatoric stress decays by 1 - omega in every collision; that is what the viscosity is.
TEST(Collisions, RelaxTheShearStressByOmega) {
  for_each_physics([]<class Lattice, class Equilibrium, class Collision>(Lattice, Equilibrium, Collision) {
    double f[Lattice::Q];
    fill_random<Lattice>(f, 3);
    const auto p = parameters_of(0.8, false, false);
    const auto shear = [&](int k) {
      double stress[6];
      nonequilibrium_stress<Lattice, Equilibrium>(f, moments<Lattice, Equilibrium>(f, p.force), stress);
      // Cumulants add terms in u^2 to the normal stresses.
      if (k == 0 && std::is_same_v<Collision, Cumulant>) return 0.0;
      return k == 0 ? stress[0] - stress[1] : stress[k];  // without the trace, which MRT relaxes by its own rate
    };
    double before[6];
    for (const int k : {0, 3, 4, 5}) before[k] = shear(k);
    EXPECT_GT(std::abs(before[3]), 1e-4);
    collide_with<Collision, Lattice, Equilibrium>(f, p, false, false);
    for (const int k : {0, 3, 4, 5})
      EXPECT_NEAR(shear(k), (1 - stress_rate(Lattice::name, k, p.tau)) * before[k], round_off) << "component " << k;
  });
}

TEST(Collisions, SmagorinskyWithConstantZeroIsPlain) {
  for_each_physics([]<class Lattice, class Equilibrium, class Collision>(Lattice, Equilibrium, Collision) {
    for (const bool force : {false, true}) {
      double plain[Lattice::Q], large_eddy[Lattice::Q];
      fill_random<Lattice>(plain, 5);
      std::copy(plain, plain + Lattice::Q, large_eddy);
      const auto p = parameters_of(0.55, force, false);
      collide_with<Collision, Lattice, Equilibrium>(plain, p, force, false);
      collide_with<Collision, Lattice, Equilibrium>(large_eddy, p, force, true);
      expect_equal(plain, large_eddy);
    }
  });
}

/// Collides copies of the same populations with two collisions.
template <class First, class Second, class Lattice, class Equilibrium>
void expect_same(CollisionParameters<double> p) {
  for (const bool force : {true, false}) {
    if (!force) std::fill_n(p.force, 3, 0.0);
    double a[Lattice::Q], b[Lattice::Q];
    fill_random<Lattice>(a, 17);
    std::copy(a, a + Lattice::Q, b);
    collide_with<First, Lattice, Equilibrium>(a, p, force, false);
    collide_with<Second, Lattice, Equilibrium>(b, p, force, false);
    expect_equal(a, b);
  }
}

TEST(Collisions, MrtWithEqualRatesIsBgk) {
  for_each_physics([]<class Lattice, class Equilibrium, class Collision>(Lattice, Equilibrium, Collision) {
    if constexpr (std::is_same_v<Collision, Mrt> && Bgk::supports<Lattice>) {
      auto p = parameters_of(0.65, true, false);
      for (double& rate : p.free_rates) rate = p.omega;
      expect_same<Mrt, Bgk, Lattice, Equilibrium>(p);
    }
  });
}

TEST(Collisions, TrtWithEqualRatesIsBgk) {
  for_each_physics([]<class Lattice, class Equilibrium, class Collision>(Lattice, Equilibrium, Collision) {
    if constexpr (std::is_same_v<Collision, Trt>) {
      auto p = parameters_of(0.65, true, false);
      p.magic = (p.tau - 0.5) * (p.tau - 0.5);
      expect_same<Trt, Bgk, Lattice, Equilibrium>(p);
    }
  });
}

/// Odd rates of TRT follow from Lambda = (1/omega+ - 1/2)(1/omega- - 1/2): an odd departure decays by 1 - omega-.
TEST(Collisions, TrtRelaxesOddPartsByTheMagicParameter) {
  for_each_type(Lattices{}, []<class Lattice>(Lattice) {
    SCOPED_TRACE(Lattice::name);
    const auto p = parameters_of(0.9, false, false);
    const double omega_odd = 1 / (0.5 + p.magic / (p.tau - 0.5));
    // An odd departure without momentum: +1 along x, and what cancels it along the diagonals.
    double f[Lattice::Q] = {};
    double before[Lattice::Q];
    const int axis = direction_of<Lattice>(1, 0, 0);
    const int up = direction_of<Lattice>(1, 1, 0), down = direction_of<Lattice>(1, -1, 0);
    if (axis < 0 || up < 0) return;
    for (const auto& [i, value] : {std::pair{axis, 1e-3}, {up, -5e-4}, {down, -5e-4}}) {
      f[i] = value;
      f[opposite(i)] = -value;
    }
    std::copy(f, f + Lattice::Q, before);
    collide_with<Trt, Lattice, QuasiCompressible>(f, p, false, false);
    for (int i = 0; i < Lattice::Q; ++i) EXPECT_NEAR(f[i], (1 - omega_odd) * before[i], 1e-17) << "direction " << i;
  });
}

/// Without relaxation the regularised collision keeps density, momentum and stress, and a second one changes nothing.
TEST(Collisions, RegularizedKeepsTheStressAndProjectsOnce) {
  for_each_physics([]<class Lattice, class Equilibrium, class Collision>(Lattice, Equilibrium, Collision) {
    if constexpr (std::is_same_v<Collision, Regularized>) {
      auto p = parameters_of(1, false, false);
      p.omega = 0;
      double f[Lattice::Q], once[Lattice::Q];
      fill_random<Lattice>(f, 23);
      std::copy(f, f + Lattice::Q, once);
      collide_with<Regularized, Lattice, Equilibrium>(once, p, false, false);
      EXPECT_NEAR(moment<Lattice>(once), moment<Lattice>(f), round_off);
      for (int a = 0; a < Lattice::D; ++a) {
        EXPECT_NEAR(moment<Lattice>(once, a), moment<Lattice>(f, a), round_off);
        for (int b = 0; b < Lattice::D; ++b)
          EXPECT_NEAR(moment<Lattice>(once, a, b), moment<Lattice>(f, a, b), round_off);
      }
      double twice[Lattice::Q];
      std::copy(once, once + Lattice::Q, twice);
      collide_with<Regularized, Lattice, Equilibrium>(twice, p, false, false);
      expect_equal(once, twice);
    }
  });
}

/// Stress for a strain rate S with Chapman-Enskog's -2 rho kappa tau S, kappa = 1/4 and 1/2 on D3Q13: what is reported
/// is that of a lattice with one rate, -2/3 rho tau S.
TEST(Smagorinsky, ReportsTheStressOfOneRate) {
  const auto p = parameters_of(0.77, false, false);
  const double strain[6] = {2e-3, -3e-3, 1e-3, 4e-3, -5e-3, 6e-3}, density = 1.1;
  for_each_type(Lattices{}, [&]<class Lattice>(Lattice) {
    SCOPED_TRACE(Lattice::name);
    double stress[6];
    for (int k = 0; k < 6; ++k) {
      const double rate = stress_rate(Lattice::name, k, p.tau);
      const double kappa = std::string(Lattice::name) != "D3Q13" ? 1.0 / 3 : k < 3 ? 1.0 / 4 : 1.0 / 2;
      stress[k] = -2 * density * kappa / rate * strain[k];
    }
    viscous_stress<Lattice, QuasiCompressible>(Macroscopic<double>{density - 1, {0, 0, 0}}, p, Newtonian{}, stress);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(stress[k], -2.0 / 3 * density * p.tau * strain[k], 1e-17) << k;
  });
}

/// nu_t = C_s^2 |S| with |S| = sqrt(2 S:S) and S = -3 P / (2 rho tau_t), S from the relaxation time that results.
TEST(Smagorinsky, EddyViscosityIsConsistentWithItsOwnStrain) {
  const double stress[6] = {1e-3, -2e-3, 5e-4, 3e-3, -1e-3, 2e-3};
  const double density = 1.1, tau = 0.52, constant = 0.17;
  auto p = parameters_of(tau, false, false);
  p.viscosity[0] = constant * constant;
  const double tau_total = 1 / Smagorinsky::omega(time_times_shear_rate(tensor_norm(stress), density), p);
  double contraction = 0;
  for (int k = 0; k < 6; ++k) contraction += (k < 3 ? 1 : 2) * std::pow(3 * stress[k] / (2 * density * tau_total), 2);
  EXPECT_NEAR((tau_total - tau) / 3, constant * constant * std::sqrt(2 * contraction), 1e-16);
  EXPECT_GT(tau_total, tau + 1e-4);
}

}  // namespace
}  // namespace fluvia::core
