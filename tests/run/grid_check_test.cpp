// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/grid_check.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "fluvia/base/text.hpp"
#include "fluvia/run/findings/other_grids.hpp"
#include "run/small_cases.hpp"

namespace fluvia::test {
namespace {

using Json = nlohmann::json;

RunResult run_on_grids(const std::string& text, const std::vector<std::string>& settings = {}) {
  const TemporaryFolder folder;
  RunOptions options;
  options.output = folder.path();
  options.refine_check = true;
  RunResult result = run_case(parse_case(text, "case.toml", settings), options);
  const Json summary = Json::parse(read_text_file(folder.path() / "summary.json", 1 << 20));
  EXPECT_EQ(summary["results"]["verdict"], result.results["verdict"]) << "the summary is that of the end";
  return result;
}

std::vector<Quantity> one(double value, double error = 0) {
  return {{"flow", "-", value, error, {}}};
}

Quantity with_grids(double own, const std::vector<GridResults>& others, double rounding = 0) {
  std::vector<Quantity> quantities = one(own);
  add_grid_errors(quantities, others, rounding);
  return quantities[0];
}

TEST(GridError, ReachesTheLimitWhateverTheOrder) {
  for (const double p : {0.8, 1.0, 1.5, 2.0, 2.4}) {
    const auto value = [&](double h) { return 3 * (1 + 0.1 * std::pow(h, p)); };
    const Quantity q = with_grids(value(1), {{1.5, 0, one(value(1.5))}, {2.25, 0, one(value(2.25))}});
    ASSERT_TRUE(q.order && q.grid_error) << p;
    EXPECT_NEAR(*q.order, p, 1e-6);
    EXPECT_NEAR(*q.limit, 3, 1e-9);
    EXPECT_GE(*q.grid_error, value(1) - 3);
    EXPECT_LE(*q.grid_error, 3 * (value(1) - 3));
    const Quantity two = with_grids(value(1), {{1.5, 0, one(value(1.5))}});
    EXPECT_FALSE(two.order);
    if (p >= 1) {
      EXPECT_GE(*two.grid_error, (1 - 1e-9) * (value(1) - 3)) << "an assumed order has wider bounds";
    }
    const Quantity beside = with_grids(value(1), {{1.5, 0, one(value(1.5))}, {0.5, 0, one(value(0.5))}});
    EXPECT_GE(*beside.grid_error, value(1) - 3) << "the run's grid need not be the finest";
  }
}

TEST(GridError, IsTheSpreadOfValuesThatGoUpAndDown) {
  EXPECT_NEAR(*with_grids(1.1, {{1.5, 0, one(1.2)}, {2.25, 0, one(1.0)}}).grid_error, 0.1, 1e-12);
  EXPECT_NEAR(*with_grids(1.2, {{1.5, 0, one(1.2)}, {2.25, 0, one(1.0)}}).grid_error, 0.2, 1e-12)
      << "two that agree by chance are no limit";
}

TEST(GridError, CarriesWhatTimeAndTheBoxLeaveOpen) {
  EXPECT_GE(*with_grids(1, {{1.5, 0, one(1, 0.1)}}).grid_error, 0.1);
  EXPECT_GE(*with_grids(1, {{1.5, 0.01, one(1)}}).grid_error, 0.03);
  EXPECT_NEAR(*with_grids(1, {{1.5, 0, one(1)}}, 0.01).grid_error, 0.03, 1e-12);
  EXPECT_FALSE(with_grids(1, {}).grid_error);
}

/// 12 x 16: 16 / 12 x 16 / 12 is 9 x 12, lengths exactly those of the case.
TEST(OtherGrids, KeepTheFlow) {
  for (const std::string& text : {channel, si_duct}) {
    const Case c = parse_case(text, "case.toml");
    const Grid grid = make_grid(c);
    const Units units = make_units(c, grid.spacing);
    const OtherGrids others = other_grids(c, {0.01, 1e6});
    ASSERT_EQ(others.grids.size(), 2u) << others.reason;
    for (const OtherGrid& other : others.grids) {
      EXPECT_NO_THROW(validate(other.c));
      const Grid scaled = make_grid(other.c);
      const Units scaled_units = make_units(other.c, scaled.spacing);
      EXPECT_NEAR(scaled_units.tau, units.tau, 1e-9);
      for (int axis = 0; axis < 2; ++axis)
        EXPECT_NEAR(scaled.size[axis] * scaled.spacing, grid.size[axis] * grid.spacing,
                    (other.mismatch + 1e-9) * grid.size[axis] * grid.spacing);
      EXPECT_NEAR(static_cast<double>(*other.c.run.steps) * scaled_units.time_step,
                  static_cast<double>(*c.run.steps) * units.time_step, scaled_units.time_step);
    }
  }
}

TEST(OtherGrids, AreFinerWhereTheFlowIsTooFastForCoarserOnes) {
  const OtherGrids others = other_grids(parse_case(channel, "case.toml"), {0.4, 1e6});
  ASSERT_FALSE(others.grids.empty());
  for (const OtherGrid& other : others.grids) EXPECT_LT(other.factor, 1);
  // Twice as fine would take 16 times as long as a long run, which is too dear.
  const OtherGrids affordable = other_grids(parse_case(channel, "case.toml"), {0.4, 1e13});
  ASSERT_EQ(affordable.grids.size(), 1U);
  EXPECT_GT(affordable.grids[0].factor, 0.55);
}

/// The exact mean velocity between plates 16 apart is a h^2 / (12 nu) = 2.1333e-3.
TEST(GridCheck, OfAChannelHoldsTheExactVelocity) {
  const RunResult run = run_on_grids(channel, {"numerics.collision=bgk", "run.steps=12000"});
  const Json mean = quantity(run.results, "mean_velocity_x");
  ASSERT_TRUE(mean["grid_error"].is_number()) << run.report;
  const double exact = 1e-5 * 16 * 16 / (12 * 0.1);
  EXPECT_LE(std::abs(mean["value"].get<double>() - exact), mean["grid_error"].get<double>() * 1.0001) << run.report;
  EXPECT_LE(mean["grid_error"].get<double>(), 0.05 * exact) << "and is of use";
  EXPECT_EQ(run.results["grids"].size(), 2u);
}

/// A magic parameter of 100 lets the fluid slip: far more than the exact flow, which one grid cannot know.
TEST(GridCheck, SeesWallsThatSlip) {
  const RunResult run = run_on_grids(channel, {"numerics.collision=trt", "numerics.magic=100", "run.steps=20000"});
  EXPECT_EQ(finding(run.results, "grid error")["judgement"], "bad") << run.report;
  EXPECT_EQ(run.results["verdict"]["verdict"], "do not trust");
}

}  // namespace
}  // namespace fluvia::test
