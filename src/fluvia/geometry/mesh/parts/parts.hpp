// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/geometry/mesh/mesh.hpp"

namespace fluvia::geometry {

/// Triangles that hang together by edges of two of them. Where bodies meet in an edge, four or more, two are taken to
/// belong together that follow each other in the file.
struct MeshPart {
  std::vector<std::uint32_t> triangles;  ///< indices into Mesh::triangles, ascending
  BoundingBox bounds;
  bool closed = true;        ///< every edge has an even number of the part's triangles
  bool orientable = true;    ///< the triangles can be turned so that all see the same side; `turned` does that
  std::vector<bool> turned;  ///< [of triangles], whether it has to be turned to point outward
  double volume = 0;         ///< enclosed by a part that is closed and orientable
  double area = 0;
};

/// The parts of a mesh, in the order of their first triangles.
std::vector<MeshPart> find_parts(const Mesh& mesh);

}  // namespace fluvia::geometry
