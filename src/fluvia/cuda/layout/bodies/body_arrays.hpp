// SPDX-License-Identifier: Apache-2.0
// What kernels are told of bodies that move, kernels/bodies/arguments.hpp, sorted by tiles from the lists of
// MovingBodies. Needs no GPU.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "fluvia/cuda/kernels/bodies/arguments.hpp"
#include "fluvia/solver/bodies/moving_bodies.hpp"

namespace fluvia::cuda {

/// Storage index of a canonical tile.
using StorageIndexOfTile = std::function<std::uint32_t(std::uint64_t tile)>;

/// Some nodes, by tiles in the order in which these were met, and within a tile by bits. The memory stays.
class NodesByTile {
 public:
  explicit NodesByTile(const NodeMap& nodes) : nodes_(&nodes) {}

  void clear();
  /// Tile of a node of fluid, times nodes_per_tile, and its bit there.
  [[nodiscard]] std::uint64_t find(const Int3& node) const;
  /// Adds a node that find() gave, if it is not there; returns what number_of() knows it by.
  std::uint32_t add(std::uint64_t found);
  /// Numbers the nodes, of which no more come.
  void number(const StorageIndexOfTile& storage_index_of);
  [[nodiscard]] std::uint32_t number_of(std::uint32_t known_by) const;
  [[nodiscard]] std::uint32_t count() const { return count_; }
  [[nodiscard]] const std::vector<kernels::TileReference>& tiles() const { return tiles_; }

 private:
  static constexpr std::uint32_t none = 0xffffffffU;
  const NodeMap* nodes_;
  std::vector<std::uint32_t> place_of_;  ///< [canonical tile], in tiles_, or none
  std::vector<std::uint32_t> canonical_;
  std::vector<kernels::TileReference> tiles_;
  std::uint32_t count_ = 0;
};

/// A link as kernels know it, in fp64.
using BodyLinkArguments = kernels::BodyLinkNumbers<double>;

class BodyArrays {
 public:
  BodyArrays(const NodeMap& nodes, StorageIndexOfTile storage_index_of, std::vector<double> weights, int threads);

  /// Takes the links of the step that bodies have reached.
  void take_links(const MovingBodies& bodies);
  /// There are none here: the GPU finds them.
  void take_no_links();
  /// Takes what has come to be covered, and what not to be.
  void take_changes(const MovingBodies& bodies);

  [[nodiscard]] const std::vector<kernels::TileReference>& tiles() const { return tiles_; }
  [[nodiscard]] const std::vector<kernels::BodyNode>& nodes() const { return nodes_; }
  /// In the order of MovingBodies::links().
  [[nodiscard]] const std::vector<BodyLinkArguments>& links() const { return links_; }
  [[nodiscard]] const std::vector<kernels::TileReference>& covered() const { return covered_.tiles(); }
  [[nodiscard]] const std::vector<kernels::TileReference>& uncovered() const { return uncovered_.tiles(); }
  [[nodiscard]] const std::vector<kernels::UncoveredNode>& uncovered_nodes() const { return uncovered_nodes_; }
  /// Nodes beside those, by tiles, how many they are, and the lists of kernels::UncoveredNodes::neighbours.
  [[nodiscard]] const std::vector<kernels::TileReference>& beside() const { return beside_.tiles(); }
  [[nodiscard]] std::uint32_t beside_count() const { return beside_.count(); }
  [[nodiscard]] const std::vector<std::uint32_t>& neighbours() const { return neighbours_; }

 private:
  StorageIndexOfTile storage_index_of_;
  std::vector<double> weights_;
  /// Where a piece of the links begins in the lists.
  struct Piece {
    std::size_t link = 0, node = 0, tile = 0;
  };
  NodesByTile beside_bodies_, covered_, uncovered_, beside_;
  std::vector<kernels::TileReference> tiles_;
  std::vector<kernels::BodyNode> nodes_;
  std::vector<BodyLinkArguments> links_;
  std::vector<std::uint32_t> neighbours_;
  std::vector<kernels::UncoveredNode> uncovered_nodes_;
  std::vector<std::uint64_t> found_;     ///< room for what NodesByTile::find() returned
  std::vector<std::uint32_t> known_by_;  ///< and NodesByTile::add()
  int threads_;
};

}  // namespace fluvia::cuda
