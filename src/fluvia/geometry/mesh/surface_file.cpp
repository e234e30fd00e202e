// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/surface_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/input_file.hpp"

namespace fluvia::geometry {
namespace {

/// A format of surfaces: its extensions between bars, and what reads it.
struct SurfaceFormat {
  const char* extensions;
  std::vector<SurfacePart> (*read)(const std::filesystem::path& path);
};

constexpr std::array formats{
    SurfaceFormat{"|.stl|", read_stl_parts},   SurfaceFormat{"|.obj|", read_with_assimp},
    SurfaceFormat{"|.ply|", read_with_assimp}, SurfaceFormat{"|.off|", read_with_assimp},
    SurfaceFormat{"|.3mf|", read_with_assimp}, SurfaceFormat{"|.gltf|.glb|", read_with_assimp}};

const SurfaceFormat* format_of(const std::filesystem::path& path) {
  const std::string bars = "|" + extension_of(path) + "|";
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const SurfaceFormat& format) {
    return std::string_view(format.extensions).find(bars) != std::string_view::npos;
  });
  return found == formats.end() ? nullptr : found;
}

}  // namespace

bool is_surface_file(const std::filesystem::path& path) {
  return format_of(path) != nullptr;
}

std::string surface_extensions() {
  std::vector<std::string> all;
  for (const SurfaceFormat& format : formats) {
    const std::string_view bars = format.extensions;
    for (std::size_t from = 1; from < bars.size();) {
      const std::size_t end = bars.find('|', from);
      all.emplace_back(bars.substr(from, end - from));
      from = end + 1;
    }
  }
  return join(all);
}

std::vector<SurfacePart> read_surface_parts(const std::filesystem::path& path) {
  const SurfaceFormat* format = format_of(path);
  // What the name does not tell is taken for an STL, whose reader says what it found.
  std::vector<SurfacePart> read = format == nullptr ? read_stl_parts(path) : format->read(path), parts;
  for (SurfacePart& part : read) {
    if (part.triangles.empty()) continue;
    const auto same = std::find_if(parts.begin(), parts.end(), [&](const auto& p) { return p.name == part.name; });
    if (same == parts.end())
      parts.push_back(std::move(part));
    else
      same->triangles.insert(same->triangles.end(), part.triangles.begin(), part.triangles.end());
  }
  if (parts.empty()) throw_input(path.string() + ": the surface has no triangles");
  return parts;
}

TriangleSoup read_surface(const std::filesystem::path& path, const std::string& part) {
  std::vector<SurfacePart> parts = read_surface_parts(path);
  TriangleSoup soup;
  std::vector<std::string> names;
  for (SurfacePart& p : parts) {
    names.push_back(p.name);
    if (!part.empty() && p.name != part) continue;
    if (soup.empty())
      soup = std::move(p.triangles);
    else
      soup.insert(soup.end(), p.triangles.begin(), p.triangles.end());
  }
  if (soup.empty())
    throw_input(fmt::format("{}: has no part \"{}\"; it has {}{}", path.string(), part, join(names),
                            did_you_mean(part, names)));
  return soup;
}

}  // namespace fluvia::geometry
