// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fluvia {

/// Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`, ignoring case: the optimal string
/// alignment distance (Damerau 1964).
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate most like `name`, or "" if none is close enough (about a third of the letters may differ; a candidate
/// that starts with `name`, or the other way round, counts as close).
std::string nearest_name(std::string_view name, std::span<const std::string> candidates);

/// "; did you mean 'x'?" with the nearest candidate, or "".
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

/// The parts with a separator between: "a, b, c".
std::string join(std::span<const std::string> parts, std::string_view separator = ", ");

/// Shortest decimal text that reads back as the same number.
std::string format_real(double value);
/// `value` rounded to `digits` significant digits, as messages show it.
std::string format_short(double value, int digits = 4);
/// A large count or ratio with three digits, as messages show it: "4.18 million", "66.7 thousand", "478".
std::string format_count(double count);
/// At most about `limit` bytes of `text`; what is not printable becomes '?', longer text ends in "...".
std::string shorten(std::string_view text, std::size_t limit = 60);
/// A message as a terminal may have it, whatever was in the files and names that it quotes: control characters, what
/// is not UTF-8 and what changes the direction of writing become '?'. Line breaks stay where two blanks follow, as in
/// Fluvia's own messages of several lines. At most about `limit` bytes, the rest is counted.
std::string printable(std::string_view message, std::size_t limit = 8000);

/// 64-bit FNV-1a (http://www.isthe.com/chongo/tech/comp/fnv/): stable across machines and versions.
class Fnv1a {
 public:
  void add(std::string_view bytes);
  [[nodiscard]] std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0xcbf29ce484222325u;
};

/// The whole content of a regular file. Throws Error(input), starting with the file's name, if it is missing, not a
/// regular file, unreadable, or longer than `limit` bytes.
std::string read_text_file(const std::filesystem::path& file, std::uint64_t limit);

/// Throws Error(input), starting with the file's name, unless it is a regular file, or a link to one: opening a pipe or
/// a device may wait for ever. Refuses as well what a failed download leaves in its place, whatever its name: a web
/// page, or a pointer of Git LFS.
void require_regular_file(const std::filesystem::path& file);

}  // namespace fluvia
