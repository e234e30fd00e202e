// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/coordinate_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace fluvia::geometry {

double step_of_coordinates(const TriangleSoup& soup) {
  float largest = 0;
  for (const auto& triangle : soup)
    for (const Real3& corner : triangle)
      for (const double x : corner) {
        const auto narrow = static_cast<float>(x);
        if (static_cast<double>(narrow) != x) return 0;
        largest = std::max(largest, std::abs(narrow));
      }
  return static_cast<double>(std::nextafter(largest, INFINITY)) - static_cast<double>(largest);
}

std::string warn_of_steps(const std::string& files, double step_in_nodes) {
  constexpr double tolerated = 0.05;  // a wall moved by half of it changes the flow in a gap of 10 nodes by 1%
  if (step_in_nodes <= tolerated) return {};
  return fmt::format(
      "{}: its coordinates are 32-bit numbers so far from zero that they come in steps of {:.2g} nodes, and the "
      "surface "
      "with them; move it near the origin in the program that made it, before it is exported.",
      files, step_in_nodes);
}

}  // namespace fluvia::geometry
