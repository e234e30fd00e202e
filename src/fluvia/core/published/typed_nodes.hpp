// SPDX-License-Identifier: Apache-2.0
// Boxes that store every node have a type for each, of one byte. It says of most nodes all that a step has to know of
// their surroundings: that there is fluid all around. Only the others ask for the types of their neighbours.
#pragma once
#include "fluvia/core/published/sites.hpp"

namespace fluvia::core {

/// What the type of a node says of it, one bit each; 0: it is not fluid.
enum NodeType : unsigned char {
  fluid_node = 1,
  node_with_conditions = 2,  ///< steps complete some of its links by themselves
  node_amid_fluid = 4        ///< all of its links lead to fluid, none of them around the box to its other side
};

/// A node and its type.
struct TypedNode : BoxNode {
  Uint32 type;
};

FLUVIA_FUNCTION bool is_amid_fluid(const TypedNode& node) {
  return (node.type & node_amid_fluid) != 0;
}
FLUVIA_FUNCTION bool has_conditions(const TypedNode& node) {
  return (node.type & node_with_conditions) != 0;
}

FLUVIA_FUNCTION void open_typed(const Sites& sites, Uint32 site, TypedNode& node) {
  node.type = constant(sites.types + site);
  node.site = node.type != 0 ? site : no_site;
}
/// The far end of a link, by its type; no_site if it is not fluid.
FLUVIA_FUNCTION Uint32 ask_neighbour(const Sites& sites, const TypedNode& node, const Link& link) {
  if (!leads_inside(node, link)) return no_site;
  const Uint32 there = neighbour_in_rows(node, link);
  return constant(sites.types + there) != 0 ? there : no_site;
}

/// A map of such a box for nodes amid fluid only, and for others.
template <class Map>
struct AmidFluid : Map {
  static constexpr bool has_no_cut_links = true;
  static FLUVIA_FUNCTION Uint32 neighbour(const Sites& sites, const TypedNode& node, const Link& link) {
    return Map::neighbour_amid_fluid(sites, node, link);
  }
};
template <class Map>
struct BesideOthers : Map {
  static FLUVIA_FUNCTION Uint32 neighbour(const Sites& sites, const TypedNode& node, const Link& link) {
    return ask_neighbour(sites, node, link);
  }
};
/// Whether a map has types that tell of nodes amid fluid.
template <class Map>
constexpr bool tells_amid_fluid() {
  return requires(const Sites& sites, const typename Map::Node& node, const Link& link) {
    Map::neighbour_amid_fluid(sites, node, link);
  };
}

}  // namespace fluvia::core
