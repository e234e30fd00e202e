// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/addressing/indexed_places.hpp"
#include "fluvia/core/addressing/tiles.hpp"

namespace fluvia::core {

/// One lattice, gathered from and written to by the same step: a block (tile) of threads reads all of its nodes before
/// it writes the first, and what it needs of other blocks lies in ghost cells of its own, which were filled before the
/// step. S4 sections 2.4 and 2.5.
///
/// Ghost cells surround a block. Those on one side of it (a face, an edge, a corner) hold the populations that enter
/// the block from there: values follow each other by block, side, direction, cell. Of D2Q9 these are three for a cell
/// next to a face and one for a corner, as S4 Fig. 4 moves them.
template <class Lattice, int edge, class Addressing_ = Tiles<Lattice::D, edge>>
struct GhostCells {
  static constexpr int dimension = Lattice::D;
  using Addressing = Addressing_;
  using Node = typename Addressing::Node;
  static constexpr bool loads_tile_before_storing = true;

  /// The same storage, with tiles that find neighbours in another way.
  template <class Other>
  using On = GhostCells<Lattice, edge, Other>;

  /// Sides are 13 + x + 3 y + 9 z for the side at (x,y,z) of the block; 13 is the block itself.
  static constexpr int side_count = 27, itself = 13;
  static constexpr int component(int side, int axis) { return side / (axis == 0 ? 1 : axis == 1 ? 3 : 9) % 3 - 1; }
  /// True if direction i leads from a side into the block.
  static constexpr bool enters(int side, int i) {
    for (int axis = 0; axis < 3; ++axis)
      if (component(side, axis) != 0 && Lattice::c[i][axis] != -component(side, axis)) return false;
    return side != itself;
  }
  /// Directions below i that enter from a side.
  static constexpr Uint32 rank(int side, int i) {
    Uint32 count = 0;
    for (int k = 0; k < i; ++k) count += enters(side, k) ? 1 : 0;
    return count;
  }
  static constexpr Uint32 cells(int side) {
    Uint32 count = rank(side, Lattice::Q) > 0 ? 1 : 0;
    for (int axis = 0; axis < dimension; ++axis)
      if (component(side, axis) == 0) count *= edge;
    return count;
  }
  static constexpr Uint32 first_cell(int side) {
    Uint32 count = 0;
    for (int k = 0; k < side; ++k) count += cells(k);
    return count;
  }
  static constexpr Uint32 first_value(int side) {
    Uint32 count = 0;
    for (int k = 0; k < side; ++k) count += cells(k) * rank(k, Lattice::Q);
    return count;
  }
  static constexpr Uint32 cells_of_block = first_cell(side_count), values_of_block = first_value(side_count);

  static FLUVIA_FUNCTION void open(const Sites& sites, Uint32 place, Node& node) {
    Addressing::open(sites, place, node);
  }
  template <int, int i>
  static FLUVIA_FUNCTION Uint64 read(const Sites& sites, const Node& node) {
    if constexpr (i == 0) {
      return own(sites, node.site, i);
    } else {
      constexpr Link link = link_of<Lattice>(opposite(i));
      const Uint32 there = Addressing::neighbour(sites, node, link), crossed = Addressing::crossed(node, link);
      Uint32 value = 0;
      unroll<8>([&](auto axes) {
        constexpr int side = side_of(i, axes.i);
        if constexpr (side != itself)
          value = crossed == static_cast<Uint32>(axes.i) ? first_value(side) + values_before(side, i) : value;
      });
      const Uint32 block = node.site / Addressing::nodes;
      const Uint64 ghost = sites.read_ghosts + static_cast<Uint64>(block) * values_of_block + value +
                           Addressing::local_besides(node, link, crossed);
      const Uint64 inside = there == no_site ? own(sites, node.site, opposite(i)) : own(sites, there, i);
      return crossed == 0 || there == no_site ? inside : ghost;
    }
  }
  template <int, int i>
  static FLUVIA_FUNCTION Uint64 write(const Sites& sites, const Node& node) {
    return own(sites, node.site, i);
  }
  static FLUVIA_FUNCTION Uint64 own(const Sites& sites, Uint32 site, int slot) {
    return element_of<Order::by_slot>(sites, Lattice::Q, site, slot);
  }

  /// Calls move(from, to) for the values of ghost cell number `cell` of all blocks: elements of memory.
  template <class Move>
  static FLUVIA_FUNCTION void update(const Sites& sites, Uint32 cell, Move&& move) {
    const Uint32 block = cell / cells_of_block, in_block = cell % cells_of_block;
    unroll<side_count>([&](auto s) {
      constexpr int side = s.i;
      if constexpr (cells(side) > 0) {
        if (in_block < first_cell(side) || in_block >= first_cell(side) + cells(side)) return;
        const Uint32 number = in_block - first_cell(side);
        const Uint32 from = duplicated(sites, block, side, number);
        if (from == no_site) return;
        const Uint64 to = sites.read_ghosts + static_cast<Uint64>(block) * values_of_block + first_value(side) + number;
        unroll<Lattice::Q>([&](auto i) {
          if constexpr (enters(side, i.i)) move(own(sites, from, i.i), to + values_before(side, i.i));
        });
      }
    });
  }

 private:
  static constexpr Uint32 values_before(int side, int i) { return rank(side, i) * cells(side); }
  /// Where direction i comes from if it enters the block along the axes of a set; `itself` if it does not move along
  /// all of them.
  static constexpr int side_of(int i, int axes) {
    int side = itself;
    for (int axis = 0, stride = 1; axis < 3; ++axis, stride *= 3) {
      if ((axes >> axis & 1) == 0) continue;
      if (Lattice::c[i][axis] == 0) return itself;
      side -= Lattice::c[i][axis] * stride;
    }
    return side;
  }
  /// The site that a ghost cell duplicates.
  static FLUVIA_FUNCTION Uint32 duplicated(const Sites& sites, Uint32 block, int side, Uint32 number) {
    BoxNode corner;
    Addressing::look_around_tile(sites, block, 0, corner);
    Uint32 x[3];
    for (int axis = 0; axis < 3; ++axis) {
      const int e = component(side, axis);
      if (axis >= dimension) {
        x[axis] = 0;
      } else if (e == 0) {
        x[axis] = corner.at[axis][1] + number % edge;
        number /= edge;
        if (x[axis] >= sites.size[axis]) return no_site;
      } else {
        Uint32 last[3];
        const Uint32 end = corner.at[axis][1] + edge;
        look_around(sites, axis, (end < sites.size[axis] ? end : sites.size[axis]) - 1, 1, last);
        x[axis] = e < 0 ? corner.at[axis][0] : last[2];
        if (x[axis] == no_site) return no_site;
      }
    }
    return Addressing::site_at(sites, x[0], x[1], x[2]);
  }
};

}  // namespace fluvia::core
