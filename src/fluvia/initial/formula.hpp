// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// A number at each point, from a formula of x, y, z (position) and lx, ly, lz (edges of the box), all in case units,
/// with pi, + - * / ^, comparisons, `a ? b : c` and functions: sin, cos, exp, sqrt, abs, min, ... (muParser's).
class Formula {
 public:
  /// `box`: lx, ly, lz. `threads`: how many may ask at a time. Throws Error(input) that starts with `place`.
  Formula(const std::string& text, const std::string& place, const Real3& box, int threads);
  /// A formula of the time t, in case units, instead of the position: its value is asked for at (t, 0, 0), by one
  /// thread at a time. Throws Error(input) that starts with `place`.
  static Formula of_time(const std::string& text, const std::string& place);
  /// A formula of the position that may name the time t, too.
  static Formula of_place_and_time(const std::string& text, const std::string& place, const Real3& box, int threads);
  ~Formula();
  Formula(Formula&&) noexcept;
  Formula& operator=(Formula&&) noexcept;

  /// The value at a position; may be NaN or infinite, and is NaN where the formula has no value. May be called by
  /// OpenMP's threads, each with a number below `threads`.
  [[nodiscard]] double operator()(const Real3& position, double time = 0) const noexcept;
  /// Whether its value may change with the time.
  [[nodiscard]] bool names_time() const { return names_time_; }

 private:
  struct Parser;
  struct Words;
  Formula(const std::string& text, const std::string& place, const Words& words, int threads);
  std::vector<std::unique_ptr<Parser>> parsers_;  ///< one for each thread: variables are part of a parser
  bool names_time_ = false;
};

}  // namespace fluvia
