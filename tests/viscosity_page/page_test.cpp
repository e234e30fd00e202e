// SPDX-License-Identifier: Apache-2.0
// Built with the model that docs/adding-a-viscosity.md adds, under the name page-law (CMakeLists.txt).
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>
#include <string>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/error.hpp"

namespace {

std::string case_text(const std::string& keys) {
  return R"([units]
tau = 0.8
[domain]
dimension = 2
nodes = [3, 16]
periodic = [true, false]
[physics]
acceleration = [1e-5, 0]
[physics.rheology]
model = "page-law"
)" + keys +
         R"(
[numerics]
scheme = "pull"
format = "fp64"
[run]
steps = 1
)";
}

TEST(ViscosityPage, TheExampleIsTheRealHeader) {
  const auto read = [](const std::string& file) {
    std::ifstream stream(std::string(FLUVIA_SOURCE_DIR) + "/" + file);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  };
  EXPECT_NE(read("docs/adding-a-viscosity.md").find(read("src/fluvia/core/viscosity/power_law.hpp")),
            std::string::npos);
}

/// A channel of height H under the force g: u = n/(n+1) (g/K)^(1/n) ((H/2)^(1+1/n) - |y|^(1+1/n)), to the grid's error.
TEST(ViscosityPage, TheModelRuns) {
  const double n = 0.7, consistency = 0.01, g = 1e-5;
  const fluvia::Case c = fluvia::parse_case(case_text("consistency = 0.01\nflow_index = 0.7"), "page.toml");
  const fluvia::Grid grid = fluvia::make_grid(c);
  const auto solver = fluvia::make_solver(c, fluvia::make_units(c, grid.spacing), fluvia::build_geometry(c, grid));
  solver->step(20000);
  fluvia::Moments m;
  const fluvia::NodeMap& nodes = solver->geometry().nodes;
  solver->moments(0, nodes.tiles.size(), false, m);
  const double power = 1 + 1 / n, factor = std::pow(g / consistency, 1 / n) / power;
  for (int y = 0; y < 16; ++y) {
    const double expected = factor * (std::pow(8, power) - std::pow(std::abs(y + 0.5 - 8), power));
    EXPECT_NEAR(m.velocity[nodes.node_index({1, y, 0})][0], expected, 0.01 * factor * std::pow(8, power)) << y;
  }
}

TEST(ViscosityPage, ItsKeysAreChecked) {
  const auto message = [](const std::string& keys) -> std::string {
    try {
      fluvia::parse_case(case_text(keys), "page.toml");
    } catch (const fluvia::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(message("flow_index = 0.7").find("'consistency' is missing; page-law needs it"), std::string::npos);
  EXPECT_NE(message("consistency = 0.1\nflow_index = 7").find("'7' is out of range"), std::string::npos);
  EXPECT_NE(message("consistency = 0.1\nflow_index = 1\nyield_stress = 1").find("no meaning for model 'page-law'"),
            std::string::npos);
}

}  // namespace
