// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/geometry/mesh/mesh.hpp"

namespace fluvia::geometry {

/// Drops triangles that add nothing to a surface: those with the same three corners as another one, which are counted
/// in Mesh::doubled, and those without area, unless they join a long side to several short ones. Of the face that two
/// bodies share, which each of them has, both copies go: it lies inside of what they are together.
void drop_superfluous(Mesh& mesh);

}  // namespace fluvia::geometry
