// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "fluvia/core/published/storage_indices.hpp"
#include "fluvia/core/published/tiles.hpp"

namespace fluvia::core {

/// One lattice, gathered from and written to by the same step: a block (tile) of threads reads all of its nodes before
/// it writes the first, and what it needs of other blocks lies in ghost cells of its own, which were filled before the
/// step. S4 sections 2.4 and 2.5.
///
/// Ghost cells lie between blocks, which share them: rows and columns of cells between two blocks (in 3D planes), cells
/// at corners between four (in 3D lines, and cells between eight). A cell holds the populations that cross there, one
/// way and the other: of D2Q9 six in rows and columns, three from either node, and four at a corner, one from each of
/// four nodes, as S4 Figs 3 and 4 have it. It is counted with the first of its blocks, so that each block has those at
/// its upper faces, edges and corner. What a block reads lies together, whichever cell it is of: values follow each
/// other by the block that they enter, the side that they come from, direction, cell.
template <class Lattice, int edge, class Addressing_ = Tiles<Lattice::D, edge>>
struct GhostCells {
  static constexpr int dimension = Lattice::D;
  using Addressing = Addressing_;
  using Node = typename Addressing::Node;
  static constexpr bool loads_tile_before_storing = true;

  /// This storage, with tiles that find neighbours in another way.
  template <class Other>
  using On = GhostCells<Lattice, edge, Other>;

  /// Sides are 13 + x + 3 y + 9 z for the side at (x,y,z) of the block that populations enter; 13 is the block itself.
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
  /// The axes, as bits, along which a side lies away from the block: those across which cells lie between blocks.
  static constexpr int axes_of(int side) {
    int axes = 0;
    for (int axis = 0; axis < 3; ++axis) axes |= component(side, axis) != 0 ? 1 << axis : 0;
    return axes;
  }
  /// Cells of a block that lie across a set of axes; none where no direction crosses there.
  static constexpr Uint32 cells(int axes) {
    Uint32 count = 0;
    for (int side = 0; side < side_count; ++side)
      if (side != itself && axes_of(side) == axes && rank(side, Lattice::Q) > 0) count = 1;
    for (int axis = 0; axis < dimension; ++axis)
      if ((axes >> axis & 1) == 0) count *= edge;
    return count;
  }
  static constexpr Uint32 values(int side) { return cells(axes_of(side)) * rank(side, Lattice::Q); }
  static constexpr Uint32 first_value(int side) {
    Uint32 count = 0;
    for (int k = 0; k < side; ++k) count += values(k);
    return count;
  }
  static constexpr Uint32 values_of_block = first_value(side_count);

  static FLUVIA_FUNCTION void open(const IndexTables& tables, Uint32 number, Node& node) {
    Addressing::open(tables, number, node);
  }
  template <int, int i>
  static FLUVIA_FUNCTION Uint64 read(const IndexTables& tables, const Node& node) {
    if constexpr (i == 0) {
      return own(tables, node.stored_node, i);
    } else {
      constexpr Link link = link_of<Lattice>(opposite(i));
      const Uint32 there = Addressing::neighbour(tables, node, link), crossed = Addressing::crossed(node, link);
      Uint32 value = 0;
      unroll<8>([&](auto axes) {
        constexpr int side = side_of(i, axes.i);
        if constexpr (side != itself)
          value = crossed == static_cast<Uint32>(axes.i) ? first_value(side) + values_before(side, i) : value;
      });
      const Uint32 block = node.stored_node / Addressing::nodes;
      const Uint64 ghost = tables.read_ghosts + static_cast<Uint64>(block) * values_of_block + value +
                           Addressing::local_besides(node, link, crossed);
      const Uint64 inside = there == no_index ? own(tables, node.stored_node, opposite(i)) : own(tables, there, i);
      return crossed == 0 || there == no_index ? inside : ghost;
    }
  }
  template <int, int i>
  static FLUVIA_FUNCTION Uint64 write(const IndexTables& tables, const Node& node) {
    return own(tables, node.stored_node, i);
  }
  static FLUVIA_FUNCTION Uint64 own(const IndexTables& tables, Uint32 stored_node, int slot) {
    return element_of<Order::by_slot>(tables, Lattice::Q, stored_node, slot);
  }

  /// How many ghost cells lie across a set of axes, of all blocks.
  template <int axes>
  static FLUVIA_FUNCTION Uint32 all_cells(const IndexTables& tables) {
    constexpr Uint32 of_block = cells(axes);
    return tables.stored / Addressing::nodes * of_block;
  }
  /// Calls move(from, to) for the values of one of them: elements of memory.
  template <int axes, class Move>
  static FLUVIA_FUNCTION void update(const IndexTables& tables, Uint32 cell, Move&& move) {
    if constexpr (constexpr Uint32 of_block = cells(axes); of_block > 0) {
      const Uint32 number = cell % of_block;
      Uint32 below[3], above[3];
      if (!look_across(tables, cell / of_block, axes, number, below, above)) return;
      unroll<side_count>([&](auto s) {
        constexpr int side = s.i;
        if constexpr (axes_of(side) == axes) {
          // What enters from a side comes from the node there and goes to the block of the node across from it.
          const auto stored_node_at = [&](bool across) {
            const auto at = [&](int axis) { return (component(side, axis) > 0) != across ? above[axis] : below[axis]; };
            return Addressing::stored_node_at(tables, at(0), at(1), at(2));
          };
          const Uint32 from = stored_node_at(false), block = stored_node_at(true) / Addressing::nodes;
          const Uint64 to = tables.read_ghosts + static_cast<Uint64>(block) * values_of_block + number;
          unroll<Lattice::Q>([&](auto i) {
            if constexpr (enters(side, i.i)) {
              constexpr Uint32 value = first_value(side) + values_before(side, i.i);
              move(own(tables, from, i.i), to + value);
            }
          });
        }
      });
    }
  }
  /// Fills a cell given by its number among all cells, where those across one set of axes come after those across
  /// another.
  template <class Move>
  static FLUVIA_FUNCTION void update(const IndexTables& tables, Uint32 cell, Move&& move) {
    Uint32 first = 0;
    unroll<8>([&](auto a) {
      constexpr int axes = a.i;
      const Uint32 count = all_cells<axes>(tables);
      if (cell >= first && cell - first < count) update<axes>(tables, cell - first, move);
      first += count;
    });
  }

 private:
  static constexpr Uint32 values_before(int side, int i) { return rank(side, i) * cells(axes_of(side)); }
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
  /// Coordinates of the nodes around a ghost cell of a block: along the axes that it lies across those of the block's
  /// last nodes and of the next block's first, along others its own. False if there is no node on one of the sides.
  static FLUVIA_FUNCTION bool look_across(const IndexTables& tables, Uint32 block, int axes, Uint32 number,
                                          Uint32 (&below)[3], Uint32 (&above)[3]) {
    Uint32 corner[3];
    Addressing::find_corner(tables, block, corner);
    for (int axis = 0; axis < 3; ++axis) {
      const Uint32 size = tables.size[axis], end = corner[axis] + (axis < dimension ? edge : 1);
      if ((axes >> axis & 1) != 0) {
        Uint32 around[3];
        look_around(tables, axis, (end < size ? end : size) - 1, 1, around);
        below[axis] = around[1];
        above[axis] = around[2];
        if (above[axis] == no_index) return false;
      } else {
        below[axis] = above[axis] = corner[axis] + (axis < dimension ? number % edge : 0);
        if (axis < dimension) number /= edge;
        if (below[axis] >= size) return false;
      }
    }
    return true;
  }
};

}  // namespace fluvia::core
