// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cmath>

#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

const std::string cylinder = R"(
[units]
tau = 0.8
reference_velocity = 0.05
reference_length = 8
[domain]
dimension = 2
nodes = [32, 24]
periodic = [true, true]
[[geometry.shape]]
name = "body"
kind = "cylinder"
from = [12, 11]
to = [12, 11, 1]
radius = 4
[physics]
acceleration = [1e-5, 4e-6]
[run]
steps = 400
[monitor]
every = 10
forces = ["body"]
reference_area = 8
torque_center = [10, 10]
[[monitor.probe]]
name = "behind"
position = [20.5, 11.5]
[output]
vtk = "none"
[checkpoint]
at_end = false
)";

nlohmann::json results_of(const std::string& text, const std::filesystem::path& folder) {
  RunOptions options;
  options.output = folder;
  return run_case(parse_case(text, "cylinder.toml"), options).results;
}

std::string with_monitor_keys(const std::string& keys) {
  std::string text = cylinder;
  return text.insert(text.find("[[monitor.probe]]"), keys);
}

TEST(Coefficients, AreForcesAlongTheAxesAndTorquesByTheLength) {
  const TemporaryFolder folder;
  const auto results = results_of(with_monitor_keys("drag_axis = [3, 4]\nlift_axis = [-8, 6]\n"), folder.path());
  const auto value = [&](const std::string& column) { return results["monitors"][column].get<double>(); };
  const double fx = value("force_body_x [lattice]"), fy = value("force_body_y [lattice]");
  const double scale = 2 / (0.05 * 0.05 * 8);
  ASSERT_NE(fx, 0);
  EXPECT_NEAR(value("C_d_body [-]"), scale * (0.6 * fx + 0.8 * fy), 1e-12);
  EXPECT_NEAR(value("C_l_body [-]"), scale * (-0.8 * fx + 0.6 * fy), 1e-12);
  EXPECT_NEAR(value("C_m_body_z [-]"), scale / 8 * value("torque_body_z [lattice]"), 1e-12);
  EXPECT_NE(value("torque_body_z [lattice]"), 0);

  const auto& statistics = results["statistics"];
  EXPECT_EQ(statistics["rows"], 21);  // steps 200 to 400
  for (const char* column : {"force_body_x [lattice]", "torque_body_z [lattice]", "C_d_body [-]", "C_m_body_z [-]",
                             "behind_u [lattice]", "behind_pressure [lattice]"})
    EXPECT_TRUE(statistics["columns"].contains(column)) << column;
  EXPECT_FALSE(statistics["columns"].contains("max_velocity [lattice]"));
  EXPECT_GE(statistics["columns"]["C_d_body [-]"]["max"].get<double>(), value("C_d_body [-]"));
}

TEST(Coefficients, AreThereOnlyIfAskedFor) {
  const TemporaryFolder folder;
  const auto monitors = results_of(cylinder, folder.path())["monitors"];
  EXPECT_TRUE(monitors.contains("coefficient_body_x [-]"));
  EXPECT_FALSE(monitors.contains("C_d_body [-]"));
  EXPECT_FALSE(monitors.contains("C_l_body [-]"));
}

TEST(Coefficients, PermeabilityNeedsADriveAlongItsAxis) {
  const TemporaryFolder folder;
  // The two faces have a boundary each, but neither lets anything through: only the geometry can tell.
  std::string text = with_monitor_keys("permeability_axis = \"y\"\n");
  text.replace(text.find("[1e-5, 4e-6]"), 12, "[1e-5, 0]");
  text.replace(text.find("[true, true]"), 12, "[true, false]");
  for (const char* face : {"y_min", "y_max"})
    text += std::string("[[boundary]]\nsurface = \"") + face + "\"\ntype = \"wall\"\n";
  const std::string message = error_of(ExitCode::input, [&] { results_of(text, folder.path()); });
  EXPECT_CONTAINS(message, "nothing drives a flow along y");
}

}  // namespace
}  // namespace fluvia::test
