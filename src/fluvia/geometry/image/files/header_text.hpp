// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {

/// The lines of a header of text before the elements of an image.
class HeaderText {
 public:
  explicit HeaderText(const std::filesystem::path& path) : file_(path) {}
  /// The next line without its end (LF or CR LF); none at the end of the file. Throws Error(input) for a header that
  /// does not end.
  std::optional<std::string> line();
  /// Bytes that the lines took.
  [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
  [[nodiscard]] const std::filesystem::path& path() const { return file_.path(); }

 private:
  InputFile file_;
  std::uint64_t bytes_ = 0;
};

/// Text without blanks at both ends.
std::string trimmed(std::string_view text);
std::vector<std::string> words_of(const std::string& text);
/// Numbers of a field `key`. Throws Error(input) that names file, key and what stands there.
std::vector<std::uint64_t> whole_numbers(const std::filesystem::path& file, std::string_view key,
                                         const std::string& text);
std::vector<double> real_numbers(const std::filesystem::path& file, std::string_view key, const std::string& text);

/// Named fields of a header in text, which the reader of a format fills.
class HeaderFields {
 public:
  explicit HeaderFields(const std::filesystem::path& path) : text_(path) {}
  /// The value under a name, else under another one that means the same; empty if there is none.
  [[nodiscard]] std::string get(const std::string& name, const std::string& other_name = "") const;
  /// The value under a name. Throws Error(input) if there is none.
  [[nodiscard]] std::string need(const std::string& name) const;
  /// Throws Error(input): a value is not what was expected.
  [[noreturn]] void fail(const std::string& key, const std::string& value, const std::string& expected) const;
  [[nodiscard]] const std::filesystem::path& path() const { return text_.path(); }
  [[nodiscard]] std::uint64_t bytes() const { return text_.bytes(); }

 protected:
  HeaderText text_;
  std::map<std::string, std::string> fields_;
};

}  // namespace fluvia::geometry
