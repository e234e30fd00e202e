// SPDX-License-Identifier: Apache-2.0
// The types behind the names of core::Addressing that are index maps.
#pragma once
#include "fluvia/core/published/connectivity_matrix.hpp"
#include "fluvia/core/published/fluid_index_array.hpp"
#include "fluvia/core/published/full_box.hpp"
#include "fluvia/core/published/ghost_buffers.hpp"
#include "fluvia/core/published/ghost_cells.hpp"
#include "fluvia/core/published/half_box.hpp"
#include "fluvia/core/published/storage_indices.hpp"
#include "fluvia/core/published/tiles.hpp"
#include "fluvia/core/scheme/scheme.hpp"

namespace fluvia::core {

template <Addressing addressing, int dimension, int edge>
struct IndexMap;

template <int dimension, int edge>
struct IndexMap<Addressing::array_of_structures, dimension, edge> {
  using Type = FullBox;
  static constexpr Order order = Order::by_node;
};
template <int dimension, int edge>
struct IndexMap<Addressing::structure_of_arrays, dimension, edge> {
  using Type = FullBox;
  static constexpr Order order = Order::by_slot;
};
template <int dimension, int edge>
struct IndexMap<Addressing::tiles, dimension, edge> {
  using Type = Tiles<dimension, edge>;
  // As S1 has it, in its tiles in space: in larger ones a warp of threads would touch a sector for each of its nodes.
  static constexpr Order order = dimension == 3 && edge == 4 ? Order::by_slot_turned : Order::by_slot;
};
template <int dimension, int edge>
struct IndexMap<Addressing::matrix, dimension, edge> {
  using Type = ConnectivityMatrix;
  static constexpr Order order = Order::by_slot;
};
template <int dimension, int edge>
struct IndexMap<Addressing::fluid_index, dimension, edge> {
  using Type = FluidIndexArray;
  static constexpr Order order = Order::by_slot;
};
template <int dimension, int edge>
struct IndexMap<Addressing::half_box, dimension, edge> {
  using Type = HalfBox;
  static constexpr Order order = Order::by_slot;
};

/// Which storage index each population of a scheme on an index map has; `edge`: nodes along an edge of its tiles, 0 if
/// it has none.
template <class Lattice, class Streaming, Addressing addressing, int edge, Stepping stepping>
struct StorageIndicesOf {
  /// Where populations are between steps.
  using Type = StorageIndices<Lattice, Streaming, typename IndexMap<addressing, Lattice::D, edge>::Type,
                              IndexMap<addressing, Lattice::D, edge>::order>;
  /// Where a step finds and leaves them.
  using Step = Type;
};
template <class Lattice, class Streaming, int edge>
struct StorageIndicesOf<Lattice, Streaming, Addressing::tiles, edge, Stepping::ghost_cells> {
  using Type = StorageIndices<Lattice, Streaming, Tiles<Lattice::D, edge>, Order::by_slot>;
  using Step = GhostCells<Lattice, edge>;
};
template <class Lattice, class Streaming, int edge>
struct StorageIndicesOf<Lattice, Streaming, Addressing::tiles, edge, Stepping::ghost_buffers> {
  using Type = GhostBuffers<Lattice, edge>;
  using Step = Type;
};

}  // namespace fluvia::core
