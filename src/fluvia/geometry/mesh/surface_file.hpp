// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/geometry/file_format.hpp"
#include "fluvia/geometry/mesh/stl.hpp"

namespace fluvia::geometry {

/// A format of surfaces.
struct SurfaceFormat : FileFormat {
  std::vector<SurfacePart> (*read)(const std::filesystem::path& path);
  const char* unit = "";  ///< of the coordinates that `read` gives, where that is known
};

std::span<const SurfaceFormat> surface_formats();
/// The format of a surface by its name; nullptr if it has none of their extensions.
const SurfaceFormat* surface_format(const std::filesystem::path& path);
/// Whether a file is a surface, by its extension.
bool is_surface_file(const std::filesystem::path& path);
/// The extensions of all formats, for messages: ".stl, .obj, ...".
std::string surface_extensions();

/// The parts of a surface file in its own order: the solids of an STL, the groups of an OBJ (what has a
/// second material is a part with the name of that), the meshes of other formats, the numbered regions of a VTK file,
/// the faces of a STEP file; parts of the same name are one.
/// Coordinates in the unit of the file. Throws Error(input) for files that cannot be read, hold no triangles or
/// coordinates that are no finite numbers.
std::vector<SurfacePart> read_surface_parts(const std::filesystem::path& path);

/// All triangles of a surface file, or those of the part of that name if one is given. Throws like
/// read_surface_parts(), and Error(input) with the names that there are for a name that there is not.
TriangleSoup read_surface(const std::filesystem::path& path, const std::string& part = {});

// Readers of formats besides STL, each in a process of its own (docs/decisions/0020-...). Polygons become triangles;
// points, lines and colours are left out. They throw Error(input), for a library that is missing, too.

/// Reads OBJ, PLY, OFF, 3MF and glTF with Assimp.
std::vector<SurfacePart> read_with_assimp(const std::filesystem::path& path);
/// Reads 3MF with Assimp and brings coordinates to mm from the unit that the file names.
std::vector<SurfacePart> read_three_mf(const std::filesystem::path& path);
/// Reads VTK's files with VTK's package for Python.
std::vector<SurfacePart> read_with_vtk(const std::filesystem::path& path);
/// Reads STEP, IGES and BREP with the program Gmsh, which divides curved faces into triangles and converts to mm.
std::vector<SurfacePart> read_with_gmsh(const std::filesystem::path& path);

/// Throws Error(input) unless there is such a file, no pipe or device, and not packed by gzip.
void require_plain_surface(const std::filesystem::path& path);
/// Throws for coordinates that are no finite numbers, as the reader of STL does with the line or byte.
void check_finite_triangles(const std::filesystem::path& path, const std::vector<SurfacePart>& parts);

}  // namespace fluvia::geometry
