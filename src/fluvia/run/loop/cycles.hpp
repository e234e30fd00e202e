// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/units/units.hpp"

namespace fluvia {

/// Time after which everything that a case prescribes repeats [case units]: that of its periodic series, of the turns
/// and courses of its bodies, or the shortest that is a whole number of each of them. None if nothing changes, or if
/// there is no such time within twenty of the longest. Reads the series.
std::optional<double> forcing_period(const Case& c);

/// Warnings of `fluvia plan` and the start of a run about monitors with too few rows in a cycle; empty if there are
/// enough.
std::vector<std::string> advise_rows_per_cycle(const Case& c, const Units& units);

}  // namespace fluvia
