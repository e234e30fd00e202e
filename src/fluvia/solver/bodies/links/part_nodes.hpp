// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/solver/blocks/block.hpp"

namespace fluvia {

/// Which nodes a part of a domain looks after where bodies move: its own, and those beside them. By nodes of the box.
class PartNodes {
 public:
  /// The part that is the whole domain.
  PartNodes() = default;
  /// The map, which must outlive it, may have been left with what is around the part (keep_local_part()).
  PartNodes(const NodeMap& nodes, const Block& block);

  [[nodiscard]] bool is_whole() const { return nodes_ == nullptr; }
  [[nodiscard]] bool owns(const Int3& node) const { return is_whole() || own_.contains(tile_of(node)); }
  /// Whether the part owns nodes of its tile, or has some in its halo.
  [[nodiscard]] bool sees(const Int3& node) const;

 private:
  [[nodiscard]] std::uint32_t tile_of(const Int3& node) const;

  const NodeMap* nodes_ = nullptr;
  TileRange own_;
  std::vector<std::uint32_t> halo_;  ///< tiles, ascending
};

}  // namespace fluvia
