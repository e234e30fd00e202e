// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "fluvia/geometry/mesh/mesh.hpp"

namespace fluvia::geometry {

/// A plane, round piece of a surface with a sharp rim, as it closes the end of a vessel.
struct FlatEnd {
  std::vector<std::size_t> triangles;  ///< indices into Mesh::triangles
  Real3 centroid{}, normal{};          ///< normal: a unit vector of arbitrary sign
  double area = 0;
  double perimeter = 0;
};

/// Flat ends of a mesh, largest first: connected triangles nearly in one plane, at most about twice as long as wide,
/// around which the surface turns away by 40 degrees or more (10 around discs), and that make up at most a quarter of
/// it.
std::vector<FlatEnd> find_flat_ends(const Mesh& mesh);

}  // namespace fluvia::geometry
