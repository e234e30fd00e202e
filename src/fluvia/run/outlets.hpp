// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// Outlets whose pressure follows from flow rates (core::Control): what lies behind them, in lattice units. Their
/// pressures are set every few steps, at multiples of `interval` of the time step, so that runs in pieces give the
/// same.
class Outlets {
 public:
  static constexpr std::int64_t interval = 10;

  Outlets(const Case& c, const Units& units, const Solver& solver);
  [[nodiscard]] bool empty() const { return outlets_.empty(); }
  /// Sets the pressures as they are, at the start of a run.
  void begin(Solver& solver) const;
  /// Pressures for the next `interval` steps from the flow rates now.
  void advance(Solver& solver);
  /// For checkpoints: two numbers an outlet.
  [[nodiscard]] std::vector<double> state() const;
  void restore(const std::vector<double>& state);

 private:
  struct Outlet {
    int surface = 0, opening = 0;
    core::Control control{};
    double area = 1;
    std::vector<double> values;  ///< of the condition's keys
    double stored = 0;           ///< windkessel: pressure of the compliance above the one behind
    double pressure = 0;         ///< that is prescribed
  };
  static void follow_windkessel(Outlet& outlet, double outflow);
  void split_flow(const std::vector<double>& outflow);
  std::vector<Outlet> outlets_;
};

}  // namespace fluvia
