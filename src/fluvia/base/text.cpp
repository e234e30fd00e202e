// SPDX-License-Identifier: Apache-2.0
#include "fluvia/base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <fstream>
#include <system_error>

#include "fluvia/base/error.hpp"

namespace fluvia {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool starts_with_ignoring_case(std::string_view text, std::string_view start) {
  return text.size() >= start.size() &&
         std::equal(start.begin(), start.end(), text.begin(), [](char a, char b) { return lower(a) == lower(b); });
}

/// Length of the printable UTF-8 character that `text` begins with; 0 if it begins with none.
std::size_t printable_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return first < 0x20 || first == 0x7f ? 0 : 1;
  const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < length) return 0;
  std::uint32_t code = first & (0x7fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0u) != 0x80u) return 0;
    code = code << 6 | (byte(i) & 0x3fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};  // less could be said in fewer bytes
  const bool surrogate = code >= 0xd800 && code < 0xe000, control = code < 0xa0;
  const bool breaks_line = code == 0x2028 || code == 0x2029;
  const bool turns = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return code < least[length] || code > 0x10ffff || surrogate || control || breaks_line || turns ? 0 : length;
}

/// Takes printable text from `text` until there are `limit` bytes of it; `text` keeps the rest.
std::string take_printable(std::string_view& text, std::size_t limit, bool keep_lines) {
  std::string result;
  while (!text.empty()) {
    const bool line = keep_lines && text.starts_with("\n  ");
    const std::size_t length = line ? 1 : printable_length(text);
    if (result.size() + std::max<std::size_t>(length, 1) > limit) break;
    if (length > 0) {
      result += text.substr(0, length);
    } else {
      result += '?';
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return result;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  const std::size_t width = b.size() + 1;
  std::vector<std::size_t> before(width), previous(width), row(width);
  for (std::size_t j = 0; j < width; ++j) previous[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (std::size_t j = 1; j < width; ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({previous[j] + 1, row[j - 1] + 1, previous[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, row);
  }
  return previous[b.size()];
}

std::string nearest_name(std::string_view name, std::span<const std::string> candidates) {
  if (name.empty() || name.size() > 100) return "";
  std::string best;
  const std::size_t largest_distance = std::max<std::size_t>(1, (name.size() + 1) / 3);
  std::size_t best_score = 2 * largest_distance + 2;
  for (const std::string& candidate : candidates) {
    std::size_t distance = edit_distance(name, candidate);
    const bool related = name.size() >= 3 && candidate.size() >= 3 &&
                         (starts_with_ignoring_case(candidate, name) || starts_with_ignoring_case(name, candidate));
    if (related) distance = std::min<std::size_t>(distance, 1);
    // People rarely miss the first letter: it decides between equals.
    const bool other_start = candidate.empty() || lower(candidate.front()) != lower(name.front());
    const std::size_t score = 2 * distance + (other_start ? 1 : 0);
    if (score < best_score) {
      best_score = score;
      best = candidate;
    }
  }
  return best;
}

std::string did_you_mean(std::string_view name, std::span<const std::string> candidates) {
  const std::string best = nearest_name(name, candidates);
  return best.empty() ? "" : "; did you mean '" + best + "'?";
}

std::string join(std::span<const std::string> parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts.begin(), parts.end(), separator));
}

std::string format_real(double value) {
  return fmt::format("{}", value == 0 ? 0.0 : value);
}

std::string format_short(double value, int digits) {
  return fmt::format("{:.{}g}", value, digits);
}

std::string format_count(double count) {
  constexpr double million = 1e6, thousand = 1e3, first_with_word = 1e4;
  if (count >= million) return format_short(count / million, 3) + " million";
  if (count >= first_with_word) return format_short(count / thousand, 3) + " thousand";
  return format_short(count, count >= thousand ? 4 : 3);
}

std::string shorten(std::string_view text, std::size_t limit) {
  const std::string result = take_printable(text, limit, false);
  return text.empty() ? result : result + "...";
}

std::string printable(std::string_view message, std::size_t limit) {
  const std::string result = take_printable(message, limit, true);
  return message.empty() ? result : result + fmt::format("... ({} more bytes)", message.size());
}

void Fnv1a::add(std::string_view bytes) {
  for (const char c : bytes) {
    value_ ^= static_cast<unsigned char>(c);
    value_ *= 0x100000001b3u;
  }
}

namespace {
/// Refuses what a failed download leaves under the name of a file, whatever that was meant to be.
void refuse_stand_in(const std::filesystem::path& file) {
  std::array<char, 128> start{};
  std::ifstream stream(file, std::ios::binary);
  stream.read(start.data(), start.size());
  std::string text(start.data(), static_cast<std::size_t>(stream.gcount()));
  const std::string pointer = "version https://git-lfs.github.com/spec/";
  if (text.starts_with(pointer))
    throw_input(file.string() +
                ": is a pointer of Git LFS, which stands for a file that was not fetched; `git lfs pull` in its "
                "repository does that");
  if (text.starts_with("\xEF\xBB\xBF")) text.erase(0, 3);
  text.erase(0, text.find_first_not_of(" \t\r\n"));
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return std::tolower(c); });
  if (text.starts_with("<!doctype html") || text.starts_with("<html"))
    throw_input(file.string() + ": is a web page, not a file with data; download the file that the page offers");
}
}  // namespace

void require_regular_file(const std::filesystem::path& file) {
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) throw_input(file.string() + ": no such file");
  if (error) throw_input(file.string() + ": " + error.message());
  if (std::filesystem::is_directory(status)) throw_input(file.string() + ": is a directory, not a regular file");
  if (!std::filesystem::is_regular_file(status)) throw_input(file.string() + ": not a regular file");
  refuse_stand_in(file);
}

std::string read_text_file(const std::filesystem::path& file, std::uint64_t limit) {
  require_regular_file(file);
  std::error_code error;
  const std::uint64_t size = std::filesystem::file_size(file, error);
  if (error) throw_input(file.string() + ": " + error.message());
  if (size > limit) {
    throw_input(fmt::format("{}: {} bytes is too long for this kind of file (at most {})", file.string(), size, limit));
  }
  std::ifstream stream(file, std::ios::binary);
  std::string content(size, '\0');
  if (!stream.read(content.data(), static_cast<std::streamsize>(size))) {
    throw_input(file.string() + ": cannot be read (permissions?)");
  }
  return content;
}

}  // namespace fluvia
