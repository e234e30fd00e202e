// SPDX-License-Identifier: Apache-2.0
// Steady flow through a real vessel with three openings: what flows in flows out.
#include <gtest/gtest.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "support/program.hpp"

namespace fluvia::test {
namespace {

const char* const vessel = R"(title = "Aneurysm with three openings"
[units]
system = "si"
spacing = 1e-3
density = 1060.0
viscosity = 4e-5
reference_velocity = 0.1
lattice_velocity = 0.02
[[opening]]
name = "inlet"
center = [0.0248, 0.01787, 0.00056]
[[opening]]
name = "outlet1"
center = [0.0036, 0.0614, 0.108]
[[opening]]
name = "outlet2"
center = [0.0386, 0.0598, 0.0513]
[[boundary]]
surface = "inlet"
type = "velocity"
speed = 0.1
profile = "parabolic"
[[boundary]]
surface = "outlet1"
type = "pressure"
[[boundary]]
surface = "outlet2"
type = "pressure"
[run]
steps = 7000
[monitor]
every = 1000
[output]
vtk = "none"
[checkpoint]
at_end = false
[[geometry.stl]]
fluid = "inside"
)";

TEST(Vessel, InflowEqualsOutflow) {
  const char* named = std::getenv("FLUVIA_SHARED");
  const std::filesystem::path shared = named ? named : std::string(FLUVIA_SOURCE_DIR) + "/../shared";
  const auto stl = shared / "geometry" / "vessels" / "palabos_aneurysm.stl.gz";
  if (!std::filesystem::exists(stl))
    GTEST_SKIP() << "no file " << stl << "; set FLUVIA_SHARED to the folder of shared data";
  const Folder folder;
  write_text(folder / "vessel.toml",
             std::string(vessel) + "file = \"" + std::filesystem::absolute(stl).string() + "\"\n");
  const Outcome outcome =
      run_fluvia("run " + (folder / "vessel.toml").string() + " --output " + (folder / "out").string());
  ASSERT_EQ(outcome.code, 0) << outcome.text;
  const auto monitors = nlohmann::json::parse(read_text(folder / "out" / "summary.json"))["results"]["monitors"];
  const double in = monitors["flow_inlet [m3/s]"], out1 = monitors["flow_outlet1 [m3/s]"],
               out2 = monitors["flow_outlet2 [m3/s]"];
  // The profile is scaled to the opening's own area: 0.1 m/s times 1.127e-4 m2.
  EXPECT_NEAR(in, 0.1 * 1.12716e-4, 1e-9);
  EXPECT_LT(out1, 0);
  EXPECT_LT(out2, 0);
  EXPECT_NEAR(-(out1 + out2) / in, 1, 1e-3);
}

}  // namespace
}  // namespace fluvia::test
