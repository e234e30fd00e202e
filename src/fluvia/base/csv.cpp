// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>
#include <system_error>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia {

namespace {
constexpr std::uint64_t largest_file = std::uint64_t{256} << 20;

bool is_blank(char ch) {
  return ch == ' ' || ch == '\t';
}

/// Takes a number and the separator behind it off the front of `line`; false, with `line` as it was, if there is none.
bool take_number(std::string_view& line, double& value) {
  std::string_view rest = line;
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  if (rest.starts_with('+')) rest.remove_prefix(1);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  if (error != std::errc()) return false;
  rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
  const bool separated = rest.empty() || is_blank(rest.front()) || rest.front() == ',' || rest.front() == ';';
  if (!separated) return false;
  while (!rest.empty() && is_blank(rest.front())) rest.remove_prefix(1);
  if (rest.starts_with(',') || rest.starts_with(';')) rest.remove_prefix(1);
  line = rest;
  return true;
}

/// True if a line can be a header: no digits but in brackets, where units have them. Any other line is a damaged row,
/// which must not be dropped.
bool is_header(std::string_view line) {
  int brackets = 0;
  for (const char ch : line) {
    if (ch == '[' || ch == '(') ++brackets;
    if (ch == ']' || ch == ')') --brackets;
    if (brackets <= 0 && ch >= '0' && ch <= '9') return false;
  }
  return true;
}

/// Takes the first line off the front of `text`.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = std::min(text.find('\n'), text.size());
  std::string_view line = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  while (!line.empty() && (is_blank(line.back()) || line.back() == '\r')) line.remove_suffix(1);
  return line;
}

/// The text without the byte order mark that spreadsheets put first.
std::string_view without_mark(std::string_view text) {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

/// Whether the numbers of a file have decimal commas, as spreadsheets of many countries write them: columns are then
/// separated by semicolons or tabs in each of their rows, and there is no decimal point.
bool has_decimal_commas(std::string_view text) {
  bool commas = false;
  for (int number = 1; !text.empty(); ++number) {
    const std::string_view line = take_line(text);
    if (line.empty() || line[0] == '#' || (number == 1 && is_header(line))) continue;
    if (line.find('.') != std::string_view::npos) return false;
    if (line.find(',') == std::string_view::npos) continue;
    // A row may end with a separator, which separates nothing.
    const std::string_view numbers = line.substr(0, line.find_last_not_of("; \t") + 1);
    if (numbers.find_first_of(";\t") == std::string_view::npos) return false;
    commas = true;
  }
  return commas;
}

const char* in_words(std::size_t number) {
  constexpr const char* words[] = {"no", "one", "two", "three", "four", "five"};
  return words[std::min<std::size_t>(number, 5)];
}
}  // namespace

namespace {
/// What may be wrong with a row that does not hold as many numbers as there are columns; empty if nothing is known.
std::string row_hint(std::string_view line, std::size_t columns) {
  const bool semicolons = line.find(';') != std::string_view::npos;
  if (line.find('"') != std::string_view::npos)
    return "; write numbers without quotes and without commas for thousands";
  if (semicolons && line.find(',') != std::string_view::npos && line.find('.') != std::string_view::npos)
    return "; write numbers without points for thousands";
  std::size_t numbers = 0;
  for (double value = 0; take_number(line, value);) ++numbers;
  if (!line.empty() || numbers == columns) return "";
  return fmt::format("; it has {}{}", numbers == 1 ? "one number" : fmt::format("{} numbers", numbers),
                     numbers > columns ? ": leave the other columns out, and separate columns by semicolons where "
                                         "decimals have commas"
                                       : "");
}
}  // namespace

void read_number_rows(const std::filesystem::path& file, const std::vector<std::string>& columns,
                      const std::function<void(const std::vector<double>& values, int line)>& row) {
  std::string text = read_text_file(file, largest_file);
  if (has_decimal_commas(without_mark(text))) std::replace(text.begin(), text.end(), ',', '.');
  std::string_view left = without_mark(text);
  std::vector<double> values(columns.size());
  for (int number = 1; !left.empty(); ++number) {
    const std::string_view line = take_line(left);
    if (line.empty() || line[0] == '#') continue;
    std::string_view rest = line;
    std::size_t found = 0;
    while (found < values.size() && take_number(rest, values[found])) ++found;
    if (found == 0 && number == 1 && is_header(line)) continue;
    const bool finite = std::all_of(values.begin(), values.end(), [](double x) { return std::isfinite(x); });
    if (found < values.size() || !rest.empty() || !finite)
      throw_input(fmt::format("{}:{}: '{}' is not a row '{}' of {} finite numbers{}", file.string(), number,
                              shorten(line), join(columns, ","), in_words(columns.size()),
                              number == 1 ? ", nor a header, which has no digits but in brackets" : "") +
                  row_hint(line, columns.size()));
    row(values, number);
  }
}

void read_time_rows(const std::filesystem::path& file, const std::vector<std::string>& columns,
                    const std::function<void(const std::vector<double>& values)>& row) {
  std::optional<double> before;
  read_number_rows(file, columns, [&](const std::vector<double>& values, int line) {
    if (before && values[0] <= *before)
      throw_input(fmt::format("{}:{}: time {} does not follow {}; times must increase", file.string(), line, values[0],
                              *before));
    before = values[0];
    row(values);
  });
}

std::string read_header(const std::filesystem::path& file) {
  const std::string text = read_text_file(file, largest_file);
  std::string_view left = without_mark(text);
  const std::string_view line = take_line(left);
  return is_header(line) && !line.starts_with('#') ? std::string(line) : "";
}

}  // namespace fluvia
