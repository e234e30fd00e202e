// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <toml++/toml.h>

#include <string>

namespace fluvia::schema {

/// A case as a file that people read: sections in the order of docs/case-file.md, numbers as short as they can be and
/// stay the same.
std::string toml_text(const toml::table& root);

}  // namespace fluvia::schema
