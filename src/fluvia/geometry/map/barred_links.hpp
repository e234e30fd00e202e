// SPDX-License-Identifier: Apache-2.0
// Sheets: walls with fluid on both sides. A link between two nodes of fluid that a sheet crosses is barred: the fluid
// at its other end does not count, and each of its ends is a wall half-way (docs/decisions/0055).
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "fluvia/base/vector.hpp"

namespace fluvia {

/// The barred links of a box of nodes, each known at both of its ends. Few nodes have one.
class BarredLinks {
 public:
  /// Links of one node that one surface crosses.
  struct Node {
    std::uint64_t tile;     ///< place of its tile in the box (NodeMap::directory_index)
    std::uint32_t offsets;  ///< bits of the offsets of its barred links (bit_of)
    std::uint16_t surface;  ///< index into Geometry::surfaces
    std::uint8_t bit;       ///< of the node in its tile
  };

  /// Of a box of so many tiles. Sorts nodes, and joins those that are given several times.
  BarredLinks(int dimension, const Int3& tiles_in_box, std::vector<Node> nodes);

  /// The bit of an offset, whose components are -1, 0 and 1.
  static constexpr std::uint32_t bit_of(const Int3& offset) {
    return std::uint32_t{1} << (offset[0] + 1 + 3 * (offset[1] + 1) + 9 * (offset[2] + 1));
  }
  /// Nodes of the tile at this place, by their bits.
  [[nodiscard]] std::span<const Node> of_tile(std::uint64_t tile) const;
  /// Surface that crosses the link of a node of the box along an offset, or -1 if none does.
  [[nodiscard]] int surface(const Int3& node, const Int3& offset) const;
  /// All nodes, by their tiles and bits.
  [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }

 private:
  int dimension_;
  Int3 tiles_in_box_;
  std::vector<Node> nodes_;
};

}  // namespace fluvia
