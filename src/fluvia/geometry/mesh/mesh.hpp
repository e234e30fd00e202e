// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "fluvia/base/vector.hpp"
#include "fluvia/geometry/mesh/stl.hpp"

namespace fluvia::geometry {

/// A triangle of a mesh and the surface (index into Geometry::surfaces) that it belongs to.
struct MeshTriangle {
  std::array<std::uint32_t, 3> vertex;
  int surface;
  /// Number of the overlapping parts that it belongs to (parts/overlaps.hpp), turned outward; 0: it counts by parity.
  std::uint32_t family = 0;
};

/// Triangles with shared vertices.
struct Mesh {
  std::vector<Real3> vertices;
  std::vector<MeshTriangle> triangles;
  std::size_t doubled = 0;  ///< triangles that weld() left out since there is another one with the same corners

  [[nodiscard]] const Real3& corner(const MeshTriangle& t, int i) const { return vertices[t.vertex[i]]; }
  [[nodiscard]] std::array<Real3, 3> corners(const MeshTriangle& t) const {
    return {corner(t, 0), corner(t, 1), corner(t, 2)};
  }
};

/// Whether some parts of a mesh overlap, and count by sign.
bool has_families(const Mesh& mesh);

/// Lower and upper corner of the smallest box around some points.
struct BoundingBox {
  Real3 lower{1e300, 1e300, 1e300}, upper{-1e300, -1e300, -1e300};
  void add(const Real3& point);
  [[nodiscard]] bool contains(const Real3& point, double margin) const;
};

/// A closed chain of edges that bounds a hole. Its normal is a unit vector of arbitrary sign.
struct Loop {
  std::vector<std::uint32_t> vertices;  ///< in order around the hole
  Real3 centroid{}, normal{};
  double area = 0;
};

/// What is wrong with a mesh.
struct MeshDefects {
  std::vector<Real3> non_manifold_edges;  ///< midpoints of edges shared by more than two triangles
  std::vector<Loop> loops;                ///< holes, largest first
};

/// The triangles of one file, to be joined into a mesh.
struct Patch {
  TriangleSoup triangles;
  int surface;
};

/// Joins patches into one mesh; vertices closer than `tolerance`, or 1e-14 of the largest coordinate, become one;
/// triangles that collapse are left out, and superfluous ones (parts/superfluous.hpp).
Mesh weld(std::span<const Patch> patches, double tolerance);

/// Finds non-manifold edges, and holes: loops of the edges that belong to an odd number of triangles. Filling every
/// loop makes every line cross the mesh an even number of times, whatever the orientation of the triangles.
MeshDefects find_defects(const Mesh& mesh);

/// Area, centroid and normal of a closed polygon (Newell's method; for a bent polygon of its mean plane).
Loop measure_loop(const Mesh& mesh, std::vector<std::uint32_t> vertices);

/// Closes a loop by a fan of triangles around its centroid; returns the index of the first new triangle.
std::size_t fill_loop(Mesh& mesh, const Loop& loop, int surface);

}  // namespace fluvia::geometry
