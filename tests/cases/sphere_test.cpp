// SPDX-License-Identifier: Apache-2.0
// The sphere in a pipe of Toelke & Krafczyk, Int. J. Comput. Fluid Dyn. 22 (2008) 443, section 6.1, coarsest grid.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "nlohmann/json.hpp"
#include "support/program.hpp"

namespace fluvia::test {
namespace {

/// Drag coefficient of a slowly moving sphere in a pipe, eqs 14, 17 and 18.
double expected_drag(double reynolds, double ratio) {
  const double free = 24 / reynolds * (1 + 0.15 * std::pow(reynolds, 0.687));
  const double wall = (1 - 0.75857 * std::pow(ratio, 5)) / (1 - 2.1050 * ratio + 2.0865 * std::pow(ratio, 3) -
                                                            1.7068 * std::pow(ratio, 5) + 0.72603 * std::pow(ratio, 6));
  return free + 24 / reynolds * (wall - 1);
}

TEST(SphereInPipe, HasTheDragOfThePaper) {
  const Folder folder;
  const std::string file = std::string(FLUVIA_SOURCE_DIR) + "/cases/sphere-in-pipe.toml";
  const Outcome outcome =
      run_fluvia("run " + file + " --steps 2500 --threads 1 --set output.vtk=none --set output.slice=[] " +
                 "--set monitor.every=2500 --output " + (folder / "out").string());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto results = nlohmann::json::parse(read_text(folder / "out" / "summary.json"))["results"];
  const auto column = [&](const std::string& name) {
    return results["monitors"][name + "_sphere_x [N]"].get<double>();
  };

  const auto drag = results["expected"][0];
  EXPECT_NEAR(expected_drag(1, 0.5), 144.48, 0.005);
  EXPECT_EQ(drag["expected"].get<double>(), 144.48);
  EXPECT_LT(std::abs(drag["relative_error"].get<double>()), 0.053) << "the paper's error on this grid";
  EXPECT_NEAR(drag["value"].get<double>(), 141.09, 0.14) << "what it was; Stokes flow has 142.7";
  EXPECT_NE(outcome.text.find("expected 144.48: -2.3"), std::string::npos) << outcome.text;

  // Pressure by two ways; friction from the momentum exchange and from the stress, which lacks 2.5% on this grid
  // because it is extrapolated over one and a half nodes of a boundary layer of seven.
  const double force = column("force");
  EXPECT_NEAR(column("pressure_exchange"), column("pressure_integral"), 0.01 * force);
  EXPECT_NEAR(column("pressure_exchange") + column("viscous_exchange"), force, 1e-6 * force);
  EXPECT_NEAR(column("pressure_integral") + column("viscous_integral"), force, 0.04 * force);
  EXPECT_NEAR(column("pressure_integral"), 0.47 * force, 0.02 * force);
}

/// D3Q13 with the rate that puts straight walls half-way, (1/s'_nu - 1/2)(1/s_h - 1/2) = 1/4: drag depends on the flow
/// and not on the viscosity on the lattice, so eight times the speed there changes nothing (145.057 at 0.004). With the
/// paper's s_h = 1 it is 155.0 at 0.004 and 138 here.
TEST(SphereInPipe, DragOnD3q13DoesNotDependOnTheViscosityOfTheLattice) {
  const Folder folder;
  const std::string file = std::string(FLUVIA_SOURCE_DIR) + "/cases/sphere-in-pipe.toml";
  const double speed = 0.032, viscosity = speed / 0.0671875;
  const double rate = 1 / (0.5 + 0.25 / (2 * viscosity));
  const Outcome outcome =
      run_fluvia("run " + file + " --steps 1800 --threads 1 --set output.vtk=none --set output.slice=[] " +
                 "--set monitor.every=1800 --set monitor.force_parts=[] --set numerics.lattice=D3Q13 --set "
                 "walls.method=half-way " +
                 "--set numerics.collision=mrt --set numerics.mrt_rates={cubic=" + std::to_string(rate) + "} " +
                 "--set units.lattice_velocity=" + std::to_string(speed) + " --output " + (folder / "out").string());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto results = nlohmann::json::parse(read_text(folder / "out" / "summary.json"))["results"];
  EXPECT_NEAR(results["expected"][0]["value"].get<double>(), 145.06, 0.05);
}

}  // namespace
}  // namespace fluvia::test
