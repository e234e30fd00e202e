// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// Flows through all openings now, lattice units.
[[nodiscard]] inline std::vector<OpeningFlow> opening_flows(const Solver& solver) {
  std::vector<OpeningFlow> flows;
  for (std::size_t k = 0; k < solver.geometry().openings.size(); ++k)
    flows.push_back(solver.opening_flow(static_cast<int>(k)));
  return flows;
}

/// Net flow into the fluid through all openings, lattice units.
[[nodiscard]] inline double net_inflow(const std::vector<OpeningFlow>& flows) {
  double sum = 0;
  for (const OpeningFlow& flow : flows) sum += flow.flow_rate;
  return sum;
}

/// Sum of a rate over time steps, by the trapezoidal rule.
struct RateSum {
  double rate = 0;  ///< the rate at the last call
  double sum = 0;
  void add(double steps, double next) {
    sum += steps * (rate + next) / 2;
    rate = next;
  }
};

/// Mass that openings let in since some step, beside the mass that the fluid gained.
struct MassAccount {
  double first_mass = 0;  ///< mass of the fluid at that step
  RateSum inflow;
  [[nodiscard]] double missing(double mass) const { return inflow.sum - (mass - first_mass); }
};

}  // namespace fluvia
