// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/results.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <numbers>

#include "run/small_cases.hpp"

namespace fluvia::test {
namespace {

using Json = nlohmann::json;

double value_of(const Json& results, const std::string& name) {
  const Json found = quantity(results, name);
  EXPECT_FALSE(found.is_null()) << name;
  return found.is_null() ? NAN : found["value"].get<double>();
}

TEST(Results, OfADrivenChannelAreThoseOfPoiseuille) {
  const Json results = run_text(channel).results;
  const double height = 16, g = 1e-5, viscosity = 0.1;
  // The mean of the values at the nodes.
  EXPECT_NEAR(value_of(results, "mean_velocity_x"), g * (height * height + 0.5) / (12 * viscosity), 1e-6);
  EXPECT_NEAR(value_of(results, "max_velocity"), g * height * height / (8 * viscosity), 2e-5);
  EXPECT_NEAR(value_of(results, "wall_shear_stress_mean"), g * height / 2, 1e-7);
  EXPECT_NEAR(value_of(results, "wall_shear_stress_max"), g * height / 2, 1e-7);
  EXPECT_TRUE(quantity(results, "permeability_x").is_null()) << "nothing is solid";
  EXPECT_TRUE(quantity(results, "mean_velocity_y").is_null()) << "nothing drives it";
  EXPECT_TRUE(quantity(results, "pressure_drop").is_null()) << "there are no openings";
  for (const Json& each : results["quantities"]) {
    EXPECT_FALSE(each["error"].is_null()) << each;
    EXPECT_LT(each["error"].get<double>(), 1e-3 * std::abs(each["value"].get<double>())) << each;
    EXPECT_EQ(each["unit"], "lattice");
  }
}

/// A quarter of the way through the errors hold what is still to come.
TEST(Results, ErrorsHoldWhatIsStillToCome) {
  const Json end = run_text(channel).results;
  for (const char* steps : {"run.steps=1000", "run.steps=1500", "run.steps=2500"}) {
    const Json early = run_text(channel, {steps}).results;
    for (const char* name : {"mean_velocity_x", "max_velocity"}) {
      const Json found = quantity(early, name);
      const double wrong = std::abs(found["value"].get<double>() - value_of(end, name));
      if (found["error"].is_null()) continue;
      EXPECT_GE(1.1 * found["error"].get<double>(), wrong) << name << " " << steps;
      EXPECT_LE(found["error"].get<double>(), 30 * wrong) << name << " " << steps;
    }
  }
}

TEST(Results, OfPorousMediaHaveAPermeability) {
  const std::string body = channel + "[[geometry.shape]]\nkind = \"box\"\ncenter = [6, 8]\nsize = [4, 4]\n";
  const Json results = run_text(body).results;
  const Json monitored = run_text(body, {"monitor.permeability_axis=x"}).results;
  const double permeability = value_of(results, "permeability_x");
  EXPECT_GT(permeability, 0);
  EXPECT_NEAR(permeability / monitored["monitors"]["permeability [lattice]"].get<double>(), 1, 1e-9);
  EXPECT_TRUE(quantity(monitored, "permeability_x").is_null());
  EXPECT_NEAR(value_of(monitored, "permeability") / permeability, 1, 1e-9);
}

TEST(Results, OfADuctAreInTheUnitsOfTheCase) {
  const Json results = run_text(si_duct).results;
  const double drop = value_of(results, "pressure_drop");
  EXPECT_NEAR(drop / 0.02, 1, 1e-9) << "between the planes in which pressures are held";
  // dp/dx h^3 / (12 rho nu)
  const double flow = 0.02 / 0.003 * std::pow(0.0012, 3) / (12 * 1000 * 1e-6);
  EXPECT_NEAR(value_of(results, "flow_x_min") / flow, 1, 0.05);
  EXPECT_NEAR(value_of(results, "flow_x_max") / flow, -1, 0.05);
  EXPECT_NEAR(value_of(results, "wall_shear_stress_mean") / (0.02 / 0.003 * 0.0006), 1, 0.05);
  EXPECT_EQ(quantity(results, "pressure_drop")["unit"], "Pa");
  EXPECT_EQ(quantity(results, "flow_x_min")["unit"], "m2/s");
  EXPECT_EQ(quantity(results, "max_velocity")["unit"], "m/s");
  EXPECT_EQ(quantity(results, "wall_shear_stress_max")["unit"], "Pa");
  EXPECT_TRUE(quantity(results, "flow_split_x_max").is_null()) << "there is one outlet";
  // Nobody need ask for what costs nothing.
  const Json silent = run_text(si_duct, {"monitor.openings=false"}).results;
  EXPECT_NEAR(value_of(silent, "pressure_drop"), drop, 1e-4 * drop);
  EXPECT_NEAR(value_of(silent, "flow_x_min") / flow, 1, 0.05);
}

TEST(Results, OfWallsAreOfThoseAtWhichTheFluidSticks) {
  const std::string half = channel + "[[boundary]]\nsurface = \"y_max\"\ntype = \"free_slip\"\n";
  const Json results = run_text(half, {"run.steps=16000"}).results;
  EXPECT_NEAR(value_of(results, "wall_shear_stress_mean"), 1e-5 * 16, 1e-6);
  const std::string none = half + "[[boundary]]\nsurface = \"y_min\"\ntype = \"free_slip\"\n";
  const Json slipping = run_text(none, {"run.steps=100"}).results;
  EXPECT_TRUE(quantity(slipping, "wall_shear_stress_mean").is_null());
  EXPECT_TRUE(finding(slipping, "y+ of first nodes").is_null());
}

TEST(Results, SplitWhatLeaves) {
  const std::string branches = si_duct + "[[boundary]]\nsurface = \"y_max\"\ntype = \"velocity\"\nflow_rate = -1e-9\n";
  const Json results = run_text(branches).results;
  const double side = value_of(results, "flow_split_y_max"), end = value_of(results, "flow_split_x_max");
  EXPECT_NEAR(side + end, 100, 1e-6);
  EXPECT_NEAR(side, 100 * 1e-9 / (1e-9 - value_of(results, "flow_x_max")), 0.1);
  EXPECT_TRUE(quantity(results, "flow_split_x_min").is_null());
  EXPECT_EQ(quantity(results, "flow_split_y_max")["unit"], "%");
}

/// A flow rate that swings about its mean.
TEST(Results, OfWhatFluctuatesAreMeans) {
  const TemporaryFolder folder;
  const std::string text = swinging_tunnel(folder);
  const Json results = run_text(text, {"run.steps=6000", "monitor.every=5", "units.reference_length=8"}).results;
  const Json inflow = quantity(results, "flow_x_min");
  EXPECT_NEAR(inflow["value"].get<double>(), 24 * 0.02, 24 * 2e-4);
  EXPECT_NEAR(inflow["rms"].get<double>(), 24 * 0.01 / std::sqrt(2.0), 24 * 2e-4);
  EXPECT_GT(inflow["error"].get<double>(), 0);
  EXPECT_LT(inflow["error"].get<double>(), 24 * 0.003);
  EXPECT_NEAR(value_of(results, "frequency_body"), 0.01, 1e-5);
  EXPECT_NEAR(value_of(results, "strouhal_body"), 0.01 * 8 / 0.05, 2e-3);
  EXPECT_EQ(finding(results, "steady")["judgement"], "good") << finding(results, "steady");
  EXPECT_EQ(finding(results, "statistics")["judgement"], "good") << finding(results, "statistics");
}

TEST(Results, AreTheSameAfterAResume) {
  const TemporaryFolder folder;
  const auto run = [&](const std::string& name, const std::string& steps, bool resume) {
    RunOptions options;
    options.output = folder.path() / name;
    options.resume = resume;
    return run_case(parse_case(tunnel, "case.toml", {"checkpoint.at_end=true", "run.steps=" + steps}), options);
  };
  const RunResult whole = run("whole", "1000", false);
  run("part", "437", false);
  const RunResult joined = run("part", "1000", true);
  for (const char* key : {"quantities", "verdict", "statistics"}) EXPECT_EQ(joined.results[key], whole.results[key]);
  EXPECT_EQ(joined.report, whole.report);
}

TEST(Results, TableAndJsonAgree) {
  const RunResult run = run_text(tunnel, {"run.steps=400"});
  std::size_t at = 0;
  const auto expect_next = [&](const std::string& text) {
    const std::size_t found = run.report.find(text, at);
    ASSERT_NE(found, std::string::npos) << text << " after\n" << run.report.substr(at);
    at = found;
  };
  ASSERT_GT(run.results["quantities"].size(), 8u);
  for (const Json& each : run.results["quantities"]) {
    std::optional<double> error;
    if (!each["error"].is_null()) error = each["error"].get<double>();
    expect_next("\n  " + each["name"].get<std::string>() + " ");
    expect_next(" " + format_with_error(each["value"].get<double>(), error) + " ");
    expect_next(" " + each["unit"].get<std::string>());
  }
  expect_next("\nchecks:\n");
  for (const Json& each : run.results["verdict"]["findings"]) {
    expect_next("\n  " + each["judgement"].get<std::string>() + " ");
    expect_next(" " + each["question"].get<std::string>() + " ");
    expect_next(each["found"].get<std::string>());
    for (const Json& setting : each["settings"]) expect_next("--set " + setting.get<std::string>());
  }
  expect_next("\n" + run.results["verdict"]["sentence"].get<std::string>() + "\n");
  EXPECT_EQ(run.report.back(), '\n');
  EXPECT_EQ(run.report.find('\n', at + 1), run.report.size() - 1) << "the sentence is the last line";
}

TEST(Results, AreWrittenWithTheDigitsThatTheyHave) {
  EXPECT_EQ(format_with_error(1.23456, 0.0123), "1.235 ± 0.012");
  EXPECT_EQ(format_with_error(-1.23456, 0.0123), "-1.235 ± 0.012");
  EXPECT_EQ(format_with_error(12345.6, 234), "12350 ± 230");
  EXPECT_EQ(format_with_error(1.23456e-6, 1.2e-8), "(1.235 ± 0.012)e-06");
  EXPECT_EQ(format_with_error(-2.5e8, 3.1e6), "(-2.500 ± 0.031)e+08");
  EXPECT_EQ(format_with_error(0.0003, 0.0123), "0.000 ± 0.012");
  EXPECT_EQ(format_with_error(1.23456789, 1e-9), "1.23457 ± 1e-09");
  EXPECT_EQ(format_with_error(0.000500020512, 6.8e-9), "0.000500021 ± 7e-09");
  EXPECT_EQ(format_with_error(3.03352, 0), "3.03352 ± 0");
  EXPECT_EQ(format_with_error(0, 0), "0 ± 0");
  EXPECT_EQ(format_with_error(0, 0.02), "0.000 ± 0.020");
  EXPECT_EQ(format_with_error(1.23456789, {}), "1.23457 ± ?");
  EXPECT_EQ(format_with_error(NAN, 1.0), "nan ± ?");
}

}  // namespace
}  // namespace fluvia::test
