// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

namespace fluvia {

/// What a quantity with a unit on the command line measures.
enum class QuantityKind { length, speed, flow_rate, time, pressure, resistance, compliance, power, rotation };

/// How many of the SI unit a unit is, "ml/min" or "mmHg"; none if it is not known or measures something else. Common
/// spellings are the same: "L", "m^3", "µl".
std::optional<double> find_unit(const std::string& unit, QuantityKind kind);
/// Words for messages on what a quantity may be, with its units.
std::string possible_units(QuantityKind kind);

/// The value of `text`, a number and a unit such as "5um", "0.3 m/s" or "250ml/min", in SI units. `option` names the
/// place for messages. Throws Error(usage) for what is no finite number above 0, for a number without unit, and for a
/// unit that is not known or measures something else; the message lists the units that it may have.
double parse_quantity(const std::string& text, QuantityKind kind, const std::string& option);

/// Metres of a unit of length by itself, such as "mm". Throws Error(usage) for other texts, naming `option`.
double parse_length_unit(const std::string& text, const std::string& option);
/// Names of the units of length that parse_length_unit() takes.
std::vector<std::string> length_units();
/// The name of the unit of length that has so many metres: "mm"; "x 0.0254 m" if none is known that has.
std::string length_unit_name(double metres);

}  // namespace fluvia
