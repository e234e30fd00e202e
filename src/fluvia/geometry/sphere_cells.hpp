// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "fluvia/geometry/layer.hpp"

namespace fluvia::geometry {

/// A sphere (a disc in 2D, where z has no meaning); lattice units.
struct Sphere {
  Real3 centre;
  double radius;
};

/// Many spheres of about one size, found by where they are. On periodic axes they continue on the other side of the box
/// (a diameter is at most the box). Takes 40 bytes a sphere. Const functions may be called concurrently.
class SphereCells {
 public:
  SphereCells(const std::vector<Sphere>& spheres, const Grid& grid);

  /// A sphere that a link enters.
  struct Entry {
    double part;   ///< of the link, from its node
    Real3 normal;  ///< unit, from the fluid into the sphere
  };
  /// The first sphere that the link enters; nothing if it meets none. A node on a sphere or within enters at 0.
  [[nodiscard]] std::optional<Entry> first(const Link& link) const;

 private:
  [[nodiscard]] int cell_of(double position, int axis) const;

  Int3 size_{}, cells_{1, 1, 1};
  Bool3 periodic_{};
  int dimension_;
  std::vector<std::uint64_t> begin_;  ///< first sphere of every cell
  std::vector<Sphere> spheres_;       ///< cell by cell
};

}  // namespace fluvia::geometry
