// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/numbers/extrapolation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "fluvia/permeability/transient.hpp"

namespace fluvia::test {
namespace {

/// limit (1 + c h^p) on grids of 1, 2, ... nodes.
std::vector<GridValue> grids(double limit, double c, double p, int count) {
  std::vector<GridValue> result;
  for (int n = 1; n <= count; ++n) result.push_back({static_cast<double>(n), limit * (1 + c * std::pow(n, -p))});
  return result;
}

TEST(Extrapolation, ThreeGridsShowTheOrderAndTheLimit) {
  for (const double p : {0.9, 1.0, 1.5, 2.0}) {
    const Extrapolation e = extrapolate(grids(3e-12, 0.3, p, 3));
    EXPECT_TRUE(e.observed);
    EXPECT_NEAR(e.order, p, 1e-6);
    EXPECT_NEAR(e.value / 3e-12, 1, 1e-9);
    EXPECT_GT(e.error, 0.005);
    EXPECT_LT(e.error, 0.1);
  }
}

TEST(Extrapolation, TwoGridsEncloseTheLimitForOrdersOneToTwo) {
  for (const double p : {1.0, 1.3, 1.7, 2.0}) {
    const Extrapolation e = extrapolate(grids(2, 0.3, p, 2));
    EXPECT_FALSE(e.observed);
    EXPECT_LE(std::abs(e.value / 2 - 1), e.error * e.value / 2 * (1 + 1e-9)) << p;
    EXPECT_GT(e.order, 1);
    EXPECT_LT(e.order, 2);
  }
}

/// Orders that grids of a kind do not have say that they are too coarse, and the limit may be as far again.
TEST(Extrapolation, ClaimsNoOrderBeyondThoseThatAreKnown) {
  for (const double p : {0.5, 4.0}) {
    const Extrapolation e = extrapolate(grids(2, 0.1, p, 3));
    EXPECT_FALSE(e.observed) << p;
    EXPECT_NEAR(e.order, p < 1 ? 0.7 : 2.5, 1e-6);
    EXPECT_LE(std::abs(e.value / 2 - 1), e.error) << p;
  }
}

TEST(Extrapolation, WeightsMakeTheValue) {
  for (const int count : {1, 2, 3, 4}) {
    const std::vector<GridValue> g = grids(5, -0.2, 1.4, count);
    const Extrapolation e = extrapolate(g);
    const double previous = count > 1 ? g[g.size() - 2].value : 0;
    EXPECT_NEAR(e.previous * previous + e.last * g.back().value, e.value, 1e-12);
  }
}

TEST(Extrapolation, SaysWhereNothingIsKnown) {
  EXPECT_TRUE(std::isinf(extrapolate(grids(5, 0.2, 1, 1)).error));
  const std::vector<GridValue> up_and_down = {{1, 1.0}, {2, 1.2}, {3, 1.1}};
  const Extrapolation e = extrapolate(up_and_down);
  EXPECT_EQ(e.value, 1.1);
  EXPECT_EQ(e.order, 0);
  EXPECT_NEAR(e.error, 0.1 / 1.1, 1e-12);
  const std::vector<GridValue> nearly_back = {{1, 1.0}, {2, 1.2}, {3, 1.15}};
  EXPECT_NEAR(extrapolate(nearly_back).error, 0.15 / 1.15, 1e-12) << "as far as the farthest of them";
  const std::vector<GridValue> exact = {{1, 1.0}, {2, 1.0}, {3, 1.0}};
  EXPECT_EQ(extrapolate(exact).error, 0);
}

TEST(Transient, TellsWhatIsLeftOfADecay) {
  Transient transient;
  double left = 1;
  for (int n = 0; n < 400; ++n) {
    left = std::exp(-n / 40.0);
    transient.add(2 * (1 - left));
    if (n < 60) continue;
    // Within a factor of 3, on the safe side: fifths of the time are long against the decay at the end.
    EXPECT_GT(transient.remaining(), 0.3 * left / (1 - left)) << n;
    EXPECT_LT(transient.remaining(), 100 * left) << n;
  }
}

TEST(Transient, KnowsNothingFromAFewValues) {
  Transient transient;
  EXPECT_TRUE(std::isinf(transient.remaining()));
  for (int n = 1; n < 20; ++n) {
    transient.add(1);
    EXPECT_TRUE(std::isinf(transient.remaining())) << n;
  }
  for (int n = 0; n < 20; ++n) transient.add(1);
  EXPECT_EQ(transient.remaining(), 0);
}

TEST(Transient, SeesSomethingSlowBelowSomethingFast) {
  Transient transient;
  for (int n = 0; n < 200; ++n) transient.add(1 - 0.8 * std::exp(-n / 5.0) - 0.2 * std::exp(-n / 400.0));
  EXPECT_GT(transient.remaining(), 0.1);  // 0.2 exp(-1/2) = 0.12 is left
}

/// The permeability of a rock, 110 voxels long and its mirror image, every 20 steps; 2.3125 in the end. About step 400
/// it stands still for 80 steps.
TEST(Transient, IsNotFooledByAStopOnTheWay) {
  const std::vector<double> course = {0.8942, 1.2919, 1.5222, 1.6470, 1.7104, 1.7447, 1.7792, 1.8144, 1.8441, 1.8758,
                                      1.9234, 1.9891, 2.0619, 2.1315, 2.1869, 2.2214, 2.2366, 2.2394, 2.2375, 2.2361,
                                      2.2380, 2.2436, 2.2519, 2.2616, 2.2713, 2.2797, 2.2860, 2.2896, 2.2910, 2.2909,
                                      2.2905, 2.2905, 2.2914, 2.2935, 2.2966, 2.3004, 2.3044, 2.3079, 2.3103, 2.3116,
                                      2.3117, 2.3110, 2.3099, 2.3089, 2.3083, 2.3082, 2.3087, 2.3096, 2.3106, 2.3115};
  Transient transient;
  for (const double value : course) {
    transient.add(value);
    if (transient.remaining() > 0.002) continue;
    EXPECT_NEAR(value, 2.3125, 0.005 * 2.3125);
  }
}

TEST(Transient, IsNotFooledByTheTurnOfAnOscillation) {
  Transient transient;
  for (int n = 0; n < 120; ++n) {
    transient.add(1 + 0.2 * std::exp(-n / 100.0) * std::cos(n / 4.0));
    EXPECT_GT(transient.remaining(), 0.02) << n;
  }
}

}  // namespace
}  // namespace fluvia::test
