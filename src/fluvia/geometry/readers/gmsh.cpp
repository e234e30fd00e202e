// SPDX-License-Identifier: Apache-2.0
// Solids of CAD programs, by the program Gmsh, which has OpenCASCADE.
#include <fmt/format.h>

#include "fluvia/base/apart.hpp"
#include "fluvia/base/error.hpp"
#include "fluvia/base/text.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia::geometry {
namespace {

constexpr unsigned enough_processor_seconds = 900;  // to divide the faces of a large assembly

}  // namespace

std::vector<SurfacePart> read_with_gmsh(const std::filesystem::path& path) {
  require_plain_surface(path);
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
  const std::string_view text(reinterpret_cast<const char*>(result.output.data()), result.output.size());
  std::vector<SurfacePart> parts = parse_stl_parts(path, std::string(text));
  constexpr std::string_view prefix = "Gmsh ";
  for (SurfacePart& part : parts)
    if (part.name.starts_with(prefix)) part.name.erase(0, prefix.size());
  return parts;
}

}  // namespace fluvia::geometry
