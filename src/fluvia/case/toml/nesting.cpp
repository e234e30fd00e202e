// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/toml/nesting.hpp"

#include <algorithm>
#include <vector>

namespace fluvia::schema {
namespace {

/// Length of the string literal that `text` begins with, of one or three quotes; all of `text` if it does not end.
std::size_t string_length(std::string_view text) {
  const char quote = text.front();
  const bool basic = quote == '"';
  const bool several_lines = text.size() >= 3 && text[1] == quote && text[2] == quote;
  const std::size_t quotes = several_lines ? 3 : 1;
  for (std::size_t i = quotes; i < text.size(); ++i) {
    if (basic && text[i] == '\\') {
      ++i;
    } else if (!several_lines && text[i] == '\n') {
      return i;  // no TOML: the parser will say so
    } else if (text[i] == quote && (quotes == 1 || text.substr(i, 3) == text.substr(0, 3))) {
      return i + quotes;
    }
  }
  return text.size();
}

}  // namespace

Nesting deepest_nesting(std::string_view text) {
  Nesting result;
  std::vector<std::size_t> dots{
      0};  // dots of the key at hand in each open bracket; the first entry: outside of any bracket
  std::size_t all_dots = 0, line = 1;
  const auto forget_key = [&] {
    all_dots -= dots.back();
    dots.back() = 0;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    switch (text[i]) {
      case '"':
      case '\'': {
        const std::size_t length = string_length(text.substr(i));
        line += static_cast<std::size_t>(std::count(text.begin() + i, text.begin() + i + length, '\n'));
        i += length - 1;
        break;
      }
      case '#':
        i = std::min(text.find('\n', i), text.size()) - 1;
        break;
      case '\n':
        ++line;
        if (dots.size() == 1) forget_key();
        break;
      case ',':
        forget_key();
        break;
      case '.':
        ++dots.back();
        ++all_dots;
        break;
      case '[':
      case '{':
        dots.push_back(0);
        break;
      case ']':
      case '}':
        forget_key();
        if (dots.size() > 1) dots.pop_back();
        break;
      default:
        break;
    }
    const std::size_t depth = dots.size() - 1 + all_dots;
    if (depth > result.depth) result = {depth, line};
  }
  return result;
}

}  // namespace fluvia::schema
