// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>

#include "fluvia/geometry/layers/layer.hpp"
#include "fluvia/geometry/mesh/ray_mesh.hpp"

namespace fluvia::geometry {

/// Layer that makes the outside of a closed mesh solid (`fluid_inside`) or its inside. `mesh` in lattice units.
///
/// Inside and outside follow from the crossings along the three axes (InsideCount), by majority where they disagree;
/// undecided nodes are settled by rays in oblique directions.
std::unique_ptr<const Layer> make_mesh_layer(const Mesh& mesh, std::shared_ptr<const RayMesh> rays, const Grid& grid,
                                             bool fluid_inside);

}  // namespace fluvia::geometry
