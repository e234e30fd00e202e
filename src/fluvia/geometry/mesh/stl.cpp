// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/stl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

constexpr std::size_t header_bytes = 84, triangle_bytes = 50;

static_assert(std::endian::native == std::endian::little, "binary STL is little-endian");

bool equals_ignoring_case(std::string_view a, std::string_view b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
           return std::tolower(static_cast<unsigned char>(x)) == y;
         });
}

void check_finite(const std::filesystem::path& path, std::size_t triangle, const std::string& place, const Real3& v) {
  for (int axis = 0; axis < 3; ++axis) {
    if (std::isfinite(v[axis]) && std::abs(v[axis]) < largest_coordinate) continue;
    throw_input(fmt::format("{}: triangle {} ({}) has the coordinate {:.6g}; {}", path.string(), triangle + 1, place,
                            v[axis], possible_coordinates));
  }
}

std::uint32_t announced_triangles(const std::string& content) {
  std::uint32_t count = 0;
  std::memcpy(&count, content.data() + 80, sizeof count);
  return count;
}

/// Writers that cannot go back to the header leave its number of triangles empty.
bool is_unfilled(std::uint32_t count) {
  return count == 0 || count == std::numeric_limits<std::uint32_t>::max();
}

TriangleSoup parse_binary(const std::filesystem::path& path, const std::string& content) {
  const std::size_t bytes = content.size() - header_bytes, whole = bytes / triangle_bytes;
  std::size_t count = announced_triangles(content);
  if (is_unfilled(announced_triangles(content)) && bytes == whole * triangle_bytes) count = whole;
  const std::size_t expected = header_bytes + triangle_bytes * count;
  // Some bytes behind the last triangle are a writer's own; whole triangles are part of the surface.
  if (content.size() > expected && bytes == whole * triangle_bytes) {
    throw_input(path.string() + ": its header announces " + std::to_string(count) + " triangles, but " +
                std::to_string(whole) + " are in the file, of " + std::to_string(content.size()) +
                " bytes; export the surface again, or write the right number into bytes 80 to 83");
  }
  if (content.size() < expected) {
    throw_input(path.string() + ": truncated binary STL: its header announces " + std::to_string(count) +
                " triangles = " + std::to_string(expected) + " bytes, but the file ends at byte " +
                std::to_string(content.size()) + " (triangle " +
                std::to_string((content.size() - header_bytes) / triangle_bytes + 1) + ")");
  }
  TriangleSoup soup(count);
  for (std::size_t t = 0; t < count; ++t) {
    const std::size_t start = header_bytes + triangle_bytes * t;
    std::array<float, 9> values;
    std::memcpy(values.data(), content.data() + start + 12, sizeof values);  // skip the normal
    for (int corner = 0; corner < 3; ++corner) {
      for (int axis = 0; axis < 3; ++axis) soup[t][corner][axis] = values[3 * corner + axis];
      check_finite(path, t, "byte " + std::to_string(start + 12 + 12 * corner), soup[t][corner]);
    }
  }
  return soup;
}

/// Zero bytes, with which some writers fill up blocks, are spaces, too.
bool is_space(char c) {
  return c == '\0' || std::isspace(static_cast<unsigned char>(c));
}

bool is_line_end(char c) {
  return c == '\n' || c == '\r';
}

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";  // of UTF-8

/// Splits text into words and counts lines, which end as on Unix, Windows or old Macs. Lines that begin with # or //
/// are comments.
class Words {
 public:
  Words(const std::filesystem::path& path, std::string_view text) : path_(path), text_(text) {
    if (text_.starts_with(byte_order_mark)) position_ = byte_order_mark.size();
  }

  /// The next word; empty at the end of the text.
  std::string_view next() {
    skip_spaces();
    for (std::string_view rest = text_.substr(position_);
         begins_line_ && (rest.starts_with('#') || rest.starts_with("//")); rest = text_.substr(position_)) {
      skip_line();
      skip_spaces();
    }
    begins_line_ = false;
    const std::size_t start = position_;
    while (position_ < text_.size() && !is_space(text_[position_])) ++position_;
    return text_.substr(start, position_ - start);
  }
  /// The name of a solid, which is skipped: the rest of the line, or what stands before the next word of the format in
  /// files of one line.
  std::string_view skip_name(std::string_view next_word, std::string_view word_after) {
    std::size_t end = position_;
    while (end < text_.size() && !is_line_end(text_[end])) ++end;
    const std::string_view line = text_.substr(position_, end - position_);
    for (std::size_t k = 0; k < line.size(); ++k) {
      const bool begins_word = k > 0 && is_space(line[k - 1]) && !is_space(line[k]);
      if (!begins_word || !begins_with_word(line.substr(k), next_word)) continue;
      const std::size_t after = line.find_first_not_of(" \t", k + next_word.size());
      if (!word_after.empty() && (after == line.npos || !begins_with_word(line.substr(after), word_after))) continue;
      position_ += k;
      return trimmed(line.substr(0, k));
    }
    position_ = end;
    return trimmed(line);
  }
  /// Whether the rest of the line, which may be that of the whole file, has this word.
  [[nodiscard]] bool line_has(std::string_view word) const {
    for (std::size_t k = position_; k < text_.size() && !is_line_end(text_[k]); ++k)
      if (begins_with_word(text_.substr(k), word)) return true;
    return false;
  }
  void expect(std::string_view word) {
    const std::string_view found = next();
    if (!equals_ignoring_case(found, word)) fail(word, found);
  }
  double number() {
    std::string_view word = next();
    const std::string_view whole = word;
    if (!word.empty() && word.front() == '+') word.remove_prefix(1);
    double value = 0;
    const auto [end, code] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (word.empty() || end != word.data() + word.size() || code == std::errc::invalid_argument)
      fail("a number", whole);
    // A denormal number, which some exporters print instead of zero. A number that is too large becomes infinite, which
    // is refused.
    if (code == std::errc::result_out_of_range) return std::strtod(std::string(word).c_str(), nullptr);
    return value;
  }
  [[noreturn]] void fail(std::string_view expected, std::string_view found) const {
    const bool at_end = position_ >= text_.size();
    std::string shown = found.empty() ? "" : "\"" + std::string(found.substr(0, 40)) + "\"" + (at_end ? " and " : "");
    if (at_end) shown += "the end of the file (truncated?)";
    throw_input(path_.string() + ":" + std::to_string(line_) + ": expected " + std::string(expected) + ", found " +
                shown);
  }
  [[nodiscard]] std::size_t line() const { return line_; }

 private:
  static std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
  }
  static bool begins_with_word(std::string_view text, std::string_view word) {
    return equals_ignoring_case(text.substr(0, word.size()), word) &&
           (text.size() == word.size() || is_space(text[word.size()]));
  }
  void skip_spaces() {
    for (; position_ < text_.size() && is_space(text_[position_]); ++position_) {
      if (!is_line_end(text_[position_])) continue;
      begins_line_ = true;
      line_ += text_[position_] == '\n' || text_.substr(position_ + 1, 1) != "\n";
    }
  }
  void skip_line() {
    while (position_ < text_.size() && !is_line_end(text_[position_])) ++position_;
  }
  const std::filesystem::path& path_;
  std::string_view text_;
  std::size_t position_ = 0, line_ = 1;
  bool begins_line_ = true;  ///< whether nothing but spaces has been met in this line
};

std::vector<SurfacePart> parse_text(const std::filesystem::path& path, const std::string& content) {
  Words words(path, content);
  std::vector<SurfacePart> solids;
  std::size_t triangles = 0;
  bool inside_solid = false;
  for (std::string_view word = words.next(); !word.empty() || inside_solid; word = words.next()) {
    if (!inside_solid) {
      if (!equals_ignoring_case(word, "solid")) words.fail("\"solid\"", word);
      const bool one_line = words.line_has("facet");
      const std::string_view name = one_line ? words.skip_name("facet", "normal") : words.skip_name("endsolid", "");
      solids.push_back({std::string(name), {}});
      inside_solid = true;
    } else if (equals_ignoring_case(word, "endsolid")) {
      // The name may have the word "solid", unless facets follow in its line.
      words.skip_name(words.line_has("facet") ? "solid" : "\n", "");
      inside_solid = false;
    } else if (equals_ignoring_case(word, "facet")) {
      words.expect("normal");
      for (int i = 0; i < 3; ++i) words.next();  // normals are often nan for slivers; they are not used
      words.expect("outer");
      words.expect("loop");
      auto& triangle = solids.back().triangles.emplace_back();
      for (Real3& corner : triangle) {
        words.expect("vertex");
        for (double& coordinate : corner) coordinate = words.number();
        check_finite(path, triangles, "line " + std::to_string(words.line()), corner);
      }
      ++triangles;
      words.expect("endloop");
      words.expect("endfacet");
    } else {
      words.fail("\"facet\" or \"endsolid\"", word);
    }
  }
  return solids;
}

/// Text starts with "solid", after comments at most, and is either free of zero bytes or has corners in words, which
/// binary files do not have.
bool looks_like_text(const std::filesystem::path& path, const std::string& content) {
  const std::string_view start(content.data(), std::min<std::size_t>(content.size(), 4096));
  if (!equals_ignoring_case(Words(path, start).next(), "solid")) return false;
  if (start.find('\0') == std::string_view::npos) return true;
  const std::string_view corner = "vertex";
  return std::search(start.begin(), start.end(), corner.begin(), corner.end(),
                     [](char x, char y) { return std::tolower(static_cast<unsigned char>(x)) == y; }) != start.end();
}

}  // namespace

std::vector<SurfacePart> read_stl_parts(const std::filesystem::path& path) {
  return parse_stl_parts(path, read_whole_file(path));
}

std::vector<SurfacePart> parse_stl_parts(const std::filesystem::path& path, const std::string& content) {
  if (content.empty()) throw_input(path.string() + ": the file is empty, expected an STL surface");
  const bool exact_binary =
      content.size() >= header_bytes && content.size() == header_bytes + triangle_bytes * announced_triangles(content);
  const bool text = !exact_binary && looks_like_text(path, content);
  if (content.starts_with("\xFF\xFE") || content.starts_with("\xFE\xFF"))
    throw_input(path.string() + ": the text has 16 bits a character (UTF-16); save it as UTF-8 or ASCII");
  if (!text && content.size() < header_bytes) {
    throw_input(path.string() + ": not an STL file: " + std::to_string(content.size()) +
                " bytes are too few for a binary header (84), and the text does not start with \"solid\"");
  }
  if (text) return parse_text(path, content);
  return {{"", parse_binary(path, content)}};
}

void write_stl(const std::filesystem::path& path, const TriangleSoup& triangles) {
  if (triangles.size() > std::numeric_limits<std::uint32_t>::max())
    throw_input(path.string() + ": an STL holds 2^32 - 1 triangles at most");
  AtomicFile file(path);
  std::string bytes = "binary STL, written by Fluvia";
  bytes.resize(80, ' ');
  const auto count = static_cast<std::uint32_t>(triangles.size());
  bytes.append(reinterpret_cast<const char*>(&count), sizeof count);
  for (const auto& corners : triangles) {
    const Real3 across = cross(corners[1] - corners[0], corners[2] - corners[0]);
    const double length = norm(across);
    std::array<float, 12> values{};
    for (int axis = 0; axis < 3; ++axis) {
      values[static_cast<std::size_t>(axis)] = static_cast<float>(length > 0 ? across[axis] / length : 0);
      for (std::size_t corner = 0; corner < 3; ++corner)
        values[3 * (corner + 1) + static_cast<std::size_t>(axis)] = static_cast<float>(corners[corner][axis]);
    }
    bytes.append(reinterpret_cast<const char*>(values.data()), sizeof values).append(2, '\0');
    constexpr std::size_t enough = 1 << 20;
    if (bytes.size() < enough) continue;
    file.write(bytes);
    bytes.clear();
  }
  file.write(bytes);
  file.commit();
}

}  // namespace fluvia::geometry
