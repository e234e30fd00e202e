// SPDX-License-Identifier: Apache-2.0
// Streaming x addressing x order of the elements: which element of memory holds a population.
#pragma once
#include "fluvia/core/addressing/sites.hpp"
#include "fluvia/core/streaming/access.hpp"

namespace fluvia::core {

/// All populations of a site together (AoS), or those of each slot (SoA).
enum class Order { by_site, by_slot };

template <Order order>
FLUVIA_FUNCTION Uint64 element_of(const Sites& sites, int directions, Uint32 site, int slot) {
  return order == Order::by_site
             ? static_cast<Uint64>(site) * static_cast<Uint64>(directions) + static_cast<Uint64>(slot)
             : static_cast<Uint64>(slot) * sites.stored + site;
}

/// Element of an access: `regular`, or `cut` if there is no fluid at the far end of the link. Cut accesses stay in the
/// node: there is no storage for others to be had.
template <class Addressing, Order order>
FLUVIA_FUNCTION Uint64 find_element(const Sites& sites, int directions, const typename Addressing::Node& node,
                                    Access regular, Access cut, const Link& link) {
  if (regular == cut || link.direction == 0) return element_of<order>(sites, directions, node.site, cut.slot);
  const Uint32 there = Addressing::neighbour(sites, node, link);
  const Uint32 site = there == no_site || regular.side == 0 ? node.site : there;
  return element_of<order>(sites, directions, site, there == no_site ? cut.slot : regular.slot);
}

/// What kernels need of a scheme on sites.
template <class Lattice, class Streaming, class Addressing_, Order order>
struct IndexedPlaces {
  using Addressing = Addressing_;
  using Node = typename Addressing::Node;
  static_assert(needs_fluid_storage_only<Streaming, Lattice>());

  static constexpr bool loads_tile_before_storing = false;

  /// The same storage seen by another streaming.
  template <class Other>
  using With = IndexedPlaces<Lattice, Other, Addressing, order>;
  /// The same storage, with sites that find neighbours in another way.
  template <class Other>
  using On = IndexedPlaces<Lattice, Streaming, Other, order>;

  static FLUVIA_FUNCTION void open(const Sites& sites, Uint32 place, Node& node) {
    Addressing::open(sites, place, node);
  }
  template <int dimension>
  static FLUVIA_FUNCTION Uint32 in_tile(const Sites& sites, Uint32 tile, Uint32 bit) {
    return Addressing::template in_tile<dimension>(sites, tile, bit);
  }
  static FLUVIA_FUNCTION Uint64 own(const Sites& sites, Uint32 site, int slot) {
    return element_of<order>(sites, Lattice::Q, site, slot);
  }
  template <int parity, int i>
  static FLUVIA_FUNCTION Uint64 read(const Sites& sites, const Node& node) {
    constexpr Access regular = Streaming::read_from(parity, i), cut = Streaming::read_cut(parity, i);
    constexpr Link link = link_of<Lattice>(opposite(i));
    return find_element<Addressing, order>(sites, Lattice::Q, node, regular, cut, link);
  }
  /// The same of a link known to be cut.
  template <int parity, int i>
  static FLUVIA_FUNCTION Uint64 read_cut(const Sites& sites, const Node& node) {
    return own(sites, node.site, Streaming::read_cut(parity, i).slot);
  }
  template <int parity, int i>
  static FLUVIA_FUNCTION Uint64 write(const Sites& sites, const Node& node) {
    constexpr Access regular = Streaming::write_to(parity, i), cut = Streaming::write_cut(parity, i);
    constexpr Link link = link_of<Lattice>(i);
    return find_element<Addressing, order>(sites, Lattice::Q, node, regular, cut, link);
  }
};

}  // namespace fluvia::core
