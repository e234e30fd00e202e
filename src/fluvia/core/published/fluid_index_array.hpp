// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/index_tables.hpp"

namespace fluvia::core {

/// Fluid nodes are stored; an array over the whole box has the number of each of them. S1 section 2.3.2.
///   index   number of the stored node at each node of the box, row by row; no_index where there is no fluid
struct FluidIndexArray {
  using Node = BoxNode;
  static FLUVIA_FUNCTION Uint32 row(const IndexTables& tables) { return tables.size[0]; }
  static FLUVIA_FUNCTION void open(const IndexTables& tables, Uint32 number, Node& node) {
    node.stored_node = constant(tables.index + number);
    open_in_rows(tables, number, node);
  }
  static FLUVIA_FUNCTION void open_at(const IndexTables& tables, Uint32 x, Uint32 y, Uint32 z, Node& node) {
    node.stored_node = constant(tables.index + (x + row(tables) * (y + tables.size[1] * z)));
    open_in_row(tables, x, y, z, node);
  }
  static FLUVIA_FUNCTION Uint32 neighbour(const IndexTables& tables, const Node& node, const Link& link) {
    return leads_inside(node, link) ? constant(tables.index + neighbour_in_rows(node, link)) : no_index;
  }
  static FLUVIA_FUNCTION Uint32 box_index(const IndexTables&, Uint32 stored_node, const Uint32* nodes) {
    return constant(nodes + stored_node);
  }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const IndexTables& tables, Uint32 tile, Uint32 bit) {
    return number_in_tile<dimension>(tables, tile, bit);
  }
};

}  // namespace fluvia::core
