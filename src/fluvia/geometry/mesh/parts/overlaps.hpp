// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/geometry/mesh/parts/parts.hpp"

namespace fluvia::geometry {

/// How closed parts of a mesh overlap.
struct Overlaps {
  std::size_t pairs = 0;           ///< pairs of parts that overlap
  std::size_t united = 0;          ///< parts that are united with others
  std::vector<Real3> positions;    ///< where pairs overlap, lattice units; one for each of the first pairs
  std::size_t not_orientable = 0;  ///< parts that overlap others but have no outside, so that they still cancel there
  /// Parts nested in another one whose triangles face the same way as that one's, which two bodies would have as well.
  std::vector<std::uint32_t> nested_alike;
};

/// Finds parts of a mesh (lattice units) that overlap: each has something that the other one has not. Gives those that
/// hang together by overlaps a family, and turns their triangles so that they count by sign (InsideCount): what lies in
/// any of them is inside.
///
/// A part that lies in another one as a whole is nested, and no overlap: the space between them is inside, as between
/// the wall of a vessel and its lumen, whichever way the file turns their triangles. In a family what is nested at an
/// odd depth is turned inward. A part of which less than a hundredth sticks out of the other one is nested, too, since
/// the surfaces of real vessels touch here and there. Two parts that are one surface but for their triangles overlap.
Overlaps unite_overlaps(Mesh& mesh, const std::vector<MeshPart>& parts);

}  // namespace fluvia::geometry
