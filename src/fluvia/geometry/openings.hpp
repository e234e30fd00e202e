// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "fluvia/geometry/classifier.hpp"
#include "fluvia/geometry/map/components.hpp"
#include "fluvia/geometry/mesh/stl_layers.hpp"

namespace fluvia::geometry {

/// For each component of the fluid the surfaces with a link to it that drive the flow: velocity, pressure or moving
/// wall, in ascending order. The search for surfaces that are listed in `known` is limited to their bounding boxes.
std::vector<std::vector<int>> driving_surfaces(const NodeMap& nodes, const Components& components,
                                               const Classifier& classifier, const Conditions& conditions,
                                               const std::array<int, 6>& face_surfaces,
                                               const std::vector<SurfaceOpening>& known);

/// All openings: surfaces with a velocity or pressure boundary. Box faces: area from the fluid nodes on the face and
/// from where the walls beside them are, centroid and profile from the nodes. Holes, patches: as measured on the mesh.
/// Discs and others: area vector summed from the links along the axes. Everything else of `geometry` must be known.
/// Throws Error(input) for an opening that no link cuts (outside the box, or smaller than a node).
std::vector<Opening> make_openings(const Geometry& geometry, const Classifier& classifier, const SurfaceNames& names,
                                   const Conditions& conditions, const std::array<int, 6>& face_surfaces,
                                   const std::vector<SurfaceOpening>& known, const Grid& grid);

}  // namespace fluvia::geometry
