// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/base/bytes.hpp"
#include "fluvia/geometry/mesh/stl.hpp"

namespace fluvia::geometry {

/// The parts of a surface as a process that reads them hands them over: of each its name, then the coordinates of its
/// triangles' corners, nine doubles a triangle, each list behind its length as 64 bits.
inline std::vector<SurfacePart> parts_of_bytes(const Bytes& bytes) {
  std::vector<SurfacePart> parts;
  ByteReader reader(bytes);
  while (!reader.rest().empty()) {
    SurfacePart part{reader.get_text(), {}};
    const std::vector<double> coordinates = reader.get_all<double>();
    part.triangles.resize(coordinates.size() / 9);
    for (std::size_t i = 0; i < 9 * part.triangles.size(); ++i)
      part.triangles[i / 9][i / 3 % 3][static_cast<int>(i % 3)] = coordinates[i];
    parts.push_back(std::move(part));
  }
  return parts;
}

}  // namespace fluvia::geometry
