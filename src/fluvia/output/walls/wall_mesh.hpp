// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "fluvia/output/walls/wall_fit.hpp"

namespace fluvia {

/// The walls of a 3D geometry: all surfaces but openings and planes of symmetry.
struct WallMesh {
  static constexpr std::uint32_t no_point = 0xffffffff;
  /// A quad or a triangle of the wall, which one point stands for.
  struct Patch : WallPlace {
    /// Points of the rim, counter-clockwise seen from outside of the fluid; of a triangle the last is no_point.
    std::array<std::uint32_t, 4> rim{no_point, no_point, no_point, no_point};
    [[nodiscard]] bool is_triangle() const { return rim[3] == no_point; }
  };
  std::vector<Real3> points;  ///< lattice units
  std::vector<Patch> patches;
};

/// The mesh of a geometry's walls. Walls that come from surface meshes alone (Geometry::wall_triangles) keep their own
/// triangles, as far as there is fluid beside them; those with edges longer than two nodes are divided at the middle of
/// these edges, since each gets one value.
///
/// Of other walls, a quad for every cut link along an axis. Its corners lie in the middle of the four cubes of nodes
/// around the link, moved to the mean of the places where the edges of the cube meet the wall (surface nets: S. F. F.
/// Gibson, MICCAI 1998, 888), so that the quads form one surface of about one node's resolution, whatever made the
/// geometry. Normals are those of the geometry; where it has none, they point away from the middle of the fluid within
/// 3.5 nodes. On periodic axes this mesh ends at the faces.
WallMesh make_wall_mesh(const Geometry& geometry);

}  // namespace fluvia
