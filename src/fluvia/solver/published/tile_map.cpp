// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/published/tile_map.hpp"

#include <bit>

#include "fluvia/core/published/index_tables.hpp"

namespace fluvia {

namespace {

using core::no_index;

/// The set of axes along which a velocity moves.
unsigned moving(const Int3& c) {
  return (c[0] != 0 ? 1U : 0U) | (c[1] != 0 ? 2U : 0U) | (c[2] != 0 ? 4U : 0U);
}
/// Calls body(subset) for every non-empty set of axes of a set, in the order of its bits without gaps.
template <class Body>
void for_each_subset(unsigned axes, Body&& body) {
  for (unsigned subset = 1; subset < 8; ++subset)
    if ((subset & ~axes) == 0) body(subset);
}

}  // namespace

TileMap::TileMap(const NodeMap& nodes, int edge, bool keep_empty) : periodic(nodes.periodic) {
  std::uint64_t count = 1;
  for (int axis = 0; axis < 3; ++axis) {
    shape[axis] = axis < nodes.dimension ? edge : 1;
    in_box[axis] = (nodes.size[axis] + shape[axis] - 1) / shape[axis];
    count *= static_cast<std::uint64_t>(in_box[axis]);
  }
  index.assign(count, keep_empty ? 0 : no_index);
  for (const NodeMap::Tile& tile : nodes.tiles)
    for (std::uint64_t bits = tile.mask; bits != 0; bits &= bits - 1)
      index[index_at(nodes.node_position(tile, std::countr_zero(bits)))] = 0;
  for (std::uint64_t k = 0; k < count; ++k)
    if (index[k] != no_index) {
      index[k] = static_cast<std::uint32_t>(tiles.size());
      tiles.push_back(static_cast<std::uint32_t>(k));
    }
}

std::uint32_t TileMap::neighbour(std::uint32_t tile, const Int3& step, unsigned axes) const {
  const std::uint32_t from = tiles[tile];
  const auto across = static_cast<std::uint32_t>(in_box[0]), down = static_cast<std::uint32_t>(in_box[1]);
  Int3 t = {static_cast<int>(from % across), static_cast<int>(from / across % down),
            static_cast<int>(from / across / down)};
  for (int axis = 0; axis < 3; ++axis) {
    if ((axes >> axis & 1) == 0) continue;
    const int moved = t[axis] + step[axis];
    t[axis] = wrapped(moved, in_box[axis]);
    if (in_box[axis] == 1 || (t[axis] != moved && !periodic[axis])) return no_index;
  }
  return index[index_in_box(t)];
}

GhostCellCount count_ghost_cells(const TileMap& map, const std::vector<Int3>& velocities) {
  GhostCellCount count;
  const auto cells = [&](unsigned axes) {
    std::uint64_t product = 1;
    for (int axis = 0; axis < 3; ++axis)
      if ((axes >> axis & 1) == 0) product *= static_cast<std::uint64_t>(map.shape[axis]);
    return product;
  };
  for (const Int3& c : velocities)
    for_each_subset(moving(c), [&](unsigned axes) {
      count.values += cells(axes);
      count.cells[axes] = cells(axes);
    });
  return count;
}

GhostBufferMap map_ghost_buffers(const TileMap& map, const std::vector<Int3>& velocities) {
  GhostBufferMap result;
  std::size_t reads = 0, per_tile = 0;
  for (const Int3& c : velocities) reads += (std::size_t{1} << std::popcount(moving(c))) - 1;
  per_tile = reads;
  for (const Int3& c : velocities) per_tile += static_cast<std::size_t>(std::popcount(moving(c)));
  const auto count = static_cast<std::uint32_t>(map.tiles.size());
  result.indices.assign(count * per_tile, no_index);
  /// First write index of direction i.
  std::vector<std::size_t> first_write = {reads};
  for (const Int3& c : velocities)
    first_write.push_back(first_write.back() + static_cast<std::size_t>(std::popcount(moving(c))));
  const auto write_index = [&](std::uint32_t tile, std::size_t i, unsigned axes) -> std::uint32_t& {
    const unsigned face = axes & (~axes + 1);
    const auto rank = static_cast<std::size_t>(std::popcount(moving(velocities[i]) & (face - 1)));
    return result.indices[tile * per_tile + first_write[i] + rank];
  };
  for (std::uint32_t tile = 0; tile < count; ++tile)
    for (std::size_t i = 0; i < velocities.size(); ++i)
      for_each_subset(moving(velocities[i]), [&](unsigned axes) {
        std::uint32_t& index = write_index(tile, i, axes);
        if (index == no_index && map.neighbour(tile, velocities[i], axes) != no_index)
          index = static_cast<std::uint32_t>(result.buffers++);
      });
  for (std::uint32_t tile = 0; tile < count; ++tile) {
    std::size_t read = tile * per_tile;
    for (std::size_t i = 0; i < velocities.size(); ++i) {
      const Int3& c = velocities[i];
      for_each_subset(moving(c), [&](unsigned axes) {
        const std::uint32_t from = map.neighbour(tile, {-c[0], -c[1], -c[2]}, axes);
        if (from != no_index) result.indices[read] = write_index(from, i, axes);
        ++read;
      });
    }
  }
  return result;
}

}  // namespace fluvia
