// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "fluvia/case/case.hpp"
#include "fluvia/run/monitors/monitor_column.hpp"

namespace fluvia {

/// Throws Error(input) if the case expects a value of a column that does not exist.
void check_expectations(const Case& c, const std::vector<MonitorColumn>& columns);

/// The comparison for each expectation: column, value, expected, relative_error (null if 0 is expected), source.
nlohmann::json compare_with_expectations(const Case& c, const std::vector<MonitorColumn>& columns,
                                         const std::vector<double>& row);

}  // namespace fluvia
