// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/addressing/sites.hpp"

namespace fluvia::core {

/// Every node of the box is a site, row by row. S2 sections 3.2.1 to 3.2.5, S4 Algorithm 1.
///   types   of each node: 1 if it is fluid, 3 if steps complete some of its links by themselves, too
struct FullBox {
  using Node = BoxNode;
  static FLUVIA_FUNCTION Uint32 row(const Sites& sites) { return sites.size[0]; }
  static FLUVIA_FUNCTION void open(const Sites& sites, Uint32 place, Node& node) {
    node.site = fluid_at(sites, place);
    open_in_rows(sites, place, node);
  }
  static FLUVIA_FUNCTION void open_at(const Sites& sites, Uint32 x, Uint32 y, Uint32 z, Node& node) {
    node.site = fluid_at(sites, x + row(sites) * (y + sites.size[1] * z));
    open_in_row(sites, x, y, z, node);
  }
  static FLUVIA_FUNCTION Uint32 neighbour(const Sites& sites, const Node& node, const Link& link) {
    if (!leads_inside(node, link)) return no_site;
    return fluid_at(sites, neighbour_in_rows(node, link));
  }
  static FLUVIA_FUNCTION bool has_conditions(const Sites& sites, Uint32 site) {
    return constant(sites.types + site) > 1;
  }
  /// A site, if it is fluid.
  static FLUVIA_FUNCTION Uint32 fluid_at(const Sites& sites, Uint32 site) {
    return constant(sites.types + site) != 0 ? site : no_site;
  }
  static FLUVIA_FUNCTION Uint32 box_index(const Sites&, Uint32 site, const Uint32*) { return site; }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const Sites& sites, Uint32 tile, Uint32 bit) {
    return number_in_tile<dimension>(sites, tile, bit);
  }
};

}  // namespace fluvia::core
