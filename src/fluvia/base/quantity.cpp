// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/quantity.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <optional>
#include <string_view>
#include <vector>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {

namespace {

struct Unit {
  std::string_view name;
  double value;  ///< how many of the SI unit it is
};

constexpr std::array lengths = {Unit{"m", 1.0},   Unit{"cm", 1e-2}, Unit{"mm", 1e-3},
                                Unit{"um", 1e-6}, Unit{"nm", 1e-9}, Unit{"in", 0.0254}};
constexpr std::array ways = {Unit{"m", 1.0}, Unit{"cm", 1e-2}, Unit{"mm", 1e-3}, Unit{"um", 1e-6}, Unit{"km", 1e3}};
constexpr std::array volumes = {Unit{"m3", 1.0},   Unit{"l", 1e-3},   Unit{"ml", 1e-6}, Unit{"ul", 1e-9},
                                Unit{"nl", 1e-12}, Unit{"cm3", 1e-6}, Unit{"mm3", 1e-9}};
constexpr std::array times = {Unit{"s", 1.0}, Unit{"min", 60.0}, Unit{"h", 3600.0}};
constexpr std::array durations = {Unit{"s", 1.0}, Unit{"ms", 1e-3}, Unit{"min", 60.0}, Unit{"h", 3600.0}};
// Of mercury and water as conventions have them (BIPM, The International System of Units, 8th edition, table 8).
constexpr std::array pressures = {Unit{"Pa", 1.0},        Unit{"kPa", 1e3},  Unit{"mmHg", 133.322},
                                  Unit{"cmH2O", 98.0665}, Unit{"mbar", 1e2}, Unit{"bar", 1e5}};

// What people write besides a pressure, a time and a volume: "dyn s/cm5", Wood's unit (mmHg min/l), "cm5/dyn".
constexpr std::array resistances = {Unit{"dyns/cm5", 1e5}, Unit{"WU", 133.322 * 60 / 1e-3}};
constexpr std::array powers = {Unit{"W", 1.0}, Unit{"mW", 1e-3}, Unit{"kW", 1e3}};
/// Radians a second.
constexpr std::array rotations = {Unit{"rpm", 2 * std::numbers::pi / 60}, Unit{"rad/s", 1.0},
                                  Unit{"Hz", 2 * std::numbers::pi}};
constexpr std::array compliances = {Unit{"cm5/dyn", 1e-5}};

template <std::size_t N>
std::optional<double> find(const std::array<Unit, N>& units, std::string_view name) {
  for (const Unit& unit : units)
    if (unit.name == name) return unit.value;
  return {};
}

template <std::size_t N>
std::vector<std::string> names(const std::array<Unit, N>& units) {
  std::vector<std::string> list;
  for (const Unit& unit : units) list.emplace_back(unit.name);
  return list;
}

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
}

/// A unit in the one spelling of those that mean the same: "µm", "m^3", "m³", "L".
std::string plain(std::string unit) {
  std::erase(unit, ' ');
  replace_all(unit, "\u00b5", "u");
  replace_all(unit, "\u03bc", "u");
  replace_all(unit, "\u00b3", "3");
  replace_all(unit, "^", "");
  std::replace(unit.begin(), unit.end(), 'L', 'l');
  return unit;
}

template <std::size_t N>
std::optional<double> per_time(const std::array<Unit, N>& above, const std::string& unit) {
  const std::size_t slash = unit.find('/');
  if (slash == std::string::npos) return {};
  const auto first = find(above, std::string_view(unit).substr(0, slash));
  const auto second = find(times, std::string_view(unit).substr(slash + 1));
  if (!first || !second) return {};
  return *first / *second;
}

/// A pressure times a time over a volume, "mmHgs/ml", or over a flow rate, "mmHg/(ml/s)".
std::optional<double> resistance(std::string unit) {
  for (const char* times_sign : {"*", "\u00b7", "."}) replace_all(unit, times_sign, "");
  if (const auto named = find(resistances, unit)) return named;
  const std::size_t slash = unit.find('/');
  if (slash == std::string::npos) return {};
  const std::string above = unit.substr(0, slash), below = unit.substr(slash + 1);
  if (below.starts_with('(') && below.ends_with(')')) {
    const auto pressure = find(pressures, above), flow_rate = per_time(volumes, below.substr(1, below.size() - 2));
    return pressure && flow_rate ? std::optional(*pressure / *flow_rate) : std::nullopt;
  }
  const auto volume = find(volumes, below);
  for (const Unit& pressure : pressures) {
    if (!volume || !above.starts_with(pressure.name)) continue;
    if (const auto time = find(times, std::string_view(above).substr(pressure.name.size())))
      return pressure.value * *time / *volume;
  }
  return {};
}

/// A volume over a pressure, "ml/mmHg".
std::optional<double> compliance(const std::string& unit) {
  if (const auto named = find(compliances, unit)) return named;
  const std::size_t slash = unit.find('/');
  if (slash == std::string::npos) return {};
  const auto volume = find(volumes, std::string_view(unit).substr(0, slash));
  const auto pressure = find(pressures, std::string_view(unit).substr(slash + 1));
  return volume && pressure ? std::optional(*volume / *pressure) : std::nullopt;
}

std::optional<double> unit_value(const std::string& unit, QuantityKind kind) {
  switch (kind) {
    case QuantityKind::length:
      return find(lengths, unit);
    case QuantityKind::speed:
      return per_time(ways, unit);
    case QuantityKind::flow_rate:
      return per_time(volumes, unit);
    case QuantityKind::time:
      return find(durations, unit);
    case QuantityKind::pressure:
      return find(pressures, unit);
    case QuantityKind::resistance:
      return resistance(unit);
    case QuantityKind::compliance:
      return compliance(unit);
    case QuantityKind::power:
      return find(powers, unit);
    case QuantityKind::rotation:
      return find(rotations, unit);
  }
  return {};
}

}  // namespace

std::optional<double> find_unit(const std::string& unit, QuantityKind kind) {
  return unit_value(plain(unit), kind);
}

std::string possible_units(QuantityKind kind) {
  switch (kind) {
    case QuantityKind::length:
      return "a length in " + join(names(lengths));
    case QuantityKind::speed:
      return "a speed: " + join(names(ways)) + " per " + join(names(times)) + ", as in 0.3m/s";
    case QuantityKind::flow_rate:
      return "a flow rate: " + join(names(volumes)) + " per " + join(names(times)) + ", as in 250ml/min";
    case QuantityKind::time:
      return "a time in " + join(names(durations));
    case QuantityKind::pressure:
      return "a pressure in " + join(names(pressures));
    case QuantityKind::resistance:
      return "a resistance, such as 1.2mmHg s/ml, 1.6e8Pa s/m3, 1600dyn s/cm5 or 20WU";
    case QuantityKind::compliance:
      return "a compliance, such as 1.1ml/mmHg or 8e-9m3/Pa";
    case QuantityKind::power:
      return "a power in " + join(names(powers));
    case QuantityKind::rotation:
      return "a rate of turning in " + join(names(rotations)) + ", as in 1200rpm";
  }
  return {};
}

double parse_quantity(const std::string& text, QuantityKind kind, const std::string& option) {
  const auto refuse = [&](const std::string& problem) {
    throw Error(ExitCode::usage,
                option + ": '" + shorten(text) + "' " + problem + "; expected " + possible_units(kind));
  };
  const std::size_t start = std::min(text.find_first_not_of(' '), text.size());
  double value = 0;
  const auto [end, error] = std::from_chars(text.data() + start, text.data() + text.size(), value);
  if (error == std::errc::invalid_argument) refuse("does not begin with a number");
  if (error != std::errc() || !(value > 0) || !std::isfinite(value)) refuse("is no finite number above 0");
  const std::string unit = plain(std::string(end, static_cast<const char*>(text.data() + text.size())));
  if (unit.starts_with(',')) refuse("has a comma in its number; write a point for decimals, nothing for thousands");
  if (unit.empty()) refuse("has no unit");
  const auto factor = unit_value(unit, kind);
  if (!factor) refuse("has the unit '" + shorten(unit) + "', which is not known here");
  if (!std::isfinite(value * *factor) || !(value * *factor > 0)) refuse("is no finite number above 0");
  return value * *factor;
}

std::vector<std::string> length_units() {
  return names(lengths);
}

std::string length_unit_name(double metres) {
  constexpr double alike = 1e-9;
  for (const Unit& unit : lengths)
    if (std::abs(unit.value / metres - 1) < alike) return std::string(unit.name);
  return "x " + format_short(metres) + " m";
}

double parse_length_unit(const std::string& text, const std::string& option) {
  const auto value = find(lengths, plain(text));
  if (!value) throw Error(ExitCode::usage, option + ": '" + shorten(text) + "' is not one of " + join(names(lengths)));
  return *value;
}

}  // namespace fluvia
