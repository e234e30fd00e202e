// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/profiles/prescribed_flux.hpp"

#include <optional>

#include "fluvia/case/ground.hpp"

namespace fluvia {

namespace {
std::optional<double> prescribed(const Case::Boundary& b, const char* quantity, const std::optional<double>& constant) {
  return !b.series.empty() && b.series_quantity == quantity ? std::optional(1.0) : constant;
}
}  // namespace

bool prescribes_flux(const Case::Boundary& b) {
  return (prescribed(b, "speed", b.speed) && !is_above_ground(b)) || prescribed(b, "flow_rate", b.flow_rate);
}

double prescribed_flux(const Case::Boundary& b, const Units& units, const Opening& opening, int dimension) {
  const auto flow = prescribed(b, "flow_rate", b.flow_rate);
  return flow ? units.flow_rate(*flow, dimension)
              : units.velocity(prescribed(b, "speed", b.speed).value_or(0)) * opening.area;
}

}  // namespace fluvia
