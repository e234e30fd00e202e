// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace fluvia::geometry {

/// When the library that reads a format has to be there.
enum class Needed { always, to_build, to_run };

/// A format of files with a shape: how such files are called, and what reads them. docs/formats.md lists all.
struct FileFormat {
  const char* name;
  const char* extensions;  ///< each between bars, in lower case: "|.tif|.tiff|"
  const char* library;     ///< that reads it
  const char* package;     ///< Debian's package of that library, which Fluvia can do without; else empty
  Needed needed = Needed::always;

  /// Whether a file is of this format by its name, whatever the case of its letters and with ".gz" or without.
  [[nodiscard]] bool has(const std::filesystem::path& file) const;
  /// ".tif", ".tiff".
  [[nodiscard]] std::vector<std::string> names() const;
};

/// The format of a file by its name; nullptr if none of them is.
template <class Format>
const Format* find_format(std::span<const Format> formats, const std::filesystem::path& file) {
  for (const Format& format : formats)
    if (format.has(file)) return &format;
  return nullptr;
}

/// Extensions of all formats, for messages: ".stl, .obj, ...".
template <class Format>
std::string extensions_of(std::span<const Format> formats) {
  std::string list;
  for (const Format& format : formats)
    for (const std::string& name : format.names()) list += (list.empty() ? "" : ", ") + name;
  return list;
}

/// Every format that Fluvia knows: images that do not say what they are, those that do, masks, surfaces.
std::vector<const FileFormat*> all_formats();

}  // namespace fluvia::geometry
