// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/series_units.hpp"

#include <fmt/format.h>

#include "fluvia/base/csv.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/quantity.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {

namespace {

/// What stands in square brackets behind the name of a column (0 or 1); empty if nothing does.
std::string unit_of_column(const std::string& header, int column) {
  std::size_t start = 0;
  for (; column > 0; --column) {
    start = header.find_first_of(",;\t", start);
    if (start == std::string::npos) return "";
    ++start;
  }
  const std::string name = header.substr(start, header.find_first_of(",;\t", start) - start);
  const std::size_t open = name.find('['), close = name.find(']');
  return open == std::string::npos || close == std::string::npos || close < open
             ? ""
             : name.substr(open + 1, close - open - 1);
}

QuantityKind kind_of(const std::string& quantity) {
  return quantity == "pressure" ? QuantityKind::pressure
         : quantity == "speed"  ? QuantityKind::speed
                                : QuantityKind::flow_rate;
}

}  // namespace

SeriesUnits series_units(const Case& c, const Case::Boundary& b) {
  SeriesUnits units;
  if (c.units.system != "si") return units;
  const std::filesystem::path file = c.directory / b.series;
  const std::string header = read_header(file);
  const auto factor = [&](int column, QuantityKind kind, const std::string& remedy) {
    const std::string unit = unit_of_column(header, column);
    if (unit.empty()) return 1.0;
    // The flow rate of a plane flow is that of a layer of 1 m.
    const bool plane = kind == QuantityKind::flow_rate && c.domain.dimension == 2;
    if (plane && (unit == "m2/s" || unit == "m^2/s")) return 1.0;
    const auto value = plane ? std::nullopt : find_unit(unit, kind);
    if (!value)
      throw_input(fmt::format("{}: the header '{}' has the unit [{}]; expected {}{}", file.string(), shorten(header),
                              shorten(unit), plane ? "a flow rate in m2/s" : possible_units(kind), remedy));
    return *value;
  };
  units.time = factor(0, QuantityKind::time, "");
  if (b.series_scale == 1)
    units.value = factor(1, kind_of(b.series_quantity), ", or a factor of your own, series_scale");
  return units;
}

}  // namespace fluvia
