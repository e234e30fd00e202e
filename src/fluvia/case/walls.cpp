// SPDX-License-Identifier: Apache-2.0
#include "fluvia/case/walls.hpp"

namespace fluvia {

bool walls_are_interpolated(const Case::Walls& walls, WallSource source) {
  // The faces of cells lie half-way between nodes, whatever the method; `smooth` asks for another surface.
  if (source == WallSource::image) return walls.smooth;
  return walls.method != "half-way";
}

bool has_interpolated_walls(const Case& c) {
  const auto& g = c.geometry;
  return (!g.shapes.empty() && walls_are_interpolated(c.walls, WallSource::shape)) ||
         (!g.stl.empty() && walls_are_interpolated(c.walls, WallSource::stl)) ||
         (g.generator && walls_are_interpolated(c.walls, WallSource::generator)) ||
         ((g.voxels || g.mask) && walls_are_interpolated(c.walls, WallSource::image));
}

bool has_displaced_walls(const Case& c) {
  const auto& g = c.geometry;
  const bool known = !g.shapes.empty() || !g.stl.empty() || g.generator.has_value();
  return known && !has_interpolated_walls(c);
}

}  // namespace fluvia
