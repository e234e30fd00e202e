// SPDX-License-Identifier: Apache-2.0
// Sheets: surfaces without thickness, and plates so thin that no node lies inside, in the flow. No node tells them
// apart from the fluid around them, so that they are found on links: those between two nodes of fluid that their
// triangles cross are barred (BarredLinks).
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fluvia/geometry/geometry.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"

namespace fluvia::geometry {

/// The triangles of a part of a surface that has fluid on both sides; lattice units.
struct Sheet {
  Mesh mesh;
  std::string refusal;  ///< the message where no link is found that it crosses
};

/// Finds the links that sheets cross, between nodes that are fluid on both sides. Appends a refusal for a sheet that
/// crosses no link along an axis, around which the flow would find a way.
///
/// Sheets are taken to lie a thousandth of a node aside of where they are, askew to the lattice, so that a plane
/// through nodes, or a face of the box, leaves these on one side of it, whatever the direction of a link.
///
/// `beside`: of a map of one level of refinement, the fluid of others around it. A link that leads there is barred at
/// its own end, and a sheet which no own link meets is one of another level.
BarredLinks find_barred_links(const NodeMap& nodes, const std::vector<Sheet>& sheets,
                              std::vector<GeometryReport::Refusal>& refusals, const FluidBeside* beside = nullptr);

/// How many barred links each surface has, along the directions of D3Q19 (2D: D2Q9), in the order of surfaces.
std::vector<GeometryReport::Sheet> survey_sheets(const NodeMap& nodes, const std::vector<std::string>& surfaces);

}  // namespace fluvia::geometry
