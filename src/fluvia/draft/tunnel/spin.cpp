// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/tunnel/spin.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "fluvia/base/error.hpp"
#include "fluvia/draft/choices.hpp"

namespace fluvia::draft {

Spin make_spin(const DraftRequest& request, const std::vector<Body>& bodies, int along, bool forwards) {
  const auto refuse = [](const std::string& problem) { throw Error(ExitCode::usage, "--spin: " + problem); };
  if (bodies.size() != 1) refuse(fmt::format("turns one body, and there are {}; give a file with one", bodies.size()));
  if (request.ground != "none") refuse("turns a body that stands on no ground; leave out --ground");
  if (request.heat) refuse("turns a body without heat; leave out --heat");
  if (request.wall_functions) refuse("walls that move have no law of the wall yet; leave out --wall-functions");
  const Body& body = bodies.front();
  if (body.holes > 0)
    throw_input(fmt::format("{}: the body has {} holes, and what turns must be closed; close them for --spin",
                            body.file.string(), body.holes));
  if (!(std::abs(*request.spin) > 0)) refuse("the body would rest; give a rate such as 1200rpm");
  Spin spin;
  spin.center = body.center;
  spin.rate = std::abs(*request.spin);
  spin.angular_velocity[along] = (forwards ? 1 : -1) * *request.spin;
  spin.radius = body.radius;
  spin.box = body.box;
  for (int axis = 0; axis < 3; ++axis)
    if (axis != along) {
      spin.box.lower[axis] = spin.center[axis] - spin.radius;
      spin.box.upper[axis] = spin.center[axis] + spin.radius;
    }
  return spin;
}

void write_spin_head(CaseText& text, const Spin& spin, double wind) {
  const double diameter = 2 * spin.radius;
  text.comment(fmt::format(
      "It turns once in {} s, with {} at its tips, on circles {} across; the advance ratio V/(n D) is {:.3g}. "
      "Coefficients in monitors.csv refer to the speed of the tips, the area of their circle and its diameter: "
      "K_T = T/(rho n2 D4) is {:.4g} C_d_body, where less than 0 is thrust against the wind, K_Q = Q/(rho n2 D5) is "
      "{:.4g} C_m_body, and power_body is what the body does to the air.",
      format_short(spin.turn(), 4), show_speed(spin.tip_speed()), show_length(diameter), wind * spin.turn() / diameter,
      std::pow(std::numbers::pi, 3) / 8, std::pow(std::numbers::pi, 3) / 8));
}

void write_spin(CaseText& text, const Spin& spin, const Body& body) {
  text.section("[[body]]").key("surface", body.name);
  Real3 center = spin.center;
  for (double& x : center) x = rounded_coordinate(x, 1e-3 * spin.radius);
  Real3 rate = spin.angular_velocity;
  for (double& x : rate) x = rounded(x, 9) + 0.0;
  text.section("[body.motion]")
      .key("center", center, "m: the center of mass")
      .key("angular_velocity", rate, "radians a second");
}

}  // namespace fluvia::draft
