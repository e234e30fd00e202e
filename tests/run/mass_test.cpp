// SPDX-License-Identifier: Apache-2.0
// A closed domain keeps its mass, also where walls lie between the nodes.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "fluvia/run/run.hpp"
#include "output/temporary_folder.hpp"

namespace {

/// Circular Couette flow between a cylinder that spins and one at rest, 8 nodes apart.
std::string couette(const std::string& run) {
  return R"([units]
tau = 0.55
[domain]
dimension = 2
nodes = [40, 40]
origin = [-20, -20]
[numerics]
device = "cpu"
[walls]
method = "interpolated"
[output]
vtk = "none"
[monitor]
every = 100
[[geometry.shape]]
kind = "sphere"
operation = "fluid"
center = [0.1, 0.2]
radius = 18
[[geometry.shape]]
name = "inner"
kind = "sphere"
center = [0.1, 0.2]
radius = 10
[[boundary]]
surface = "inner"
type = "moving_wall"
angular_velocity = [0, 0, 0.008]
rotation_center = [0.1, 0.2]
[run]
)" + run;
}

nlohmann::json results_of(const std::string& text, const std::filesystem::path& folder, bool resume = false) {
  const fluvia::Case c = fluvia::parse_case(text, "case.toml");
  fluvia::RunOptions options;
  options.output = folder;
  options.resume = resume;
  return fluvia::run_case(c, options).results["monitors"];
}

/// By themselves these walls gain 10^-6 of the mean density a step. Given back over 500 steps at a time, what is left
/// is how much that rate changes in 500 steps: nothing once the flow is steady, and fp32 rounds to 10^-7.
TEST(MassKeeper, GivesBackWhatWallsBetweenNodesTake) {
  const fluvia::test::TemporaryFolder folder;
  const auto m = results_of(couette("steps = 6000\n"), folder.path());
  const double nodes = 3.14159 * (18 * 18 - 10 * 10);
  EXPECT_LT(std::abs(m["mass_deviation [lattice]"].get<double>()) / nodes, 2e-6) << m;
  EXPECT_GT(m["kinetic_energy [lattice]"].get<double>(), 0.1) << "the flow moves";
}

TEST(MassKeeper, GoesOnFromACheckpoint) {
  const fluvia::test::TemporaryFolder whole, pieces;
  const auto once = results_of(couette("steps = 1700\n"), whole.path());
  results_of(couette("steps = 700\n"), pieces.path());
  EXPECT_EQ(results_of(couette("steps = 1700\n"), pieces.path(), true), once);
}

}  // namespace
