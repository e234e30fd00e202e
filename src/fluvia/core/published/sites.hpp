// SPDX-License-Identifier: Apache-2.0
// Index maps: pure functions from a node and a direction to a neighbour. A *site* is a node that has storage. Sites are
// numbered, and the number says where the populations are. An addressing is a type with
//   Node                            what is known of one node, found once and used for all of its links
//   open(sites, place)              the node with this number; node.site is no_site if it is not fluid
//   neighbour(sites, node, link)    site at the far end of a link; no_site if there is no fluid
//   box_index(sites, site, nodes)   core::box_index of a site; `nodes` has those of all sites, for maps that cannot
//   tell in_tile<dimension>(sites, t, b) place of node b of tile t of the NodeMap, or no_site
// and, if places follow each other row by row,
//   row(sites)                      how many there are in a row
//   open_at(sites, x, y, z, node)   the node at place number x of row y of layer z
// Places are what a step goes through: the sites, or, where the map is one of the box, all nodes of the box.
#pragma once
#include "fluvia/core/format/random_bits.hpp"
#include "fluvia/core/lattice/lattice.hpp"

namespace fluvia::core {

inline constexpr Uint32 no_site = 0xffffffffu;

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
struct Sites {
  Uint32 size[3];   ///< of the box
  Uint32 periodic;  ///< bit per axis
  Uint32 places, stored;
  const unsigned char* types;  ///< per site: 0 = not fluid
  const Uint32* index;
  const Uint32* tiles;
  const Uint32* buffers;
  Uint64 read_ghosts, write_ghosts;  ///< elements where ghost cells or buffers begin that the next step reads, writes
};

/// A node and what its coordinates are next to it, multiplied by the strides that open() chose.
struct BoxNode {
  Uint32 site;
  Uint32 at[3][3];  ///< [axis][1 + step]; no_site outside of the box
};

FLUVIA_FUNCTION void look_around(const Sites& sites, int axis, Uint32 x, Uint32 stride, Uint32 (&at)[3]) {
  const Uint32 n = sites.size[axis];
  const bool wraps = (sites.periodic >> axis & 1u) != 0;
  at[0] = x > 0 ? (x - 1) * stride : wraps ? (n - 1) * stride : no_site;
  at[1] = x * stride;
  at[2] = x + 1 < n ? (x + 1) * stride : wraps ? 0 : no_site;
}

/// A coordinate of the box for one that may lie a node outside of it, from -1 to its size; no_site where nothing is.
FLUVIA_FUNCTION Uint32 wrapped(const Sites& sites, int axis, Uint32 x) {
  const Uint32 n = sites.size[axis];
  if (x < n) return x;
  if ((sites.periodic >> axis & 1u) == 0) return no_site;
  return x == n ? 0 : x + 1 == 0 ? n - 1 : no_site;
}

/// True if the far end of a link lies in the box.
FLUVIA_FUNCTION bool leads_inside(const BoxNode& node, const Link& link) {
  return (link.step[0] == 0 || node.at[0][1 + link.step[0]] != no_site) &&
         (link.step[1] == 0 || node.at[1][1 + link.step[1]] != no_site) &&
         (link.step[2] == 0 || node.at[2][1 + link.step[2]] != no_site);
}

/// Nodes of the box counted row by row: the one at (x,y,z), or with this number.
FLUVIA_FUNCTION void open_in_row(const Sites& sites, Uint32 x, Uint32 y, Uint32 z, BoxNode& node) {
  look_around(sites, 0, x, 1, node.at[0]);
  look_around(sites, 1, y, sites.size[0], node.at[1]);
  look_around(sites, 2, z, sites.size[0] * sites.size[1], node.at[2]);
}
FLUVIA_FUNCTION void open_in_rows(const Sites& sites, Uint32 number, BoxNode& node) {
  const Uint32 row = sites.size[0], plane = row * sites.size[1];
  open_in_row(sites, number % row, number % plane / row, number / plane, node);
}
FLUVIA_FUNCTION Uint32 neighbour_in_rows(const BoxNode& node, const Link& link) {
  return node.at[0][1 + link.step[0]] + node.at[1][1 + link.step[1]] + node.at[2][1 + link.step[2]];
}

/// Coordinates of node `bit` of tile `tile` of the NodeMap's box of tiles; false if they lie outside of the box.
template <int dimension>
FLUVIA_FUNCTION bool node_in_tile(const Sites& sites, Uint32 tile, Uint32 bit, Uint32 (&x)[3]) {
  constexpr Uint32 wx = dimension == 3 ? 4 : 8, wz = dimension == 3 ? 4 : 1;
  const Uint32 across = (sites.size[0] + wx - 1) / wx, down = (sites.size[1] + wx - 1) / wx;
  x[0] = tile % across * wx + bit % wx;
  x[1] = tile / across % down * wx + bit / wx % wx;
  x[2] = tile / across / down * wz + bit / (wx * wx);
  return x[0] < sites.size[0] && x[1] < sites.size[1] && x[2] < sites.size[2];
}
template <int dimension>
FLUVIA_FUNCTION Uint32 number_in_tile(const Sites& sites, Uint32 tile, Uint32 bit) {
  Uint32 x[3];
  if (!node_in_tile<dimension>(sites, tile, bit, x)) return no_site;
  return x[0] + sites.size[0] * (x[1] + sites.size[1] * x[2]);
}

}  // namespace fluvia::core
