// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/run/loop/mass_account.hpp"
#include "fluvia/run/loop/regulator.hpp"

namespace fluvia {

/// Sees to it that no mass passes walls that lie between the nodes: in each step these let through a little of it
/// (docs/walls.md), and give it back evenly over all their links. What the mass of the fluid changes by, less what
/// comes through openings, tells how much that is. A domain without openings gets back what it had at the start; others
/// find their mass by themselves.
class MassKeeper final : public Regulator {
 public:
  explicit MassKeeper(const Solver& solver);
  [[nodiscard]] const char* name() const override { return "mass"; }
  [[nodiscard]] std::int64_t interval() const override { return leaks_ ? (closed_ ? steps : steps / samples) : 0; }
  void begin(Solver& solver) override;
  void advance(Solver& solver) override;
  /// Target, mass at the last change and what came in since, inflow at the last call and how many there were since,
  /// what walls give in a step, and whether there was a start.
  [[nodiscard]] std::vector<double> state() const override;
  void restore(const std::vector<double>& state) override;

 private:
  static constexpr int steps = 500;   ///< between changes; the sum over all nodes costs about one step
  static constexpr int samples = 10;  ///< of the flow through openings in that time
  bool leaks_ = false, closed_ = false, started_ = false;
  int taken_ = 0;
  double target_ = 0;
  MassAccount account_;  ///< since the last change
  double supply_ = 0;    ///< in a step
};

}  // namespace fluvia
