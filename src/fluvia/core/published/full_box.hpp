// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/typed_nodes.hpp"

namespace fluvia::core {

/// Every node of the box is stored, row by row. S2 sections 3.2.1 to 3.2.5, S4 Algorithm 1.
///   types   a set of NodeType for each node
struct FullBox {
  using Node = TypedNode;
  static FLUVIA_FUNCTION Uint32 row(const IndexTables& tables) { return tables.size[0]; }
  static FLUVIA_FUNCTION void open(const IndexTables& tables, Uint32 number, Node& node) {
    open_typed(tables, number, node);
    open_in_rows(tables, number, node);
  }
  static FLUVIA_FUNCTION void open_at(const IndexTables& tables, Uint32 x, Uint32 y, Uint32 z, Node& node) {
    open_typed(tables, x + row(tables) * (y + tables.size[1] * z), node);
    open_in_row(tables, x, y, z, node);
  }
  static FLUVIA_FUNCTION Uint32 neighbour(const IndexTables& tables, const Node& node, const Link& link) {
    return is_amid_fluid(node) ? neighbour_amid_fluid(tables, node, link) : ask_neighbour(tables, node, link);
  }
  /// The stored node at the far end of a link amid fluid, which is as far away in memory for all nodes.
  static FLUVIA_FUNCTION Uint32 neighbour_amid_fluid(const IndexTables& tables, const Node& node, const Link& link) {
    const Uint32 row = tables.size[0], plane = row * tables.size[1];
    return node.stored_node + (static_cast<Uint32>(link.step[0]) + static_cast<Uint32>(link.step[1]) * row +
                               static_cast<Uint32>(link.step[2]) * plane);
  }
  /// Whether the box has nodes, fluid or not, as far away from a stored node as neighbour_amid_fluid() looks.
  template <int dimension>
  static FLUVIA_FUNCTION bool has_stored_nodes_around(const IndexTables& tables, Uint32 stored_node) {
    const Uint32 reach = 1 + tables.size[0] * (dimension == 3 ? 1 + tables.size[1] : 1);
    return stored_node >= reach && stored_node + reach < tables.stored;
  }
  static FLUVIA_FUNCTION Uint32 box_index(const IndexTables&, Uint32 stored_node, const Uint32*) { return stored_node; }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const IndexTables& tables, Uint32 tile, Uint32 bit) {
    return number_in_tile<dimension>(tables, tile, bit);
  }
};

}  // namespace fluvia::core
