// SPDX-License-Identifier: Apache-2.0
// Index maps: pure functions from a node and a direction to a neighbour. A stored node is a node that has storage.
// Stored nodes are numbered, and the number says where the populations are. A step visits the stored nodes, or all
// nodes of the box where the map is one of the box, in the order of their numbers. An addressing is a type with
//
//   Node                             what is known of one node, found once and used for all of its links
//   open(tables, number, node)       the node with this number among those that a step visits; node.stored_node is
//                                    no_index if it is not fluid
//   neighbour(tables, node, link)    number of the stored node at the far end of a link; no_index if there is no fluid
//   box_index(tables, stored_node, nodes)   core::box_index of a stored node; `nodes` has that of each, for maps that
//                                    cannot tell it from the number
//   in_tile<dimension>(tables, t, b) number, among those visited, of node b of tile t of the NodeMap, or no_index
//
// and, if the visited nodes follow each other row by row,
//
//   row(tables)                      how many there are in a row
//   open_at(tables, x, y, z, node)   the node with number x in row y of layer z
#pragma once
#include "fluvia/core/format/random_bits.hpp"
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

/// Stands for no node, no tile, no coordinate wherever one may be missing.
inline constexpr Uint32 no_index = 0xffffffffu;

/// From a node to its neighbour along a direction.
struct Link {
  int direction;
  int step[3];
};
template <class Lattice>
constexpr Link link_of(int i) {
  return {i, {Lattice::c[i][0], Lattice::c[i][1], Lattice::c[i][2]}};
}

/// Sizes and arrays of a domain; the headers of the addressings say what they keep in which array.
struct IndexTables {
  Uint32 size[3];              ///< nodes of the box along each axis
  Uint32 periodic;             ///< bit a is set if axis a is periodic
  Uint32 visited, stored;      ///< how many nodes a step visits, and how many are stored
  const unsigned char* types;  ///< [stored node], 0: not fluid
  const Uint32* index;
  const Uint32* tiles;
  const Uint32* buffers;
  Uint64 read_ghosts, write_ghosts;  ///< elements where ghost cells or buffers begin that the next step reads, writes
};

/// A node and what its coordinates are next to it, multiplied by the strides that open() chose.
struct BoxNode {
  Uint32 stored_node;
  Uint32 at[3][3];  ///< [axis][1 + step]; no_index outside of the box
};

FLUVIA_FUNCTION void look_around(const IndexTables& tables, int axis, Uint32 x, Uint32 stride, Uint32 (&at)[3]) {
  const Uint32 n = tables.size[axis];
  const bool wraps = (tables.periodic >> axis & 1u) != 0;
  at[0] = x > 0 ? (x - 1) * stride : wraps ? (n - 1) * stride : no_index;
  at[1] = x * stride;
  at[2] = x + 1 < n ? (x + 1) * stride : wraps ? 0 : no_index;
}

/// A coordinate of the box for one that may lie a node outside of it, from -1 to its size; no_index where nothing is.
FLUVIA_FUNCTION Uint32 wrapped(const IndexTables& tables, int axis, Uint32 x) {
  const Uint32 n = tables.size[axis];
  if (x < n) return x;
  if ((tables.periodic >> axis & 1u) == 0) return no_index;
  return x == n ? 0 : x + 1 == 0 ? n - 1 : no_index;
}

/// True if the far end of a link lies in the box.
FLUVIA_FUNCTION bool leads_inside(const BoxNode& node, const Link& link) {
  return (link.step[0] == 0 || node.at[0][1 + link.step[0]] != no_index) &&
         (link.step[1] == 0 || node.at[1][1 + link.step[1]] != no_index) &&
         (link.step[2] == 0 || node.at[2][1 + link.step[2]] != no_index);
}

/// Nodes of the box counted row by row: the one at (x,y,z), or with this number.
FLUVIA_FUNCTION void open_in_row(const IndexTables& tables, Uint32 x, Uint32 y, Uint32 z, BoxNode& node) {
  look_around(tables, 0, x, 1, node.at[0]);
  look_around(tables, 1, y, tables.size[0], node.at[1]);
  look_around(tables, 2, z, tables.size[0] * tables.size[1], node.at[2]);
}
FLUVIA_FUNCTION void open_in_rows(const IndexTables& tables, Uint32 number, BoxNode& node) {
  const Uint32 row = tables.size[0], plane = row * tables.size[1];
  open_in_row(tables, number % row, number % plane / row, number / plane, node);
}
FLUVIA_FUNCTION Uint32 neighbour_in_rows(const BoxNode& node, const Link& link) {
  return node.at[0][1 + link.step[0]] + node.at[1][1 + link.step[1]] + node.at[2][1 + link.step[2]];
}

/// Coordinates of node `bit` of tile `tile` of the NodeMap's box of tiles; false if they lie outside of the box.
template <int dimension>
FLUVIA_FUNCTION bool node_in_tile(const IndexTables& tables, Uint32 tile, Uint32 bit, Uint32 (&x)[3]) {
  constexpr Uint32 wx = dimension == 3 ? 4 : 8, wz = dimension == 3 ? 4 : 1;
  const Uint32 across = (tables.size[0] + wx - 1) / wx, down = (tables.size[1] + wx - 1) / wx;
  x[0] = tile % across * wx + bit % wx;
  x[1] = tile / across % down * wx + bit / wx % wx;
  x[2] = tile / across / down * wz + bit / (wx * wx);
  return x[0] < tables.size[0] && x[1] < tables.size[1] && x[2] < tables.size[2];
}
template <int dimension>
FLUVIA_FUNCTION Uint32 number_in_tile(const IndexTables& tables, Uint32 tile, Uint32 bit) {
  Uint32 x[3];
  if (!node_in_tile<dimension>(tables, tile, bit, x)) return no_index;
  return x[0] + tables.size[0] * (x[1] + tables.size[1] * x[2]);
}

}  // namespace fluvia::core
