// SPDX-License-Identifier: Apache-2.0
// Built with the model that docs/adding-a-viscosity.md adds, under the name page-law (CMakeLists.txt).
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "fluvia/base/error.hpp"
#include "support/extension_page.hpp"

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
  fluvia::test::expect_page_shows("docs/adding-a-viscosity.md", "src/fluvia/core/viscosity/power_law.hpp");
}

/// A channel of height H under the force g: u = n/(n+1) (g/K)^(1/n) ((H/2)^(1+1/n) - |y|^(1+1/n)), to the grid's error.
TEST(ViscosityPage, TheModelRuns) {
  const double n = 0.7, consistency = 0.01, g = 1e-5;
  const fluvia::Case c = fluvia::parse_case(case_text("consistency = 0.01\nflow_index = 0.7"), "page.toml");
  const auto solver = fluvia::test::solver_of(c);
  solver->step(20000);
  const fluvia::NodeMap& nodes = solver->geometry().nodes;
  const fluvia::Moments m = fluvia::test::moments_of(*solver);
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
