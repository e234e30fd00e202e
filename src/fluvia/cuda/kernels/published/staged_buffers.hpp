// SPDX-License-Identifier: Apache-2.0
// Ghost buffers of S1 that are propagated horizontally, staged in shared memory (section 3.2, Fig. 4).
#pragma once
#include "fluvia/core/published/ghost_buffers.hpp"
#include "fluvia/cuda/kernels/published/index_map.hpp"

namespace fluvia::cuda::kernels {

/// The buffers of a tile's left and right faces. Only the first or the last thread of each row touches one of these, so
/// that a warp would read or write a value or two of a sector, and another warp the rest. Instead threads that follow
/// each other bring whole buffers into shared memory, and take them back from there. What is above and below the tile
/// follows its rows anyway, and at a corner there is but one value.
template <class Indices, class Stored>
struct StagedBuffers {
  using Lattice = typename Indices::Lattice_;
  static constexpr Uint32 values = Indices::values_of_buffer;

  static constexpr bool is_staged(int i) { return Lattice::c[i][0] != 0; }
  /// Staged directions below i.
  static constexpr Uint32 rank(int i) {
    Uint32 count = 0;
    for (int k = 0; k < i; ++k) count += is_staged(k) ? 1 : 0;
    return count;
  }
  static constexpr Uint32 size = rank(Lattice::Q) * values;

  /// Reads the buffers by which populations come to the tile; all threads of the block do so together.
  static __device__ __forceinline__ void fetch(const IndexMapBox& box, Uint32 tile, Stored (&stage)[size]) {
    for_each_value([&](Uint32 k) {
      const Uint32 number = core::constant(Indices::entry_of_tile(box.tables, tile, index<false>(k / values)));
      if (number == core::no_index) return;
      Stored value;
      read_global(box.source + (box.tables.read_ghosts + Indices::of_buffer(number, k % values)) * sizeof(Stored),
                  value);
      stage[k] = value;
    });
  }
  /// Writes the buffers by which populations leave to memory: all values of a buffer, also of nodes that have put
  /// nothing there, which nobody reads.
  static __device__ __forceinline__ void flush(const IndexMapBox& box, Uint32 tile, const Stored (&stage)[size]) {
    for_each_value([&](Uint32 k) {
      const Uint32 number = core::constant(Indices::entry_of_tile(box.tables, tile, index<true>(k / values)));
      if (number == core::no_index) return;
      write_global(box.target + (box.tables.write_ghosts + Indices::of_buffer(number, k % values)) * sizeof(Stored),
                   stage[k]);
    });
  }

 private:
  template <class Body>
  static __device__ __forceinline__ void for_each_value(Body&& body) {
    constexpr Uint32 threads = Indices::Addressing::nodes;
    core::unroll<(size + threads - 1) / threads>([&](auto turn) {
      const Uint32 k = threadIdx.x + threads * static_cast<Uint32>(turn.i);
      if (k < size) body(k);
    });
  }
  /// Where, among the numbers of a tile's buffers, that of the staged direction with rank `wanted` is.
  template <bool leaves>
  static __device__ __forceinline__ Uint32 index(Uint32 wanted) {
    Uint32 found = 0;
    core::unroll<Lattice::Q>([&](auto i) {
      constexpr int direction = i.i;
      if constexpr (is_staged(direction)) {
        constexpr Uint32 at = leaves ? Indices::first_write(direction) : Indices::first_read(direction);
        if (wanted == rank(direction)) found = at;
      }
    });
    return found;
  }
};

}  // namespace fluvia::cuda::kernels
