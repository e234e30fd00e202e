// SPDX-License-Identifier: Apache-2.0
// What crosses between the parts of a domain: populations that arrive at nodes of one part from nodes of another.
// Between two steps both parts have them in the same slot of the same node, where the storage says that they arrive.
// One block of 64 threads a tile; `Storage` has the parity that the next step will have.
#pragma once
#include "fluvia/cuda/kernels/tile_access.hpp"

namespace fluvia::cuda::kernels {

namespace detail {
/// Calls visit(value in the message, memory number) for what conditions keep, in blocks behind those of tiles.
template <class Visit>
__device__ __forceinline__ void for_kept_number(const Crossings& crossings, Visit&& visit) {
  const Uint32 k = (blockIdx.x - crossings.tile_count) * nodes_per_tile + threadIdx.x;
  if (k < crossings.number_count) visit(crossings.numbers[k].output, crossings.numbers[k].memory);
}

/// Calls visit(index in the message, population) for all that cross at this thread's node.
template <class Spec, class Storage, class Visit>
__device__ __forceinline__ void for_each_crossing(const Storage& storage, const Crossings& crossings, Visit&& visit) {
  __shared__ Surroundings around;
  const CrossingTile tile = crossings.tiles[blockIdx.x];
  typename Storage::Node node;
  open_tile(storage, tile.place, around, node);
  const Uint64 bit = Uint64{1} << threadIdx.x;
  for (Uint32 k = tile.first; k < tile.first + tile.count; ++k) {
    const CrossingRun run = crossings.runs[k];
    if ((run.mask & bit) == 0) continue;
    const Uint32 at = run.output + static_cast<Uint32>(__popcll(run.mask & (bit - 1)));
    core::unroll<Spec::Lattice::Q>([&](auto i) {
      constexpr int d = i.i;
      if (d == static_cast<int>(run.direction)) visit(at, storage.template arriving<d>(node));
    });
  }
}
}  // namespace detail

/// Puts what leaves to other parts into the message to them.
template <class Spec, class Storage, class Box>
__global__ void pack_crossings(const __grid_constant__ Box box, const Crossings crossings,
                               typename Storage::Stored* out, const Arithmetic<Spec>* memory) {
  const Storage storage{box};
  auto* const numbers = reinterpret_cast<Arithmetic<Spec>*>(out);
  if (blockIdx.x >= crossings.tile_count)
    return detail::for_kept_number(crossings, [&](Uint32 at, Uint32 number) { numbers[at] = memory[number]; });
  detail::for_each_crossing<Spec>(storage, crossings,
                                  [&](Uint32 at, typename Storage::Stored& population) { out[at] = population; });
}

/// The reverse: what has arrived from others is put where the next step reads it.
template <class Spec, class Storage, class Box>
__global__ void unpack_crossings(const __grid_constant__ Box box, const Crossings crossings,
                                 const typename Storage::Stored* in, Arithmetic<Spec>* memory) {
  const Storage storage{box};
  const auto* const numbers = reinterpret_cast<const Arithmetic<Spec>*>(in);
  if (blockIdx.x >= crossings.tile_count)
    return detail::for_kept_number(crossings, [&](Uint32 at, Uint32 number) { memory[number] = numbers[at]; });
  detail::for_each_crossing<Spec>(storage, crossings,
                                  [&](Uint32 at, typename Storage::Stored& population) { population = in[at]; });
}

}  // namespace fluvia::cuda::kernels
