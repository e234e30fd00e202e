// SPDX-License-Identifier: Apache-2.0
// Streaming x addressing x order of the elements: which element of memory holds a population.
#pragma once
#include "fluvia/core/published/sites.hpp"
#include "fluvia/core/streaming/access.hpp"

namespace fluvia::core {

/// All populations of a site together (AoS), or those of each slot (SoA); turned, in each tile those follow each other
/// that a slot's populations do not leave their row for (Tiles::turned, S1 section 3.2).
enum class Order { by_site, by_slot, by_slot_turned };

template <Order order>
FLUVIA_FUNCTION Uint64 element_of(const Sites& sites, int directions, Uint32 site, int slot) {
  return order == Order::by_site
             ? static_cast<Uint64>(site) * static_cast<Uint64>(directions) + static_cast<Uint64>(slot)
             : static_cast<Uint64>(slot) * sites.stored + site;
}

/// The element of a slot of a site, where the order may depend on where the slot's populations move: `slot` is the link
/// of that direction.
template <class Addressing, Order order>
FLUVIA_FUNCTION Uint64 element_in(const Sites& sites, int directions, Uint32 site, const Link& slot) {
  if constexpr (order == Order::by_slot_turned)
    return element_of<Order::by_slot>(sites, directions, Addressing::turned(site, slot), slot.direction);
  else
    return element_of<order>(sites, directions, site, slot.direction);
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
FLUVIA_FUNCTION Uint64 find_element(const Sites& sites, int directions, const typename Addressing::Node& node,
                                    const SlotAccess& regular, const SlotAccess& cut, const Link& link) {
  if (regular.access == cut.access || link.direction == 0)
    return element_in<Addressing, order>(sites, directions, node.site, cut.slot);
  const Uint32 there = Addressing::neighbour(sites, node, link);
  bool is_cut = there == no_site;
  if constexpr (requires { Addressing::has_no_cut_links; }) is_cut = false;
  const Uint32 site = is_cut || regular.access.side == 0 ? node.site : there;
  // Slots of a link and of its reverse lie in tiles in the same order.
  Link slot = regular.slot;
  if (is_cut) slot.direction = cut.slot.direction;
  return element_in<Addressing, order>(sites, directions, site, slot);
}

/// What kernels need of a scheme on sites.
template <class Lattice, class Streaming, class Addressing_, Order order>
struct IndexedPlaces {
  using Addressing = Addressing_;
  using Node = typename Addressing::Node;
  static_assert(needs_fluid_storage_only<Streaming, Lattice>());

  static constexpr bool loads_tile_before_storing = false;

  /// This storage seen by another streaming.
  template <class Other>
  using With = IndexedPlaces<Lattice, Other, Addressing, order>;
  /// This storage, with sites that find neighbours in another way.
  template <class Other>
  using On = IndexedPlaces<Lattice, Streaming, Other, order>;

  /// This streaming on these sites, with elements in another order.
  template <Order other>
  using In = IndexedPlaces<Lattice, Streaming, Addressing, other>;

  static FLUVIA_FUNCTION void open(const Sites& sites, Uint32 place, Node& node) {
    Addressing::open(sites, place, node);
  }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const Sites& sites, Uint32 tile, Uint32 bit) {
    return Addressing::template in_tile<dimension>(sites, tile, bit);
  }
  static FLUVIA_FUNCTION Uint64 own(const Sites& sites, Uint32 site, int slot) {
    static_assert(order != Order::by_slot_turned, "depends on where the slot's populations move");
    return element_of<order>(sites, Lattice::Q, site, slot);
  }
  template <int parity, int i>
  static FLUVIA_FUNCTION Uint64 read(const Sites& sites, const Node& node) {
    constexpr SlotAccess regular = with_slot<Lattice>(Streaming::read_from(parity, i)),
                         cut = with_slot<Lattice>(Streaming::read_cut(parity, i));
    constexpr Link link = link_of<Lattice>(opposite(i));
    return find_element<Addressing, order>(sites, Lattice::Q, node, regular, cut, link);
  }
  /// The element where f_i is found, for a link known to be cut.
  template <int parity, int i>
  static FLUVIA_FUNCTION Uint64 read_cut(const Sites& sites, const Node& node) {
    constexpr Link slot = link_of<Lattice>(Streaming::read_cut(parity, i).slot);
    return element_in<Addressing, order>(sites, Lattice::Q, node.site, slot);
  }
  template <int parity, int i>
  static FLUVIA_FUNCTION Uint64 write(const Sites& sites, const Node& node) {
    constexpr SlotAccess regular = with_slot<Lattice>(Streaming::write_to(parity, i)),
                         cut = with_slot<Lattice>(Streaming::write_cut(parity, i));
    constexpr Link link = link_of<Lattice>(i);
    return find_element<Addressing, order>(sites, Lattice::Q, node, regular, cut, link);
  }
};

}  // namespace fluvia::core
