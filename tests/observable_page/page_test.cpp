// SPDX-License-Identifier: Apache-2.0
// Built with the column that docs/adding-an-observable.md adds (CMakeLists.txt). What the page says follows by itself
// is looked for in a flow between a wall and a lid, whose velocity is linear.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <string>

#include "fluvia/case/case.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/run/session.hpp"
#include "support/temporary_folder.hpp"

namespace {

using namespace fluvia;

constexpr int height = 8;
constexpr double lid = 0.25;  // m/s

Case couette(const std::string& more = "") {
  return parse_case(R"([units]
system = "si"
spacing = 0.5
viscosity = 0.5
reference_velocity = 0.25
reference_length = 4
tau = 0.9
density = 3
[domain]
dimension = 2
nodes = [4, 8]
periodic = [true, false]
[numerics]
device = "cpu"
threads = 1
format = "fp64"
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.25, 0]
[run]
steps = 4000
[monitor]
every = 20
)" + more,
                    "page.toml");
}

/// Root of the mean over the nodes of the square of the speed.
double expected_rms() {
  double sum = 0;
  for (int y = 0; y < height; ++y) sum += std::pow(lid * (y + 0.5) / height, 2);
  return std::sqrt(sum / height);
}

TEST(ObservablePage, TheColumnStandsWhereThePageSays) {
  const Session session(couette("[[monitor.probe]]\nname = \"p\"\nposition = [0.3, 0.3]\n"));
  EXPECT_EQ(session.monitor_names(),
            (std::vector<std::string>{"time [s]", "kinetic_energy [lattice]", "max_velocity [m/s]", "max_mach [-]",
                                      "mass_deviation [lattice]", "rms_speed [m/s]", "p_u [m/s]", "p_v [m/s]",
                                      "p_pressure [Pa]"}));
}

TEST(ObservablePage, EverythingElseFollows) {
  const test::TemporaryFolder folder;
  RunOptions options;
  options.output = folder.path();
  const Case c = couette("[[monitor.expect]]\ncolumn = \"rms_speed\"\nvalue = 0.144\nsource = \"by hand\"\n");
  const RunResult result = run_case(c, options);
  EXPECT_NEAR(result.results.at("monitors").at("rms_speed [m/s]").get<double>(), expected_rms(), 1e-9);
  EXPECT_TRUE(result.results.at("statistics").at("columns").contains("rms_speed [m/s]"));
  EXPECT_EQ(result.results.at("expected").at(0).at("column"), "rms_speed");
  const nlohmann::json* found = nullptr;
  for (const nlohmann::json& quantity : result.results.at("quantities"))
    if (quantity.at("name") == "rms_speed") found = &quantity;
  ASSERT_NE(found, nullptr) << result.results.at("quantities").dump(1);
  EXPECT_EQ(found->at("unit"), "m/s");
  EXPECT_NEAR(found->at("value").get<double>(), expected_rms(), 1e-9);
  EXPECT_NE(result.report.find("rms_speed"), std::string::npos);
}

}  // namespace
