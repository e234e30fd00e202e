// SPDX-License-Identifier: Apache-2.0
// Neighbours in tiles, found in shared memory.
#pragma once
#include "fluvia/core/published/tiles.hpp"
#include "fluvia/cuda/kernels/arguments.hpp"

namespace fluvia::cuda::kernels {

/// core::Tiles for a block of threads that updates one tile. Its threads first write down the numbers of the tile's
/// nodes and of those around it; then a neighbour takes one read of shared memory instead of a look into the tile map
/// and one at the node's type in global memory, each with an address to compute. (T2C of S1, section 3.2, keeps the
/// numbers of the 27 tiles and the types of nodes there instead.)
///
/// `guesses_`: threads do not wait for each other, for measurements. What they read may then be left from another tile,
/// or anything: what is no number of a stored node counts as solid.
template <class Tiles_, bool guesses_ = false>
struct SharedTiles;
template <int dimension, int edge, bool guesses_>
struct SharedTiles<core::Tiles<dimension, edge>, guesses_> : core::Tiles<dimension, edge> {
  static constexpr bool guesses = guesses_;
  using Base = core::Tiles<dimension, edge>;
  static constexpr int row = edge + 2, plane = dimension == 3 ? row * row : 0;
  static constexpr Uint32 cells = static_cast<Uint32>(row * row * (dimension == 3 ? row : 1));
  /// With what Base finds of each link anew: 2 to 5% fewer instructions for `tgb` and `ghost`.
  struct Node {
    Uint32 stored_node;
    const Uint32* cell;     ///< cell of this node among those of the tile
    Uint32 crossing[3][3];  ///< [axis][1 + step]: bit of the axis if the step leaves the tile
    Uint32 local[3][3];     ///< [axis][1 + step]: coordinate in the tile that it leads to
  };

  /// What thread `local` of as many as the tile has nodes adds to `around`: the numbers of fluid nodes, no_index for
  /// others.
  static FLUVIA_FUNCTION void look_around_together(const core::IndexTables& tables, const Uint32 (&corner)[3],
                                                   Uint32 local, Uint32 (&around)[cells]) {
    core::unroll<(cells + Base::nodes - 1) / Base::nodes>([&](auto turn) {
      const Uint32 cell = local + Base::nodes * static_cast<Uint32>(turn.i);
      if (cell >= cells) return;
      const Uint32 x = core::wrapped(tables, 0, corner[0] + cell % row - 1);
      const Uint32 y = core::wrapped(tables, 1, corner[1] + cell / row % row - 1);
      const Uint32 z = dimension == 3 ? core::wrapped(tables, 2, corner[2] + cell / (row * row) - 1) : 0;
      const bool outside = x == core::no_index || y == core::no_index || z == core::no_index;
      around[cell] = outside ? core::no_index : Base::fluid_at(tables, x, y, z);
    });
  }
  /// Node `local` of that tile, once all threads have called look_around_together().
  static FLUVIA_FUNCTION void open(const core::IndexTables& tables, const Uint32 (&corner)[3], Uint32 local,
                                   const Uint32 (&around)[cells], Node& node) {
    core::BoxNode around_node;
    Base::look_around_from(tables, corner, local, around_node);
    for (int axis = 0; axis < 3; ++axis)
      for (int step = 0; step < 3; ++step) {
        const Uint32 here = around_node.at[axis][1], there = around_node.at[axis][step];
        node.crossing[axis][step] = here >> Base::log2 != there >> Base::log2 ? 1u << axis : 0;
        node.local[axis][step] = there & (edge - 1);
      }
    const auto along = [&](int axis) { return static_cast<int>(Base::local_coordinate(local, axis)) + 1; };
    node.cell = around + (along(0) + row * along(1) + (dimension == 3 ? plane * along(2) : 0));
    const bool inside = around_node.at[0][1] < tables.size[0] && around_node.at[1][1] < tables.size[1] &&
                        around_node.at[2][1] < tables.size[2];
    node.stored_node = inside ? stored_node_in(tables, *node.cell)
                              : core::no_index;  // beyond the end of a periodic axis, cells are those at its start
  }
  static FLUVIA_FUNCTION Uint32 neighbour(const core::IndexTables& tables, const Node& node, const core::Link& link) {
    return stored_node_in(tables, node.cell[link.step[0] + row * link.step[1] + plane * link.step[2]]);
  }
  static FLUVIA_FUNCTION Uint32 crossed(const Node& node, const core::Link& link) {
    return node.crossing[0][1 + link.step[0]] | node.crossing[1][1 + link.step[1]] | node.crossing[2][1 + link.step[2]];
  }
  static FLUVIA_FUNCTION Uint32 local_besides(const Node& node, const core::Link& link, Uint32 axes) {
    return Base::join_besides(node.local[0][1 + link.step[0]], node.local[1][1 + link.step[1]],
                              node.local[2][1 + link.step[2]], axes);
  }

 private:
  static FLUVIA_FUNCTION Uint32 stored_node_in([[maybe_unused]] const core::IndexTables& tables, Uint32 cell) {
    if constexpr (guesses)
      return cell < tables.stored ? cell : core::no_index;
    else
      return cell;
  }
};

}  // namespace fluvia::cuda::kernels
