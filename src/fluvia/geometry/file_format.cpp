// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/file_format.hpp"

#include "fluvia/geometry/image/files/image_file.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia::geometry {

std::vector<std::string> FileFormat::names() const {
  std::vector<std::string> all;
  const std::string_view bars = extensions;
  for (std::size_t from = 1; from < bars.size();) {
    const std::size_t end = bars.find('|', from);
    all.emplace_back(bars.substr(from, end - from));
    from = end + 1;
  }
  return all;
}

bool FileFormat::has(const std::filesystem::path& file) const {
  const std::string extension = extension_of(file);
  return !extension.empty() && std::string_view(extensions).find("|" + extension + "|") != std::string_view::npos;
}

std::vector<const FileFormat*> all_formats() {
  std::vector<const FileFormat*> all;
  for (const FileFormat& format : plain_formats()) all.push_back(&format);
  for (const ImageFormat& format : image_formats()) all.push_back(&format);
  for (const ImageFormat& format : mask_formats()) all.push_back(&format);
  for (const SurfaceFormat& format : surface_formats()) all.push_back(&format);
  return all;
}

}  // namespace fluvia::geometry
