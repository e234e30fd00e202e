// SPDX-License-Identifier: Apache-2.0
#include "fluvia/solver/bodies/links/part_nodes.hpp"

#include <algorithm>

namespace fluvia {

PartNodes::PartNodes(const NodeMap& nodes, const Block& block) {
  if (block.tiles.count() == nodes.tiles.size()) return;
  nodes_ = &nodes;
  own_ = block.tiles;
  for (const std::vector<NodesOfTile>& ring : block.halo)
    for (const NodesOfTile& some : ring) halo_.push_back(some.tile);
  std::sort(halo_.begin(), halo_.end());
  halo_.erase(std::unique(halo_.begin(), halo_.end()), halo_.end());
}

std::uint32_t PartNodes::tile_of(const Int3& node) const {
  const Int3 shape = tile_shape(nodes_->dimension);
  const std::uint64_t at = nodes_->directory_index({node[0] / shape[0], node[1] / shape[1], node[2] / shape[2]});
  return nodes_->directory.holds(at) ? nodes_->directory[at] : empty_tile;
}

bool PartNodes::sees(const Int3& node) const {
  if (is_whole()) return true;
  const std::uint32_t tile = tile_of(node);
  return own_.contains(tile) || std::binary_search(halo_.begin(), halo_.end(), tile);
}

}  // namespace fluvia
