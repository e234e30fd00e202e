// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/solver/solver.hpp"

namespace fluvia {

/// Watches the flow and sets a value of the solver every few steps: at multiples of `interval` of the time step, so
/// that a run in pieces gives the same. Its state is in checkpoints.
class Regulator {
 public:
  Regulator() = default;
  Regulator(const Regulator&) = delete;
  Regulator& operator=(const Regulator&) = delete;
  virtual ~Regulator() = default;
  /// Key of the regulator in checkpoints.
  [[nodiscard]] virtual const char* name() const = 0;
  /// Steps between calls of advance(); 0: the case has nothing to regulate.
  [[nodiscard]] virtual std::int64_t interval() const = 0;
  /// Sets the present values, at the start of a run or after restore().
  virtual void begin(Solver& solver) = 0;
  /// Sets the values for the next steps from the flow now.
  virtual void advance(Solver& solver) = 0;
  [[nodiscard]] virtual std::vector<double> state() const = 0;
  virtual void restore(const std::vector<double>& state) = 0;
};

}  // namespace fluvia
