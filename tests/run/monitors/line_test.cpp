// SPDX-License-Identifier: Apache-2.0
// Lines that end at walls or go through them: the last value is the wall's own.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <sstream>

#include "fluvia/case/case.hpp"
#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

using Column = std::vector<double>;

/// The columns of the last table of a line, by name without unit.
std::map<std::string, Column> line_of(const std::string& text, const std::string& line,
                                      const std::vector<std::string>& settings = {}) {
  const TemporaryFolder folder;
  const Case c = parse_case(text, "line.toml", settings);
  RunOptions options;
  options.output = folder.path() / "out";
  run_case(c, options);
  std::filesystem::path last;
  for (const auto& entry : std::filesystem::directory_iterator(options.output))
    if (entry.path().filename().string().starts_with("line-" + line)) last = std::max(last, entry.path());
  std::istringstream rows(content_of(last));
  std::string row, cell;
  std::getline(rows, row);
  std::vector<std::string> names;
  for (std::istringstream cells(row); std::getline(cells, cell, ',');) names.push_back(cell.substr(0, cell.find(" [")));
  std::map<std::string, Column> columns;
  while (std::getline(rows, row)) {
    std::istringstream cells(row);
    for (const std::string& name : names) {
      std::getline(cells, cell, ',');
      columns[name].push_back(std::stod(cell));
    }
  }
  return columns;
}

const std::string line_numerics = "[numerics]\ndevice = \"cpu\"\nformat = \"fp64\"\ncollision = \"trt\"\n";

std::string plane_channel(int steps) {
  return "[units]\ntau = 0.9\n[domain]\ndimension = 2\nnodes = [4, 12]\nperiodic = [true, false]\n"
         "[physics]\nacceleration = [1e-5, 0]\n" +
         line_numerics + "[run]\nsteps = " + std::to_string(steps) +
         "\n[output]\nvtk = \"none\"\nfields = [\"velocity\", \"pressure\", \"wall_shear_stress\", \"strain_rate\"]\n";
}

/// Poiseuille flow: a parabola that is zero at the walls, where friction balances half of the driving force.
TEST(Lines, EndAtRestAtWallsHalfWay) {
  const std::string text = plane_channel(4000) + "[[output.line]]\nname = \"a\"\nfrom = [1.7, 0]\nto = [1.7, 12]\n";
  const auto columns = line_of(text, "a");
  const Column &y = columns.at("y"), &u = columns.at("velocity_x"), &p = columns.at("pressure");
  const double nu = 0.4 / 3, g = 1e-5;
  ASSERT_EQ(y.size(), 13u) << "points on walls are those of the line itself";
  EXPECT_EQ(u.front(), 0);
  EXPECT_EQ(u.back(), 0);
  for (std::size_t k = 1; k + 1 < y.size(); ++k)  // between nodes: linear, which is g / (8 nu) below the parabola
    EXPECT_NEAR(u[k], g / (2 * nu) * (y[k] * (12 - y[k]) - 0.25), 2e-3 * g / (2 * nu) * 36) << y[k];
  for (const double pressure : p) EXPECT_NEAR(pressure, 0, 1e-6);
  EXPECT_NEAR(columns.at("strain_rate").back(), g * 6 / nu, 0.02 * g * 6 / nu) << "extrapolated to the wall";
  EXPECT_NEAR(columns.at("wall_shear_stress").front(), g * 6, 0.02 * g * 6);
  // Beside the wall the velocity goes straight to it, in other directions, too.
  const auto near =
      line_of(plane_channel(4000) + "[[output.line]]\nname = \"b\"\nfrom = [0.5, 0.2]\nto = [3.5, 0.2]\n", "b");
  const double first = g / (2 * nu) * 0.5 * 11.5;
  for (const double along : near.at("velocity_x")) EXPECT_NEAR(along, 0.4 * first, 0.02 * first);
}

TEST(Lines, GoThroughBodiesFromWallToWall) {
  const std::string text = plane_channel(200) +
                           "[[geometry.shape]]\nkind = \"box\"\nname = \"body\"\ncenter = [2, 6]\nsize = [6, 3.4]\n"
                           "[[output.line]]\nname = \"a\"\nfrom = [1.5, 0.25]\nto = [1.5, 11.25]\n";
  for (const std::string method : {"half-way", "interpolated"}) {
    SCOPED_TRACE(method);
    const auto columns = line_of(text, "a", {"walls.method=" + method});
    const Column &y = columns.at("y"), &u = columns.at("velocity_x");
    ASSERT_EQ(y.size(), 14u) << "12 and two on the body";
    // Half-way the body is nodes 4 to 7.
    const double low = method == "half-way" ? 4 : 4.3, high = method == "half-way" ? 8 : 7.7;
    int at_wall = 0;
    for (std::size_t k = 0; k < y.size(); ++k) {
      if (std::abs(y[k] - low) < 1e-9 || std::abs(y[k] - high) < 1e-9) {
        ++at_wall;
        EXPECT_EQ(u[k], 0) << y[k];
      } else if (y[k] > low && y[k] < high) {
        EXPECT_TRUE(std::isnan(u[k])) << y[k];
      } else {
        EXPECT_GT(u[k], 0) << y[k];
      }
    }
    EXPECT_EQ(at_wall, 2);
  }
}

std::string lid_driven(const std::string& more) {
  return "[units]\ntau = 0.8\n[domain]\ndimension = 2\nnodes = [10, 10]\n[[boundary]]\nsurface = \"y_max\"\n"
         "type = \"moving_wall\"\nvelocity = [0.04, 0]\n" +
         more + line_numerics + "[run]\nsteps = 300\n[output]\nvtk = \"none\"\nfields = [\"velocity\"]\n" +
         "[[output.line]]\nname = \"a\"\nfrom = [5, 0]\nto = [5, 10]\npoints = 21\n";
}

TEST(Lines, EndWithTheSpeedOfALid) {
  const auto columns = line_of(lid_driven(""), "a");
  const Column& u = columns.at("velocity_x");
  ASSERT_EQ(u.size(), 21u);
  EXPECT_EQ(u.front(), 0);
  EXPECT_EQ(u.back(), 0.04);
  EXPECT_GT(u[19], 0.01) << "the middle of the last node";
  EXPECT_LT(u[19], 0.04);
  const auto slow = line_of(lid_driven("ramp = 600\n"), "a");
  EXPECT_NEAR(slow.at("velocity_x").back(), 0.02, 1e-8) << "half of its ramp";
}

/// Between cylinders: one at rest, one that spins, and walls between the nodes.
TEST(Lines, EndOnWallsBetweenTheNodes) {
  const std::string text =
      "[units]\nviscosity = 0.1\n[domain]\ndimension = 2\nnodes = [40, 40]\n"
      "[[geometry.shape]]\nkind = \"cylinder\"\noperation = \"fluid\"\nfrom = [20, 20.5]\nradius = 17.83\n"
      "[[geometry.shape]]\nkind = \"cylinder\"\nfrom = [20, 20.5]\nradius = 8.36\nname = \"inner\"\n"
      "[[boundary]]\nsurface = \"inner\"\ntype = \"moving_wall\"\nrotation_center = [20, 20.5]\n"
      "angular_velocity = [0.0, 0.0, 0.005]\n[walls]\nmethod = \"interpolated\"\n" +
      line_numerics +
      "[run]\nsteps = 3000\n[output]\nvtk = \"none\"\nfields = [\"velocity\"]\n"
      "[[output.line]]\nname = \"a\"\nfrom = [20, 20.5]\nto = [39.5, 20.5]\n"
      "[[output.line]]\nname = \"b\"\nfrom = [20, 20.5]\nto = [36, 32.5]\n";
  for (const char* line : {"a", "b"}) {
    SCOPED_TRACE(line);
    const auto columns = line_of(text, line);
    const Column &r = columns.at("distance"), &v = columns.at("velocity_y"), &u = columns.at("velocity_x");
    Column speeds, places;
    for (std::size_t k = 0; k < r.size(); ++k)
      if (!std::isnan(v[k])) {
        places.push_back(r[k]);
        speeds.push_back(std::hypot(u[k], v[k]));
      }
    ASSERT_GT(places.size(), 9u);
    EXPECT_NEAR(places.front(), 8.36, 0.03);
    EXPECT_NEAR(places.back(), 17.83, 0.03);
    EXPECT_NEAR(speeds.front(), 0.005 * 8.36, 0.005 * 0.03);
    EXPECT_EQ(speeds.back(), 0);
    // Circular Couette flow, a/r - r/b^2 scaled.
    const double a = 8.36, b = 17.83;
    for (std::size_t k = 0; k < places.size(); ++k) {
      const double exact = 0.005 * a * (b / places[k] - places[k] / b) / (b / a - a / b);
      EXPECT_NEAR(speeds[k], exact, 0.02 * 0.005 * a) << places[k];
    }
  }
}

/// A stream against a wall, of which a plane of symmetry leaves half: nothing crosses the plane.
TEST(Lines, LeaveNothingAcrossPlanesOfSymmetry) {
  const std::string text =
      "[units]\ntau = 0.8\n[domain]\ndimension = 2\nnodes = [24, 10]\n"
      "[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nvelocity = [0.03, 0.01]\n"
      "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n"
      "[[boundary]]\nsurface = \"y_min\"\ntype = \"symmetry\"\n"
      "[[geometry.shape]]\nkind = \"sphere\"\ncenter = [8, 0]\nradius = 4\n" +
      line_numerics +
      "[run]\nsteps = 200\n[output]\nvtk = \"none\"\nfields = [\"velocity\"]\n"
      "[[output.line]]\nname = \"a\"\nfrom = [14.5, 0]\nto = [14.5, 10]\npoints = 21\n";
  const auto columns = line_of(text, "a");
  const Column &u = columns.at("velocity_x"), &v = columns.at("velocity_y");
  EXPECT_EQ(v[0], 0);
  EXPECT_NE(v[1], 0);
  EXPECT_EQ(u[0], u[1]) << "as fast along the plane as at the node beside it";
  EXPECT_EQ(u.back(), 0);
}

/// Along the upper wall of a box a line ended in what was between nodes, along the lower in what is at the wall.
TEST(Lines, EndInCornersAsTheirMirrorImages) {
  const auto box = [](const std::string& lid, double along) {
    const std::string at = std::to_string(along);
    return "[units]\ntau = 0.8\n[domain]\ndimension = 2\nnodes = [12, 10]\n[[boundary]]\nsurface = \"" + lid +
           "\"\ntype = \"moving_wall\"\nvelocity = [0.05, 0]\n" + line_numerics +
           "[run]\nsteps = 600\n[output]\nvtk = \"none\"\nfields = [\"velocity\", \"pressure\"]\n"
           "[[output.line]]\nname = \"a\"\nfrom = [0, " +
           at + "]\nto = [12, " + at + "]\n";
  };
  for (const bool at_lid : {false, true}) {
    const auto low = line_of(box(at_lid ? "y_min" : "y_max", 0), "a"),
               high = line_of(box(at_lid ? "y_max" : "y_min", 10), "a");
    for (const char* name : {"pressure", "velocity_x"}) {
      const Column &a = low.at(name), &b = high.at(name);
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t k = 0; k < a.size(); ++k) EXPECT_NEAR(a[k], b[k], 1e-10) << name << ' ' << at_lid << ' ' << k;
    }
  }
}

}  // namespace
}  // namespace fluvia::test
