// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/physics/initial_flows.hpp"

#include <cmath>
#include <numbers>

namespace fluvia {
namespace {

constexpr double turn = 2 * std::numbers::pi;

FlowAtPoint taylor_green(const Real3& position, int dimension) {
  const double x = turn * position[0], y = turn * position[1], z = dimension == 3 ? turn * position[2] : 0;
  const double waves = std::cos(2 * x) + std::cos(2 * y);
  return {{std::sin(x) * std::cos(y) * std::cos(z), -std::cos(x) * std::sin(y) * std::cos(z), 0},
          dimension == 3 ? waves * (std::cos(2 * z) + 2) / 16 : waves / 4};
}

FlowAtPoint shear_layer(const Real3& position, int) {
  constexpr double sharpness = 80, disturbance = 0.05;
  const double distance = position[1] <= 0.5 ? position[1] - 0.25 : 0.75 - position[1];
  return {{std::tanh(sharpness * distance), disturbance * std::sin(turn * (position[0] + 0.25)), 0}, 0};
}

}  // namespace

const std::vector<InitialFlow>& initial_flows() {
  static const std::vector<InitialFlow> flows = {{"taylor-green", taylor_green}, {"shear-layer", shear_layer}};
  return flows;
}

const InitialFlow* find_initial_flow(const std::string& name) {
  for (const InitialFlow& flow : initial_flows())
    if (name == flow.name) return &flow;
  return nullptr;
}

}  // namespace fluvia
