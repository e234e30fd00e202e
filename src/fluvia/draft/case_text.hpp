// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia::draft {

/// Writes a case file: sections, keys and the comments that give their reasons, in the style of the shipped cases.
class CaseText {
 public:
  explicit CaseText(const std::string& title);
  /// Adds lines of text, wrapped, each after "# ".
  CaseText& comment(const std::string& text);
  /// Adds "[units]" or "[[boundary]]", after an empty line.
  CaseText& section(const std::string& header);
  CaseText& key(const std::string& name, double value, const std::string& why = "");
  CaseText& key(const std::string& name, std::int64_t value, const std::string& why = "");
  CaseText& key(const std::string& name, int value, const std::string& why = "");
  CaseText& key(const std::string& name, bool value, const std::string& why = "");
  CaseText& key(const std::string& name, const std::string& value, const std::string& why = "");
  CaseText& key(const std::string& name, const char* value, const std::string& why = "");
  CaseText& key(const std::string& name, const Real3& value, const std::string& why = "");
  CaseText& key(const std::string& name, const Int3& value, const std::string& why = "");
  CaseText& key(const std::string& name, const std::vector<bool>& value, const std::string& why = "");
  CaseText& key(const std::string& name, const std::vector<int>& value, const std::string& why = "");
  CaseText& key(const std::string& name, const std::vector<std::string>& value, const std::string& why = "");
  CaseText& key(const std::string& name, const std::array<Real3, 2>& corners, const std::string& why = "");
  /// Adds a key whose value is TOML as it stands, such as a table.
  CaseText& table(const std::string& name, const std::string& toml, const std::string& why = "");
  /// Adds a table with one picture.
  CaseText& slice(const std::string& field, int axis, const std::string& why = "");

  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  CaseText& raw(const std::string& name, const std::string& value, const std::string& why);
  std::string text_;
};

/// `value` rounded to so many significant digits, for numbers that nobody needs more of.
double rounded(double value, int digits);
/// `value` rounded to so many significant digits: never above `value`, and never below it.
double rounded_down(double value, int digits);
double rounded_up(double value, int digits);
/// A coordinate rounded to a hundredth of a length or somewhat finer, however far from the origin: files of surveyors
/// have coordinates of millions of metres.
double rounded_coordinate(double value, double length);

/// How a case in `folder` names a file: relative to the folder.
std::string file_in_case(const std::filesystem::path& file, const std::filesystem::path& folder);
/// A name for files from a file's own: without .gz and extension; characters other than letters, digits, '-' and '_'
/// become '_'.
std::string plain_stem(const std::filesystem::path& file);

/// `stem`, cut short, and with a number where it is in `taken`, into which it goes: names of surfaces differ.
std::string unique_name(const std::string& stem, std::set<std::string>& taken);

/// Words for a title from a file's name: without .gz and extension, '_' a space, cut short if it is long.
std::string title_words(const std::filesystem::path& file);

}  // namespace fluvia::draft
