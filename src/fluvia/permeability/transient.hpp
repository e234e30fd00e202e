// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

namespace fluvia {

/// Watches a quantity settle, and estimates how much it would still change.
class Transient {
 public:
  /// Adds a sample; they come at equal distances in time.
  void add(double value);
  /// Estimated distance of the latest value from the final one, relative to the latest; infinite at first. Compares the
  /// ranges of the values in the last fifth of the time and in the fifth before: a range d that decays by a factor r
  /// from one fifth to the next has d r / (1 - r) to go, but no less than d is taken. Ranges, because values may swing;
  /// in parts of the time so far, so that something slow below something fast is not taken for the end. The largest
  /// such estimate of the last fifth of the time counts, so that a stop on the way is not taken for the end: sound that
  /// runs to and fro in a long image makes the flux rise in steps.
  [[nodiscard]] double remaining() const;

 private:
  [[nodiscard]] double estimate() const;

  std::vector<double> values_, estimates_;
};

}  // namespace fluvia
