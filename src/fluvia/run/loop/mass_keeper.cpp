// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/loop/mass_keeper.hpp"

namespace fluvia {

MassKeeper::MassKeeper(const Solver& solver, bool has_bodies)
    : leaks_(has_bodies || static_cast<bool>(solver.geometry().distance_of)),
      closed_(solver.geometry().openings.empty()) {}

void MassKeeper::begin(Solver& solver) {
  if (!started_) {
    target_ = account_.first_mass = solver.totals().mass;
    account_.inflow.rate = net_inflow(opening_flows(solver));
    started_ = true;
  }
  supply_ = solver.set_wall_mass_correction(supply_);
}

/// Corrects the supply: the mass lost since the last change will be lost again; in a closed domain the missing mass
/// comes back, too.
void MassKeeper::advance(Solver& solver) {
  if (solver.time_step() == 0) return;
  if (!closed_) {
    account_.inflow.add(steps / samples, net_inflow(opening_flows(solver)));
    if (++taken_ < samples) return;
  }
  const Totals totals = solver.totals();
  if (!totals.finite) return;
  double lost = supply_ + account_.missing(totals.mass) / steps;
  if (closed_) lost += (target_ - totals.mass) / steps;
  account_.first_mass = totals.mass;
  account_.inflow.sum = 0;
  taken_ = 0;
  supply_ = solver.set_wall_mass_correction(lost);
}

std::vector<double> MassKeeper::state() const {
  return {target_, account_.first_mass, account_.inflow.sum, account_.inflow.rate, static_cast<double>(taken_),
          supply_, started_ ? 1.0 : 0.0};
}

void MassKeeper::restore(const std::vector<double>& state) {
  if (state.size() < 7) return;
  target_ = state[0];
  account_ = {state[1], {state[3], state[2]}};
  taken_ = static_cast<int>(state[4]);
  supply_ = state[5];
  started_ = state[6] != 0;
}

}  // namespace fluvia
