// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <toml++/toml.h>

#include <filesystem>
#include <string>
#include <vector>

namespace fluvia::schema {

/// "FILE:LINE:COLUMN" of a node or key that was parsed from text.
std::string place_of(const toml::source_region& source);

/// Parses `text` (named `origin` in messages) and everything it includes into one table. Keys of the including file
/// win; arrays of tables are appended, where an entry with the same identity (surface of [[boundary]], name of
/// [[opening]] and [[monitor.probe]]) replaces the included one. Throws Error(input).
/// `settings` are "key=value" texts that win over everything; keys reach into arrays of tables by an entry's name or
/// its number from 1: boundary.inlet.value, output.slice.1.field.
toml::table load_text(const std::string& text, const std::filesystem::path& origin,
                      const std::vector<std::string>& settings = {});

}  // namespace fluvia::schema
