// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <filesystem>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia::geometry {

/// Corners of the triangles of an STL file, in file units, in file order.
using TriangleSoup = std::vector<std::array<Real3, 3>>;

/// Reads an STL file, binary or ASCII, plain or gzip. What the file is follows from its content, not from its name:
/// binary files whose header starts with "solid" are told from text by their size.
/// Throws Error(input) naming the file and the triangle, line or byte: truncated, empty, or coordinates that are not
/// finite numbers.
TriangleSoup read_stl(const std::filesystem::path& path);

}  // namespace fluvia::geometry
