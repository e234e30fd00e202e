// SPDX-License-Identifier: Apache-2.0
#include "fluvia/run/time_series.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <string>
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
/// True if a line can be a header: no digits but in brackets, where units have them. Anything else is a damaged row,
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
}  // namespace

TimeSeries::TimeSeries(const std::filesystem::path& file, bool periodic) : periodic_(periodic) {
  const std::string text = read_text_file(file, largest_file);
  std::string_view left = text;
  if (left.starts_with("\xEF\xBB\xBF")) left.remove_prefix(3);  // spreadsheets put a byte order mark first
  for (int number = 1; !left.empty(); ++number) {
    const std::size_t end = std::min(left.find('\n'), left.size());
    std::string_view line = left.substr(0, end);
    left.remove_prefix(std::min(end + 1, left.size()));
    while (!line.empty() && (is_blank(line.back()) || line.back() == '\r')) line.remove_suffix(1);
    if (line.empty() || line[0] == '#') continue;
    std::string_view rest = line;
    double time = 0, value = 0;
    const bool has_time = take_number(rest, time);
    if (!has_time && number == 1 && is_header(line)) continue;
    if (!has_time || !take_number(rest, value) || !rest.empty() || !std::isfinite(time) || !std::isfinite(value))
      throw_input(fmt::format("{}:{}: '{}' is not a row 'time,value' of two finite numbers{}", file.string(), number,
                              shorten(line), number == 1 ? ", nor a header, which has no digits but in brackets" : ""));
    if (!times_.empty() && time <= times_.back())
      throw_input(fmt::format("{}:{}: time {} does not follow {}; times must increase", file.string(), number, time,
                              times_.back()));
    times_.push_back(time);
    values_.push_back(value);
  }
  if (times_.empty()) throw_input(fmt::format("{}: the time series has no rows 'time,value'", file.string()));
}

double TimeSeries::extreme() const {
  return *std::max_element(values_.begin(), values_.end(),
                           [](double a, double b) { return std::abs(a) < std::abs(b); });
}

double TimeSeries::at(double time) const {
  const double first = times_.front(), last = times_.back();
  if (periodic_ && last > first)
    time = first + std::fmod(std::fmod(time - first, last - first) + last - first, last - first);
  if (time <= first) return values_.front();
  if (time >= last) return values_.back();
  const std::size_t k = std::upper_bound(times_.begin(), times_.end(), time) - times_.begin();
  const double s = (time - times_[k - 1]) / (times_[k] - times_[k - 1]);
  return values_[k - 1] + s * (values_[k] - values_[k - 1]);
}

}  // namespace fluvia
