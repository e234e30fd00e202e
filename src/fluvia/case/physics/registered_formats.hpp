// SPDX-License-Identifier: Apache-2.0
// What the registry of storage formats holds, by name (core/format/registry.hpp). Whoever asks about a format asks
// here; only code that converts populations knows the types.
#pragma once
#include <string>
#include <vector>

namespace fluvia {

/// What is known of a format besides how it converts.
struct FormatFacts {
  std::string name;
  int storage_bytes = 0;      ///< bytes of a stored population
  int arithmetic_bytes = 0;   ///< bytes of a number in computations
  int precision_bits = 0;     ///< binary digits of a stored number, the leading one included
  bool rounds = false;        ///< the format has fewer digits than its arithmetic
  bool gpus_convert = true;   ///< GPUs have an instruction for it, or nothing to convert
  double smallest_normal = 0; /**< the smallest magnitude with all digits; 0 of formats that do not round, whose range
                                 no population leaves */
};

/// Every registered format, in the order of the registry.
const std::vector<FormatFacts>& registered_formats();

/// The names of all formats; and of those that round, or do not.
std::vector<std::string> format_names();
std::vector<std::string> format_names(bool that_round);

/// Facts of a format, or null if there is none of this name.
const FormatFacts* find_format(const std::string& name);

/// Facts of a format. Throws Error(input) with the names for others.
const FormatFacts& facts_of_format(const std::string& name);

/// True for formats of fewer digits than the arithmetic has; false for names that are not registered.
bool format_rounds(const std::string& format);

/// Bytes of a stored population, or 0 if there is no such format.
int storage_bytes(const std::string& format);

/// Bytes of a number in computations with a format, or 0 if there is no such format.
int arithmetic_bytes(const std::string& format);

/// The format that stores numbers as another computes them, as scalars are stored beside a flow in that one. Throws
/// Error(input) if there is no such format.
const FormatFacts& computed_format(const std::string& format);

/// The format with the fewest digits among those that store what is computed and have more digits than `format`; "" if
/// there is none.
std::string format_with_more_digits(const std::string& format);

}  // namespace fluvia
