// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/mass_keeper.hpp"

namespace fluvia {

MassKeeper::MassKeeper(const Solver& solver)
    : leaks_(static_cast<bool>(solver.geometry().distance_of)),
      openings_(static_cast<int>(solver.geometry().openings.size())) {}

double MassKeeper::inflow(const Solver& solver) const {
  double sum = 0;
  for (int k = 0; k < openings_; ++k) sum += solver.opening_flow(k).flow_rate;
  return sum;
}

void MassKeeper::begin(Solver& solver) {
  if (!started_) {
    target_ = last_ = solver.totals().mass;
    inflow_ = inflow(solver);
    started_ = true;
  }
  supply_ = solver.set_wall_supply(supply_);
}

/// What was lost since the last change will be lost again; in a closed domain what is missing comes back, too.
void MassKeeper::advance(Solver& solver) {
  if (solver.time_step() == 0) return;
  if (openings_ > 0) {
    const double before = inflow_;
    inflow_ = inflow(solver);
    entered_ += (before + inflow_) / 2 * static_cast<double>(steps / samples);
    if (++taken_ < samples) return;
  }
  const Totals totals = solver.totals();
  if (!totals.finite) return;
  double lost = supply_ - (totals.mass - last_ - entered_) / static_cast<double>(steps);
  if (openings_ == 0) lost += (target_ - totals.mass) / static_cast<double>(steps);
  last_ = totals.mass;
  entered_ = 0;
  taken_ = 0;
  supply_ = solver.set_wall_supply(lost);
}

std::vector<double> MassKeeper::state() const {
  return {target_, last_, entered_, inflow_, static_cast<double>(taken_), supply_, started_ ? 1.0 : 0.0};
}

void MassKeeper::restore(const std::vector<double>& state) {
  if (state.size() < 7) return;
  target_ = state[0];
  last_ = state[1];
  entered_ = state[2];
  inflow_ = state[3];
  taken_ = static_cast<int>(state[4]);
  supply_ = state[5];
  started_ = state[6] != 0;
}

}  // namespace fluvia
