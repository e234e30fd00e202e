// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "fluvia/output/walls/wall_mesh.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia {

/// The surface of a body where it is at rest, for patches that stay the same as it moves: the triangles of its files,
/// divided as those of walls are (make_wall_mesh()), or quads about a node long on its shapes. What lies within another
/// part of the body is left out. `number`: of the surface in Geometry::surfaces. The nodes of the places are not set.
/// Throws Error(input) for surfaces that no body can have.
WallMesh make_body_mesh(const Case& c, const Grid& grid, const std::string& surface, int number);

/// The mesh of a body, in 3D, where it is at the time of the flow, with the nodes beside its patches. `has_fluid`:
/// [patch], whether there is a node of fluid within two nodes; others have no node that means something.
WallMesh place_body_mesh(const WallMesh& at_rest, const Geometry& geometry, const MovingBodies& bodies, int body,
                         std::vector<bool>& has_fluid);

}  // namespace fluvia
