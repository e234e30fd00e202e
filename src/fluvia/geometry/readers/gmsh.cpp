// SPDX-License-Identifier: Apache-2.0
// Solids of CAD programs, by the program Gmsh, which has OpenCASCADE.
#include <fmt/format.h>

#include "fluvia/base/apart.hpp"
#include "fluvia/base/atomic_file.hpp"
#include "fluvia/base/cache_folder.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/input_file.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia::geometry {
namespace {

constexpr unsigned enough_processor_seconds = 900;  // to divide the faces of a large assembly

/// What Gmsh makes of a file, as an STL in text.
std::string divide_faces(const std::filesystem::path& path) {
  const std::string name = path.string();
  const ProgramResult result = run_apart(
      path, "Gmsh",
      {"gmsh", "-v", "1", "-2", name.starts_with('-') ? "./" + name : name, "-format", "stl", "-setnumber",
       "Mesh.StlOneSolidPerSurface", "1", "-setnumber", "Mesh.MeshSizeFromCurvature", "48", "-o", "/dev/stdout"},
      enough_processor_seconds);
  if (!result.found)
    throw_input(name + ": solids of CAD programs are read by Gmsh, which is not there; install the package gmsh");
  if (result.code != 0) {
    const std::string reason = result.messages.substr(0, result.messages.find('\n'));
    throw_input(fmt::format("{}: cannot be read (Gmsh: {})", name, shorten(reason, 300)));
  }
  return {reinterpret_cast<const char*>(result.output.data()), result.output.size()};
}

/// Where the triangles of a solid are kept, by its content; empty if nowhere.
std::filesystem::path kept_triangles(const std::filesystem::path& path) {
  const std::filesystem::path folder = cache_folder("solids");
  if (folder.empty()) return {};
  Fnv1a hash;
  hash.add(read_whole_file(path));
  return folder / fmt::format("{:016x}-48.stl", hash.value());  // with the divisions of a full circle
}

/// What lies there; empty if nothing that is whole does.
std::string read_kept(const std::filesystem::path& kept) {
  std::error_code error;
  if (kept.empty() || !std::filesystem::is_regular_file(kept, error)) return {};
  try {
    return read_whole_file(kept);
  } catch (const Error&) {
    return {};
  }
}

void keep(const std::filesystem::path& kept, const std::string& text) {
  std::error_code error;
  if (kept.empty()) return;
  std::filesystem::create_directories(kept.parent_path(), error);
  try {
    write_file(kept, text);
  } catch (const Error&) {  // a full disk, no permission: it is made again
  }
}

}  // namespace

std::vector<SurfacePart> read_with_gmsh(const std::filesystem::path& path) {
  require_plain_surface(path);
  // A command reads its surfaces several times, and Gmsh takes seconds each time.
  const std::filesystem::path kept = kept_triangles(path);
  std::string text = read_kept(kept);
  if (text.empty()) {
    text = divide_faces(path);
    keep(kept, text);
  }
  std::vector<SurfacePart> parts = parse_stl_parts(path, text);
  constexpr std::string_view prefix = "Gmsh ";
  for (SurfacePart& part : parts)
    if (part.name.starts_with(prefix)) part.name.erase(0, prefix.size());
  return parts;
}

}  // namespace fluvia::geometry
