// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "fluvia/base/error.hpp"
#include "fluvia/output/fields.hpp"

namespace fluvia {

/// Ends a run whose flow cannot go on.
class Divergence : public Error {
 public:
  Divergence(const std::string& message, std::int64_t step, double seconds_per_step)
      : Error(ExitCode::unstable, message), step_(step), seconds_per_step_(seconds_per_step) {}
  /// Time step at which the flow was found to have diverged.
  [[nodiscard]] std::int64_t step() const noexcept { return step_; }
  [[nodiscard]] double seconds_per_step() const noexcept { return seconds_per_step_; }

 private:
  std::int64_t step_;
  double seconds_per_step_;
};

/// Explains a state that cannot go on: where (node and position), when, and the likely causes with remedies.
std::string diagnose_instability(const Case& c, const OutputContext& output, const Totals& totals);

}  // namespace fluvia
