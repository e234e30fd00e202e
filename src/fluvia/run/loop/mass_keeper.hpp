// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/run/loop/mass_account.hpp"
#include "fluvia/run/loop/regulator.hpp"

namespace fluvia {

/// Keeps mass from passing walls that lie between the nodes: in each step these let through a little of it
/// (docs/walls.md), and give it back evenly over all their links. How much that is follows from the change of the
/// fluid's mass, less what comes through openings. A domain without openings gets back the mass that it had at the
/// start; others find their mass by themselves.
class MassKeeper final : public Regulator {
 public:
  /// `has_bodies`: whether bodies move, whose surfaces are such walls (solver/bodies).
  explicit MassKeeper(const Solver& solver, bool has_bodies = false);
  [[nodiscard]] const char* name() const override { return "mass"; }
  [[nodiscard]] std::int64_t interval() const override { return leaks_ ? (closed_ ? steps : steps / samples) : 0; }
  void begin(Solver& solver) override;
  void advance(Solver& solver) override;
  /// The target, the mass at the last change, what came in since, the inflow at the last call and the number of calls
  /// since, what walls give in a step, and whether there was a start.
  [[nodiscard]] std::vector<double> state() const override;
  void restore(const std::vector<double>& state) override;

 private:
  static constexpr int steps = 500;   ///< steps between changes; the sum over all nodes costs about one step
  static constexpr int samples = 10;  ///< samples of the flow through openings in that time
  bool leaks_ = false, closed_ = false, started_ = false;
  int taken_ = 0;
  double target_ = 0;
  MassAccount account_;  ///< account since the last change
  double supply_ = 0;    ///< mass that walls give in a step, lattice units
};

}  // namespace fluvia
