// SPDX-License-Identifier: Apache-2.0
// The flow in a cavity whose lid moves, stepped by a program of one's own.
#include <algorithm>
#include <cstdlib>
#include <fluvia/base/error.hpp>
#include <fluvia/run/session.hpp>
#include <iostream>

int main() {
  fluvia::Case cavity;
  cavity.title = "Lid-driven cavity, Re = 400";
  cavity.units.tau = 0.596;
  cavity.units.reference_velocity = 0.1;
  cavity.units.reference_length = 64;
  cavity.domain.dimension = 2;
  cavity.domain.nodes = {64, 64, 1};
  fluvia::Case::Boundary lid;
  lid.surface = "y_max";
  lid.type = "moving_wall";
  lid.velocity = {0.1, 0, 0};
  cavity.boundaries.push_back(lid);
  cavity.run.steps = 2000;
  try {
    fluvia::Session flow(cavity);
    flow.advance(500);
    const fluvia::NodeValues speed = flow.field("velocity");
    std::cout << "step " << flow.time_step() << ", largest component of the velocity "
              << *std::max_element(speed.values.begin(), speed.values.end()) << '\n';
  } catch (const fluvia::Error& error) {
    std::cerr << error.what() << '\n';
    return static_cast<int>(error.code());
  }
  return EXIT_SUCCESS;
}
