// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/case/toml/visitor.hpp"

namespace fluvia {
struct Case;
}

namespace fluvia::schema {

/// Throws Error(input) "PLACE: PATH: 'VALUE' ..." if a value breaks its rule (bounds, finite, allowed names).
void check_value(const std::string& place, const std::string& path, const Value& value, const Rule& rule);

/// Checks every value of a case against its rule, and that required keys are there. Throws Error(input).
void check_rules(const Case& c);

/// A rule's bounds as text: "at least 0", "above 0.5", "1 to 64"; "" without bounds.
std::string bounds_text(const Rule& rule);

}  // namespace fluvia::schema
