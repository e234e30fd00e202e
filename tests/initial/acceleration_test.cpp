// SPDX-License-Identifier: Apache-2.0
// Body forces that differ from node to node, as cases say them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fluvia/case/validate.hpp"
#include "fluvia/initial/acceleration_field.hpp"
#include "fluvia/run/prepared_flow.hpp"
#include "support/npy.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

constexpr const char* forced_box = R"([units]
system = "si"
spacing = 0.01
density = 1000
viscosity = 1e-4
time_step = 0.01
[domain]
size = [0.06, 0.05, 0.04]
origin = [1, -2, 0.5]
periodic = [true, true, true]
[numerics]
device = "cpu"
[run]
steps = 1
)";

/// A flow that is ready for its first step, and the warnings before it.
struct Forced {
  explicit Forced(const std::string& physics)
      : c(parse_case(std::string(forced_box) + "[physics]\n" + physics, "/case.toml")),
        flow(c, [this](const std::string& text) { warnings += text + "\n"; }) {
    flow.build();
    flow.make_solver();
  }
  [[nodiscard]] AccelerationField field() const {
    return AccelerationField({c, flow.units(), flow.solver().geometry()});
  }
  std::string warnings;
  Case c;
  PreparedFlow flow;
};

std::string refusal(const std::string& physics) {
  return error_of(ExitCode::input, [&] { Forced flow(physics); });
}

/// An acceleration of a in m/s2 is a dt^2/dx = 0.01 a in lattice units.
TEST(AccelerationFields, AreFormulasOfThePosition) {
  const Forced flow("acceleration_formula = [\"x > 1.03 ? 0.2 : 0\", \"0.1*(y+2)\", \"-0.3*z\"]\n");
  const AccelerationField field = flow.field();
  EXPECT_NEAR(field.at({2, 0, 0})[0], 0, 1e-15);
  EXPECT_NEAR(field.at({3, 0, 0})[0], 0.002, 1e-15);
  EXPECT_NEAR(field.at({0, 3, 0})[1], 0.001 * 0.035, 1e-15);
  EXPECT_NEAR(field.at({0, 0, 2})[2], -0.003 * 0.525, 1e-15);
  EXPECT_EQ(flow.warnings.find("drives"), std::string::npos) << flow.warnings;
}

TEST(AccelerationFields, AreArraysOfTheBox) {
  const TemporaryFolder folder;
  std::vector<float> values;
  for (int node = 0; node < 6 * 5 * 4; ++node)
    for (int axis = 0; axis < 3; ++axis)
      values.push_back(node == 7 ? std::numeric_limits<float>::quiet_NaN() : 0.01F * static_cast<float>(node + axis));
  const std::string file = write_npy(folder.path() / "fan.npy", "(4, 5, 6, 3)", values);
  const Forced flow("acceleration_file = '" + file + "'\nacceleration_formula = [\"1\", \"0\", \"0\"]\n");
  const AccelerationField field = flow.field();
  EXPECT_NEAR(field.at({2, 1, 3})[1], 1e-4 * (2 + 6 * 1 + 30 * 3 + 1), 1e-9);
  EXPECT_NEAR(field.at({2, 1, 3})[0], 0.01 + 1e-4 * (2 + 6 * 1 + 30 * 3), 1e-9) << "the formula is added";
  EXPECT_NEAR(field.at({1, 1, 0})[0], 0.01, 1e-12) << "where the file has no value";
  EXPECT_CONTAINS(flow.warnings,
                  "physics.acceleration_file: has no value at 1 of 120 fluid nodes, which get none of this force");
  const std::string turned = write_npy(folder.path() / "turned.npy", "(6, 5, 4, 3)", values);
  EXPECT_CONTAINS(refusal("acceleration_file = '" + turned + "'\n"),
                  "physics.acceleration_file: " + turned + ": has the shape (6, 5, 4, 3); expected (4, 5, 6, 3)");
  values[0] = std::numeric_limits<float>::infinity();
  const std::string infinite = write_npy(folder.path() / "infinite.npy", "(4, 5, 6, 3)", values);
  EXPECT_CONTAINS(refusal("acceleration_file = '" + infinite + "'\n"), "is no finite number at node (0, 0, 0)");
}

TEST(AccelerationFields, AreRefusedBeforeAnythingIsComputed) {
  EXPECT_CONTAINS(refusal("acceleration_formula = [\"1\", \"0\"]\n"),
                  "physics.acceleration_formula: '2' formulas; expected 3, one for each component");
  EXPECT_CONTAINS(refusal("acceleration_formula = [\"1/(x-1.025)\", \"0\", \"0\"]\n"),
                  "physics.acceleration_formula: is no finite number at node (2, 0, 0)");
  EXPECT_CONTAINS(refusal("acceleration_formula = [\"50\", \"0\", \"0\"]\n"),
                  "physics.acceleration_formula: '50' is a lattice speed of 0.5, Mach 0.866");
  EXPECT_CONTAINS(refusal("acceleration_file = \"missing.npy\"\n"), "missing.npy: cannot be opened: No such file");
  EXPECT_CONTAINS(refusal("acceleration_file = \"fan.vti\"\n"), "expected a .vtkhdf file, a .npy file, or the");
  EXPECT_CONTAINS(refusal("acceleration_formula = [\"1\", \"0\", \"0\"]\n[monitor]\npermeability_axis = \"x\"\n"),
                  "monitor.permeability_axis: a permeability is found from a force that is the same at all nodes");
}

TEST(AccelerationFields, ThatAreZeroDriveNothing) {
  const Forced flow("acceleration_formula = [\"0\", \"0\", \"0\"]\n");
  EXPECT_CONTAINS(flow.warnings, "physics.acceleration_formula: is 0 at all fluid nodes, so that it drives nothing");
}

}  // namespace
}  // namespace fluvia::test
