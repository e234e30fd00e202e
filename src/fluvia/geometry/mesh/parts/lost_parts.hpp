// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/mesh/parts/parts.hpp"
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

/// Throws Error(input) if fluid surrounds a part that no node feels: a solid so thin that no node lies in it, or a
/// sheet without thickness. Links are cut between nodes of fluid and of solid, so that the flow would pass through such
/// a part as if it were not there. Warns of parts that are smaller than two nodes, unless they are all that there is.
void refuse_lost_parts(const MeshInFlow& in, const Grid& grid, bool si, GeometryReport& report);

}  // namespace fluvia::geometry
