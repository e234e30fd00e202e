// SPDX-License-Identifier: Apache-2.0
// Boxes that store every node have a type for each, of one byte. It says of most nodes all that a step has to know of
// their surroundings: that there is fluid all around. Only the others ask for the types of their neighbours.
#pragma once
#include "fluvia/core/published/index_tables.hpp"

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

FLUVIA_FUNCTION void open_typed(const IndexTables& tables, Uint32 stored_node, TypedNode& node) {
  node.type = constant(tables.types + stored_node);
  node.stored_node = node.type != 0 ? stored_node : no_index;
}
/// The far end of a link, by its type; no_index if it is not fluid.
FLUVIA_FUNCTION Uint32 ask_neighbour(const IndexTables& tables, const TypedNode& node, const Link& link) {
  if (!leads_inside(node, link)) return no_index;
  const Uint32 there = neighbour_in_rows(node, link);
  return constant(tables.types + there) != 0 ? there : no_index;
}

/// A map of such a box for nodes amid fluid only, and for others.
template <class Map>
struct AmidFluid : Map {
  static constexpr bool has_no_cut_links = true;
  static FLUVIA_FUNCTION Uint32 neighbour(const IndexTables& tables, const TypedNode& node, const Link& link) {
    return Map::neighbour_amid_fluid(tables, node, link);
  }
};
template <class Map>
struct BesideOthers : Map {
  static FLUVIA_FUNCTION Uint32 neighbour(const IndexTables& tables, const TypedNode& node, const Link& link) {
    return ask_neighbour(tables, node, link);
  }
};
/// Whether a map has types that tell of nodes amid fluid.
template <class Map>
constexpr bool tells_amid_fluid() {
  return requires(const IndexTables& tables, const typename Map::Node& node, const Link& link) {
    Map::neighbour_amid_fluid(tables, node, link);
  };
}

}  // namespace fluvia::core
