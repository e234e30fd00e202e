// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <ostream>
#include <string>
#include <vector>

/// A case text that must be refused, and the whole message.
struct BrokenCase {
  std::string name, text, message;
};
inline void PrintTo(const BrokenCase& value, std::ostream* out) {
  *out << value.name;
}

std::vector<BrokenCase> broken_values();
std::vector<BrokenCase> broken_contradictions();
