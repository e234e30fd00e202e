// SPDX-License-Identifier: Apache-2.0
// Permeability and pressure drop of a slit, whose ends prescribe pressures or velocities: in a box, and in an image.
#include <gtest/gtest.h>

#include "fluvia/case/physics/registered_physics.hpp"
#include "run/small_cases.hpp"

namespace fluvia::test {
namespace {

constexpr int slit_length = 16, slit_height = 12;
constexpr double slit_viscosity = 0.1, slit_speed = 1.2e-4;
/// With the walls of TRT half-way between nodes, of which the mean over nodes is taken: h^2 / 12 + 1/24.
constexpr double slit_permeability = slit_height * slit_height / 12.0 + 1.0 / 24;

std::string slit_end(const std::string& face, const std::string& keys) {
  return "[[boundary]]\nsurface = \"" + face + "\"\n" + keys;
}

/// All keys of a condition that prescribes a pressure, in the text of a case.
std::string pressure_end(const std::string& face, const std::string& type, double pressure) {
  std::string keys = "type = \"" + type + "\"\n";
  for (const core::Key& key : keys_of(facts_of_boundary(type))) {
    if (std::string(key.name) == "pressure") keys += "pressure = " + std::to_string(pressure * 1e6) + "e-6\n";
    if (key.required) keys += std::string(key.name) + " = 0.001\n";
  }
  if (type == "non_reflecting") keys += "relaxation = 1\n";  // to settle soon
  return slit_end(face, keys);
}

/// The slit between two ends; of an image half of it is solid.
RunResult flow_through_slit(const std::string& ends, bool in_image, const TemporaryFolder& folder) {
  std::string domain =
      "[domain]\ndimension = 2\nnodes = [" + std::to_string(slit_length) + ", " + std::to_string(slit_height) + "]\n";
  if (in_image) {
    std::ofstream image(folder.path() / "slit.raw", std::ios::binary);
    for (int z = 0; z < 2; ++z)
      for (int y = 0; y < 2 * slit_height; ++y)
        for (int x = 0; x < slit_length; ++x) image.put(y < slit_height / 2 || y >= 3 * slit_height / 2 ? '\1' : '\0');
    domain = "[domain]\nperiodic = [false, false, true]\n[geometry.voxels]\nfile = \"" +
             (folder.path() / "slit.raw").string() + "\"\nshape = [" + std::to_string(slit_length) + ", " +
             std::to_string(2 * slit_height) + ", 2]\nfluid_labels = [0]\n";
  }
  return run_text(
      "[units]\nviscosity = 0.1\n" + domain + ends +
      "[numerics]\nformat = \"fp64\"\nthreads = 1\ncollision = \"trt\"\n[run]\nsteps = 8000\n[monitor]\nevery = "
      "500\npermeability_axis = \"x\"\n[output]\nvtk = \"none\"\n[checkpoint]\nat_end = false\n");
}

void expect_slit(const std::string& ends, double tolerance) {
  const TemporaryFolder folder;
  for (const bool in_image : {false, true}) {
    SCOPED_TRACE(ends + (in_image ? "image" : "box"));
    const nlohmann::json results = flow_through_slit(ends, in_image, folder).results;
    const double share = in_image ? 0.5 : 1;
    EXPECT_NEAR(quantity(results, "permeability")["value"].get<double>() / (share * slit_permeability), 1, tolerance);
    const double speed = quantity(results, "flow_x_min")["value"].get<double>() / (slit_height * (in_image ? 2 : 1));
    const double drop = slit_viscosity * speed * slit_length / slit_permeability;
    if (ends.find("uniform") != std::string::npos) continue;  // which takes more pressure to become developed
    EXPECT_NEAR(quantity(results, "pressure_drop")["value"].get<double>() / drop, 1, tolerance);
  }
}

TEST(DrivenPermeability, OfASlitBetweenPressuresIsExact) {
  for (const std::string& type : boundary_names())
    if (facts_of_boundary(type).needs_plane_fit && facts_of_boundary(type).control == core::Control::none)
      expect_slit(pressure_end("x_min", type, 1.6e-5) + pressure_end("x_max", type, 0), 0.002);
}

TEST(DrivenPermeability, OfASlitBehindAPrescribedVelocity) {
  for (const std::string& type : boundary_names()) {
    if (!facts_of_boundary(type).needs_plane_fit) continue;
    const std::string outlet = pressure_end("x_max", type, 0),
                      inlet = "type = \"velocity\"\nspeed = " + std::to_string(1e4 * slit_speed) + "e-4\nprofile = ";
    expect_slit(slit_end("x_min", inlet + "\"developed\"\n") + outlet, 0.005);
    if (type == "pressure") expect_slit(slit_end("x_min", inlet + "\"uniform\"\n") + outlet, 0.02);
  }
}

/// A neck at one end, in which the gradient is many times that behind: half a node there is a large part of the whole.
TEST(DrivenPermeability, CountsPressuresFromPlaneToPlane) {
  const std::string neck =
      R"([units]
viscosity = 0.1
[domain]
dimension = 2
nodes = [12, 12]
[[geometry.shape]]
kind = "box"
center = [0, 2, 0.5]
size = [8, 4, 2]
[[geometry.shape]]
kind = "box"
center = [0, 10, 0.5]
size = [8, 4, 2]
)" + pressure_end("x_min", "pressure", 1e-4) +
      pressure_end("x_max", "pressure", 0) +
      "[numerics]\nformat = \"fp64\"\nthreads = 1\ncollision = \"trt\"\n[run]\nsteps = 4000\n[monitor]\nevery = "
      "500\npermeability_axis = \"x\"\n[output]\nvtk = \"none\"\n[checkpoint]\nat_end = false\n";
  const nlohmann::json results = run_text(neck).results;
  const double superficial = quantity(results, "flow_x_min")["value"].get<double>() / 12;
  const double expected = superficial * 0.1 / (1e-4 / 12);
  EXPECT_NEAR(quantity(results, "permeability")["value"].get<double>() / expected, 1, 0.01);
}

}  // namespace
}  // namespace fluvia::test
