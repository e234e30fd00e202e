// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/typed_nodes.hpp"

namespace fluvia::core {

/// Every node of the box with x + y + z even is stored, row by row: the i-th of a row lies at x = 2 i + ((y + z) & 1).
/// For lattices whose velocities all lead from even nodes to even ones. S3 section 5.1, eq. 13; Toelke & Krafczyk's m
/// is the number of the stored node. Rows of boxes with an odd number of nodes along x may end with a stored node
/// outside of the box.
///   types   a set of NodeType for each stored node
struct HalfBox {
  using Node = TypedNode;  ///< coordinates along x are numbers in a row of stored nodes
  static constexpr Uint32 row(const IndexTables& tables) { return (tables.size[0] + 1) / 2; }

  static FLUVIA_FUNCTION void open(const IndexTables& tables, Uint32 number, Node& node) {
    const Uint32 half = row(tables);
    open_at(tables, number % half, number / half % tables.size[1], number / half / tables.size[1], node);
  }
  static FLUVIA_FUNCTION void open_at(const IndexTables& tables, Uint32 number, Uint32 y, Uint32 z, Node& node) {
    const Uint32 half = row(tables);
    open_typed(tables, number + half * (y + tables.size[1] * z), node);
    look_around(tables, 0, 2 * number + ((y + z) & 1u), 1, node.at[0]);
    for (Uint32& x : node.at[0])
      if (x != no_index) x /= 2;
    look_around(tables, 1, y, half, node.at[1]);
    look_around(tables, 2, z, half * tables.size[1], node.at[2]);
  }
  static FLUVIA_FUNCTION Uint32 neighbour(const IndexTables& tables, const Node& node, const Link& link) {
    return is_amid_fluid(node) ? neighbour_amid_fluid(tables, node, link) : ask_neighbour(tables, node, link);
  }
  static FLUVIA_FUNCTION Uint32 neighbour_amid_fluid(const IndexTables&, const Node& node, const Link& link) {
    return neighbour_in_rows(node, link);
  }
  static FLUVIA_FUNCTION Uint32 box_index(const IndexTables& tables, Uint32 stored_node, const Uint32*) {
    const Uint32 half = row(tables), y = stored_node / half % tables.size[1], z = stored_node / half / tables.size[1];
    return core::box_index(2 * (stored_node % half) + ((y + z) & 1u), y, z, tables.size[0], tables.size[1]);
  }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const IndexTables& tables, Uint32 tile, Uint32 bit) {
    Uint32 x[3];
    if (!node_in_tile<dimension>(tables, tile, bit, x) || ((x[0] + x[1] + x[2]) & 1u) != 0) return no_index;
    return stored_node_at(tables, x[0], x[1], x[2]);
  }
  /// Number of the stored node at an even node of the box.
  static FLUVIA_FUNCTION Uint32 stored_node_at(const IndexTables& tables, Uint32 x, Uint32 y, Uint32 z) {
    return x / 2 + row(tables) * (y + tables.size[1] * z);
  }
};

}  // namespace fluvia::core
