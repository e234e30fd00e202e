// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/sites.hpp"

namespace fluvia::core {

/// Fluid nodes are the sites; an array over the whole box says which site each node is. S1 section 2.3.2.
///   index   site of each node of the box, row by row; no_site where there is no fluid
struct FluidIndexArray {
  using Node = BoxNode;
  static FLUVIA_FUNCTION Uint32 row(const Sites& sites) { return sites.size[0]; }
  static FLUVIA_FUNCTION void open(const Sites& sites, Uint32 place, Node& node) {
    node.site = constant(sites.index + place);
    open_in_rows(sites, place, node);
  }
  static FLUVIA_FUNCTION void open_at(const Sites& sites, Uint32 x, Uint32 y, Uint32 z, Node& node) {
    node.site = constant(sites.index + (x + row(sites) * (y + sites.size[1] * z)));
    open_in_row(sites, x, y, z, node);
  }
  static FLUVIA_FUNCTION Uint32 neighbour(const Sites& sites, const Node& node, const Link& link) {
    return leads_inside(node, link) ? constant(sites.index + neighbour_in_rows(node, link)) : no_site;
  }
  static FLUVIA_FUNCTION Uint32 box_index(const Sites&, Uint32 site, const Uint32* nodes) {
    return constant(nodes + site);
  }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const Sites& sites, Uint32 tile, Uint32 bit) {
    return number_in_tile<dimension>(sites, tile, bit);
  }
};

}  // namespace fluvia::core
