// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "fluvia/geometry/layers/layer.hpp"
#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/parts/sheets.hpp"

namespace fluvia::geometry {

/// An opening known from the surface mesh or given as a disc; lattice units.
struct SurfaceOpening {
  std::string name;
  int surface = 0;
  Real3 centroid{}, normal{};  ///< normal out of the fluid
  double area = 0;             ///< 0 = unknown, to be measured from the cut links
  std::vector<Real3> rim;      ///< closed polygon; empty = unknown
  BoundingBox bounds;
};

/// Whether a surface is part of what encloses the fluid, and no body in it.
bool encloses_fluid(const Case::Stl& stl);

/// Bounding box of the STL surfaces that enclose fluid (of all bodies if none does), case units; nothing if the case
/// has no STL. Reads the files. Throws Error(input).
std::optional<BoundingBox> stl_bounds(const Case& c);

/// Adds one layer for all surfaces that enclose the fluid together (with their opening patches), and one for each body
/// in the fluid. Holes are closed: named ones become openings, small ones (less than one node) walls; others are an
/// Error(input) unless allow_defects, then walls. Fills the report's defects. `sheets` gets what has fluid on both
/// sides; `triangles`, if not null, the closed surfaces.
void add_stl_layers(const Case& c, const Grid& grid, SurfaceNames& names, Layers& layers,
                    std::vector<SurfaceOpening>& openings, std::vector<Sheet>& sheets, SurfaceMesh* triangles,
                    GeometryReport& report);

/// The closed surface of a body that moves, from one file or several; lattice units.
struct BodySurface {
  Mesh mesh;
  std::string files;  ///< for messages
};
/// Reads the surfaces of this name as those of a [[body]]. Throws Error(input) if they are not closed together.
BodySurface read_body_surface(const Case& c, const Grid& grid, const std::string& name);

/// Layer for the openings given as discs (center, normal, radius).
void add_disc_layers(const Case& c, const Grid& grid, SurfaceNames& names, Layers& layers,
                     std::vector<SurfaceOpening>& openings);

}  // namespace fluvia::geometry
