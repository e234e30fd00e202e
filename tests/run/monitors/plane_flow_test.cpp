// SPDX-License-Identifier: Apache-2.0
// Flow through planes: what enters a channel passes every plane across it, straight or oblique.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "fluvia/case/validate.hpp"
#include "fluvia/run/run.hpp"
#include "fluvia/run/session.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// Two channels beside each other; fluid enters both at the same speed, so slowly that its density stays
/// the same within half a per cent.
constexpr const char* two_channels = R"([units]
system = "si"
spacing = 0.0625
density = 1
viscosity = 0.02
time_step = 0.05
reference_velocity = 0.002
[domain]
dimension = 2
size = [3, 2.25]
[[geometry.shape]]
kind = "box"
center = [1.5, 1.125]
size = [3, 0.25]
[[boundary]]
surface = "x_min"
type = "velocity"
speed = 0.002
[[boundary]]
surface = "x_max"
type = "pressure"
[run]
steps = 4000
[output]
vtk = "none"
[monitor]
every = 500
[[monitor.plane]]
name = "inlet"
center = [0.4, 0.5]
normal = [1, 0]
[[monitor.plane]]
name = "oblique"
center = [1.5, 0.4]
normal = [1, 0.5]
[[monitor.plane]]
name = "backwards"
center = [2.03, 1.7]
normal = [-2, 0]
[[monitor.plane]]
name = "all"
center = [2.1, 1.125]
normal = [1, 0]
connected = false
)";

TEST(PlaneFlows, AreThoseThatPassTheChannel) {
  Session session(parse_case(two_channels, "/case.toml"));
  session.advance(4000);
  const std::vector<std::string>& names = session.monitor_names();
  const std::vector<double> values = session.monitors();
  std::map<std::string, double> row;
  for (std::size_t k = 0; k < names.size(); ++k) row[names[k]] = values[k];
  ASSERT_EQ(row.count("flow_oblique [m2/s]"), 1u);
  const double through = row["flow_inlet [m2/s]"];
  EXPECT_NEAR(through, 0.002, 0.005 * 0.002);
  // A channel of 16 nodes: what a row of squares does not cover at its ends is of the order of the node's width
  // squared.
  EXPECT_NEAR(row["flow_oblique [m2/s]"], through, 0.015 * through);
  EXPECT_NEAR(row["flow_backwards [m2/s]"], -through, 0.005 * through);
  EXPECT_NEAR(row["flow_all [m2/s]"], 2 * through, 0.01 * through);
  // Pressure falls along the channel.
  EXPECT_GT(row["pressure_inlet [Pa]"], row["pressure_oblique [Pa]"]);
  EXPECT_GT(row["pressure_oblique [Pa]"], row["pressure_all [Pa]"]);
}

TEST(PlaneFlows, AreAmongTheResultsAndNotTakenForOpenings) {
  const TemporaryFolder folder;
  RunOptions options;
  options.output = folder.path() / "out";
  const RunResult result = run_case(parse_case(two_channels, "/case.toml"), options);
  EXPECT_CONTAINS(result.report, "flow_oblique");
  EXPECT_CONTAINS(result.report, "pressure_all");
  std::ifstream file(options.output / "summary.json");
  const auto summary = nlohmann::json::parse(file);
  const nlohmann::json& verdict = summary["results"]["verdict"];
  bool asked = false;
  for (const auto& finding : verdict["findings"]) {
    if (finding["question"] != "inflow = outflow") continue;
    asked = true;
    EXPECT_EQ(finding["judgement"], "good") << finding.dump(1);
  }
  EXPECT_TRUE(asked) << verdict.dump(1);
}

TEST(PlaneFlows, AndSectionsAreRefusedWhereTheyMeanNothing) {
  const auto refusal = [](const std::string& more) {
    return error_of(ExitCode::input, [&] { Session(parse_case(two_channels + more, "/case.toml")); });
  };
  const std::string plane = "[[monitor.plane]]\nname = \"p\"\ncenter = [1, 0.5]\n",
                    line = "[[output.line]]\nname = \"l\"\n";
  EXPECT_EQ(refusal(plane + "normal = [0, 1]\n"), "");
  EXPECT_CONTAINS(refusal(plane + "normal = [0, 0]\n"), "monitor.plane[4].normal: '[0, 0, 0]' is no direction");
  EXPECT_CONTAINS(refusal(plane + "normal = [0, 0, 1]\n"), "along z is not possible in a 2D case");
  EXPECT_CONTAINS(refusal("[[monitor.plane]]\nname = \"all\"\ncenter = [1, 0.5]\nnormal = [1, 0]\n"),
                  "'all' is there twice");
  EXPECT_CONTAINS(refusal("[[monitor.plane]]\nname = \"x_min\"\ncenter = [1, 0.5]\nnormal = [1, 0]\n"),
                  "'x_min' is there twice");
  EXPECT_CONTAINS(refusal("[[monitor.plane]]\nname = \"p\"\ncenter = [1, 1.1]\nnormal = [1, 0]\n"),
                  "plane 'p': its centre is not in the fluid");
  EXPECT_CONTAINS(refusal(line + "from = [1, 1]\nto = [1, 1]\n"), "the line ends where it begins");
  EXPECT_CONTAINS(refusal(line + "from = [1, 1]\nto = [1, 2]\npoints = 1\n"), "'1' is no line");
  EXPECT_CONTAINS(refusal(line + "from = [-3, 1]\nto = [-1, 2]\n"), "no point of it is in the fluid");
  EXPECT_CONTAINS(refusal("[[output.plane]]\nname = \"a/b\"\ncenter = [1, 0.5]\nnormal = [1, 0]\n"),
                  "'a/b' is no name");
}

}  // namespace
}  // namespace fluvia::test
