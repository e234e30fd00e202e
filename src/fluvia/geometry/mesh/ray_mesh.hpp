// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <vector>

#include "fluvia/geometry/mesh/mesh.hpp"

namespace fluvia::geometry {

/// Ray queries on a mesh (Embree); copies what it needs. All functions may be called concurrently.
class RayMesh {
 public:
  /// `mesh` in lattice units. Throws Error(resource) if Embree cannot build its tree.
  explicit RayMesh(const Mesh& mesh);
  ~RayMesh();
  RayMesh(const RayMesh&) = delete;
  RayMesh& operator=(const RayMesh&) = delete;

  /// Where a segment meets the mesh.
  struct Hit {
    std::int64_t triangle = -1;  ///< -1: nowhere
    double part = 0;             ///< part of the segment, from its start; rounding may take it past either end
  };
  /// Where the segment from `from` to `to` meets the mesh first.
  [[nodiscard]] Hit hit(const Real3& from, const Real3& to) const;
  /// A triangle that a segment meets, and how it counts there (InsideCount).
  struct Crossing {
    Hit hit;
    std::uint32_t family = 0;
    int step = 0;
  };
  /// All triangles that the segment from `from` to `to` meets, in order; of those that meet in an edge one.
  [[nodiscard]] std::vector<Crossing> crossings(const Real3& from, const Real3& to) const;
  /// Triangle that the segment from `from` to `to` meets first, or -1.
  [[nodiscard]] std::int64_t first_hit(const Real3& from, const Real3& to) const { return hit(from, to).triangle; }
  /// Unit normal of a triangle, of the sign that the order of its corners gives; zero if it has no area.
  [[nodiscard]] Real3 normal(std::int64_t triangle) const;
  /// Triangle nearest to `point` within `radius`, or -1.
  [[nodiscard]] std::int64_t nearest(const Real3& point, double radius) const;
  /// Whether `point` is enclosed by the mesh: rays in several directions count their crossings (InsideCount), by
  /// majority.
  [[nodiscard]] bool inside(const Real3& point) const;

 private:
  struct Scene;
  /// All triangles that a ray meets, by the number of the triangle.
  [[nodiscard]] std::vector<Crossing> meet(const Real3& from, const Real3& direction, float length) const;
  std::unique_ptr<Scene> scene_;
};

}  // namespace fluvia::geometry
