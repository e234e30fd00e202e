// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/parts/part_solver.hpp"

#include <cmath>

namespace fluvia {

Totals totals_of(const TileSums<FlowSum>& sums, double node_volume) {
  const FlowSum sum = total(sums);
  Totals totals;
  totals.mass = node_volume * sum.mass;
  for (int a = 0; a < 3; ++a) totals.momentum[a] = node_volume * sum.momentum[a];
  totals.kinetic_energy = node_volume * sum.kinetic_energy;
  if (sum.fastest_squared > 0) {
    totals.max_speed = std::sqrt(sum.fastest_squared);
    totals.max_speed_node = sum.fastest_node;
  }
  totals.finite = sum.bad_node == FlowSum::none;
  if (!totals.finite) totals.bad_node = sum.bad_node;
  return totals;
}

OpeningFlow opening_flow_of(const TileSums<OpeningSum>& sums, double node_volume, double corners) {
  const OpeningSum sum = total(sums);
  OpeningFlow flow;
  flow.flow_rate = node_volume * sum.flow_rate + corners;
  if (sum.nodes > 0) flow.mean_pressure = sum.pressure / static_cast<double>(sum.nodes);
  return flow;
}

}  // namespace fluvia
