// SPDX-License-Identifier: Apache-2.0
// A flow leaves walls with the friction of a law at their edges, as it leaves others.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

/// A square cylinder at Re 22,000 in two dimensions, where the drag is 2.1 to 2.5; 10 nodes along an edge.
const std::string square = R"case(
[units]
viscosity = 2.2727e-5
reference_velocity = 0.05
reference_length = 10
[domain]
dimension = 2
nodes = [100, 80]
[[geometry.shape]]
name = "square"
kind = "box"
center = [35, 40]
size = [10, 10]
[[boundary]]
surface = "square"
type = "TYPE"
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = [0.05, 0]
sponge = 15
[[boundary]]
surface = "x_max"
type = "non_reflecting"
sponge = 30
[[boundary]]
surface = "y_min"
type = "symmetry"
sponge = 15
[[boundary]]
surface = "y_max"
type = "symmetry"
sponge = 15
[physics]
smagorinsky = 0.1
initial_velocity_formula = ["0.05", "0.01*exp(-0.02*((x-50)^2+(y-40)^2))"]
[numerics]
collision = "cumulant"
[run]
steps = 9000
[monitor]
every = 20
forces = ["square"]
reference_area = 10
[output]
vtk = "none"
[checkpoint]
at_end = false
)case";

struct Means {
  double drag = 0, swing_of_lift = 0;
};

/// From step 3000 on, 15 times the way along an edge.
Means forces_on(const std::string& type) {
  const TemporaryFolder folder;
  std::string text = square;
  text.replace(text.find("TYPE"), 4, type);
  RunOptions options;
  options.output = folder.path() / "out";
  run_case(parse_case(text, folder.path() / "square.toml"), options);
  std::ifstream file(options.output / "monitors.csv");
  Means means;
  std::string line, cell;
  std::vector<std::string> names;
  int rows = 0;
  while (std::getline(file, line)) {
    if (line.starts_with('#')) continue;
    std::vector<std::string> cells;
    for (std::istringstream all(line); std::getline(all, cell, ',');) cells.push_back(cell);
    if (names.empty()) {
      names = cells;
      continue;
    }
    if (std::stod(cells[0]) < 3000) continue;
    ++rows;
    for (std::size_t k = 0; k < names.size(); ++k) {
      if (names[k].starts_with("coefficient_square_x")) means.drag += std::stod(cells[k]);
      if (names[k].starts_with("coefficient_square_y")) means.swing_of_lift += std::pow(std::stod(cells[k]), 2);
    }
  }
  means.drag /= rows;
  means.swing_of_lift = std::sqrt(means.swing_of_lift / rows);
  return means;
}

/// A wall that slid up to its edges had a drag of 0.63 here, and no vortices: the flow went around the edges.
TEST(WallEdges, AreWhereAFlowSeparates) {
  const Means law = forces_on("wall_function");
  EXPECT_GT(law.drag, 1.9);
  EXPECT_LT(law.drag, 2.9);
  EXPECT_GT(law.swing_of_lift, 1);
}

}  // namespace
}  // namespace fluvia::test
