// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fluvia/geometry/geometry.hpp"
#include "fluvia/units/units.hpp"

namespace fluvia {

/// What to do about a finding: in words, and as texts for --set where settings of the case do it.
struct Advice {
  std::string text;
  std::vector<std::string> settings;
  bool resume = false;  ///< with these settings the run may go on from its checkpoint
};

/// Options of the command line: " --set a=1 --set b=2", with "--resume" before it if the run may go on and there is a
/// checkpoint.
std::string as_options(const Advice& advice, bool checkpoint);

/// Changes of a case that keep its flow. The settings that it returns leave a valid case; where no setting can do it
/// (lengths of a case in lattice units) there are words only.
class Adviser {
 public:
  /// `end`: the step that the run was to reach. The case must outlive this.
  Adviser(const Case& c, const Units& units, const Grid& grid, std::int64_t end)
      : case_(c), units_(units), grid_(grid), end_(end) {}

  /// Advice to run until `steps`, at least a quarter longer than planned. `steady`: the run ended because it was
  /// steady.
  [[nodiscard]] Advice longer(double steps, bool steady) const;
  /// Advice to divide the spacing of nodes by about `factor`, above 1; the flow is the same, and takes as long.
  [[nodiscard]] Advice finer(double factor) const;
  /// Advice to divide the time step, and the Mach number with it.
  [[nodiscard]] Advice slower(double factor) const;
  /// Advice that brings densities, which lie between these fractions above that at rest, to within `good` of it: by
  /// another reference pressure, and by shorter time steps where their range is wider than that. `is_closed`: nothing
  /// leaves, so that the mean density is that at the start, wherever pressures are measured from.
  [[nodiscard]] Advice nearer_to_rest(double lowest, double highest, double good, bool is_closed = false) const;
  /// Advice to make this pressure (lattice units, gauge) the reference.
  [[nodiscard]] Advice measure_from(double pressure, const std::string& what) const;
  /// Advice to write 200 rows of monitors, or one each step, until `step`; to run ten times as long if there are as
  /// many already.
  [[nodiscard]] Advice more_rows(std::int64_t step, bool steady) const;
  /// Advice to store populations with more digits; no settings where there is no such format.
  [[nodiscard]] Advice more_digits() const;

 private:
  /// Adds the length of the run, and all other numbers of steps, for time steps that are shorter by `ratio`.
  void rescale_steps(double ratio, Advice& advice) const;

  const Case& case_;
  Units units_;
  Grid grid_;
  std::int64_t end_;
};

}  // namespace fluvia
