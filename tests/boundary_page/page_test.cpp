// SPDX-License-Identifier: Apache-2.0
// Built with the condition that docs/adding-a-boundary.md adds, under the name page_slip (CMakeLists.txt).
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>

#include "fluvia/backend/backend.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/case/reference.hpp"

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
  const auto read = [](const std::string& file) {
    std::ifstream stream(std::string(FLUVIA_SOURCE_DIR) + "/" + file);
    std::stringstream text;
    text << stream.rdbuf();
    return text.str();
  };
  EXPECT_NE(read("docs/adding-a-boundary.md").find(read("src/fluvia/core/boundary/half_slip.hpp")), std::string::npos);
}

/// Between the plane where the velocity would vanish, a slip length behind the wall, and the lid it is linear.
TEST(BoundaryPage, TheConditionRuns) {
  const fluvia::Case c = fluvia::parse_case(case_text("slip_length = 4"), "page.toml");
  const fluvia::Grid grid = fluvia::make_grid(c);
  const auto solver = fluvia::make_solver(c, fluvia::make_units(c, grid.spacing), fluvia::build_geometry(c, grid));
  solver->step(20000);
  fluvia::Moments m;
  const fluvia::NodeMap& nodes = solver->geometry().nodes;
  solver->moments(0, nodes.tiles.size(), false, m);
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
