// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/addressing/sites.hpp"

namespace fluvia::core {

/// Every node of the box is a site, row by row. S2 sections 3.2.1 to 3.2.3, S4 Algorithm 1.
///   types   of each node
struct FullBox {
  using Node = BoxNode;
  static FLUVIA_FUNCTION void open(const Sites& sites, Uint32 place, Node& node) {
    node.site = constant(sites.types + place) != 0 ? place : no_site;
    open_in_rows(sites, place, node);
  }
  static FLUVIA_FUNCTION Uint32 neighbour(const Sites& sites, const Node& node, const Link& link) {
    if (!leads_inside(node, link)) return no_site;
    const Uint32 there = neighbour_in_rows(node, link);
    return constant(sites.types + there) != 0 ? there : no_site;
  }
  static FLUVIA_FUNCTION Uint32 box_index(const Sites&, Uint32 site, const Uint32*) { return site; }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const Sites& sites, Uint32 tile, Uint32 bit) {
    return number_in_tile<dimension>(sites, tile, bit);
  }
};

}  // namespace fluvia::core
