// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/mesh/parts/parts.hpp"
#include "fluvia/geometry/mesh/parts/sheets.hpp"
#include "fluvia/geometry/mesh/ray_mesh.hpp"

namespace fluvia::geometry {

/// A closed mesh, its parts, and what the flow has to do with it.
struct MeshInFlow {
  const Mesh& mesh;  ///< lattice units, holes filled
  const std::vector<MeshPart>& parts;
  const RayMesh& rays;
  bool fluid_inside;
  std::size_t given;          ///< how many triangles come from files; the rest fills holes
  std::vector<int> openings;  ///< surfaces of patches that close the wall
  std::string files;          ///< for messages
};

/// Finds parts that fluid surrounds and no node feels: solids so thin that no node lies in them, and surfaces without
/// thickness. No link is cut between nodes of fluid and of solid there, so that the flow would pass through. They are
/// added to `sheets`. Returns which triangles belong to them, or fill their holes; empty if there are none. Warns of
/// parts that are smaller than two nodes, which stay as they are, unless they are all that there is.
std::vector<bool> take_lost_parts(const MeshInFlow& in, const Grid& grid, bool si, std::vector<Sheet>& sheets,
                                  GeometryReport& report);

/// Holes of a mesh, the opening input that names each, or -1, and the triangles that fill them.
struct FilledHoles {
  std::vector<Loop>& loops;
  std::vector<int>& owner;
  std::vector<std::size_t>& first_triangle;  ///< of each hole, and the end
};

/// Drops triangles of a mesh, and the holes that they fill.
void drop_triangles(const std::vector<bool>& dropped, Mesh& mesh, FilledHoles holes);

}  // namespace fluvia::geometry
