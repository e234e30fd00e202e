// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/storage_indices.hpp"
#include "fluvia/core/published/tiles.hpp"

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
template <class Lattice, int edge, class Addressing_ = Tiles<Lattice::D, edge>, bool has_buffers = true>
struct GhostBuffers {
  using Lattice_ = Lattice;
  using Addressing = Addressing_;
  using Node = typename Addressing::Node;
  static constexpr bool loads_tile_before_storing = true;
  /// Where kernels stage what crosses a tile's left and right faces: S1's TGB is one in the plane.
  static constexpr bool stages_faces = has_buffers && Lattice::D == 2;

  /// This storage, with tiles that find neighbours in another way.
  template <class Other>
  using On = GhostBuffers<Lattice, edge, Other, has_buffers>;
  /// Tiles that are alone: what would leave one bounces back, and no buffer is touched. Another flow, for measurements.
  using Alone = GhostBuffers<Lattice, edge, Addressing, false>;

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

  static FLUVIA_FUNCTION void open(const IndexTables& tables, Uint32 number, Node& node) {
    Addressing::open(tables, number, node);
  }
  template <int D>
  static FLUVIA_FUNCTION Uint32 in_tile(const IndexTables& tables, Uint32 tile, Uint32 bit) {
    return Addressing::template in_tile<D>(tables, tile, bit);
  }
  // read() and write() look up the number of a buffer before they know whether it is needed: on a GPU branches would
  // make each access wait for the one before.
  template <int, int i>
  static FLUVIA_FUNCTION Uint64 read(const IndexTables& tables, const Node& node) {
    if constexpr (i == 0 || !has_buffers) {
      return own(tables, node.stored_node, i);
    } else {
      constexpr Link link = link_of<Lattice>(opposite(i));
      const Uint32 there = Addressing::neighbour(tables, node, link), crossed = Addressing::crossed(node, link);
      const Uint32 rank = rank_of_axes(link, crossed), index = first_read(i) + (rank == 0 ? 0 : rank - 1);
      const Uint32 value =
          at_first<i>(crossed, [&](int axis) { return Addressing::local_besides(node, link, 1u << axis); });
      const Uint32 number = constant(entry(tables, node, index));
      const Uint64 buffered = tables.read_ghosts + of_buffer(number, value);
      return crossed == 0 || there == no_index || is_guess(number) ? own(tables, node.stored_node, i) : buffered;
    }
  }
  /// The element where f_i is found, for a link known to be cut.
  template <int, int i>
  static FLUVIA_FUNCTION Uint64 read_cut(const IndexTables& tables, const Node& node) {
    return own(tables, node.stored_node, i);
  }
  template <int, int i>
  static FLUVIA_FUNCTION Uint64 write(const IndexTables& tables, const Node& node) {
    if constexpr (i == 0) {
      return own(tables, node.stored_node, i);
    } else if constexpr (!has_buffers) {
      constexpr Link link = link_of<Lattice>(i);
      const Uint32 there = Addressing::neighbour(tables, node, link);
      const bool stays = there != no_index && Addressing::crossed(node, link) == 0;
      return stays ? own(tables, there, i) : own(tables, node.stored_node, opposite(i));
    } else {
      constexpr Link link = link_of<Lattice>(i), nowhere{0, {0, 0, 0}};
      const Uint32 there = Addressing::neighbour(tables, node, link), crossed = Addressing::crossed(node, link);
      const Uint32 index = first_write(i) + at_first<i>(crossed, [&](int axis) { return rank_of_axis(link, axis); });
      const Uint32 value =
          at_first<i>(crossed, [&](int axis) { return Addressing::local_besides(node, nowhere, 1u << axis); });
      // Not constant(): merged with the reads above, the numbers of all buffers would take registers during the
      // collision.
      const Uint32 number = *entry(tables, node, index);
      const Uint64 buffered = tables.write_ghosts + of_buffer(number, value);
      const Uint64 inside = there == no_index ? own(tables, node.stored_node, opposite(i)) : own(tables, there, i);
      return crossed == 0 || there == no_index || is_guess(number) ? inside : buffered;
    }
  }
  /// Whether the population of direction i arrives through the tile's left or right face, and through no other, and
  /// which value of the buffer there it is: the first of those that direction i reads.
  template <int i>
  static FLUVIA_FUNCTION bool arrives_by_face(const IndexTables& tables, const Node& node, Uint32& value) {
    constexpr Link link = link_of<Lattice>(opposite(i));
    value = Addressing::local_besides(node, link, 1u);
    return Addressing::crossed(node, link) == 1u && Addressing::neighbour(tables, node, link) != no_index;
  }
  /// Whether it leaves through one of these, maybe through others, too, and which value of the first buffer that
  /// direction i writes it is.
  template <int i>
  static FLUVIA_FUNCTION bool leaves_by_face(const IndexTables& tables, const Node& node, Uint32& value) {
    constexpr Link link = link_of<Lattice>(i), nowhere{0, {0, 0, 0}};
    value = Addressing::local_besides(node, nowhere, 1u);
    return (Addressing::crossed(node, link) & 1u) != 0 && Addressing::neighbour(tables, node, link) != no_index;
  }
  /// Where the number of one of a tile's buffers is, and an element of a buffer among those of its copy.
  static FLUVIA_FUNCTION const Uint32* entry_of_tile(const IndexTables& tables, Uint32 tile, Uint32 index) {
    return tables.buffers + (static_cast<Uint64>(tile) * indices_of_tile + index);
  }
  static FLUVIA_FUNCTION Uint64 of_buffer(Uint32 number, Uint32 value) {
    return static_cast<Uint64>(number) * values_of_buffer + value;
  }
  static FLUVIA_FUNCTION Uint64 own(const IndexTables& tables, Uint32 stored_node, int slot) {
    return element_of<Order::by_slot>(tables, Lattice::Q, stored_node, slot);
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
  /// Axes along which a link moves before the given one.
  static FLUVIA_FUNCTION constexpr Uint32 rank_of_axis(const Link& link, int axis) {
    return (link.step[0] != 0 && axis > 0 ? 1u : 0u) + (link.step[1] != 0 && axis > 1 ? 1u : 0u);
  }

 private:
  /// What `fact` says of the first axis of a set of those along which direction i moves; of the last of them if the set
  /// is empty.
  template <int i, class Fact>
  static FLUVIA_FUNCTION Uint32 at_first(Uint32 axes, Fact&& fact) {
    Uint32 found = 0;
    bool is_last = true;
    unroll<3>([&](auto k) {
      constexpr int axis = 2 - k.i;
      if constexpr (Lattice::c[i][axis] != 0) {
        found = is_last || (axes >> axis & 1u) != 0 ? fact(axis) : found;
        is_last = false;
      }
    });
    return found;
  }
  /// True of a number that is none, where an addressing may be wrong about what is beyond the tile.
  static FLUVIA_FUNCTION bool is_guess([[maybe_unused]] Uint32 number) {
    if constexpr (requires { Addressing::guesses; })
      return Addressing::guesses && number == no_index;
    else
      return false;
  }
  static FLUVIA_FUNCTION const Uint32* entry(const IndexTables& tables, const Node& node, Uint32 index) {
    return entry_of_tile(tables, node.stored_node / Addressing::nodes, index);
  }
};

}  // namespace fluvia::core
