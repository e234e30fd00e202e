// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/monitors/expectations.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {

namespace {
std::vector<std::string> names_of(const std::vector<MonitorColumn>& columns) {
  std::vector<std::string> names;
  for (const MonitorColumn& column : columns) names.push_back(column.name);
  return names;
}
}  // namespace

void check_expectations(const Case& c, const std::vector<MonitorColumn>& columns) {
  const std::vector<std::string> names = names_of(columns);
  for (std::size_t k = 0; k < c.monitors.expectations.size(); ++k) {
    const std::string key = fmt::format("monitor.expect[{}].column", k), &name = c.monitors.expectations[k].column;
    if (std::find(names.begin(), names.end(), name) == names.end())
      throw_input(fmt::format("{}: {}: '{}' is not recorded{} (columns: {})", c.place(key), key, shorten(name),
                              did_you_mean(name, names), join(names)));
  }
}

nlohmann::json compare_with_expectations(const Case& c, const std::vector<MonitorColumn>& columns,
                                         const std::vector<double>& row) {
  const std::vector<std::string> names = names_of(columns);
  nlohmann::json result = nlohmann::json::array();
  for (const Case::Monitors::Expectation& e : c.monitors.expectations) {
    const double value = row[std::find(names.begin(), names.end(), e.column) - names.begin()];
    nlohmann::json error;
    if (e.value != 0) error = value / e.value - 1;
    result.push_back({{"column", e.column},
                      {"value", value},
                      {"expected", e.value},
                      {"relative_error", error},
                      {"source", e.source}});
  }
  return result;
}

}  // namespace fluvia
