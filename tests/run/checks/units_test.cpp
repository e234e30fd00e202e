// SPDX-License-Identifier: Apache-2.0
// One flow in lattice units and in SI, with the box at the origin and elsewhere: the same rows, by conversions that are
// worked out here. Node spacing, time step and density are powers of two, so that conversions are exact and the flows
// the same bit by bit.
#include <gtest/gtest.h>

#include <cmath>

#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

using Json = nlohmann::json;

constexpr double unit_length = 0.25, unit_time = 0.125, unit_density = 8;

/// Writes the numbers of a case file: in lattice units, or in SI with a unit each.
struct Writer {
  bool si;
  Real3 origin;
  [[nodiscard]] std::string number(double value, double unit) const {
    return std::to_string(si ? value * unit : value);
  }
  [[nodiscard]] std::string length(double value) const { return number(value, unit_length); }
  [[nodiscard]] std::string place(const Real3& p) const {
    std::string text;
    for (int axis = 0; axis < 3; ++axis) text += (axis ? ", " : "[") + length(p[axis] + origin[axis]);
    return text + "]";
  }
  [[nodiscard]] std::string units() const {
    const std::string viscosity = "viscosity = " + number(0.125, unit_length * unit_length / unit_time) + "\n";
    if (!si) return "[units]\n" + viscosity;
    return "[units]\nsystem = \"si\"\nspacing = 0.25\ntime_step = 0.125\ndensity = 8\n" + viscosity;
  }
};

/// A sphere that spins in a duct between two openings.
std::string duct(const Writer& w) {
  return w.units() + "[domain]\nnodes = [16, 10, 8]\norigin = " + w.place({}) +
         "\n[[geometry.shape]]\nname = \"ball\"\nkind = \"sphere\"\ncenter = " + w.place({7, 5.5, 4.25}) +
         "\nradius = " + w.length(2.5) +
         "\n[[boundary]]\nsurface = \"ball\"\ntype = \"moving_wall\"\nrotation_center = " + w.place({7, 5.5, 4.25}) +
         "\nangular_velocity = [0, " + w.number(0.004, 1 / unit_time) + ", " + w.number(0.01, 1 / unit_time) + "]" +
         "\n[[boundary]]\nsurface = \"x_min\"\ntype = \"pressure\"\nseries = \"inlet.csv\"\n"
         "series_quantity = \"pressure\"\nseries_periodic = false\n"
         "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n"
         "[physics]\nacceleration = [" +
         w.number(1e-4, unit_length / unit_time / unit_time) + ", " +
         w.number(3e-5, unit_length / unit_time / unit_time) +
         ", 0]\n[numerics]\ndevice = \"cpu\"\nformat = \"fp64\"\n[run]\nsteps = 60\n"
         "[monitor]\nevery = 20\nforces = [\"ball\"]\npermeability_axis = \"x\"\ntorque_center = " +
         w.place({6, 5, 4}) + "\n[[monitor.probe]]\nname = \"side\"\nposition = " + w.place({9.5, 1.5, 6.5}) +
         "\n[output]\nvtk = \"none\"\n";
}

/// A plane channel whose inlet's flow rate follows a series.
std::string written_channel(const Writer& w) {
  return w.units() + "[domain]\ndimension = 2\nnodes = [12, 9]\norigin = " + w.place({}) +
         "\n[[boundary]]\nsurface = \"x_min\"\ntype = \"velocity\"\nseries = \"inlet.csv\"\n"
         "series_quantity = \"flow_rate\"\nseries_periodic = false\n"
         "[[boundary]]\nsurface = \"x_max\"\ntype = \"pressure\"\n[numerics]\ndevice = \"cpu\"\nformat = \"fp64\"\n"
         "[run]\nsteps = 50\n[monitor]\nevery = 20\nforces = [\"y_min\"]\ntorque_center = " +
         w.place({1, 2, 0}) + "\n[[monitor.probe]]\nname = \"side\"\nposition = " + w.place({9.5, 1.5, 0}) +
         "\n[output]\nvtk = \"none\"\n";
}

struct Outcome {
  Json monitors;  ///< last values by column, without units
  Json summary;
};

Outcome run(const std::string& text, const std::string& series) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "inlet.csv") << series;
  Case c = parse_case(text, folder.path() / "case.toml");
  c.directory = folder.path();
  RunOptions options;
  options.output = folder.path() / "out";
  const Json results = run_case(c, options).results;
  Outcome result;
  for (const auto& [column, value] : results["monitors"].items())
    result.monitors[column.substr(0, column.find(" ["))] = value;
  result.summary = Json::parse(content_of(folder.path() / "out" / "summary.json"));
  return result;
}

std::string series(const Writer& w, double first, double last, double unit) {
  return "time,value\n0," + w.number(first, unit) + "\n" + w.number(100, unit_time) + "," + w.number(last, unit) + "\n";
}

/// What one lattice unit of a column is in SI.
double unit_of(const std::string& column, int dimension) {
  const double velocity = unit_length / unit_time, pressure = unit_density * velocity * velocity;
  const auto begins = [&](const char* with) { return column.starts_with(with); };
  const auto ends = [&](const char* with) { return column.ends_with(with); };
  if (column == "time") return unit_time;
  if (column == "max_velocity" || ends("_u") || ends("_v") || ends("_w")) return velocity;
  if (begins("pressure_") || ends("_pressure")) return pressure;
  if (begins("force_")) return pressure * std::pow(unit_length, dimension - 1);
  if (begins("torque_")) return pressure * std::pow(unit_length, dimension);
  if (begins("flow_")) return velocity * std::pow(unit_length, dimension - 1);
  if (column == "permeability") return unit_length * unit_length;
  return 1;
}

void expect_same(const Json& lattice, const Json& si, int dimension) {
  std::size_t compared = 0;
  for (const auto& [column, value] : lattice.items()) {
    ASSERT_TRUE(si.contains(column)) << column;
    const double expected = value.get<double>() * unit_of(column, dimension);
    EXPECT_NEAR(si[column].get<double>(), expected, 1e-9 * std::abs(expected) + 1e-13) << column;
    ++compared;
  }
  EXPECT_GE(compared, 12u);
}

constexpr Real3 elsewhere{-6, 4, 10};

TEST(UnitsOfARun, RowsOfADuctAreTheSame) {
  const Writer lattice{false, {}}, moved{false, elsewhere}, si{true, elsewhere};
  const double pressure = unit_density * unit_length * unit_length / unit_time / unit_time;
  const auto result = [&](const Writer& w) { return run(duct(w), series(w, 0.002, 0.006, pressure)).monitors; };
  const Json here = result(lattice), there = result(moved), in_si = result(si);
  for (const char* column : {"force_ball_x", "torque_ball_z", "side_u", "side_w", "side_pressure", "flow_x_min"})
    EXPECT_GT(std::abs(here[column].get<double>()), 1e-6) << column;
  // Series: 0.6 of the way from 0.002 to 0.006.
  EXPECT_NEAR(here["pressure_x_min"].get<double>(), 0.0044, 2e-4);
  for (const auto& [column, value] : here.items())
    EXPECT_NEAR(there[column].get<double>(), value.get<double>(), 1e-9 * std::abs(value.get<double>()) + 1e-13)
        << column;
  expect_same(here, in_si, 3);
}

TEST(UnitsOfARun, RowsOfAPlaneChannelAreTheSameAndItsOpeningsHaveTheirSize) {
  const Writer lattice{false, elsewhere}, si{true, elsewhere};
  const double rate = unit_length * unit_length / unit_time;
  const auto result = [&](const Writer& w) { return run(written_channel(w), series(w, 0.09, 0.27, rate)); };
  const Outcome here = result(lattice), in_si = result(si);
  expect_same(here.monitors, in_si.monitors, 2);
  EXPECT_NEAR(here.monitors["flow_x_min"].get<double>(), 0.18, 0.005);
  for (const double spacing : {1.0, unit_length}) {
    const Json& geometry = (spacing == 1 ? here : in_si).summary["geometry"];
    EXPECT_EQ(geometry["spacing"], spacing);
    for (const Json& opening : geometry["openings"]) {
      EXPECT_NEAR(opening["area"].get<double>(), 9 * spacing, 1e-12) << opening;
      EXPECT_NEAR(opening["centre"][1].get<double>(), (4 + 4.5) * spacing, 0.51 * spacing) << opening;
    }
    EXPECT_EQ(geometry["openings"].size(), 2u);
  }
}

/// Plane Poiseuille flow along y between walls 8 nodes apart: nodes half a spacing from the walls see exactly
/// u = g x (8 - x)/(2 nu), whose mean is g/nu (8^2/12 + 1/24).
TEST(UnitsOfARun, PermeabilityIsThatOfThePoiseuilleFlowAlongItsAxis) {
  for (const bool in_si : {false, true}) {
    const Writer w{in_si, elsewhere};
    const std::string text =
        w.units() + "[domain]\ndimension = 2\nnodes = [8, 5]\nperiodic = [false, true]\norigin = " + w.place({}) +
        "\n[physics]\nacceleration = [0, " + w.number(1e-5, unit_length / unit_time / unit_time) +
        "]\n[numerics]\ndevice = \"cpu\"\nformat = \"fp64\"\ncollision = \"trt\"\n[run]\n"
        "steps = 4000\n[monitor]\nevery = 4000\npermeability_axis = \"y\"\n[output]\n"
        "vtk = \"none\"\n";
    const Json monitors = run(text, "").monitors;
    const double expected = (64.0 / 12 + 1.0 / 24) * (in_si ? unit_length * unit_length : 1);
    EXPECT_NEAR(monitors["permeability"].get<double>(), expected, 1e-3 * expected) << in_si;
  }
}

}  // namespace
}  // namespace fluvia::test
