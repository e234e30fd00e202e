// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/stl.hpp"

#include <algorithm>
#include <bit>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

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
    // Beyond 1e30 squares overflow single precision, which the ray tracer uses.
    if (std::isfinite(v[axis]) && std::abs(v[axis]) < 1e30) continue;
    throw_input(path.string() + ": triangle " + std::to_string(triangle + 1) + " (" + place + ") has the coordinate " +
                std::to_string(v[axis]) + "; every coordinate must be a finite number");
  }
}

std::uint32_t announced_triangles(const std::string& content) {
  std::uint32_t count = 0;
  std::memcpy(&count, content.data() + 80, sizeof count);
  return count;
}

TriangleSoup parse_binary(const std::filesystem::path& path, const std::string& content) {
  const std::size_t count = announced_triangles(content), expected = header_bytes + triangle_bytes * count;
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

/// Splits text into words and counts lines.
class Words {
 public:
  Words(const std::filesystem::path& path, std::string_view text) : path_(path), text_(text) {}

  /// The next word; empty at the end of the text.
  std::string_view next() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_]))) {
      line_ += text_[position_++] == '\n';
    }
    const std::size_t start = position_;
    while (position_ < text_.size() && !std::isspace(static_cast<unsigned char>(text_[position_]))) ++position_;
    return text_.substr(start, position_ - start);
  }
  void skip_line() {
    while (position_ < text_.size() && text_[position_] != '\n') ++position_;
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
  const std::filesystem::path& path_;
  std::string_view text_;
  std::size_t position_ = 0, line_ = 1;
};

TriangleSoup parse_text(const std::filesystem::path& path, const std::string& content) {
  Words words(path, content);
  TriangleSoup soup;
  bool inside_solid = false;
  for (std::string_view word = words.next(); !word.empty() || inside_solid; word = words.next()) {
    if (!inside_solid) {
      if (!equals_ignoring_case(word, "solid")) words.fail("\"solid\"", word);
      words.skip_line();
      inside_solid = true;
    } else if (equals_ignoring_case(word, "endsolid")) {
      words.skip_line();
      inside_solid = false;
    } else if (equals_ignoring_case(word, "facet")) {
      words.expect("normal");
      for (int i = 0; i < 3; ++i) words.next();  // normals are often nan for slivers; they are not used
      words.expect("outer");
      words.expect("loop");
      auto& triangle = soup.emplace_back();
      for (Real3& corner : triangle) {
        words.expect("vertex");
        for (double& coordinate : corner) coordinate = words.number();
        check_finite(path, soup.size() - 1, "line " + std::to_string(words.line()), corner);
      }
      words.expect("endloop");
      words.expect("endfacet");
    } else {
      words.fail("\"facet\" or \"endsolid\"", word);
    }
  }
  return soup;
}

/// Text starts with "solid" and shows "facet" or "endsolid" soon after, without a zero byte before it.
bool looks_like_text(const std::string& content) {
  const std::string_view start(content.data(), std::min<std::size_t>(content.size(), 4096));
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || !equals_ignoring_case(start.substr(first, 5), "solid")) return false;
  const std::size_t line_end = start.find('\n', first);
  if (line_end == std::string_view::npos) return start.find('\0') == std::string_view::npos;
  return start.substr(0, line_end).find('\0') == std::string_view::npos && start.find('\0') == std::string_view::npos;
}

}  // namespace

TriangleSoup read_stl(const std::filesystem::path& path) {
  const std::string content = read_whole_file(path);
  if (content.empty()) throw_input(path.string() + ": the file is empty, expected an STL surface");
  const bool exact_binary =
      content.size() >= header_bytes && content.size() == header_bytes + triangle_bytes * announced_triangles(content);
  const bool text = !exact_binary && looks_like_text(content);
  if (!text && content.size() < header_bytes) {
    throw_input(path.string() + ": not an STL file: " + std::to_string(content.size()) +
                " bytes are too few for a binary header (84), and the text does not start with \"solid\"");
  }
  TriangleSoup soup = text ? parse_text(path, content) : parse_binary(path, content);
  if (soup.empty()) throw_input(path.string() + ": the surface has no triangles");
  return soup;
}

}  // namespace fluvia::geometry
