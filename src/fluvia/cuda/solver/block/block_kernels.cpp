// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cuda/solver/block/block_kernels.hpp"

#include <utility>

#include "fluvia/base/error.hpp"

namespace fluvia::cuda {

BlockKernels::BlockKernels(std::shared_ptr<const Geometry> geometry, const Device& gpu, KernelCache& cache,
                           PreparedCase& prepared, std::shared_ptr<const Channel> channel_of_all)
    : shared_geometry(std::move(geometry)),
      nodes(shared_geometry->nodes),
      block(prepared.block),
      specification(prepared.specification),
      facts(prepared.facts),
      device(gpu),
      shared_channel(channel_of_all ? std::move(channel_of_all)
                                    : std::make_shared<const Channel>(gpu, prepared.references_bytes(),
                                                                      prepared.exchange_bytes())),
      channel(*shared_channel),
      kernels(gpu, cache, specification),
      arrays(gpu, channel.stream),
      layout(std::move(prepared.layout)),
      storage_indices(prepared.storage_indices),
      halo(prepared.halo) {
  if (const std::size_t bytes = layout->pass_shared_bytes(); bytes > 0 && layout->steps_per_pass() > 1)
    kernels.get(KernelKind::pass, 0).allow_shared_bytes(bytes);
  if (const std::size_t bytes = layout->step_shared_bytes(); bytes > 0)
    kernels.get(KernelKind::step, 0).allow_shared_bytes(bytes);
  device.set_fetch_bytes(layout->fetch_bytes(facts.storage_bytes));
  layout->place_arrays(arrays);
}

std::uint32_t BlockKernels::storage_index_of(std::uint64_t tile) const {
  if (block.tiles.contains(tile)) return storage_indices[tile - block.tiles.first];
  const auto found = std::lower_bound(halo.begin(), halo.end(), tile,
                                      [](const auto& of_halo, std::uint64_t t) { return of_halo.tile < t; });
  if (found == halo.end() || found->tile != tile)
    throw Error(ExitCode::internal, "a block of the domain is asked for a tile that it does not store");
  return found->storage_index;
}

std::uint64_t BlockKernels::node_of(std::uint64_t id) const {
  const NodeMap::Tile& tile = nodes.tiles[id / kernels::nodes_per_tile];
  const std::uint64_t below = (std::uint64_t{1} << id % kernels::nodes_per_tile) - 1;
  return tile.first_node + static_cast<std::uint64_t>(std::popcount(tile.mask & below));
}

}  // namespace fluvia::cuda
