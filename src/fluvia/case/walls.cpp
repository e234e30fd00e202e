// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/walls.hpp"

namespace fluvia {
namespace {

/// Whether "auto" interpolates walls whose place is known. Off until their stability beside openings and
/// their drift of mass in closed domains are settled (docs/walls.md).
constexpr bool interpolate_by_default = false;

}  // namespace

bool walls_are_interpolated(const Case::Walls& walls, WallSource source) {
  // The faces of cells lie half-way between nodes, whatever the method; `smooth` asks for another surface.
  if (source == WallSource::image) return walls.smooth;
  return walls.method == "interpolated" || (walls.method == "auto" && interpolate_by_default);
}

bool has_interpolated_walls(const Case& c) {
  const auto& g = c.geometry;
  return (!g.shapes.empty() && walls_are_interpolated(c.walls, WallSource::shape)) ||
         (!g.stl.empty() && walls_are_interpolated(c.walls, WallSource::stl)) ||
         (g.generator && walls_are_interpolated(c.walls, WallSource::generator)) ||
         ((g.voxels || g.mask) && walls_are_interpolated(c.walls, WallSource::image));
}

}  // namespace fluvia
