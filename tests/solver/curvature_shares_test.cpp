// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/links/curvature_shares.hpp"

#include <gtest/gtest.h>

namespace {

fluvia::core::CurvatureShares<double> curvature_shares(const std::string& lattice, const std::string& collision,
                                                       double tau) {
  fluvia::core::CollisionParameters<double> p;
  p.tau = tau;
  p.omega = 1 / tau;
  p.magic = 0.2;
  for (double& rate : p.free_rates) rate = 1.3;
  fluvia::set_curvature_shares(lattice, collision, p);
  return p.curvature;
}

/// With two rates the share is 2 Lambda+ Lambda-, on every link along the derivative and on no other: the magic number
/// of `trt`, and (tau - 1/2)^2 where all moments relax alike.
TEST(CurvatureShares, AreTheProductOfTwoRates) {
  for (const auto& [lattice, axes] : {std::pair("D2Q9", 1), std::pair("D3Q15", 2), std::pair("D3Q19", 1),
                                      std::pair("D3Q27", 1), std::pair("D3Q27", 2)})
    for (const double tau : {0.51, 0.8, 3.0}) {
      SCOPED_TRACE(testing::Message() << lattice << " tau " << tau);
      const auto check = [&](const char* collision, double share) {
        const auto found = curvature_shares(lattice, collision, tau);
        EXPECT_NEAR(found.mean, share, 1e-6 * (1 + share)) << collision;
        EXPECT_NEAR(found.along[axes], share, 1e-6 * (1 + share)) << collision;
        for (const double across : found.across) EXPECT_NEAR(across, 0, 1e-6 * (1 + share)) << collision;
      };
      check("trt", 2 * 0.2);
      check("bgk", 2 * (tau - 0.5) * (tau - 0.5));
    }
}

/// What `recursive-regularized` makes of third moments relaxes with the stress, in the frame of the fluid, so that it
/// has in all what `bgk` has. About the fluid at rest alone it would be (tau - 1/2), of moments that relax at once.
TEST(CurvatureShares, KnowMomentsThatRelaxInTheFrameOfTheFluid) {
  for (const char* lattice : {"D2Q9", "D3Q19", "D3Q27"}) {
    EXPECT_NEAR(curvature_shares(lattice, "recursive-regularized", 0.6).mean, 0.02, 1e-5) << lattice;
    EXPECT_NEAR(curvature_shares(lattice, "regularized", 0.6).mean, 0.1, 1e-5) << lattice;
  }
}

/// With odd moments that relax with Lambda_q, the energy with Lambda_e and the stress with tau - 1/2, what streams of
/// u^2 across a flow gives D2Q9 a normal stress of Lambda_q (Lambda_e - tau + 1/2) (u^2)''/6 across it, against which
/// the density stands; with one rate for all even moments, nothing but at angles, where sixth moments are not
/// isotropic. `energy_square` has no part in it.
TEST(CurvatureShares, HaveTheDensityThatStandsAgainstNormalStress) {
  for (const double tau : {0.51, 0.8, 3.0}) {
    const double free = 1 / 1.3 - 0.5, normal_stress = free * (free - tau + 0.5) / 6;
    EXPECT_NEAR(curvature_shares("D2Q9", "mrt", tau).density, -6 * normal_stress, 1e-6 * (1 + tau)) << tau;
    for (const char* lattice : {"D2Q9", "D3Q15", "D3Q19", "D3Q27"})
      for (const auto& [collision, product] : {std::pair("bgk", (tau - 0.5) * (tau - 0.5)), std::pair("trt", 0.2)}) {
        const auto found = curvature_shares(lattice, collision, tau);
        EXPECT_NEAR(found.density, 0, 1e-6 * (1 + tau)) << lattice << collision;
        EXPECT_NEAR(found.density_at_angles, 3 * product, 1e-5 * (1 + product)) << lattice << collision;
      }
  }
  // d'Humieres et al. have D3Q19's energy and the stress of one direction share what moves along two axes.
  EXPECT_NEAR(curvature_shares("D3Q19", "mrt", 1 / 1.3).density, 0, 1e-6);
}

/// Lattices without isotropic weights have no such terms.
TEST(CurvatureShares, AreAQuarterWithoutIsotropicWeights) {
  EXPECT_EQ(curvature_shares("D3Q13", "mrt", 0.6).mean, 0.25);
}

}  // namespace
