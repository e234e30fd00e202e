// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fluvia/run/mass_account.hpp"

namespace fluvia {

/// Compares what the fluid has gained with what openings let in less what they let out, lattice units (density 1). Flow
/// rates are taken at the rows of the monitors.
class MassBalance {
 public:
  /// `fluid`: mass of the fluid at rest, to tell leaks from rounding.
  explicit MassBalance(double fluid) : fluid_(fluid) {}

  /// `mass`: above that at rest, now; `flows`: into the fluid, of each opening. Steps increase; a repeated one is
  /// passed over.
  void add(std::int64_t step, double mass, const std::vector<OpeningFlow>& flows);

  [[nodiscard]] bool begun() const { return begun_; }
  [[nodiscard]] double gained() const { return last_mass_ - account_.first_mass; }  ///< by the fluid
  [[nodiscard]] double let_in() const { return account_.inflow.sum; }  ///< through openings, less what left
  /// Through openings: the mean of all inflows and all outflows.
  [[nodiscard]] double passed() const { return passing_.sum; }
  [[nodiscard]] double missing() const { return account_.missing(last_mass_); }
  /// True unless more is missing than sums of rounded numbers and rows at a distance explain: 1% of what passed
  /// through openings and 5% of the fluid, for the sound of a sudden start; 0.1% of the fluid where there are none.
  [[nodiscard]] bool holds() const;

  /// For summary.json.
  [[nodiscard]] nlohmann::json json() const;
  /// For the user, where it does not hold; `every`: steps between rows.
  [[nodiscard]] std::string warning(std::int64_t every) const;
  /// For checkpoints.
  [[nodiscard]] std::vector<double> state() const;
  void restore(const std::vector<double>& state);

 private:
  double fluid_;
  bool begun_ = false;
  std::int64_t last_step_ = 0;
  double last_mass_ = 0;
  MassAccount account_;
  RateSum passing_;
};

}  // namespace fluvia
