// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/index_tables.hpp"

namespace fluvia::core {

/// All nodes of the tiles that hold fluid are stored, tile by tile; tiles are cubes (squares) that cover the box from
/// its origin, empty ones are left out. S1 section 3.
///   types   of each stored node, 0: not fluid
///   index   the tile map: number of each tile of the box, no_index if it is empty
///   tiles   where each numbered tile is in the box of tiles
template <int dimension, int edge>
struct Tiles {
  static constexpr Uint32 log2 = edge == 4 ? 2 : edge == 8 ? 3 : edge == 16 ? 4 : 5;
  static_assert(edge == 1 << log2);
  static constexpr Uint32 nodes = 1u << (dimension * log2);
  using Node = BoxNode;  ///< with coordinates

  static FLUVIA_FUNCTION void open(const IndexTables& tables, Uint32 number, Node& node) {
    node.stored_node = constant(tables.types + number) != 0 ? number : no_index;
    look_around_tile(tables, number / nodes, number % nodes, node);
  }
  /// What is around the node `local` of a numbered tile.
  static FLUVIA_FUNCTION void look_around_tile(const IndexTables& tables, Uint32 number, Uint32 local, Node& node) {
    Uint32 corner[3];
    find_corner(tables, number, corner);
    look_around_from(tables, corner, local, node);
  }
  static FLUVIA_FUNCTION void look_around_from(const IndexTables& tables, const Uint32 (&corner)[3], Uint32 local,
                                               BoxNode& node) {
    look_around(tables, 0, corner[0] + local_coordinate(local, 0), 1, node.at[0]);
    look_around(tables, 1, corner[1] + local_coordinate(local, 1), 1, node.at[1]);
    look_around(tables, 2, corner[2] + local_coordinate(local, 2), 1, node.at[2]);
  }
  /// Coordinates of the first node of a numbered tile.
  static FLUVIA_FUNCTION void find_corner(const IndexTables& tables, Uint32 number, Uint32 (&x)[3]) {
    const Uint32 tile = constant(tables.tiles + number), across = tiles_along(tables, 0), down = tiles_along(tables, 1);
    x[0] = tile % across * edge;
    x[1] = tile / across % down * edge;
    x[2] = dimension == 3 ? tile / across / down * edge : 0;
  }
  static FLUVIA_FUNCTION Uint32 box_index(const IndexTables& tables, Uint32 stored_node, const Uint32*) {
    Uint32 x[3];
    find_corner(tables, stored_node / nodes, x);
    for (int axis = 0; axis < 3; ++axis) x[axis] += local_coordinate(stored_node % nodes, axis);
    return core::box_index(x[0], x[1], x[2], tables.size[0], tables.size[1]);
  }
  static FLUVIA_FUNCTION Uint32 local_coordinate(Uint32 local, int axis) {
    return axis < dimension ? local >> (static_cast<Uint32>(axis) * log2) & (edge - 1) : 0;
  }
  static FLUVIA_FUNCTION Uint32 neighbour(const IndexTables& tables, const Node& node, const Link& link) {
    if (!leads_inside(node, link)) return no_index;
    return fluid_at(tables, node.at[0][1 + link.step[0]], node.at[1][1 + link.step[1]], node.at[2][1 + link.step[2]]);
  }
  /// Number of the stored node at a node of the box; no_index if that is not fluid.
  static FLUVIA_FUNCTION Uint32 fluid_at(const IndexTables& tables, Uint32 x, Uint32 y, Uint32 z) {
    const Uint32 there = stored_node_at(tables, x, y, z);
    return there != no_index && constant(tables.types + there) != 0 ? there : no_index;
  }
  template <int>
  static FLUVIA_FUNCTION Uint32 in_tile(const IndexTables& tables, Uint32 tile, Uint32 bit) {
    Uint32 x[3];
    return node_in_tile<dimension>(tables, tile, bit, x) ? stored_node_at(tables, x[0], x[1], x[2]) : no_index;
  }
  /// Set of axes along which a link that stays inside of the box leaves the tile.
  static FLUVIA_FUNCTION Uint32 crossed(const Node& node, const Link& link) {
    Uint32 axes = 0;
    for (int axis = 0; axis < dimension; ++axis)
      if (link.step[axis] != 0 && node.at[axis][1 + link.step[axis]] >> log2 != node.at[axis][1] >> log2)
        axes |= 1u << axis;
    return axes;
  }
  /// Number of a link's far end in its tile among nodes that differ only along axes other than the given ones.
  static FLUVIA_FUNCTION Uint32 local_besides(const Node& node, const Link& link, Uint32 axes) {
    constexpr Uint32 mask = edge - 1;
    return join_besides(node.at[0][1 + link.step[0]] & mask, node.at[1][1 + link.step[1]] & mask,
                        node.at[2][1 + link.step[2]] & mask, axes);
  }
  static FLUVIA_FUNCTION Uint32 join_besides(Uint32 x, Uint32 y, Uint32 z, Uint32 axes) {
    const Uint32 of_z = dimension == 3 && (axes & 4u) == 0 ? z : 0;
    const Uint32 of_yz = (axes & 2u) != 0 ? of_z : y | of_z << log2;
    return (axes & 1u) != 0 ? of_yz : x | of_yz << log2;
  }
  /// Number of a stored node if the nodes of its tile are counted first along the axes along which a link does not
  /// move. Then what moves along it from a tile to the next are whole runs of `edge` nodes, in whole sectors of memory,
  /// where rows along an axis along which it moves would lose their last node to the next tile. S1 section 3.2 has a
  /// layout for each direction for the sake of that, and does not say which.
  static FLUVIA_FUNCTION Uint32 turned(Uint32 stored_node, const Link& link) {
    Uint32 number = 0, shift = 0;
    for (int moving = 0; moving < 2; ++moving)
      for (int axis = 0; axis < dimension; ++axis)
        if ((link.step[axis] != 0) == (moving == 1)) {
          number |= local_coordinate(stored_node % nodes, axis) << shift;
          shift += log2;
        }
    return stored_node / nodes * nodes + number;
  }
  static FLUVIA_FUNCTION Uint32 tiles_along(const IndexTables& tables, int axis) {
    return (tables.size[axis] + edge - 1) >> log2;
  }
  /// Number of the stored node at a node of the box; no_index if its tile has none.
  static FLUVIA_FUNCTION Uint32 stored_node_at(const IndexTables& tables, Uint32 x, Uint32 y, Uint32 z) {
    const Uint32 across = tiles_along(tables, 0), down = tiles_along(tables, 1);
    const Uint32 depth = dimension == 3 ? z >> log2 : 0;
    const Uint32 tile = constant(tables.index + ((x >> log2) + across * ((y >> log2) + down * depth)));
    return tile != no_index ? tile * nodes + local(x, y, z) : no_index;
  }

 private:
  static FLUVIA_FUNCTION Uint32 local(Uint32 x, Uint32 y, Uint32 z) {
    constexpr Uint32 mask = edge - 1;
    return (x & mask) | (y & mask) << log2 | (dimension == 3 ? (z & mask) << (2 * log2) : 0);
  }
};

}  // namespace fluvia::core
