// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fluvia/output/pictures/figure.hpp"
#include "fluvia/output/pictures/plane/plane_walls.hpp"

namespace fluvia {

/// Values at the nodes of a plane.
struct NodeValues {
  int columns = 0, rows = 0;
  std::size_t components = 1;
  std::vector<float> values;  ///< `components` a node, x fastest and the lowest row first; 0 where there is no fluid
  AtWall at_wall = AtWall::extrapolated;

  [[nodiscard]] std::span<const float> at(int column, int row) const {
    const std::size_t node =
        static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(column);
    return std::span(values).subspan(node * components, components);
  }
};

/// Colours of what is in a plane.
struct Paint {
  std::function<Color(std::span<const float> value)> fluid;  ///< of a finite value
  std::function<Color(const Int3& node)> beyond;             ///< of a node that is not fluid
};

/// A plane with so many pixels along the edge of a cell, x fastest and the lowest row first.
struct PlaneRaster {
  std::vector<Color> colors;
  std::vector<std::uint8_t> fluid;  ///< 1 where most of the pixel is fluid
  bool any_broken = false;          ///< whether a pixel shows a value that is not finite
};

/// Draws a plane that ends where its walls are. Between nodes of the fluid values are linear in each direction; beside
/// walls those at nodes of the fluid count. The velocity goes linearly to that of the wall. Values that belong to a
/// node (AtWall::of_node) fill its cell. Pixels that a wall cuts have a mixture of the colours on both sides of it.
PlaneRaster draw_plane(const PlaneWalls& walls, const NodeValues& values, int detail, const Paint& paint);

/// The parts of lines that lie in the fluid of a raster with so many columns of cells.
std::vector<Polyline> lines_in_fluid(const std::vector<Polyline>& lines, const PlaneRaster& raster, int columns,
                                     int detail);

}  // namespace fluvia
