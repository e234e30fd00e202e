// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/toml/toml_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <sstream>
#include <string_view>
#include <vector>

#include "fluvia/base/text.hpp"

namespace fluvia::schema {

namespace {

std::string streamed(const toml::node& node) {
  std::ostringstream stream;
  node.visit([&](const auto& concrete) { stream << concrete; });
  return stream.str();
}

std::string key_text(std::string_view key) {
  constexpr std::string_view bare = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
  if (!key.empty() && key.find_first_not_of(bare) == std::string_view::npos) return std::string(key);
  return streamed(toml::value<std::string>(std::string(key)));
}

std::string value_text(const toml::node& node) {
  const auto* real = node.as_floating_point();
  if (real != nullptr && std::isfinite(real->get())) {
    const std::string digits = format_real(real->get());
    return digits.find_first_not_of("-0123456789") == std::string::npos ? digits + ".0" : digits;
  }
  std::vector<std::string> parts;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& entry : *array) parts.push_back(value_text(entry));
    return "[" + join(parts) + "]";
  }
  if (const toml::table* table = node.as_table()) {
    for (auto&& [key, value] : *table) parts.push_back(key_text(key.str()) + " = " + value_text(value));
    return parts.empty() ? "{}" : "{ " + join(parts) + " }";
  }
  return streamed(node);
}

bool is_section(const toml::node& node) {
  return node.is_table() || (node.is_array_of_tables() && !node.as_array()->empty());
}

/// Number of a section in the order of a case file; sections that are not known come last.
std::size_t rank(const std::string& path) {
  constexpr std::array<std::string_view, 12> order = {"units",   "domain",   "geometry", "walls",
                                                      "opening", "boundary", "physics",  "numerics",
                                                      "run",     "monitor",  "output",   "checkpoint"};
  return static_cast<std::size_t>(std::find(order.begin(), order.end(), path) - order.begin());
}

void write_table(std::string& text, const toml::table& table, const std::string& path) {
  for (auto&& [key, value] : table)
    if (!is_section(value)) text += key_text(key.str()) + " = " + value_text(value) + "\n";
  std::vector<std::pair<std::string, const toml::node*>> sections;
  for (auto&& [key, value] : table)
    if (is_section(value)) sections.emplace_back((path.empty() ? "" : path + ".") + key_text(key.str()), &value);
  std::stable_sort(sections.begin(), sections.end(),
                   [](const auto& a, const auto& b) { return rank(a.first) < rank(b.first); });
  for (const auto& [name, node] : sections) {
    const auto write = [&, &name = name](const char* open, const toml::table& below, const char* close) {
      text += (text.empty() ? "" : "\n") + (open + name + close) + "\n";
      write_table(text, below, name);
    };
    if (const toml::table* below = node->as_table()) {
      write("[", *below, "]");
    } else {
      for (const toml::node& entry : *node->as_array()) write("[[", *entry.as_table(), "]]");
    }
  }
}

}  // namespace

std::string toml_text(const toml::table& root) {
  std::string text;
  write_table(text, root, "");
  return text;
}

}  // namespace fluvia::schema
