// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/typed_nodes.hpp"

namespace fluvia::core {

/// Every node of the box with x + y + z even is a site, row by row: the i-th of a row lies at x = 2 i + ((y + z) & 1).
/// For lattices whose velocities all lead from even nodes to even ones. S3 section 5.1, eq. 13; Toelke & Krafczyk's m
/// is the site. Rows of boxes with an odd number of nodes along x may end with a site outside of the box.
///   types   of each site, a set of NodeType
struct HalfBox {
  using Node = TypedNode;  ///< along x: numbers in a row of sites
  static constexpr Uint32 row(const Sites& sites) { return (sites.size[0] + 1) / 2; }

  static FLUVIA_FUNCTION void open(const Sites& sites, Uint32 place, Node& node) {
    const Uint32 half = row(sites);
    open_at(sites, place % half, place / half % sites.size[1], place / half / sites.size[1], node);
  }
  static FLUVIA_FUNCTION void open_at(const Sites& sites, Uint32 number, Uint32 y, Uint32 z, Node& node) {
    const Uint32 half = row(sites);
    open_typed(sites, number + half * (y + sites.size[1] * z), node);
    look_around(sites, 0, 2 * number + ((y + z) & 1u), 1, node.at[0]);
    for (Uint32& x : node.at[0])
      if (x != no_site) x /= 2;
    look_around(sites, 1, y, half, node.at[1]);
    look_around(sites, 2, z, half * sites.size[1], node.at[2]);
  }
  static FLUVIA_FUNCTION Uint32 neighbour(const Sites& sites, const Node& node, const Link& link) {
    return is_amid_fluid(node) ? neighbour_amid_fluid(sites, node, link) : ask_neighbour(sites, node, link);
  }
  static FLUVIA_FUNCTION Uint32 neighbour_amid_fluid(const Sites&, const Node& node, const Link& link) {
    return neighbour_in_rows(node, link);
  }
  static FLUVIA_FUNCTION Uint32 box_index(const Sites& sites, Uint32 site, const Uint32*) {
    const Uint32 half = row(sites), y = site / half % sites.size[1], z = site / half / sites.size[1];
    return core::box_index(2 * (site % half) + ((y + z) & 1u), y, z, sites.size[0], sites.size[1]);
  }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const Sites& sites, Uint32 tile, Uint32 bit) {
    Uint32 x[3];
    if (!node_in_tile<dimension>(sites, tile, bit, x) || ((x[0] + x[1] + x[2]) & 1u) != 0) return no_site;
    return site_at(sites, x[0], x[1], x[2]);
  }
  /// The site of an even node of the box.
  static FLUVIA_FUNCTION Uint32 site_at(const Sites& sites, Uint32 x, Uint32 y, Uint32 z) {
    return x / 2 + row(sites) * (y + sites.size[1] * z);
  }
};

}  // namespace fluvia::core
