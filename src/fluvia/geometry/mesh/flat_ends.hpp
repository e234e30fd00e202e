// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "fluvia/geometry/mesh/mesh.hpp"

namespace fluvia::geometry {

/// A plane, round piece of a surface with a sharp rim, as it closes the end of a vessel.
struct FlatEnd {
  std::vector<std::size_t> triangles;  ///< indices into Mesh::triangles
  Real3 centroid{}, normal{};          ///< normal: a unit vector of arbitrary sign
  double area = 0;
  double perimeter = 0;
  bool disc = false;    ///< whether it is a disc with a sharp rim, of more than a few triangles: no accident
  std::string problem;  ///< why it is no end, such as "its rim is blunt"; empty for ends
};

/// Flat ends of a mesh, largest first: connected triangles nearly in one plane, at most about twice as long as wide,
/// around which the surface turns away by 40 degrees or more (10 around discs), and that make up at most a quarter of
/// it.
std::vector<FlatEnd> find_flat_ends(const Mesh& mesh);

/// Flat ends and, with their `problem`, other plane pieces that somebody might take for ends, largest first.
std::vector<FlatEnd> find_flat_pieces(const Mesh& mesh);

/// Whether a surface is made of the faces of voxels: nearly all of it lies across an axis, in many planes. Its steps
/// are as plane as ends.
bool is_made_of_voxels(const Mesh& mesh);

}  // namespace fluvia::geometry
