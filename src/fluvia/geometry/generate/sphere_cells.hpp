// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cmath>
#include <cstdint>
#include <optional>
#include <vector>

#include "fluvia/geometry/layers/layer.hpp"

namespace fluvia::geometry {

/// A sphere (a disc in 2D, where z has no meaning); lattice units.
struct Sphere {
  Real3 centre;
  double radius;
};

/// Nodes of a row along x, whose centres lie at x + 1/2, that a sphere covers: first to last, beyond the box, too; none
/// if first > last. All code that asks where a sphere lies asks here, so that all find the same nodes.
struct SphereRow {
  int first = 0, last = -1;
};
/// Nodes of the row at (y, z) that a sphere covers, without wrapping it around periodic axes.
SphereRow row_of_sphere(const Sphere& sphere, int y, int z);
/// First node along an axis whose centre does not lie below a coordinate; last_node(): the last whose centre does not
/// lie above one.
inline int first_node(double low) {
  return static_cast<int>(std::ceil(low - 0.5));
}
inline int last_node(double high) {
  return static_cast<int>(std::floor(high - 0.5));
}

/// Many spheres of about one size, found by where they are. On periodic axes they continue on the other side of the box
/// (a diameter is at most the box). Takes 40 bytes a sphere. Const functions may be called concurrently.
class SphereCells {
 public:
  SphereCells(const std::vector<Sphere>& spheres, const Grid& grid);

  /// A sphere that a link enters.
  struct Entry {
    double part;   ///< part of the link, from its node
    Real3 normal;  ///< unit vector from the fluid into the sphere
  };
  /// The first sphere that the link enters; nothing if it meets none. A node on a sphere or in it enters at 0.
  [[nodiscard]] std::optional<Entry> first(const Link& link) const;
  /// Whether some sphere covers a node of the box, as row_of_sphere() says.
  [[nodiscard]] bool covers(const Int3& node) const;

 private:
  [[nodiscard]] int cell_of(double position, int axis) const;
  /// Calls visit(sphere) for the spheres of the cells around a point, until it returns true.
  template <class Visit>
  void visit_around(const Real3& point, const Visit& visit) const;

  Int3 size_{}, cells_{1, 1, 1};
  Bool3 periodic_{};
  int dimension_;
  std::vector<std::uint64_t> begin_;  ///< [cell], number of its first sphere
  std::vector<Sphere> spheres_;       ///< cell by cell
};

}  // namespace fluvia::geometry
