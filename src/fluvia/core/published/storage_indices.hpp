// SPDX-License-Identifier: Apache-2.0
// Streaming x addressing x order of the elements: which element of memory holds a population.
#pragma once
#include "fluvia/core/published/index_tables.hpp"
#include "fluvia/core/streaming/access.hpp"

namespace fluvia::core {

/// Which elements follow each other: all populations of a stored node (AoS), or those of each slot (SoA); turned, in
/// each tile those of nodes between which a slot's populations do not move (Tiles::turned, S1 section 3.2).
enum class Order { by_node, by_slot, by_slot_turned };

template <Order order>
FLUVIA_FUNCTION Uint64 element_of(const IndexTables& tables, int directions, Uint32 stored_node, int slot) {
  return order == Order::by_node
             ? static_cast<Uint64>(stored_node) * static_cast<Uint64>(directions) + static_cast<Uint64>(slot)
             : static_cast<Uint64>(slot) * tables.stored + stored_node;
}

/// The element of a slot of a stored node, where the order may depend on where the slot's populations move: `slot` is
/// the link of that direction.
template <class Addressing, Order order>
FLUVIA_FUNCTION Uint64 element_in(const IndexTables& tables, int directions, Uint32 stored_node, const Link& slot) {
  if constexpr (order == Order::by_slot_turned)
    return element_of<Order::by_slot>(tables, directions, Addressing::turned(stored_node, slot), slot.direction);
  else
    return element_of<order>(tables, directions, stored_node, slot.direction);
}

/// An access, and the link of the direction whose number its slot has.
struct SlotAccess {
  Access access;
  Link slot;
};
template <class Lattice>
constexpr SlotAccess with_slot(Access access) {
  return {access, link_of<Lattice>(access.slot)};
}

/// Element of an access: `regular`, or `cut` if there is no fluid at the far end of the link. Cut accesses stay in the
/// node: there is no storage for others to be had.
template <class Addressing, Order order>
FLUVIA_FUNCTION Uint64 find_element(const IndexTables& tables, int directions, const typename Addressing::Node& node,
                                    const SlotAccess& regular, const SlotAccess& cut, const Link& link) {
  if (regular.access == cut.access || link.direction == 0)
    return element_in<Addressing, order>(tables, directions, node.stored_node, cut.slot);
  const Uint32 there = Addressing::neighbour(tables, node, link);
  bool is_cut = there == no_index;
  if constexpr (requires { Addressing::has_no_cut_links; }) is_cut = false;
  const Uint32 stored_node = is_cut || regular.access.side == 0 ? node.stored_node : there;
  // Slots of a link and of its reverse lie in tiles in the same order.
  Link slot = regular.slot;
  if (is_cut) slot.direction = cut.slot.direction;
  return element_in<Addressing, order>(tables, directions, stored_node, slot);
}

/// The storage index of each population of a node, for a streaming on an index map whose elements are in some order.
template <class Lattice, class Streaming, class Addressing_, Order order>
struct StorageIndices {
  using Addressing = Addressing_;
  using Node = typename Addressing::Node;
  static_assert(needs_fluid_storage_only<Streaming, Lattice>());

  static constexpr bool loads_tile_before_storing = false;

  /// This storage seen by another streaming.
  template <class Other>
  using With = StorageIndices<Lattice, Other, Addressing, order>;
  /// This storage on an index map that finds neighbours in another way.
  template <class Other>
  using On = StorageIndices<Lattice, Streaming, Other, order>;

  /// This streaming on this index map, with elements in another order.
  template <Order other>
  using In = StorageIndices<Lattice, Streaming, Addressing, other>;

  static FLUVIA_FUNCTION void open(const IndexTables& tables, Uint32 number, Node& node) {
    Addressing::open(tables, number, node);
  }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const IndexTables& tables, Uint32 tile, Uint32 bit) {
    return Addressing::template in_tile<dimension>(tables, tile, bit);
  }
  static FLUVIA_FUNCTION Uint64 own(const IndexTables& tables, Uint32 stored_node, int slot) {
    static_assert(order != Order::by_slot_turned, "depends on where the slot's populations move");
    return element_of<order>(tables, Lattice::Q, stored_node, slot);
  }
  template <int parity, int i>
  static FLUVIA_FUNCTION Uint64 read(const IndexTables& tables, const Node& node) {
    constexpr SlotAccess regular = with_slot<Lattice>(Streaming::read_from(parity, i)),
                         cut = with_slot<Lattice>(Streaming::read_cut(parity, i));
    constexpr Link link = link_of<Lattice>(opposite(i));
    return find_element<Addressing, order>(tables, Lattice::Q, node, regular, cut, link);
  }
  /// The element where f_i is found, for a link known to be cut.
  template <int parity, int i>
  static FLUVIA_FUNCTION Uint64 read_cut(const IndexTables& tables, const Node& node) {
    constexpr Link slot = link_of<Lattice>(Streaming::read_cut(parity, i).slot);
    return element_in<Addressing, order>(tables, Lattice::Q, node.stored_node, slot);
  }
  template <int parity, int i>
  static FLUVIA_FUNCTION Uint64 write(const IndexTables& tables, const Node& node) {
    constexpr SlotAccess regular = with_slot<Lattice>(Streaming::write_to(parity, i)),
                         cut = with_slot<Lattice>(Streaming::write_cut(parity, i));
    constexpr Link link = link_of<Lattice>(i);
    return find_element<Addressing, order>(tables, Lattice::Q, node, regular, cut, link);
  }
};

}  // namespace fluvia::core
