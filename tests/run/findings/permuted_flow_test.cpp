// SPDX-License-Identifier: Apache-2.0
// No axis is special to a flow: a case with its axes turned into each other has the same forces, torques, flow rates
// and probes, turned likewise. Right-handed turns only, as torques and rotations are signed by hand.
#include <gtest/gtest.h>

#include <cmath>

#include "fluvia/case/physics/opening_profiles.hpp"
#include "fluvia/run/run.hpp"
#include "support/temporary_folder.hpp"

namespace fluvia::test {
namespace {

using Json = nlohmann::json;

/// Axis a of the first case is axis (a + turn) % 3.
class Turned {
 public:
  explicit Turned(int turn) : turn_(turn) {}
  [[nodiscard]] int axis(int a) const { return (a + turn_) % 3; }
  template <class Vector>
  [[nodiscard]] Vector operator()(const Vector& v) const {
    Vector result{};
    for (int axis = 0; axis < 3; ++axis) result[this->axis(axis)] = v[axis];
    return result;
  }
  /// A name whose first or last letter is an axis, e.g. x_min or force_ball_z; of components of a velocity, u, v, w.
  [[nodiscard]] std::string operator()(std::string name) const {
    for (const char* face : {"_min", "_max"})
      if (const auto at = name.find(face); at != std::string::npos && at > 0) turn(name[at - 1], 'x');
    if (name.size() > 2 && name[name.size() - 2] == '_') {
      turn(name.back(), 'x');
      turn(name.back(), 'u');
    }
    return name;
  }

 private:
  void turn(char& letter, char first) const {
    if (letter >= first && letter < first + 3) letter = static_cast<char>(first + (letter - first + turn_) % 3);
  }
  int turn_;
};

Case::Boundary boundary(const std::string& surface, const std::string& type) {
  Case::Boundary b;
  b.surface = surface;
  b.type = type;
  return b;
}

/// Lattice units, a box that is longest along x and has an origin.
Case base(const Turned& turned, const Int3& nodes) {
  Case c;
  c.units.viscosity = 0.06;
  c.domain.nodes = turned(nodes);
  c.domain.origin = turned(Real3{-4, 6, 11});
  c.numerics.device = "cpu";
  c.numerics.format = "fp64";
  c.numerics.collision = "trt";
  c.numerics.threads = 1;
  c.output.vtk = "none";
  c.run.steps = 60;
  c.monitors.every = 60;
  c.monitors.probes = {{"p", turned(Real3{-4 + 9.5, 6 + 2.5, 11 + 4.5})},
                       {"q", turned(Real3{-4 + 3.5, 6 + 6.5, 11 + 2.5})}};
  return c;
}

Case::Shape ball(const Turned& turned) {
  Case::Shape shape;
  shape.kind = "sphere";
  shape.name = "ball";
  shape.center = turned(Real3{1.2, 12.3, 15.4});
  shape.radius = 2.1;
  return shape;
}

Json monitors_of(Case c) {
  const TemporaryFolder folder;
  if (c.directory.empty()) c.directory = folder.path();
  RunOptions options;
  options.output = folder.path() / "out";
  const Json all = run_case(c, options).results["monitors"];
  Json result;
  for (const auto& [column, value] : all.items()) result[column.substr(0, column.find(" ["))] = value;
  return result;
}

void expect_no_axis_is_special(const std::function<Case(const Turned&)>& make, double tolerance = 1e-9) {
  const Json first = monitors_of(make(Turned(0)));
  for (const int turn : {1, 2}) {
    const Turned turned(turn);
    const Json other = monitors_of(make(turned));
    for (const auto& [column, value] : first.items()) {
      const std::string name = turned(column);
      ASSERT_TRUE(other.contains(name)) << name;
      EXPECT_NEAR(other[name].get<double>(), value.get<double>(), tolerance * (1e-3 + std::abs(value.get<double>())))
          << column << " turned " << turn;
    }
  }
  EXPECT_GT(std::abs(first["p_u"].get<double>()), 1e-6);
}

TEST(TurnedFlow, DuctWithEveryProfile) {
  for (const OpeningProfile& registered : opening_profiles()) {
    const std::string profile = registered.name;
    SCOPED_TRACE(profile);
    const TemporaryFolder folder;
    expect_no_axis_is_special([&](const Turned& turned) {
      Case c = base(turned, {15, 11, 8});
      c.directory = folder.path();
      Case::Boundary in = boundary(turned("x_min"), "velocity");
      in.profile = profile;
      if (profile == "womersley") {
        std::ofstream(folder.path() / "series.csv") << "0,0.2\n10,1.1\n25,-0.3\n40,0.2\n";
        in.series = "series.csv";
        in.series_quantity = "flow_rate";
      } else if (profile == "table") {
        std::ofstream table(folder.path() / "table.csv");
        table << "x,y,z,speed\n";
        for (int y = 0; y <= 5; ++y)
          for (int z = 0; z <= 4; ++z) {
            const Real3 p = turned(Real3{-4, 6 + 2.2 * y, 11 + 2.0 * z});
            table << p[0] << "," << p[1] << "," << p[2] << "," << 0.004 * (y + 1) + 0.003 * z * y << "\n";
          }
        in.profile_file = "table.csv";
      } else {
        in.flow_rate = 1.1;
      }
      if (registered.at_height != nullptr) {
        in.ground = turned("y_max");
        for (const core::Key& key : keys_of(registered))
          if (std::string(key.name) != "reference_height") in.values[key.name] = 0.3;
      }
      c.boundaries = {in, boundary(turned("x_max"), "pressure")};
      c.geometry.shapes = {ball(turned)};
      c.monitors.forces = {"ball"};
      c.monitors.torque_center = turned(Real3{1, 9, 12});
      c.monitors.permeability_axis = turned.axis(0);
      return c;
    });
  }
}

TEST(TurnedFlow, SpinningSphereBetweenMovingWalls) {
  for (const char* lattice : {"D3Q15", "D3Q19", "D3Q27"})
    for (const char* method : {"half-way", "interpolated"}) {
      SCOPED_TRACE(std::string(lattice) + " " + method);
      expect_no_axis_is_special([&](const Turned& turned) {
        Case c = base(turned, {15, 12, 10});
        c.numerics.lattice = lattice;
        c.walls.method = method;
        c.domain.periodic = turned(Bool3{true, false, true});
        c.physics.acceleration = turned(Real3{3e-5, -1e-5, 2e-5});
        c.physics.initial_velocity = turned(Real3{0.02, -0.01, 0.005});
        c.geometry.shapes = {ball(turned)};
        Case::Boundary spin = boundary("ball", "moving_wall"), lid = boundary(turned("y_max"), "moving_wall");
        spin.rotation_center = turned(Real3{1.2, 12.3, 15.4});
        spin.angular_velocity = turned(Real3{0.002, -0.004, 0.006});
        spin.velocity = turned(Real3{0.001, 0.002, -0.001});
        lid.velocity = turned(Real3{0.03, 0, 0.02});
        c.boundaries = {spin, lid, boundary(turned("y_min"), "free_slip")};
        c.monitors.forces = {"ball", turned("y_max")};
        c.monitors.force_parts = {"exchange", "integral"};
        c.monitors.torque_center = turned(Real3{2, 11, 15});
        return c;
      });
    }
}

TEST(TurnedFlow, ForcesOnFacesThatMeet) {
  for (const char* lattice : {"D3Q15", "D3Q19", "D3Q27"}) {
    SCOPED_TRACE(lattice);
    expect_no_axis_is_special([&](const Turned& turned) {
      Case c = base(turned, {12, 11, 9});
      c.numerics.lattice = lattice;
      c.physics.acceleration = turned(Real3{3e-5, -1e-5, 2e-5});
      Case::Boundary lid = boundary(turned("y_max"), "moving_wall"), side = boundary(turned("x_max"), "moving_wall");
      lid.velocity = turned(Real3{0.03, 0, 0.02});
      side.velocity = turned(Real3{0, -0.01, 0.02});
      c.boundaries = {lid, side, boundary(turned("z_min"), "symmetry")};
      for (const std::string face : {"x_min", "x_max", "y_min", "y_max", "z_max"})
        c.monitors.forces.push_back(turned(face));
      c.monitors.force_parts = {"exchange", "integral"};
      c.monitors.torque_center = turned(Real3{2, 11, 15});
      return c;
    });
  }
}

TEST(TurnedFlow, ObliquePipe) {
  expect_no_axis_is_special([](const Turned& turned) {
    Case c = base(turned, {22, 16, 13});
    c.physics.smagorinsky = 0.15;
    Case::Shape pipe;
    pipe.kind = "cylinder";
    pipe.operation = "fluid";
    pipe.name = "pipe";
    pipe.from = turned(Real3{-4 - 5.0, 6 + 4.2, 11 + 5.1});
    pipe.to = turned(Real3{-4 + 27.0, 6 + 9.7, 11 + 7.3});
    pipe.radius = 3.7;
    c.geometry.shapes = {pipe};
    const Real3 along{32, 5.5, 2.2};
    const auto disc = [&](const char* name, double place, double sign) {
      Case::OpeningInput opening;
      opening.name = name;
      opening.center = turned(Real3{-9, 10.2, 16.1} + place * along);
      opening.normal = turned((sign / norm(along)) * along);
      opening.radius = 5;
      return opening;
    };
    c.openings = {disc("in", 0.29, -1), disc("out", 0.72, 1)};
    Case::Boundary in = boundary("in", "velocity");
    in.profile = "parabolic";
    in.speed = 0.02;
    c.boundaries = {in, boundary("out", "pressure")};
    c.monitors.forces = {"pipe"};
    c.monitors.force_parts = {"integral"};
    c.monitors.probes = {{"p", turned(Real3{-9, 10.2, 16.1} + 0.5 * along)}};
    return c;
  });
}

TEST(TurnedFlow, HalfOfTheNodes) {
  expect_no_axis_is_special([](const Turned& turned) {
    Case c = base(turned, {14, 12, 10});
    c.numerics.lattice = "D3Q13";
    c.numerics.collision = "mrt";
    c.numerics.scheme = "fcc";
    c.numerics.format = "fp64";
    c.domain.periodic = turned(Bool3{true, false, true});
    c.physics.acceleration = turned(Real3{3e-5, -1e-5, 2e-5});
    Case::Boundary lid = boundary(turned("y_max"), "moving_wall");
    lid.velocity = turned(Real3{0.03, 0, 0.02});
    c.boundaries = {lid};
    c.monitors.forces = {turned("y_max"), turned("y_min")};
    c.monitors.torque_center = turned(Real3{2, 11, 15});
    return c;
  });
}

}  // namespace
}  // namespace fluvia::test
