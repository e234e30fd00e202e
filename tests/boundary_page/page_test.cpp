// SPDX-License-Identifier: Apache-2.0
// Built with the condition that docs/adding-a-boundary.md adds, under the name page_slip (CMakeLists.txt).
#include <gtest/gtest.h>

#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/case/toml/reference.hpp"
#include "support/extension_page.hpp"

namespace {

constexpr int height = 16;
constexpr double lid = 0.05, slip_length = 4;

/// Fluid between a wall on which it slides and a lid.
std::string case_text(const std::string& keys) {
  return R"([units]
tau = 0.9
[domain]
dimension = 2
nodes = [3, 16]
periodic = [true, false]
[numerics]
scheme = "pull"
format = "fp64"
[[boundary]]
surface = "y_min"
type = "page_slip"
)" + keys +
         R"(
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = [0.05, 0]
[run]
steps = 1
)";
}

TEST(BoundaryPage, TheExampleIsTheRealHeader) {
  fluvia::test::expect_page_shows("docs/adding-a-boundary.md", "src/fluvia/core/boundary/half_slip.hpp");
}

/// Between the plane where the velocity would vanish, a slip length behind the wall, and the lid it is linear.
TEST(BoundaryPage, TheConditionRuns) {
  const fluvia::Case c = fluvia::parse_case(case_text("slip_length = 4"), "page.toml");
  const auto solver = fluvia::test::solver_of(c);
  solver->step(20000);
  const fluvia::NodeMap& nodes = solver->geometry().nodes;
  const fluvia::Moments m = fluvia::test::moments_of(*solver);
  for (int y = 0; y < height; ++y) {
    const double expected = lid * (y + 0.5 + slip_length) / (height + slip_length);
    EXPECT_NEAR(m.velocity[nodes.node_index({1, y, 0})][0], expected, 1e-9 * lid) << y;
  }
}

TEST(BoundaryPage, ItsKeyIsCheckedAndDocumented) {
  const auto message = [](const std::string& keys) -> std::string {
    try {
      fluvia::parse_case(case_text(keys), "page.toml");
    } catch (const fluvia::Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(message(""), "page.toml:10:1: boundary[0]: 'slip_length' is missing; a page_slip boundary needs it");
  EXPECT_EQ(message("slip_length = -1"),
            "page.toml:13:15: boundary[0].slip_length: '-1' is out of range; must be at least 0");
  EXPECT_NE(message("slip_length = 1\npressure = 2").find("'pressure' has no meaning for type 'page_slip'"),
            std::string::npos);
  bool documented = false;
  for (const auto& key : fluvia::schema::reference_keys()) documented = documented || key.name == "slip_length";
  EXPECT_TRUE(documented);
}

}  // namespace
