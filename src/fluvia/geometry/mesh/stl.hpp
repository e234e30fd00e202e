// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia::geometry {

/// Corners of the triangles of an STL file, in file units, in file order.
using TriangleSoup = std::vector<std::array<Real3, 3>>;

/// A named part of a surface file; the name may be empty.
struct SurfacePart {
  std::string name;
  TriangleSoup triangles;
};

/// Squares of larger coordinates overflow single precision, which the ray tracer uses.
inline constexpr double largest_coordinate = 1e30;
/// What messages say of that.
inline constexpr const char* possible_coordinates = "every coordinate must be a finite number of magnitude below 1e30";

/// Reads the solids of an STL file, binary (one, without a name) or ASCII, plain or gzip. What the file is follows from
/// its content, not from its name: binary files whose header starts with "solid" are told from text by their size.
/// Throws Error(input) naming the file and the triangle, line or byte: truncated, empty, or coordinates that are not
/// finite numbers.
std::vector<SurfacePart> read_stl_parts(const std::filesystem::path& path);
/// Reads an STL from memory, which came from the file `path`.
std::vector<SurfacePart> parse_stl_parts(const std::filesystem::path& path, const std::string& content);

/// Writes a binary STL of all triangles, whole or not at all; coordinates become 32-bit numbers. Throws
/// Error(resource).
void write_stl(const std::filesystem::path& path, const TriangleSoup& triangles);

}  // namespace fluvia::geometry
