// SPDX-License-Identifier: Apache-2.0
// Steps ask the second-level cache for populations before their loads do, in pieces as long as storage has them: memory
// serves these faster than the loads of many warps, mixed with their writes. Too early is worse than not at all, since
// other data drives them out again; docs/decisions/0031.
#pragma once
#include "fluvia/cuda/kernels/arguments.hpp"
#include "fluvia/cuda/kernels/thread_nodes.hpp"

namespace fluvia::cuda::kernels {

/// Which slots of which rows of a dense box arrive at a row: for each direction the slot, and how many rows and layers
/// away.
template <class Lattice, class Streaming, int parity>
struct ArrivingRows {
  int slot[Lattice::Q] = {}, rows[Lattice::Q] = {}, layers[Lattice::Q] = {};
  constexpr ArrivingRows() {
    for (int i = 0; i < Lattice::Q; ++i) {
      const core::Access access = Streaming::read_from(parity, i);
      const Offset<Lattice> d(access, i);
      slot[i] = access.slot;
      rows[i] = d.y;
      layers[i] = d.z;
    }
  }
};
template <class Lattice, class Streaming, int parity>
__device__ constexpr ArrivingRows<Lattice, Streaming, parity> arriving_rows{};

/// Prefetches the populations that arrive DenseBox::rows_ahead rows after the `nodes` nodes from (x,y,z) on, which the
/// threads of a row of a block take: a thread asks for each direction.
template <class Spec, int parity>
__device__ __forceinline__ void prefetch_rows(const DenseBox& box, Uint32 nodes, Uint32 x, Uint32 y, Uint32 z) {
  using Lattice = typename Spec::Lattice;
  constexpr Uint32 bytes = sizeof(typename Spec::Format::Storage);
  if (box.rows_ahead == 0 || threadIdx.x >= Lattice::Q) return;
  const auto& from = arriving_rows<Lattice, typename Spec::Streaming, parity>;
  const Uint32 row = y + box.rows_ahead + static_cast<Uint32>(from.rows[threadIdx.x]) +
                     box.size[1] * (z + static_cast<Uint32>(from.layers[threadIdx.x]));
  if (row >= box.size[1] * box.size[2]) return;  // before the first row, too: numbers wrap
  prefetch_global(box.source[from.slot[threadIdx.x]] + (x + static_cast<Uint64>(box.pitch) * row) * bytes,
                  min(nodes, box.pitch - x) * bytes);
}

/// Asks for all populations of the tiles with storage indices from `first` to `end`.
template <class Spec>
__device__ __forceinline__ void prefetch_tiles(const CompactTiles& geometry, Uint32 first, Uint32 end) {
  constexpr Uint64 bytes = Spec::Lattice::Q * sizeof(typename Spec::Format::Storage);
  if (first >= end) return;
  const Tile& last = geometry.tiles[end - 1];
  const Uint64 begin = geometry.tiles[first].base;
  prefetch_global(geometry.source + begin * bytes,
                  static_cast<Uint32>((last.base + (last.flags & tile_count_bits) - begin) * bytes));
}

}  // namespace fluvia::cuda::kernels
