// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/index_tables.hpp"

namespace fluvia::core {

/// Fluid nodes are stored, in canonical order, and each knows the numbers of its neighbours. S1 section 2.3.1.
///   index   [direction - 1][stored node], the stored node at x + c_i; no_index across a cut link
///   tiles   three words for each tile of the NodeMap: its mask and its first stored node, for what goes through tiles
struct ConnectivityMatrix {
  struct Node {
    Uint32 stored_node;
  };
  static FLUVIA_FUNCTION void open(const IndexTables&, Uint32 number, Node& node) { node.stored_node = number; }
  static FLUVIA_FUNCTION Uint32 neighbour(const IndexTables& tables, const Node& node, const Link& link) {
    return constant(tables.index + (static_cast<Uint64>(link.direction - 1) * tables.stored + node.stored_node));
  }
  static FLUVIA_FUNCTION Uint32 box_index(const IndexTables&, Uint32 stored_node, const Uint32* nodes) {
    return constant(nodes + stored_node);
  }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const IndexTables& tables, Uint32 tile, Uint32 bit) {
    const Uint32* const words = tables.tiles + Uint64{3} * tile;
    if ((words[bit / 32] >> bit % 32 & 1u) == 0) return no_index;
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
