// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/case/case.hpp"

namespace fluvia {

/// Factors that bring the columns of a boundary's `series` to case units.
struct SeriesUnits {
  double time = 1, value = 1;
};

/// The units that the header of the file names in square brackets, such as "t [ms],Q [ml/s]", in SI cases; 1 where it
/// names none. A `series_scale` other than 1 is the user's own factor, beside which the unit of the values is not
/// looked at. Throws Error(input) for a unit that is not known or measures something else.
SeriesUnits series_units(const Case& c, const Case::Boundary& b);

}  // namespace fluvia
