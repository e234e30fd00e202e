// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/image/files/slice_files.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

/// Numbers in names count as numbers: slice_2 comes before slice_10.
bool natural_less(const std::string& a, const std::string& b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0, j = 0;
  while (i < a.size() && j < b.size()) {
    if (!digit(a[i]) || !digit(b[j])) {
      if (a[i] != b[j]) return a[i] < b[j];
      ++i, ++j;
      continue;
    }
    while (i < a.size() && a[i] == '0') ++i;
    while (j < b.size() && b[j] == '0') ++j;
    const std::size_t from_a = i, from_b = j;
    while (i < a.size() && digit(a[i])) ++i;
    while (j < b.size() && digit(b[j])) ++j;
    if (i - from_a != j - from_b) return i - from_a < j - from_b;
    if (const int order = a.compare(from_a, i - from_a, b, from_b, j - from_b); order != 0) return order < 0;
  }
  return a.size() - i < b.size() - j;
}

/// The name of a slice with '#' for each of its numbers, and these numbers.
struct SliceName {
  explicit SliceName(const std::string& name) {
    for (std::size_t i = 0; i < name.size();) {
      std::size_t end = i;
      while (end < name.size() && name[end] >= '0' && name[end] <= '9' && end - i < 15) ++end;
      if (end > i) numbers.push_back(std::stoull(name.substr(i, end - i)));
      pattern += end > i ? '#' : name[i];
      i = std::max(end, i + 1);
    }
  }
  std::string pattern;
  std::vector<std::uint64_t> numbers;
};

/// Refuses slices that are no single series without gaps: names in their order.
void check_series(const std::filesystem::path& folder, const std::vector<std::string>& names) {
  std::map<std::string, std::size_t> series;
  std::vector<SliceName> slices;
  for (const std::string& name : names) {
    slices.emplace_back(std::filesystem::path(name).stem().string());
    ++series[slices.back().pattern];
  }
  const bool numbered = std::none_of(slices.begin(), slices.end(), [](const auto& s) { return s.numbers.empty(); });
  if (series.size() > 1 &&
      std::any_of(slices.begin(), slices.end(), [](const auto& s) { return !s.numbers.empty(); })) {
    std::string list;
    for (const auto& [pattern, count] : series)
      list += fmt::format("{}'{}' ({})", list.empty() ? "" : ", ", shorten(pattern), count);
    throw_input(fmt::format("{}: the folder has files of several series, # being a number: {}; leave one of them in it",
                            folder.string(), list));
  }
  if (!numbered || names.size() < 2) return;
  std::optional<std::size_t> counts;  // the one number in which the names differ
  for (std::size_t k = 0; k < slices[0].numbers.size(); ++k) {
    const auto same = [&](const auto& s) { return s.numbers[k] == slices[0].numbers[k]; };
    if (std::all_of(slices.begin(), slices.end(), same)) continue;
    if (counts) return;  // such as a row and a column, whose order nobody knows but who wrote them
    counts = k;
  }
  const auto number = [&](std::size_t i) { return counts ? slices[i].numbers[*counts] : slices[i].numbers.front(); };
  std::uint64_t step = ~std::uint64_t{0};
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (number(i) == number(i - 1))
      throw_input(fmt::format("{}: '{}' and '{}' have the same number; leave one of them in the folder",
                              folder.string(), shorten(names[i - 1]), shorten(names[i])));
    step = std::min(step, number(i) - number(i - 1));
  }
  for (std::size_t i = 1; i < names.size(); ++i)
    if (number(i) - number(i - 1) != step)
      throw_input(fmt::format("{}: slice {} is missing between '{}' and '{}'; add it, or number the slices through",
                              folder.string(), number(i - 1) + step, shorten(names[i - 1]), shorten(names[i])));
}

/// "12 files .jpg" for the commonest other kind of picture in a folder; empty if there is none.
std::string other_pictures(const std::filesystem::path& folder) {
  std::map<std::string, int> kinds;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string extension = extension_of(entry.path());
    for (const char* kind : {".bmp", ".jpg", ".jpeg", ".pgm", ".dcm"}) kinds[kind] += extension == kind ? 1 : 0;
  }
  const auto most = std::max_element(kinds.begin(), kinds.end(), [](auto& a, auto& b) { return a.second < b.second; });
  return most == kinds.end() || most->second == 0
             ? ""
             : fmt::format(", but {} files {}: save them as TIFF or PNG, whose slices are read", most->second,
                           most->first);
}

}  // namespace

std::vector<std::filesystem::path> slices_of(const std::filesystem::path& folder,
                                             const std::vector<std::string>& extensions) {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string extension = extension_of(entry.path()), name = entry.path().filename().string();
    if (std::find(extensions.begin(), extensions.end(), extension) == extensions.end() || name.starts_with('.'))
      continue;
    require_regular_file(entry.path());
    names.push_back(name);
  }
  if (names.empty())
    throw_input(fmt::format("{}: the folder has no slices ({}){}", folder.string(), slice_extensions(),
                            other_pictures(folder)));
  std::sort(names.begin(), names.end(), natural_less);
  check_series(folder, names);
  std::vector<std::filesystem::path> files;
  for (const std::string& name : names) files.push_back(folder / name);
  return files;
}

}  // namespace fluvia::geometry
