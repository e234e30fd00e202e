// SPDX-License-Identifier: Apache-2.0
// Pulsating flow in a round pipe: u = Re{G/(i w) [1 - J0(i^(3/2) a r/R)/J0(i^(3/2) a)] e^(iwt)} with -dp/dx =
// Re{G e^(iwt)}, rho = 1 and the Womersley number a = R sqrt(w/nu). J. R. Womersley, J. Physiol. 127 (1955) 553.
#include <complex>

#include "physics/support.hpp"

namespace physics_test {
namespace {

using namespace fluvia::surface_id;
using Complex = std::complex<double>;
constexpr Complex i{0, 1};

/// Bessel function J0 by its power series; fine for |z| below 10.
Complex bessel_j0(Complex z) {
  Complex term = 1, sum = 1;
  for (int k = 1; k < 60; ++k) {
    term *= -z * z / (4.0 * k * k);
    sum += term;
  }
  return sum;
}

/// Amplitude of u at r/R for a gradient of amplitude G.
Complex amplitude(double relative_radius, double womersley, double omega, Complex gradient) {
  const Complex z = std::pow(i, 1.5) * womersley;
  return gradient / (i * omega) * (1.0 - bessel_j0(z * relative_radius) / bessel_j0(z));
}

struct Pipe {
  double radius, womersley, tau;
  [[nodiscard]] int width() const { return 2 * static_cast<int>(std::ceil(radius)) + 1; }
  [[nodiscard]] double nu() const { return viscosity_of(tau); }
  [[nodiscard]] int period() const {
    return static_cast<int>(std::lround(2 * std::numbers::pi * radius * radius / (nu() * womersley * womersley)));
  }
  [[nodiscard]] double omega() const { return 2 * std::numbers::pi / period(); }
  [[nodiscard]] double distance(const Int3& x) const {
    return std::hypot(x[0] + 0.5 - width() / 2.0, x[1] + 0.5 - width() / 2.0);
  }
};

/// Pipe along z, endless, with the surface "pipe". One node of its length is enough.
scene::Scene pipe_scene(const Pipe& pipe) {
  scene::Scene s = box(3, {pipe.width(), pipe.width(), 1}, {false, false, true});
  s.solid = [pipe](const Int3& x) { return pipe.distance(x) >= pipe.radius; };
  s.bodies = {"pipe"};
  s.body_of = [](const Int3&) { return first_named; };
  return s;
}

/// Root mean square over the cross-section and a period.
struct Error {
  double difference = 0, scale = 0, flow_difference = 0, flow_scale = 0;
  /// Adds one time; `shift` is the frame's own velocity.
  void add(const fluvia::Solver& solver, const Pipe& pipe, double time, Complex gradient, double shift) {
    const fluvia::Moments m = scene::moments(solver);
    double flow = 0, exact_flow = 0;
    scene::for_each_fluid_node(solver.geometry().nodes, [&](const Int3& x, std::uint64_t n) {
      const Complex exact = amplitude(pipe.distance(x) / pipe.radius, pipe.womersley, pipe.omega(), gradient);
      const double expected = (exact * std::exp(i * (pipe.omega() * time))).real(), u = m.velocity[n][2] - shift;
      difference += std::pow(u - expected, 2);
      scale += expected * expected;
      flow += u;
      exact_flow += expected;
    });
    flow_difference += std::pow(flow - exact_flow, 2);
    flow_scale += exact_flow * exact_flow;
  }
  [[nodiscard]] double velocity() const { return std::sqrt(difference / scale); }
  [[nodiscard]] double flow() const { return std::sqrt(flow_difference / flow_scale); }
};

/// In the frame of a pipe that shakes along its axis with U cos(wt) the fluid feels the gradient d(-U cos wt)/dt, that
/// is G = -i w U, everywhere alike: Womersley's flow without ends and sound. Staircase walls are off by up to half a
/// node, on average much less: of R = 25 that is below 1%.
TEST(Womersley, ShakenPipe) {
  const Pipe pipe{25.3, 3.0, 0.8};
  const double speed = 0.02;
  scene::Scene s = pipe_scene(pipe);
  s.conditions = {{first_named, "moving_wall", {0, 0, speed}}};
  const auto solver = scene::make_solver(s, options("D3Q19", "trt", pipe.tau));
  Error error;
  const int settle = 2 * pipe.period();  // transients decay like e^(-5.8 nu t / R^2) = e^(-8)
  for (int t = 1; t <= settle + pipe.period(); ++t) {
    // What arrives at t - 1 met the wall half a step earlier.
    solver->set_boundary_value(first_named, std::cos(pipe.omega() * (t - 1.5)));
    solver->step(1);
    if (t > settle && t % (pipe.period() / 8) == 0) {
      solver->set_boundary_value(first_named, std::cos(pipe.omega() * (t - 0.5)));
      const double wall = speed * std::cos(pipe.omega() * t);
      error.add(*solver, pipe, t, -i * pipe.omega() * speed, wall);
    }
  }
  EXPECT_LT(error.velocity(), 0.02);
  EXPECT_LT(error.flow(), 0.02);
}

}  // namespace
}  // namespace physics_test
