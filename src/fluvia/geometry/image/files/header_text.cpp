// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/files/header_text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <sstream>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia::geometry {
namespace {

constexpr std::uint64_t longest_header_text = 1 << 20;

template <class Number>
std::vector<Number> parse_all(const std::filesystem::path& file, std::string_view key, const std::string& text,
                              const char* expected) {
  std::vector<Number> values;
  for (std::string word : words_of(text)) {
    if (word.size() > 1 && word[0] == '+') word.erase(0, 1);
    Number value{};
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error != std::errc{} || stop != end)
      throw_input(fmt::format("{}: {} is '{}', expected {}", file.string(), key, shorten(text), expected));
    values.push_back(value);
  }
  if (values.empty()) throw_input(fmt::format("{}: {} is empty, expected {}", file.string(), key, expected));
  return values;
}

}  // namespace

std::optional<std::string> HeaderText::line() {
  std::string text;
  char next = 0;
  while (file_.read(&next, 1) == 1) {
    if (++bytes_ > longest_header_text)
      throw_input(fmt::format("{}: its header does not end within {} bytes", path().string(), longest_header_text));
    if (next == '\n') {
      if (text.ends_with('\r')) text.pop_back();
      return text;
    }
    text += next;
  }
  return text.empty() ? std::nullopt : std::optional(text);
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view blanks = " \t\r";
  const std::size_t from = text.find_first_not_of(blanks);
  if (from == std::string_view::npos) return {};
  return std::string(text.substr(from, text.find_last_not_of(blanks) + 1 - from));
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

std::vector<std::uint64_t> whole_numbers(const std::filesystem::path& file, std::string_view key,
                                         const std::string& text) {
  return parse_all<std::uint64_t>(file, key, text, "whole numbers");
}

std::vector<double> real_numbers(const std::filesystem::path& file, std::string_view key, const std::string& text) {
  return parse_all<double>(file, key, text, "numbers");
}

std::string HeaderFields::get(const std::string& name, const std::string& other_name) const {
  for (const std::string& key : {name, other_name})
    if (const auto found = fields_.find(key); !key.empty() && found != fields_.end()) return found->second;
  return {};
}

std::string HeaderFields::need(const std::string& name) const {
  std::string value = get(name);
  if (value.empty()) throw_input(fmt::format("{}: its header has no '{}'", path().string(), name));
  return value;
}

void HeaderFields::fail(const std::string& key, const std::string& value, const std::string& expected) const {
  throw_input(fmt::format("{}: {} is '{}', expected {}", path().string(), key, shorten(value), expected));
}

}  // namespace fluvia::geometry
