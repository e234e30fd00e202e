// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <string>
#include <vector>

#include "fluvia/geometry/geometry.hpp"

namespace fluvia {

/// The size of a body in the flow, counted in nodes.
struct BodyExtent {
  std::string name;      ///< name of its surface
  double projected = 0;  ///< area seen along the axis, nodes: rows of nodes with fluid on both sides of it (2D: length)
  double cross_section = 0;  ///< rows of nodes along the axis with fluid in them: the tunnel, body included
  double length = 0;         ///< rows of nodes across the axis that end at it, side by side along the axis
  Real3 shadows{};           ///< area seen along each axis, nodes: frontal, planform, from the side
  Bool3 halved{};            ///< [axis], whether a plane of symmetry across it cuts the body
  /// Diameter of a disc of the projected area with its images beyond planes of symmetry; 2D: that length.
  double across = 0;

  [[nodiscard]] double blockage() const { return projected / cross_section; }
};

/// Extents of those of the named surfaces that are neither faces of the box nor openings, and that are bodies: along
/// the axis there is fluid before and behind them, unlike the wall around a vessel.
std::vector<BodyExtent> measure_bodies(const Geometry& geometry, const std::vector<std::string>& names, int axis);

/// [surface], for those that are `wanted`: which planes of symmetry (faces x_min, x_max, ...) cut it.
std::vector<std::array<bool, 6>> cut_by_mirrors(const Geometry& geometry, const std::vector<bool>& wanted);

/// [surface], the number of its images beyond the planes of symmetry that cut it, itself included: 1, 2, 4 or 8; 1 if
/// it is not `wanted`. A half of a body, or of an opening, is as wide as its whole.
std::vector<int> count_images(const Geometry& geometry, const std::vector<bool>& wanted);

}  // namespace fluvia
