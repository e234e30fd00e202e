// SPDX-License-Identifier: Apache-2.0
// What a closed surface of triangles encloses, for bodies whose surface comes from a file.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fluvia/geometry/mesh/mesh.hpp"
#include "fluvia/solver/bodies/body_shape.hpp"

namespace fluvia {

/// The space in the closed parts of a mesh: all that lies in at least one of them, so that parts may overlap and
/// hollows are filled. In fp64, since links are cut where the triangles are; lattice units. All functions may be called
/// concurrently.
///
/// Cells of a node, or half of one, know the triangles that touch them, and which parts their reference place lies in;
/// a place lies in the parts that its cell's reference does, but for those that triangles on the way to it change.
/// Triangles that share an edge decide by the same sign which of them a way through it crosses, so that none is lost
/// and none counts twice.
class EnclosedSpace {
 public:
  /// `files`: of the surface, for messages. Throws Error(input) for a mesh that is not closed.
  EnclosedSpace(geometry::Mesh mesh, const std::string& files);

  /// Below or equal to 0 in the space and on its surface, above 0 elsewhere; of no larger magnitude than the distance
  /// from the surface.
  [[nodiscard]] double distance(const Real3& place) const;
  /// The signed distance itself where it is less than a node; else a node, with the sign, or distance() if that is
  /// more. Triangles that lie within the space, where parts overlap, do not count.
  [[nodiscard]] double near_distance(const Real3& place) const;
  /// The part of the way from a place outside to one in the space at which it enters.
  [[nodiscard]] double entry(const Real3& from, const Real3& to) const;
  /// What a way between two places outside, no longer than a link, has in the space.
  [[nodiscard]] std::optional<Chord> chord(const Real3& from, const Real3& to) const;
  [[nodiscard]] const std::vector<Real3>& corners() const { return mesh_.vertices; }

 private:
  using PartSet = std::uint64_t;  ///< a bit for each group of parts that do not overlap
  [[nodiscard]] bool locate(const Real3& place, Int3& cell) const;
  [[nodiscard]] std::size_t index(const Int3& cell) const {
    return (static_cast<std::size_t>(cell[2]) * static_cast<std::size_t>(cells_[1]) +
            static_cast<std::size_t>(cell[1])) *
               static_cast<std::size_t>(cells_[0]) +
           static_cast<std::size_t>(cell[0]);
  }
  [[nodiscard]] Real3 reference(const Int3& cell) const;
  /// On which side of a triangle's plane a place is, by the sign: six times the volume between them.
  [[nodiscard]] double side(std::uint32_t triangle, const Real3& place) const {
    const Plane& plane = planes_[triangle];
    return dot(plane.normal, place) - plane.offset;
  }
  [[nodiscard]] bool crosses(std::uint32_t triangle, const Real3& from, const Real3& to) const;
  [[nodiscard]] bool touches(std::uint32_t triangle, const Real3& place) const;
  [[nodiscard]] bool encloses(const Real3& place, const Int3& cell) const;
  [[nodiscard]] bool encloses(const Real3& place) const;

  /// Calls visit(triangle) for those that a way may cross, for some several times.
  template <class Visit>
  void for_each_near(const Real3& from, const Real3& to, const Visit& visit) const;

  void lay_cells();
  void list_triangles();
  void group_parts(const std::string& files);
  void find_parts_of_references(const std::string& files);
  void find_reaches();
  void find_facings();

  struct Plane {
    Real3 normal;   ///< twice the area of the triangle long
    double offset;  ///< of the plane along it
  };
  geometry::Mesh mesh_;
  std::vector<Plane> planes_;          ///< [triangle]
  std::vector<PartSet> part_;          ///< [triangle], one bit
  Real3 low_{};                        ///< corner of the cells
  double edge_ = 1;                    ///< of a cell
  int way_cells_ = 2;                  ///< cells on from its own that a link may end in
  Int3 cells_{};                       ///< along each axis; so many as way_cells_ at each end are empty
  std::vector<std::uint32_t> first_;   ///< [cell], of its triangles in listed_; one more at the end
  std::vector<std::uint32_t> listed_;  ///< triangles, ascending in each cell
  std::vector<PartSet> inside_;        ///< [cell], parts that its reference lies in
  /// [cell], least and largest component along each axis of the unit normals of triangles near it, 127 for 1: a way
  /// that meets all of them from the same side has no chord.
  std::vector<std::array<std::int8_t, 6>> facing_;
  std::vector<std::uint8_t> reach_;  ///< [cell], in cells to the nearest one with triangles, at most so many
};

}  // namespace fluvia
