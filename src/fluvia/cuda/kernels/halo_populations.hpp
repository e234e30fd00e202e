// SPDX-License-Identifier: Apache-2.0
// Halo populations: populations that arrive at nodes of one part of a domain from nodes of another. Between two steps
// both parts have them in the same slot of the same node, where the storage says that they arrive. The storage is asked
// once, before the first step, by one block of 64 threads for each tile; `Storage` has the parity that the next step
// will have. Storages that keep other than populations have numbers of whole nodes in their place. Steps then pack and
// unpack by lists of addresses, which know nothing of storages.
#pragma once
#include "fluvia/cuda/kernels/tile_access.hpp"

namespace fluvia::cuda::kernels {

/// The address of what crosses to other parts of a node: the population that arrives along this direction.
template <class Spec, class Storage>
__device__ __forceinline__ Uint64 address_of_crossing(const Storage& storage, const typename Storage::Node& node,
                                                      Uint32 direction) {
  Uint64 address = 0;
  core::unroll<Spec::Lattice::Q>([&](auto i) {
    constexpr int d = i.i;
    if (d == static_cast<int>(direction)) address = reinterpret_cast<Uint64>(&storage.template arriving<d>(node));
  });
  return address;
}

/// Lists where halo populations are, for populations at an address: the origin of each block if `origins`, else all
/// entries, counted from there. Sets `far` where that exceeds what an entry can hold.
template <class Spec, class Storage, class Box>
__global__ void list_halo_populations(const __grid_constant__ Box box, const HaloPopulations halo_populations,
                                      const Uint64 populations, const int origins, MessageBlock* blocks, int* entries,
                                      Uint32* far) {
  __shared__ Surroundings around;
  const Storage storage{box};
  const HaloPopulationTile tile = halo_populations.tiles[blockIdx.x];
  typename Storage::Node node;
  open_tile(storage, tile.storage_index, around, node);
  const Uint64 bit = Uint64{1} << threadIdx.x;
  for (Uint32 k = tile.first; k < tile.first + tile.count; ++k) {
    const HaloPopulationRun run = halo_populations.runs[k];
    if ((run.mask & bit) == 0) continue;
    const Uint32 at = run.first + static_cast<Uint32>(__popcll(run.mask & (bit - 1)));
    MessageBlock& block = blocks[at >> message_block_log2];
    const Uint64 element =
        (address_of_crossing<Spec>(storage, node, run.direction) - populations) / sizeof(typename Storage::Stored);
    if (origins != 0) {
      if (at % (1u << message_block_log2) == 0) block.origin = element;
      continue;
    }
    const auto distance = static_cast<core::Int64>(element - block.origin);
    entries[at] = static_cast<int>(distance);
    if (entries[at] != distance) *far = 1;
  }
}

namespace detail {
/// Copies a block of a message out of memory, or into it. All values of a thread are on their way at a time.
template <bool packs, class Value>
__device__ __forceinline__ void carry(const MessageBlock& block, const int* entries, Value* memory) {
  constexpr int each = (1 << message_block_log2) / message_threads;
  auto* const message = reinterpret_cast<Value*>(block.message);
  int entry[each];
  Value value[each];
  core::unroll<each>([&](auto i) {
    const Uint32 k = threadIdx.x + i.i * message_threads;
    if (k >= block.count) return;
    entry[i.i] = entries[k];
    if constexpr (!packs) value[i.i] = message[k];
  });
  core::unroll<each>([&](auto i) {
    if (packs && threadIdx.x + i.i * message_threads < block.count) value[i.i] = memory[entry[i.i]];
  });
  core::unroll<each>([&](auto i) {
    const Uint32 k = threadIdx.x + i.i * message_threads;
    if (k < block.count) (packs ? message[k] : memory[entry[i.i]]) = value[i.i];
  });
}

template <bool packs, class Stored, class Number>
__device__ __forceinline__ void carry_all(const MessageBlocks& messages, Stored* populations, Number* kept) {
  for (Uint32 b = blockIdx.x; b < messages.count; b += gridDim.x) {
    const MessageBlock block = messages.blocks[b];
    const int* const entries = messages.entries + (static_cast<Uint64>(b) << message_block_log2);
    if (block.is_kept != 0)
      carry<packs>(block, entries, kept);
    else
      carry<packs>(block, entries, populations + block.origin);
  }
}
}  // namespace detail

/// Packs the populations that leave to other parts into the messages to them, in the memory of this GPU or of theirs.
template <class Spec>
__global__ void pack_messages(const MessageBlocks messages, typename Spec::Format::Storage* populations,
                              Arithmetic<Spec>* kept) {
  detail::carry_all<true>(messages, populations, kept);
}

/// Unpacks messages: puts populations that have arrived from other parts where the next step reads them.
template <class Spec>
__global__ void unpack_messages(const MessageBlocks messages, typename Spec::Format::Storage* populations,
                                Arithmetic<Spec>* kept) {
  detail::carry_all<false>(messages, populations, kept);
}

/// Copies values of messages that have arrived into messages that leave.
template <class Spec>
__global__ void forward_messages(const ForwardedValue* values, const Uint32 count, const MessageBlock* arriving,
                                 const MessageBlock* leaving) {
  const auto place_of = [](const MessageBlock* blocks, Uint32 entry) {
    auto* const message =
        reinterpret_cast<typename Spec::Format::Storage*>(blocks[entry >> message_block_log2].message);
    return message + entry % (1u << message_block_log2);
  };
  for (Uint32 k = blockIdx.x * message_threads + threadIdx.x; k < count; k += gridDim.x * message_threads) {
    const ForwardedValue value = values[k];
    *place_of(leaving, value.to) = *place_of(arriving, value.from);
  }
}

/// Swaps, after a step, the populations at the two ends of each link that met a plane of symmetry.
template <class Spec>
__global__ void swap_mirrored(const MessageBlocks first, const MessageBlocks second,
                              typename Spec::Format::Storage* populations) {
  for (Uint32 b = blockIdx.x; b < first.count; b += gridDim.x) {
    const MessageBlock one = first.blocks[b], other = second.blocks[b];
    const Uint64 entries = static_cast<Uint64>(b) << message_block_log2;
    for (Uint32 k = threadIdx.x; k < one.count; k += message_threads) {
      auto& here = populations[one.origin + first.entries[entries + k]];
      auto& there = populations[other.origin + second.entries[entries + k]];
      const auto kept = here;
      here = there;
      there = kept;
    }
  }
}

}  // namespace fluvia::cuda::kernels
