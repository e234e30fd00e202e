// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

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
  /// Triangle that the segment from `from` to `to` meets first, or -1.
  [[nodiscard]] std::int64_t first_hit(const Real3& from, const Real3& to) const { return hit(from, to).triangle; }
  /// Unit normal of a triangle, of the sign that the order of its corners gives; zero if it has no area.
  [[nodiscard]] Real3 normal(std::int64_t triangle) const;
  /// Triangle nearest to `point` within `radius`, or -1.
  [[nodiscard]] std::int64_t nearest(const Real3& point, double radius) const;
  /// Whether `point` is enclosed by the mesh: parity of the crossings of rays in several directions, by majority.
  [[nodiscard]] bool inside(const Real3& point) const;

 private:
  struct Scene;
  std::unique_ptr<Scene> scene_;
};

}  // namespace fluvia::geometry
