// SPDX-License-Identifier: Apache-2.0
// A channel with a pulsating flow: a parallel flow that is Womersley's at the inlet is so everywhere.
#include <complex>
#include <fstream>

#include "physics/support.hpp"
#include "support/temporary_folder.hpp"

namespace physics_test {
namespace {

using namespace fluvia::surface_id;
using Complex = std::complex<double>;

struct PulsatingChannel {
  double half = 10, womersley = 4, tau = 0.52, mean = 0.04, amplitude = 0.03;
  [[nodiscard]] double viscosity() const { return viscosity_of(tau); }
  [[nodiscard]] double omega() const { return viscosity() * womersley * womersley / (half * half); }
  /// Plane Poiseuille flow and one harmonic of J. R. Womersley's kind between plates.
  [[nodiscard]] double speed(double y, double time) const {
    const Complex i{0, 1}, k = std::sqrt(i * omega() / viscosity());
    const Complex shape = (1.0 - std::cosh(k * y) / std::cosh(k * half)) / (1.0 - std::tanh(k * half) / (k * half));
    return mean * 1.5 * (1 - y * y / (half * half)) + amplitude * (shape * std::exp(i * (omega() * time))).real();
  }
};

/// Largest difference from the exact flow two widths behind the inlet, over the third period, relative to the largest
/// speed.
double error_behind(const PulsatingChannel& channel, const std::string& profile) {
  const double period = 2 * std::numbers::pi / channel.omega();
  const fluvia::test::TemporaryFolder folder;
  std::ofstream series(folder.path() / "speed.csv");
  constexpr int points = 400;
  for (int k = 0; k <= points; ++k)
    series << period * k / points << ','
           << channel.mean + channel.amplitude * std::cos(2 * std::numbers::pi * k / points) << '\n';
  series.close();
  const int width = static_cast<int>(2 * channel.half), length = 4 * width;
  scene::Scene s = box(2, {length, width, 1}, {false, false, true});
  s.conditions = {{x_min, "velocity"}, {x_max, "pressure"}};
  s.conditions[0].profile = profile;
  s.conditions[0].series = folder.path() / "speed.csv";
  for (const int face : {x_min, x_max}) {
    fluvia::Opening& opening = s.openings.emplace_back();
    opening.surface = face;
    opening.normal = {face == x_min ? -1.0 : 1.0, 0, 0};
    opening.area = width;
    opening.centroid = {face == x_min ? 0.0 : length, channel.half, 0.5};
  }
  const auto solver = scene::make_solver(s, options("D2Q9", "mrt", channel.tau));
  double error = 0, largest = 0;
  const int settle = static_cast<int>(2 * period), sample = static_cast<int>(period / 8);
  for (int t = 0; t <= settle + 8 * sample; ++t) {
    if (t > settle && (t - settle) % sample == 0) {
      const fluvia::Moments m = scene::moments(*solver);
      for (int y = 0; y < width; ++y) {
        const double expected = channel.speed(y + 0.5 - channel.half, t);
        error = std::max(error, std::abs(velocity_at(*solver, m, {2 * width, y, 0})[0] - expected));
        largest = std::max(largest, std::abs(expected));
      }
    }
    if (profile == "womersley")
      solver->set_profile_time(t);
    else
      solver->set_boundary_value(x_min, channel.mean + channel.amplitude * std::cos(channel.omega() * t));
    solver->step(1);
  }
  return error / largest;
}

/// What is left, of the pulsation, which is a third of the largest speed: second differences over 10 nodes,
/// (alpha/h)^2/12 + 1/h^2 = 2.3%; the fluid between inlet and outlet that is compressed, (w/c_s)^2 (L x - x^2/2) =
/// 0.8%; a staggered time of a step, 0.1%. It is 0.7% and with the developed profile 4.3%.
TEST(PulsatingInlet, StaysAsItIsAlongAChannel) {
  EXPECT_LT(error_behind({}, "womersley"), 0.01);
  EXPECT_GT(error_behind({}, "developed"), 0.03);  // the test can tell
}

}  // namespace
}  // namespace physics_test
