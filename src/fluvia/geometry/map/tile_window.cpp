// SPDX-License-Identifier: Apache-2.0
#include "fluvia/geometry/map/tile_window.hpp"

namespace fluvia {

bool is_surrounded(const NodeMap& nodes, const NodeMap::Tile& tile) {
  if (~tile.mask != 0) return false;
  if (nodes.barred && !nodes.barred->of_tile(nodes.directory_index(tile.position)).empty()) return false;
  const int depth = nodes.dimension == 3 ? 1 : 0;
  for (int dz = -depth; dz <= depth; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const std::uint32_t t = nodes.tile_at({tile.position[0] + dx, tile.position[1] + dy, tile.position[2] + dz});
        if (t == empty_tile || ~nodes.tiles[t].mask != 0) return false;
      }
  return true;
}

TileWindow::TileWindow(const NodeMap& nodes)
    : nodes_(nodes), shape_(tile_shape(nodes.dimension)), halo_{1, 1, nodes.dimension == 3 ? 1 : 0} {
  for (int axis = 0; axis < 3; ++axis) {
    extent_[axis] = shape_[axis] + 2 * halo_[axis];
    cut_[axis] = nodes.periodic[axis] && nodes.size[axis] % shape_[axis] != 0;
  }
  flags_.resize(static_cast<std::size_t>(extent_[0]) * extent_[1] * extent_[2]);
}

bool TileWindow::load(const NodeMap::Tile& tile) {
  if (is_surrounded(nodes_, tile)) return false;
  bool ends_inside = false;
  for (int axis = 0; axis < 3; ++axis)
    ends_inside = ends_inside ||
                  (cut_[axis] && (tile.position[axis] == 0 || tile.position[axis] == nodes_.tiles_in_box[axis] - 1));
  if (ends_inside)
    load_node_by_node(tile.position);
  else
    load_tile_by_tile(tile.position);
  return true;
}

/// Loads the window from the tile at `position` and those around it. Only the last nodes of a tile before that one lie
/// in the window, and only the first of a tile behind it.
void TileWindow::load_tile_by_tile(const Int3& position) {
  const auto first = [&](int axis, int step) { return step < 0 ? shape_[axis] - 1 : 0; };
  const auto last = [&](int axis, int step) { return step > 0 ? 0 : shape_[axis] - 1; };
  for (int dz = -halo_[2]; dz <= halo_[2]; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const std::uint32_t t = nodes_.tile_at({position[0] + dx, position[1] + dy, position[2] + dz});
        const std::uint64_t mask = t == empty_tile ? 0 : nodes_.tiles[t].mask;
        for (int z = first(2, dz); z <= last(2, dz); ++z)
          for (int y = first(1, dy); y <= last(1, dy); ++y)
            for (int x = first(0, dx); x <= last(0, dx); ++x) {
              const Int3 at = {x + dx * shape_[0] + 1, y + dy * shape_[1] + 1, z + dz * shape_[2] + halo_[2]};
              flags_[at[0] + extent_[0] * (at[1] + extent_[1] * at[2])] =
                  mask >> tile_bit(nodes_.dimension, {x, y, z}) & 1;
            }
      }
}

void TileWindow::load_node_by_node(const Int3& position) {
  std::size_t place = 0;
  for (int z = -halo_[2]; z < shape_[2] + halo_[2]; ++z)
    for (int y = -1; y <= shape_[1]; ++y)
      for (int x = -1; x <= shape_[0]; ++x)
        flags_[place++] =
            nodes_.is_fluid({position[0] * shape_[0] + x, position[1] * shape_[1] + y, position[2] * shape_[2] + z});
}

}  // namespace fluvia
