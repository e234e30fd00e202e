// SPDX-License-Identifier: Apache-2.0
// Which nodes of a flow a solver has the scalars of: all, or, of a block of a domain, its own and its halo.
#pragma once
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "fluvia/solver/blocks/block.hpp"

namespace fluvia {

/// Numbers of nodes are those of the stored ones in canonical order. Maps and block must outlive it.
class ScalarNodes {
 public:
  /// All nodes.
  explicit ScalarNodes(const NodeMap& all) : stored_(all), end_(all.fluid_nodes) {}
  /// `stored`: stored_nodes() of the block.
  ScalarNodes(const NodeMap& all, const NodeMap& stored, const Block& block);

  [[nodiscard]] const NodeMap& stored() const { return stored_; }
  [[nodiscard]] std::uint64_t count() const { return stored_.fluid_nodes; }
  /// Whether the node with this number, of the fluid, is computed here.
  [[nodiscard]] bool owns(std::uint64_t number) const { return number >= first_ && number < end_; }
  [[nodiscard]] std::uint64_t first_own() const { return first_; }
  [[nodiscard]] bool is_whole() const { return block_ == nullptr; }
  /// Number, among the neighbours of the block, of the one that owns a node of the halo.
  [[nodiscard]] std::size_t neighbour_of(std::uint64_t number) const;
  /// Likewise of the one that owns a tile of all; none: it is the block's own.
  [[nodiscard]] std::optional<std::size_t> owner_of(std::uint32_t tile) const;
  [[nodiscard]] const Block& block() const { return *block_; }
  /// By tile of all, whether it has stored nodes or lies beside one that has; empty: all do.
  [[nodiscard]] const std::vector<bool>& near() const { return near_; }

 private:
  const NodeMap& stored_;
  const Block* block_ = nullptr;
  std::uint64_t first_ = 0, end_;
  std::vector<std::pair<std::uint64_t, std::size_t>> owners_;  ///< first numbers in runs of one neighbour, ascending
  std::vector<bool> near_;
};

}  // namespace fluvia
