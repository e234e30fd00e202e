// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/geometry/mesh/surface_file.hpp"

namespace fluvia::geometry {

/// What a surface is; lengths in the unit of its file.
struct SurfaceSurvey {
  std::filesystem::path path;
  const SurfaceFormat* format = nullptr;
  std::vector<SurfacePart> parts;
  std::size_t triangles = 0;
  BoundingBox box;
  double area = 0;
  std::size_t bodies = 0, closed = 0;  ///< pieces that hang together, and those without holes
  double volume = 0;                   ///< of closed bodies; those in another one are holes in it
  std::size_t overlaps = 0;            ///< pairs of closed bodies that overlap, of which each counts
  MeshDefects defects;
  std::vector<Real3> hole_places;  ///< of defects.loops
  std::size_t doubled = 0;         ///< triangles with the corners of another one
};

/// Reads a surface as a whole and says what is in it. Throws like read_surface_parts().
SurfaceSurvey survey_surface(const std::filesystem::path& path);

/// The area of triangles.
double area_of_triangles(const TriangleSoup& triangles);

}  // namespace fluvia::geometry
