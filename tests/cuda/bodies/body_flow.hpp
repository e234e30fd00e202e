// SPDX-License-Identifier: Apache-2.0
// Flows with bodies that move, as GPUs and CPUs compute them side by side: bodies of CPUs follow the oracle.
#pragma once
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <string>

#include "cuda/scalars/scalar_channel.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia::test {

/// A channel, in which a bar turns, a ball goes over a periodic face, and a third body is free; its walls lie between
/// the nodes or half-way. Numbers of nodes are no multiples of tiles.
struct BodyFlow {
  int dimension = 2;
  std::string collision = "trt", scheme = "pull", format = "fp64", walls = "interpolated";
  int gpu_threads = 0;
  bool is_free = true;   ///< the third body, else it is told
  bool at_rest = false;  ///< the fluid in the beginning

  [[nodiscard]] Case on(const std::string& device) const {
    const bool flat = dimension == 2;
    const auto place = [&](double x, double y, double z) {
      return flat ? fmt::format("[{}, {}]", x, y) : fmt::format("[{}, {}, {}]", x, y, z);
    };
    const std::string text = fmt::format(
        R"case(
[units]
system = "lattice"
viscosity = 0.06
[domain]
dimension = {dimension}
nodes = {nodes}
periodic = [{periodic}, false, {deep}]
[walls]
method = "{walls}"
[physics]
initial_velocity = {velocity}
[[geometry.shape]]
name = "post"
kind = "cylinder"
{post}
radius = 2.6
[[geometry.shape]]
name = "bar"
kind = "box"
center = {bar}
size = {bar_size}
[[geometry.shape]]
name = "ball"
kind = "sphere"
center = {ball}
radius = 2.4
[[geometry.shape]]
name = "third"
kind = "sphere"
center = {third}
radius = 2.3
[[body]]
surface = "bar"
motion = {{ center = {bar}, velocity = {of_bar}, angular_velocity = [0, 0, 0.011] }}
[[body]]
surface = "ball"
motion = {{ center = {ball}, velocity = {of_ball}, angular_velocity = [0, 0, -0.02] }}
[[body]]
surface = "third"
{motion}
[[boundary]]
surface = "y_max"
type = "moving_wall"
velocity = {of_wall}
[numerics]
lattice = "{lattice}"
collision = "{collision}"
scheme = "{scheme}"
format = "{format}"
threads = 2
gpu_threads = {threads}
device = "{device}"
trial = false
[run]
steps = 100
)case",
        fmt::arg("dimension", dimension), fmt::arg("nodes", flat ? "[45, 27]" : "[37, 21, 18]"),
        fmt::arg("periodic", true), fmt::arg("deep", !flat), fmt::arg("walls", walls),
        fmt::arg("velocity", at_rest ? place(0, 0, 0) : place(0.03, -0.01, 0.01)),
        fmt::arg("post",
                 flat ? "from = [36.2, 19.6]\nto = [36.2, 19.6]" : "from = [29.2, 14.6, -9]\nto = [29.2, 14.6, 99]"),
        fmt::arg("bar", flat ? place(10.2, 12.7, 0) : place(9.2, 10.7, 9.3)),
        fmt::arg("bar_size", flat ? place(8.3, 3.1, 0) : place(6.2, 3.1, 4.3)),
        fmt::arg("ball", flat ? place(43.9, 10.1, 0) : place(36.4, 9.2, 9.3)),
        fmt::arg("third", flat ? place(24.7, 14.4, 0) : place(20.7, 11.4, 8.6)),
        fmt::arg("of_bar", place(0.013, 0.007, 0.013)), fmt::arg("of_ball", place(0.031, -0.017, -0.02)),
        fmt::arg("motion", is_free ? std::string("free = { density = 1.7, gravity = false }")
                                   : fmt::format("motion = {{ velocity = {} }}", place(0.02, 0.01, 0))),
        fmt::arg("of_wall", place(0.02, 0, 0)), fmt::arg("lattice", flat ? "D2Q9" : "D3Q19"),
        fmt::arg("collision", collision), fmt::arg("scheme", device == "cpu" ? "pull" : scheme),
        fmt::arg("format", format), fmt::arg("threads", gpu_threads), fmt::arg("device", device));
    return parse_case(text, "bodies.toml");
  }
};

/// What acts on bodies, and where they are.
inline void compare_bodies(const Solver& solver, const Solver& on_cpu, double tolerance) {
  const MovingBodies &bodies = *solver.bodies(), &expected = *on_cpu.bodies();
  ASSERT_EQ(bodies.count(), expected.count());
  const auto& surfaces = solver.geometry().surfaces;
  for (std::size_t s = 0; s < surfaces.size(); ++s) {
    const int surface = static_cast<int>(s), body = bodies.with_surface(surface);
    if (body < 0) continue;
    SCOPED_TRACE(surfaces[s]);
    const Real3 center = expected.last_pose(body).center;
    const SurfaceForce force = solver.surface_force(surface, center), of_cpu = on_cpu.surface_force(surface, center);
    for (std::size_t a = 0; a < 3; ++a) {
      EXPECT_NEAR(bodies.pose(body).center[a], expected.pose(body).center[a], tolerance);
      EXPECT_NEAR(force.force[a], of_cpu.force[a], 10 * tolerance);
      EXPECT_NEAR(force.torque[a], of_cpu.torque[a], 100 * tolerance);
    }
  }
  EXPECT_NEAR(solver.totals().mass, on_cpu.totals().mass, 1e3 * tolerance);
}

/// What a program does between two steps.
inline void steer(Solver& solver) {
  solver.apply(BodyVelocity{0, {0.004, 0.01, 0}, {0, 0, 0.02}});
  solver.set_wall_mass_correction(1e-3);
}

}  // namespace fluvia::test
