// SPDX-License-Identifier: Apache-2.0
// Outlets whose pressure follows from flow rates.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <complex>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>
#include <string>

#include "fluvia/run/run.hpp"
#include "run/small_cases.hpp"
#include "support/temporary_folder.hpp"

namespace {

/// A short channel with slip sides: uniform inflow, one or two outlets.
std::string channel(const std::string& outlets) {
  return R"([units]
tau = 0.8
[domain]
dimension = 2
nodes = [24, 8]
[numerics]
format = "fp64"
device = "cpu"
[output]
vtk = "none"
[run]
steps = 40000
[monitor]
every = 100
[[boundary]]
surface = "x_min"
type = "velocity"
velocity = [0.02, 0]
)" + outlets;
}

nlohmann::json monitors_after(const std::string& text, const std::filesystem::path& folder) {
  const fluvia::Case c = fluvia::parse_case(text, "case.toml");
  fluvia::RunOptions options;
  options.output = folder;
  return fluvia::run_case(c, options).results["monitors"];
}

/// In the end the compliance is full: p = p_behind + (R_1 + R_2) Q with Q = 0.02 * 8.
TEST(Windkessel, EndsAtTheResistancesTimesTheFlow) {
  const fluvia::test::TemporaryFolder folder;
  const nlohmann::json m = monitors_after(channel(R"([[boundary]]
surface = "y_min"
type = "free_slip"
[[boundary]]
surface = "y_max"
type = "free_slip"
[[boundary]]
surface = "x_max"
type = "windkessel"
pressure = 0.001
proximal_resistance = 0.02
distal_resistance = 0.05
compliance = 20000
)"),
                                          folder.path());
  const double flow = 0.02 * 8;
  EXPECT_NEAR(m["pressure_x_max [lattice]"].get<double>(), 0.001 + 0.07 * flow, 1e-4 * 0.07 * flow) << m;
}

/// Vessels that resist much more than sound does threw it back: flow rates swung by 7% for ever, and two such outlets
/// that meet in a corner drove each other until the flow diverged.
TEST(Windkessel, ThatResistsMoreThanSoundTakesItOut) {
  const auto vessels = [](const std::string& face, double proximal, double distal, double compliance) {
    return "[[boundary]]\nsurface = \"" + face +
           "\"\ntype = \"windkessel\"\nproximal_resistance = " + std::to_string(proximal) +
           "\ndistal_resistance = " + std::to_string(distal) + "\ncompliance = " + std::to_string(compliance) + "\n";
  };
  const auto inlet = [](const std::string& face) {
    return "[[boundary]]\nsurface = \"" + face + "\"\ntype = \"velocity\"\nflow_rate = 0.48\n";
  };
  const std::string start =
      "viscosity = 0.02\n[domain]\ndimension = 2\nnodes = [24, 24]\n[numerics]\nthreads = 1\n[run]\nsteps = "
      "4000\n[monitor]\nevery = 10\n[output]\nvtk = \"none\"\n[checkpoint]\nat_end = false\n";
  // (R_1 + R_2) Q is 14 times rho c_s^2: both resistances before a small compliance, one without, one before it.
  for (const auto& [proximal, distal, compliance] :
       {std::array{1.0, 9.0, 1.0}, std::array{10.0, 0.0, 0.0}, std::array{0.0, 10.0, 1.0}})
    for (const double ratio : {1.0, 3.0}) {
      SCOPED_TRACE(testing::Message() << proximal << ' ' << distal << ' ' << ratio);
      const double first = 0.96 * ratio / (1 + ratio);
      const std::string reference = "[units]\nreference_pressure = " + std::to_string(10 * first) + "\n";
      const nlohmann::json results =
          fluvia::test::run_text(reference + start + inlet("x_min") + inlet("y_min") +
                                 vessels("x_max", proximal, distal, compliance) +
                                 vessels("y_max", ratio * proximal, ratio * distal, compliance))
              .results;
      const auto value = [&](const char* name) { return fluvia::test::quantity(results, name)["value"].get<double>(); };
      EXPECT_NEAR(value("flow_x_max"), -first, 5e-4);
      EXPECT_NEAR(value("flow_y_max"), first - 0.96, 5e-4);
      EXPECT_NEAR(value("pressure_y_max"), 10 * ratio * (0.96 - first), 0.02);
    }
}

/// The impedance of R_1, then C beside R_2, at a flow that swings: R_1 + R_2 / (1 + i w R_2 C). Since these resist more
/// than sound does, they may be off by what a compliance of a third of the fluid's own would do beside them.
TEST(Windkessel, FollowsAFlowThatSwings) {
  constexpr double period = 5000, proximal = 0.3, distal = 0.7, compliance = 500, fluid = 3.0 * 24 * 8;
  const fluvia::test::TemporaryFolder folder;
  std::ofstream series(folder.path() / "inflow.csv");
  series << "time,flow_rate\n";
  for (int k = 0; k <= 200; ++k)
    series << k * period / 200 << ',' << 0.08 + 0.002 * std::sin(2 * std::numbers::pi * k / 200) << '\n';
  series.close();
  const std::string text =
      "[units]\ntau = 0.8\n[domain]\ndimension = 2\nnodes = [24, 8]\n[numerics]\nformat = \"fp64\"\nthreads = 1\n"
      "[output]\nvtk = \"none\"\n[run]\nsteps = 20000\n[monitor]\nevery = 50\n[[boundary]]\nsurface = \"x_min\"\ntype "
      "= "
      "\"velocity\"\nseries = \"" +
      (folder.path() / "inflow.csv").string() +
      "\"\nseries_quantity = \"flow_rate\"\n[[boundary]]\nsurface = \"x_max\"\ntype = "
      "\"windkessel\"\nproximal_resistance = 0.3\ndistal_resistance = 0.7\ncompliance = 500\n";
  const fluvia::Case c = fluvia::parse_case(text, "case.toml");
  fluvia::RunOptions options;
  options.output = folder.path() / "out";
  fluvia::run_case(c, options);
  std::ifstream rows(options.output / "monitors.csv");
  std::string line;
  std::getline(rows, line);
  std::vector<std::string> names;
  for (std::istringstream cells(line); std::getline(cells, line, ',');)
    names.push_back(line.substr(0, line.find(" [")));
  std::complex<double> flow, pressure;
  while (std::getline(rows, line)) {
    std::map<std::string, double> row;
    std::istringstream cells(line);
    for (const std::string& name : names) {
      std::getline(cells, line, ',');
      row[name] = std::stod(line);
    }
    if (row["step"] <= 20000 - period) continue;
    const std::complex<double> turn = std::polar(1.0, -2 * std::numbers::pi * row["step"] / period);
    flow -= turn * row["flow_x_max"];
    pressure += turn * row["pressure_x_max"];
  }
  const std::complex<double> rate(0, 2 * std::numbers::pi / period),
      vessels = proximal + distal / (1.0 + rate * distal * compliance),
      expected = vessels / (1.0 + rate * (fluid / 3) * vessels);
  EXPECT_LT(std::abs(pressure / flow - vessels), std::abs(expected - vessels)) << pressure / flow << " for " << vessels;
}

}  // namespace
