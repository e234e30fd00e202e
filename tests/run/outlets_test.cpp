// SPDX-License-Identifier: Apache-2.0
// Outlets whose pressure follows from flow rates.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace {

/// A short channel with slip sides: uniform inflow, one or two outlets.
std::string channel(const std::string& outlets) {
  return R"([units]
tau = 0.8
[domain]
dimension = 2
nodes = [24, 8]
[numerics]
format = "fp64"
device = "cpu"
[output]
vtk = "none"
[run]
steps = 40000
[monitor]
every = 100
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = [0.02, 0]
)" + outlets;
}

nlohmann::json monitors_after(const std::string& text, const std::filesystem::path& folder) {
  const fluvia::Case c = fluvia::parse_case(text, "case.toml");
  fluvia::RunOptions options;
  options.output = folder;
  return fluvia::run_case(c, options).results["monitors"];
}

/// In the end the compliance is full: p = p_behind + (R_1 + R_2) Q with Q = 0.02 * 8.
TEST(Windkessel, EndsAtTheResistancesTimesTheFlow) {
  const fluvia::test::TemporaryFolder folder;
  const nlohmann::json m = monitors_after(channel(R"([[boundary]]
surface = "y_min"
type = "free_slip"
[[boundary]]
surface = "y_max"
type = "free_slip"
[[boundary]]
surface = "x_max"
type = "windkessel"
pressure = 0.001
proximal_resistance = 0.02
distal_resistance = 0.05
compliance = 20000
)"),
                                          folder.path());
  const double flow = 0.02 * 8;
  EXPECT_NEAR(m["pressure_x_max [lattice]"].get<double>(), 0.001 + 0.07 * flow, 1e-4 * 0.07 * flow) << m;
}

}  // namespace
