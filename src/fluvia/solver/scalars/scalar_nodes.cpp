// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/scalars/scalar_nodes.hpp"

#include <algorithm>
#include <bit>

#include "fluvia/base/error.hpp"

namespace fluvia {

ScalarNodes::ScalarNodes(const NodeMap& all, const NodeMap& stored, const Block& block)
    : stored_(stored), block_(&block), end_(0), near_(all.tiles.size(), false) {
  const int depth = all.dimension == 3 ? 1 : 0;
  for (const NodeMap::Tile& tile : stored.tiles) {
    const Int3& p = tile.position;
    const std::uint32_t number = all.tile_at(p);
    const std::uint64_t next = tile.first_node + static_cast<std::uint64_t>(std::popcount(tile.mask));
    if (block.tiles.contains(number)) {
      if (end_ == 0) first_ = tile.first_node;
      end_ = next;
    } else if (const std::optional<std::size_t> owner = owner_of(number)) {
      owners_.emplace_back(tile.first_node, *owner);
    }
    for (int z = -depth; z <= depth; ++z)
      for (int y = -1; y <= 1; ++y)
        for (int x = -1; x <= 1; ++x)
          if (const std::uint32_t there = all.tile_at({p[0] + x, p[1] + y, p[2] + z}); there != empty_tile)
            near_[there] = true;
  }
}

std::optional<std::size_t> ScalarNodes::owner_of(std::uint32_t tile) const {
  const std::vector<Neighbour>& neighbours = block_->neighbours;
  for (std::size_t k = 0; k < neighbours.size(); ++k)
    if (neighbours[k].link == ExchangeLink::copy && neighbours[k].tiles.contains(tile)) return k;
  return std::nullopt;
}

std::size_t ScalarNodes::neighbour_of(std::uint64_t number) const {
  const auto after = std::upper_bound(owners_.begin(), owners_.end(), number,
                                      [](std::uint64_t n, const auto& owner) { return n < owner.first; });
  if (after == owners_.begin() || owns(number))
    throw Error(ExitCode::internal, "scalars: a node of a halo has no owner");
  return (after - 1)->second;
}

}  // namespace fluvia
