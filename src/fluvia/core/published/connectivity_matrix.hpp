// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/sites.hpp"

namespace fluvia::core {

/// Fluid nodes are the sites, in canonical order, and every one knows its neighbours by number. S1 section 2.3.1.
///   index   [direction - 1][site], the site at x + c_i; no_site across a cut link
///   tiles   three words for each tile of the NodeMap: its mask and first site, for what goes through tiles
struct ConnectivityMatrix {
  struct Node {
    Uint32 site;
  };
  static FLUVIA_FUNCTION void open(const Sites&, Uint32 place, Node& node) { node.site = place; }
  static FLUVIA_FUNCTION Uint32 neighbour(const Sites& sites, const Node& node, const Link& link) {
    return constant(sites.index + (static_cast<Uint64>(link.direction - 1) * sites.stored + node.site));
  }
  static FLUVIA_FUNCTION Uint32 box_index(const Sites&, Uint32 site, const Uint32* nodes) {
    return constant(nodes + site);
  }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const Sites& sites, Uint32 tile, Uint32 bit) {
    const Uint32* const words = sites.tiles + Uint64{3} * tile;
    if ((words[bit / 32] >> bit % 32 & 1u) == 0) return no_site;
    const Uint64 mask = static_cast<Uint64>(words[1]) << 32 | words[0];
    return words[2] + set_bits(mask & ((Uint64{1} << bit) - 1));
  }

 private:
  static FLUVIA_FUNCTION Uint32 set_bits(Uint64 mask) {
    Uint32 count = 0;
    for (; mask != 0; mask &= mask - 1) ++count;
    return count;
  }
};

}  // namespace fluvia::core
