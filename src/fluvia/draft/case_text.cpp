// SPDX-License-Identifier: Apache-2.0
#include "fluvia/draft/case_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <sstream>

#include "fluvia/base/text.hpp"

namespace fluvia::draft {

namespace {

constexpr std::size_t width = 118, column = 30;

/// A text as a TOML string.
std::string quoted(const std::string& text) {
  std::string result = "\"";
  for (const char ch : text) {
    if (ch == '"' || ch == '\\') {
      result += '\\';
      result += ch;
    } else if (static_cast<unsigned char>(ch) < 0x20 || ch == 0x7f) {
      result += fmt::format("\\u{:04x}", static_cast<unsigned char>(ch));
    } else {
      result += ch;
    }
  }
  return result + '"';
}

/// A number in TOML; reals need a point or an exponent only to look like ones.
std::string number(double value) {
  std::string text = format_real(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

template <class List, class Text>
std::string list(const List& values, const Text& text) {
  std::string result;
  for (const auto& value : values) result += (result.empty() ? "" : ", ") + text(value);
  return "[" + result + "]";
}

double rounded_by(double value, int digits, double (*round)(double)) {
  if (!(std::abs(value) > 0) || !std::isfinite(value)) return value;
  const int power = digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value))));
  // A scale that is a whole number, so that the result is the number nearest to its decimals.
  const double scale = std::pow(10.0, std::abs(power));
  // A number that is round already stays: its product may lie a little beside the whole number.
  const double scaled = power >= 0 ? value * scale : value / scale, nearest = std::round(scaled);
  const double result = std::abs(scaled - nearest) < 1e-9 * std::abs(scaled) ? nearest : round(scaled);
  return power >= 0 ? result / scale : result * scale;
}

}  // namespace

double rounded(double value, int digits) {
  return rounded_by(value, digits, [](double x) { return std::round(x); });
}
double rounded_down(double value, int digits) {
  return rounded_by(value, digits, [](double x) { return std::floor(x); });
}
double rounded_up(double value, int digits) {
  return rounded_by(value, digits, [](double x) { return std::ceil(x); });
}

double rounded_coordinate(double value, double length) {
  const double grain = std::pow(10.0, std::floor(std::log10(length)) - 2);
  return rounded(std::round(value / grain) * grain, 12) + 0.0;  // no -0
}

CaseText::CaseText(const std::string& title) {
  raw("title", quoted(title), "");
}

CaseText& CaseText::comment(const std::string& text) {
  std::istringstream words(text);
  std::string word, line = "#";
  while (words >> word) {
    if (line.size() + 1 + word.size() > width) {
      text_ += line + '\n';
      line = "#";
    }
    line += ' ' + word;
  }
  text_ += line + '\n';
  return *this;
}

CaseText& CaseText::section(const std::string& header) {
  text_ += '\n' + header + '\n';
  return *this;
}

CaseText& CaseText::raw(const std::string& name, const std::string& value, const std::string& why) {
  std::string line = name + " = " + value;
  if (!why.empty()) {
    line.append(line.size() < column ? column - line.size() : 1, ' ');
    line += "# " + why;
    if (line.size() > width) {  // the reason gets lines of its own
      comment(why);
      line = name + " = " + value;
    }
  }
  text_ += line + '\n';
  return *this;
}

CaseText& CaseText::key(const std::string& name, double value, const std::string& why) {
  return raw(name, number(value), why);
}
CaseText& CaseText::key(const std::string& name, std::int64_t value, const std::string& why) {
  return raw(name, std::to_string(value), why);
}
CaseText& CaseText::key(const std::string& name, int value, const std::string& why) {
  return raw(name, std::to_string(value), why);
}
CaseText& CaseText::key(const std::string& name, bool value, const std::string& why) {
  return raw(name, value ? "true" : "false", why);
}
CaseText& CaseText::key(const std::string& name, const std::string& value, const std::string& why) {
  return raw(name, quoted(value), why);
}
CaseText& CaseText::key(const std::string& name, const char* value, const std::string& why) {
  return raw(name, quoted(value), why);
}
CaseText& CaseText::key(const std::string& name, const Real3& value, const std::string& why) {
  return raw(name, list(value, number), why);
}
CaseText& CaseText::key(const std::string& name, const std::array<Real3, 2>& corners, const std::string& why) {
  return raw(name, "[" + list(corners[0], number) + ", " + list(corners[1], number) + "]", why);
}
CaseText& CaseText::key(const std::string& name, const Int3& value, const std::string& why) {
  return raw(name, list(value, [](int x) { return std::to_string(x); }), why);
}
CaseText& CaseText::key(const std::string& name, const std::vector<bool>& value, const std::string& why) {
  return raw(name, list(value, [](bool x) { return std::string(x ? "true" : "false"); }), why);
}
CaseText& CaseText::key(const std::string& name, const std::vector<int>& value, const std::string& why) {
  return raw(name, list(value, [](int x) { return std::to_string(x); }), why);
}
CaseText& CaseText::key(const std::string& name, const std::vector<std::string>& value, const std::string& why) {
  return raw(name, list(value, quoted), why);
}

CaseText& CaseText::table(const std::string& name, const std::string& toml, const std::string& why) {
  return raw(name, toml, why);
}

CaseText& CaseText::slice(const std::string& field, int axis, const std::string& why) {
  section("[[output.slice]]").key("field", field, why);
  return key("axis", std::string(1, "xyz"[axis]));
}

std::string file_in_case(const std::filesystem::path& file, const std::filesystem::path& folder) {
  std::error_code error;
  const auto base = std::filesystem::weakly_canonical(std::filesystem::absolute(folder), error);
  const auto whole = std::filesystem::weakly_canonical(std::filesystem::absolute(file), error);
  const auto relative = whole.lexically_relative(base);
  return (relative.empty() ? whole : relative).generic_string();
}

namespace {

/// The name of a file without .gz and extension.
std::string stem_of(const std::filesystem::path& file) {
  std::filesystem::path name = file.filename();
  if (name.extension() == ".gz") name = name.stem();
  return name.stem().string();
}

}  // namespace

std::string title_words(const std::filesystem::path& file) {
  std::string words = stem_of(file);
  std::replace(words.begin(), words.end(), '_', ' ');
  return shorten(words);
}

std::string unique_name(const std::string& stem, std::set<std::string>& taken) {
  constexpr std::size_t longest = 56;  // with a number a name has 64 characters at most
  const std::string cut = stem.substr(0, longest);
  std::string name = cut;
  for (int number = 2; !taken.insert(name).second; ++number) name = fmt::format("{}-{}", cut, number);
  return name;
}

std::string plain_stem(const std::filesystem::path& file) {
  std::string stem = stem_of(file);
  for (char& ch : stem)
    if (std::isalnum(static_cast<unsigned char>(ch)) == 0 && ch != '-' && ch != '_') ch = '_';
  return stem.empty() ? "case" : stem;
}

}  // namespace fluvia::draft
