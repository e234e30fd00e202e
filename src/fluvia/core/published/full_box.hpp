// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/typed_nodes.hpp"

namespace fluvia::core {

/// Every node of the box is a site, row by row. S2 sections 3.2.1 to 3.2.5, S4 Algorithm 1.
///   types   of each node, a set of NodeType
struct FullBox {
  using Node = TypedNode;
  static FLUVIA_FUNCTION Uint32 row(const Sites& sites) { return sites.size[0]; }
  static FLUVIA_FUNCTION void open(const Sites& sites, Uint32 place, Node& node) {
    open_typed(sites, place, node);
    open_in_rows(sites, place, node);
  }
  static FLUVIA_FUNCTION void open_at(const Sites& sites, Uint32 x, Uint32 y, Uint32 z, Node& node) {
    open_typed(sites, x + row(sites) * (y + sites.size[1] * z), node);
    open_in_row(sites, x, y, z, node);
  }
  static FLUVIA_FUNCTION Uint32 neighbour(const Sites& sites, const Node& node, const Link& link) {
    return is_amid_fluid(node) ? neighbour_amid_fluid(sites, node, link) : ask_neighbour(sites, node, link);
  }
  /// The site at the far end of a link amid fluid, which is as far away in memory for all nodes.
  static FLUVIA_FUNCTION Uint32 neighbour_amid_fluid(const Sites& sites, const Node& node, const Link& link) {
    const Uint32 row = sites.size[0], plane = row * sites.size[1];
    return node.site + (static_cast<Uint32>(link.step[0]) + static_cast<Uint32>(link.step[1]) * row +
                        static_cast<Uint32>(link.step[2]) * plane);
  }
  /// Whether there are nodes of the box, fluid or not, as far away from a site as those.
  template <int dimension>
  static FLUVIA_FUNCTION bool has_sites_around(const Sites& sites, Uint32 site) {
    const Uint32 reach = 1 + sites.size[0] * (dimension == 3 ? 1 + sites.size[1] : 1);
    return site >= reach && site + reach < sites.stored;
  }
  static FLUVIA_FUNCTION Uint32 box_index(const Sites&, Uint32 site, const Uint32*) { return site; }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const Sites& sites, Uint32 tile, Uint32 bit) {
    return number_in_tile<dimension>(sites, tile, bit);
  }
};

}  // namespace fluvia::core
