// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace fluvia::schema {

/// One key of the case file as documentation.
struct KeyEntry {
  std::string section;  ///< "[units]", "[[boundary]]", "the top of the file"
  std::string section_meaning;
  std::string name, type, unit, default_value, range, meaning;
  std::string setting;  ///< path as --set writes it: "units.tau"; in lists of tables that of the first entry:
                        ///< "boundary.1.speed"
  std::vector<std::string> choices;  ///< values that are allowed, or true and false; empty: not a choice
};

/// Every key of the schema, in its order.
std::vector<KeyEntry> reference_keys();

/// The reference of all keys in Markdown: one table per section. Part of docs/case-file.md (a test compares).
std::string reference_markdown();

}  // namespace fluvia::schema
