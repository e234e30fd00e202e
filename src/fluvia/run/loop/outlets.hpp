// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/core/boundary/condition.hpp"
#include "fluvia/run/loop/regulator.hpp"
#include "fluvia/solver/solver.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// Outlets whose pressure follows from flow rates (core::Control): models of what lies behind them, in lattice units.
class Outlets final : public Regulator {
 public:
  Outlets(const Case& c, const Units& units, const Solver& solver);
  [[nodiscard]] const char* name() const override { return "outlets"; }
  [[nodiscard]] std::int64_t interval() const override { return outlets_.empty() ? 0 : steps; }
  void begin(Solver& solver) override;
  void advance(Solver& solver) override;
  /// Three numbers for each outlet; checkpoints of earlier versions have two.
  [[nodiscard]] std::vector<double> state() const override;
  void restore(const std::vector<double>& state) override;

 private:
  static constexpr std::int64_t steps = 10;  ///< steps between new pressures
  struct Outlet {
    int surface = 0, opening = 0;
    core::Control control{};
    double area = 1;
    std::vector<double> values;  ///< values of the boundary condition's keys, lattice units
    double stored = 0;           ///< windkessel: pressure of the compliance above the one behind
    double pressure = 0;         ///< prescribed pressure, lattice units, gauge
    double mean = 0;             ///< windkessel: outflow without the part that sound makes
  };
  static void fill(Outlet& outlet, double pressure);
  void follow_windkessel(Outlet& outlet, double outflow) const;
  void split_flow(const std::vector<double>& outflow);
  std::vector<Outlet> outlets_;
  double passage_ = 1;  ///< steps in which sound passes through the box
};

}  // namespace fluvia
