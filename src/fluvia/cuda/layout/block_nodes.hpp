// SPDX-License-Identifier: Apache-2.0
// The nodes that a GPU stores of one block, as a domain of their own.
#pragma once
#include <vector>

#include "fluvia/cuda/layout/tile_roles.hpp"
#include "fluvia/solver/blocks/block.hpp"

namespace fluvia::cuda {

/// Own nodes and halo in a box that has only the layers of tiles which hold them, along the last axis; across a
/// periodic end the halo lies where it continues these layers. Tiles are whole ones of the domain: own or halo.
struct BlockNodes {
  NodeMap nodes;
  TileRoles roles;      ///< [tile of `nodes`]
  int first_layer = 0;  ///< layer of tiles of the domain where the box begins; -1: behind its periodic end
  int layers = 0;       ///< layers of tiles along the last axis of the domain

  /// Position in the box of a tile of the domain; below, of a node of it.
  [[nodiscard]] Int3 tile_position(Int3 position) const;
  [[nodiscard]] Int3 node_position(Int3 node) const;
  /// Number of a tile of the domain among `nodes`.
  [[nodiscard]] std::uint32_t tile(const NodeMap::Tile& of_domain) const;
  /// core::box_index of the box's first node in the domain, as an unsigned number that may have wrapped.
  [[nodiscard]] std::uint32_t first_node() const;
};

BlockNodes make_block_nodes(const NodeMap& nodes, const std::vector<Int3>& velocities, const Block& block);

}  // namespace fluvia::cuda
