// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// The walls of a 3D geometry: everything that links along the axes cut, but openings.
struct WallMesh {
  /// The wall around one cut link: a quad.
  struct Patch {
    Int3 node;                         ///< fluid node of the link
    Real3 point;                       ///< where the link meets the wall
    Real3 normal;                      ///< unit, out of the fluid
    std::array<std::uint32_t, 4> rim;  ///< points of the quad, counter-clockwise seen from outside of the fluid
    int surface;                       ///< index into Geometry::surfaces
  };
  std::vector<Real3> points;  ///< lattice units
  std::vector<Patch> patches;
};

/// A quad for every cut link along an axis. Its corners lie in the middle of the four cubes of nodes around the link,
/// moved to the mean of the places where the edges of the cube meet the wall (surface nets: S. F. F. Gibson, MICCAI
/// 1998, 888), so that the quads form one surface of about one node's resolution, whatever made the geometry. Normals
/// are those of the geometry; where it has none, they point away from the middle of the fluid within 3.5 nodes. On
/// periodic axes the mesh ends at the faces.
WallMesh make_wall_mesh(const Geometry& geometry);

}  // namespace fluvia
