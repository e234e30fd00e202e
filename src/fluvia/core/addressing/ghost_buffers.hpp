// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/addressing/indexed_places.hpp"
#include "fluvia/core/addressing/tiles.hpp"

namespace fluvia::core {

/// One lattice: populations that stay in a tile are scattered to their nodes when all of the tile have been read; those
/// that leave it go to ghost buffers, from which the tile they go to gathers them in the next step. There are two of
/// each buffer, one read and one written in a step. S1 section 3.1.1.2, Figs 2 to 4.
///
/// A tile has a buffer of edge^(D-1) values for each direction and each axis along which that moves: the populations of
/// the face that leave through it, not shifted. Leaving along several axes at once, a population goes through the
/// first. Only buffers that some tile reads have memory.
///   buffers   [tile][reads, then writes]: number of the buffer
///     reads   for each direction, for each set of axes along which it may have come from another tile, in the order of
///             the sets' bits among the axes along which the direction moves: 1, 3 or 7
///     writes  for each direction, for each axis along which it moves: 1, 2 or 3
/// With q_s, q_d, q_t directions along 1, 2, 3 axes that is 2 q_s + 5 q_d + 10 q_t, S1 eq. 29.
template <class Lattice, int edge>
struct GhostBuffers {
  static constexpr int dimension = Lattice::D;
  using Addressing = Tiles<dimension, edge>;
  using Node = BoxNode;

  static constexpr int axes_of(int i) {
    return (Lattice::c[i][0] != 0 ? 1 : 0) + (Lattice::c[i][1] != 0 ? 1 : 0) + (Lattice::c[i][2] != 0 ? 1 : 0);
  }
  static constexpr Uint32 first_read(int i) {
    Uint32 count = 0;
    for (int k = 0; k < i; ++k) count += (1u << axes_of(k)) - 1;
    return count;
  }
  static constexpr Uint32 first_write(int i) {
    Uint32 count = first_read(Lattice::Q);
    for (int k = 0; k < i; ++k) count += static_cast<Uint32>(axes_of(k));
    return count;
  }
  static constexpr Uint32 indices_of_tile = first_write(Lattice::Q);
  static constexpr Uint32 values_of_buffer = Addressing::nodes / edge;

  static FLUVIA_FUNCTION void open(const Sites& sites, Uint32 place, Node& node) {
    Addressing::open(sites, place, node);
  }
  template <int D>
  static FLUVIA_FUNCTION Uint32 in_tile(const Sites& sites, Uint32 tile, Uint32 bit) {
    return Addressing::template in_tile<D>(sites, tile, bit);
  }
  template <int, int i>
  static FLUVIA_FUNCTION Uint64 read(const Sites& sites, const Node& node) {
    constexpr Link link = link_of<Lattice>(opposite(i));
    const Uint32 crossed = Addressing::crossed(node, link);
    if (crossed == 0 || Addressing::neighbour(sites, node, link) == no_site) return own(sites, node.site, i);
    const Uint32 index = first_read(i) + rank_of_axes(link, crossed) - 1;
    return sites.read_ghosts + value_of(sites, node, index, Addressing::local_besides(node, link, lowest(crossed)));
  }
  template <int, int i>
  static FLUVIA_FUNCTION Uint64 write(const Sites& sites, const Node& node) {
    constexpr Link link = link_of<Lattice>(i);
    const Uint32 there = i == 0 ? node.site : Addressing::neighbour(sites, node, link);
    if (there == no_site) return own(sites, node.site, opposite(i));
    const Uint32 crossed = Addressing::crossed(node, link);
    if (crossed == 0) return own(sites, there, i);
    constexpr Link nowhere{0, {0, 0, 0}};
    const Uint32 face = lowest(crossed), index = first_write(i) + rank_of_axis(link, face);
    return sites.write_ghosts + value_of(sites, node, index, Addressing::local_besides(node, nowhere, face));
  }
  static FLUVIA_FUNCTION Uint64 own(const Sites& sites, Uint32 site, int slot) {
    return element_of<Order::by_slot>(sites, Lattice::Q, site, slot);
  }

  /// A set of axes among those along which a link moves, as bits without gaps.
  static FLUVIA_FUNCTION constexpr Uint32 rank_of_axes(const Link& link, Uint32 axes) {
    Uint32 rank = 0, bit = 1;
    for (int axis = 0; axis < 3; ++axis) {
      if (link.step[axis] == 0) continue;
      if ((axes >> axis & 1u) != 0) rank |= bit;
      bit <<= 1;
    }
    return rank;
  }
  /// Axes along which a link moves before the one whose bit is `axis`.
  static FLUVIA_FUNCTION constexpr Uint32 rank_of_axis(const Link& link, Uint32 axis) {
    return (link.step[0] != 0 && axis > 1 ? 1u : 0u) + (link.step[1] != 0 && axis > 2 ? 1u : 0u);
  }
  static FLUVIA_FUNCTION constexpr Uint32 lowest(Uint32 bits) { return bits & (~bits + 1); }

 private:
  static FLUVIA_FUNCTION Uint64 value_of(const Sites& sites, const Node& node, Uint32 index, Uint32 value) {
    const Uint64 tile = node.site / Addressing::nodes;
    return static_cast<Uint64>(constant(sites.buffers + (tile * indices_of_tile + index))) * values_of_buffer + value;
  }
};

}  // namespace fluvia::core
