// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/geometry/mesh/stl.hpp"

namespace fluvia::geometry {

/// Whether a file is a surface, by its extension.
bool is_surface_file(const std::filesystem::path& path);
/// The extensions of all formats, for messages: ".stl, .obj, ...".
std::string surface_extensions();

/// The parts of a surface file in its own order: the solids of an STL, the groups of an OBJ (what has a
/// second material is a part with the name of that), the meshes of other formats; parts of the same name are one.
/// Coordinates in the unit of the file. Throws Error(input) for files that cannot be read, hold no triangles or
/// coordinates that are no finite numbers.
std::vector<SurfacePart> read_surface_parts(const std::filesystem::path& path);

/// All triangles of a surface file, or those of the part of that name if one is given. Throws like
/// read_surface_parts(), and Error(input) with the names that there are for a name that there is not.
TriangleSoup read_surface(const std::filesystem::path& path, const std::string& part = {});

/// Reads OBJ, PLY, OFF, 3MF and glTF with Assimp, in a process of its own (docs/decisions/0020-...). Polygons become
/// triangles; points, lines and colours are left out.
std::vector<SurfacePart> read_with_assimp(const std::filesystem::path& path);

}  // namespace fluvia::geometry
