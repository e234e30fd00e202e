// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fluvia/run/loop/mass_account.hpp"

namespace fluvia {

/// Compares what the fluid has gained with what openings let in less what they let out, lattice units (density 1). Flow
/// rates are taken at the rows of the monitors.
class MassBalance {
 public:
  /// `fluid`: mass of the fluid at rest, to tell leaks from rounding.
  explicit MassBalance(double fluid) : fluid_(fluid) {}

  /// Adds a row. `mass`: mass of the fluid above that at rest, now; `flows`: flow into the fluid through each opening.
  /// Steps increase; a repeated one is passed over.
  void add(std::int64_t step, double mass, const std::vector<OpeningFlow>& flows);

  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] double gained() const { return last_mass_ - account_.first_mass; }  ///< mass that the fluid has gained
  [[nodiscard]] double let_in() const {
    return account_.inflow.sum;
  }  ///< mass that came in through openings, less what left
  /// Mass that passed through openings: the mean of all inflows and all outflows.
  [[nodiscard]] double passed() const { return passing_.sum; }
  [[nodiscard]] double missing() const { return account_.missing(last_mass_); }
  /// True unless more has gone missing since judged_from() than sums of rounded numbers and rows at a distance
  /// explain: 1% of what passed through openings meanwhile and of the fluid, or of that 5% in the first steps; 0.1% of
  /// the fluid where there are no openings.
  [[nodiscard]] bool holds() const;
  /// The step from which the balance is judged: with openings a step between a quarter and half of the way, since rows
  /// do not follow the sound of a sudden start, which dies out, while a leak goes on.
  [[nodiscard]] std::int64_t judged_from() const { return start().step; }

  /// The balance for summary.json.
  [[nodiscard]] nlohmann::json json() const;
  /// The warning where the balance does not hold; `every`: steps between rows.
  [[nodiscard]] std::string warning(std::int64_t every) const;
  /// The state for checkpoints.
  [[nodiscard]] std::vector<double> state() const;
  void restore(const std::vector<double>& state);

 private:
  /// The account at some step.
  struct Mark {
    std::int64_t step = 0;
    double mass = 0, inflow = 0, passed = 0;
  };
  [[nodiscard]] Mark now() const { return {last_step_, last_mass_, account_.inflow.sum, passing_.sum}; }
  [[nodiscard]] Mark start() const { return passed() > 0 ? judged_ : Mark{first_step_, account_.first_mass}; }
  /// What was added since start().
  [[nodiscard]] Mark change() const;

  double fluid_;
  bool begun_ = false;
  std::int64_t first_step_ = 0, last_step_ = 0;
  Mark judged_, next_;  ///< marks that the balance is judged from, now and from twice its steps on
  double last_mass_ = 0;
  MassAccount account_;
  RateSum passing_;
};

}  // namespace fluvia
