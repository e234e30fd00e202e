// SPDX-License-Identifier: Apache-2.0
// What moments up to the second order keep of populations: all that the regularised collision leaves behind.
#include "fluvia/core/second_moments.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "fluvia/core/collision/collide.hpp"
#include "fluvia/core/collision/collide_moments.hpp"
#include "fluvia/core/viscosity/registry.hpp"

namespace fluvia::core {
namespace {

// Populations here are of order 0.1 and sums have up to 27 terms: a few units of 1e-16 times that.
constexpr double round_off = 2e-15;

template <class Visitor>
void for_each_lattice_with_moments(Visitor&& visit) {
  for_each_type(Lattices{}, [&]<class Lattice>(Lattice lattice) {
    if constexpr (SecondMoments<Lattice>::supports) {
      SCOPED_TRACE(Lattice::name);
      visit(lattice);
    }
  });
}

/// Numbers far from an equilibrium, the same in every run.
template <int count>
void fill_random(double (&values)[count]) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> spread(-0.05, 0.05);
  for (double& value : values) value = spread(random);
}

template <class Lattice>
CollisionParameters<double> parameters(bool force) {
  CollisionParameters<double> p;
  p.tau = 0.6;
  p.omega = 1 / p.tau;
  p.viscosity[0] = 0.04;
  if (!force) return p;
  p.force[0] = 1e-3;
  p.force[1] = -2e-3;
  p.force[2] = Lattice::D == 3 ? 5e-4 : 0;
  return p;
}

/// The largest change of populations after a collision when they are rebuilt from their moments.
template <class Collision, class Lattice, class Equilibrium, bool force, class Viscosity>
double loss() {
  const CollisionParameters<double> p = parameters<Lattice>(force);
  double f[Lattice::Q], rebuilt[Lattice::Q], m[SecondMoments<Lattice>::count], largest = 0;
  fill_random(f);
  collide<Collision, Lattice, Equilibrium, force, Viscosity>(f, p);
  SecondMoments<Lattice>::find(f, m);
  SecondMoments<Lattice>::rebuild(m, rebuilt);
  for (int i = 0; i < Lattice::Q; ++i) largest = std::max(largest, std::abs(rebuilt[i] - f[i]));
  return largest;
}

TEST(SecondMoments, HoldAllThatRegularizedCollisionsLeave) {
  for_each_lattice_with_moments([]<class Lattice>(Lattice) {
    EXPECT_LT((loss<Regularized, Lattice, QuasiCompressible, false, Newtonian>()), round_off);
    EXPECT_LT((loss<Regularized, Lattice, QuasiCompressible, true, Newtonian>()), round_off);
    EXPECT_LT((loss<Regularized, Lattice, QuasiCompressible, true, Smagorinsky>()), round_off);
    EXPECT_LT((loss<Regularized, Lattice, Incompressible, true, Newtonian>()), round_off);
  });
}

/// The largest difference between moments that collide and the moments of populations that collide.
template <class Lattice, class Equilibrium, bool force, class Viscosity>
double difference() {
  const CollisionParameters<double> p = parameters<Lattice>(force);
  double f[Lattice::Q], m[SecondMoments<Lattice>::count], expected[SecondMoments<Lattice>::count], largest = 0;
  fill_random(f);
  SecondMoments<Lattice>::find(f, m);
  collide_moments<Lattice, Equilibrium, force, Viscosity>(m, p);
  collide<Regularized, Lattice, Equilibrium, force, Viscosity>(f, p);
  SecondMoments<Lattice>::find(f, expected);
  for (int k = 0; k < SecondMoments<Lattice>::count; ++k) largest = std::max(largest, std::abs(m[k] - expected[k]));
  return largest;
}

TEST(SecondMoments, CollideAsPopulationsDo) {
  for_each_lattice_with_moments([]<class Lattice>(Lattice) {
    EXPECT_LT((difference<Lattice, QuasiCompressible, false, Newtonian>()), round_off);
    EXPECT_LT((difference<Lattice, QuasiCompressible, true, Newtonian>()), round_off);
    EXPECT_LT((difference<Lattice, QuasiCompressible, true, Smagorinsky>()), round_off);
    EXPECT_LT((difference<Lattice, Incompressible, true, Newtonian>()), round_off);
  });
}

/// The largest difference between populations rebuilt from moments that collide and populations that collide.
template <class Lattice, class Equilibrium, bool force, class Viscosity>
double difference_of_third_order() {
  const CollisionParameters<double> p = parameters<Lattice>(force);
  double f[Lattice::Q], m[SecondMoments<Lattice>::count], rebuilt[Lattice::Q], largest = 0;
  fill_random(f);
  SecondMoments<Lattice>::find(f, m);
  collide_moments<Lattice, Equilibrium, force, Viscosity>(m, p);
  rebuild_after<RecursiveRegularized, Lattice, Equilibrium, force>(m, p, rebuilt);
  collide<RecursiveRegularized, Lattice, Equilibrium, force, Viscosity>(f, p);
  for (int i = 0; i < Lattice::Q; ++i) largest = std::max(largest, std::abs(rebuilt[i] - f[i]));
  return largest;
}

TEST(SecondMoments, LetTheThirdOrderFollow) {
  for_each_lattice_with_moments([]<class Lattice>(Lattice) {
    if constexpr (RecursiveRegularized::supports<Lattice>) {
      EXPECT_LT((difference_of_third_order<Lattice, QuasiCompressible, false, Newtonian>()), round_off);
      EXPECT_LT((difference_of_third_order<Lattice, QuasiCompressible, true, Newtonian>()), round_off);
      EXPECT_LT((difference_of_third_order<Lattice, QuasiCompressible, false, Smagorinsky>()), round_off);
      EXPECT_LT((difference_of_third_order<Lattice, Incompressible, true, Newtonian>()), round_off);
    }
  });
}

TEST(SecondMoments, LoseWhatOtherCollisionsLeave) {
  EXPECT_GT((loss<Bgk, D3Q19, QuasiCompressible, false, Newtonian>()), 1e-3);
  EXPECT_GT((loss<RecursiveRegularized, D3Q19, QuasiCompressible, false, Newtonian>()),
            1e-6);  // before rebuild_after() adds it
  EXPECT_GT((loss<Regularized, D3Q19, Improved, false, Newtonian>()), 1e-6);
}

/// Populations that are rebuilt have the moments that they were rebuilt from, each of them alone.
TEST(SecondMoments, AreIndependentOfEachOther) {
  for_each_lattice_with_moments([]<class Lattice>(Lattice) {
    using Moments = SecondMoments<Lattice>;
    for (int k = 0; k < Moments::count; ++k) {
      double m[Moments::count] = {}, found[Moments::count], f[Lattice::Q];
      m[k] = 0.1;
      Moments::rebuild(m, f);
      Moments::find(f, found);
      for (int n = 0; n < Moments::count; ++n) EXPECT_NEAR(found[n], m[n], round_off) << k << ' ' << n;
    }
  });
}

TEST(SecondMoments, AreTenInSpaceAndSixInThePlane) {
  EXPECT_EQ(SecondMoments<D2Q9>::count, 6);
  EXPECT_EQ(SecondMoments<D3Q15>::count, 10);
  EXPECT_EQ(SecondMoments<D3Q19>::count, 10);
  EXPECT_EQ(SecondMoments<D3Q27>::count, 10);
  EXPECT_FALSE(SecondMoments<D3Q13>::supports);
}

}  // namespace
}  // namespace fluvia::core
