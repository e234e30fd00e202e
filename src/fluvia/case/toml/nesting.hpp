// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string_view>

namespace fluvia::schema {

/// How deep the values of a TOML text lie in brackets and dotted keys, and where they first do.
struct Nesting {
  std::size_t depth = 0;  ///< open brackets and dots of the keys that lead to a value
  std::size_t line = 1;
};

/// Looks at brackets, dots, strings and comments only, in one pass and without recursion: the depth is known before a
/// parser, whose stack it takes, sees the text. Exact as far as the text is TOML.
Nesting deepest_nesting(std::string_view text);

}  // namespace fluvia::schema
