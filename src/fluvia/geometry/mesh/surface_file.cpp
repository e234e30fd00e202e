// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/mesh/surface_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"

namespace fluvia::geometry {
namespace {

constexpr std::array formats{
    SurfaceFormat{{"STL", "|.stl|", "Fluvia, zlib", ""}, read_stl_parts},
    SurfaceFormat{{"Wavefront OBJ", "|.obj|", "Assimp", "libassimp-dev", Needed::to_build}, read_with_assimp},
    SurfaceFormat{{"PLY", "|.ply|", "Assimp", "libassimp-dev", Needed::to_build}, read_with_assimp},
    SurfaceFormat{{"OFF", "|.off|", "Assimp", "libassimp-dev", Needed::to_build}, read_with_assimp},
    SurfaceFormat{{"3MF", "|.3mf|", "Assimp", "libassimp-dev", Needed::to_build}, read_three_mf, "mm"},
    SurfaceFormat{{"glTF", "|.gltf|.glb|", "Assimp", "libassimp-dev", Needed::to_build}, read_with_assimp, "m"},
    SurfaceFormat{{"VTK surface", "|.vtp|.vtk|", "VTK for Python", "python3-vtk9", Needed::to_run}, read_with_vtk},
    SurfaceFormat{
        {"STEP, IGES, BREP", "|.step|.stp|.iges|.igs|.brep|", "Gmsh", "gmsh", Needed::to_run}, read_with_gmsh, "mm"}};

}  // namespace

std::span<const SurfaceFormat> surface_formats() {
  return formats;
}

const SurfaceFormat* surface_format(const std::filesystem::path& path) {
  return find_format(surface_formats(), path);
}

bool is_surface_file(const std::filesystem::path& path) {
  return surface_format(path) != nullptr;
}

std::string surface_extensions() {
  return extensions_of(surface_formats());
}

void require_plain_surface(const std::filesystem::path& path) {
  std::error_code unknown;
  if (!std::filesystem::exists(path, unknown)) throw_input(path.string() + ": cannot be opened: there is no such file");
  require_regular_file(path);
  if (path.extension() == ".gz") throw_input(path.string() + ": of surfaces inside gzip only STL is read; unpack it");
}

void check_finite_triangles(const std::filesystem::path& path, const std::vector<SurfacePart>& parts) {
  std::size_t triangles = 0;
  for (const SurfacePart& part : parts)
    for (const auto& triangle : part.triangles) {
      ++triangles;
      for (const Real3& corner : triangle)
        for (const double x : corner)
          if (!std::isfinite(x) || std::abs(x) > largest_coordinate)
            throw_input(fmt::format("{}: triangle {} of \"{}\" has the coordinate {:.6g}; {}", path.string(), triangles,
                                    part.name, x, possible_coordinates));
    }
}

std::vector<SurfacePart> read_surface_parts(const std::filesystem::path& path) {
  const SurfaceFormat* format = surface_format(path);
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
