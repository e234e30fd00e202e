// SPDX-License-Identifier: Apache-2.0
// The one place that looks for cut links: links from a fluid node to where there is no fluid, or to fluid behind a
// sheet (BarredLinks). Whoever counts, collects, colours or measures them visits them here.
#pragma once
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "fluvia/geometry/map/tile_window.hpp"

namespace fluvia {

/// The links of a lattice that lie along axes, as offsets; those towards lower coordinates come first.
std::vector<Int3> axis_offsets(int dimension);
/// Offsets to the neighbours of a node that are at most so far away, as a squared length; x runs fastest.
std::vector<Int3> neighbour_offsets(int dimension, int squared_length);

/// A fluid node and which of its links are cut.
struct NodeWithCuts {
  std::uint64_t tile;
  int bit;  ///< of the node in its tile
  Int3 node;
  std::uint32_t cut;  ///< bit k: a sheet crosses offset k, or there is no fluid at its end, nor at its mirror image

  /// Calls visit(k) for the offsets of cut links, ascending.
  template <class Visit>
  void for_each_cut(const Visit& visit) const {
    for (std::uint32_t rest = cut; rest != 0; rest &= rest - 1) visit(static_cast<std::size_t>(std::countr_zero(rest)));
  }
};

/// Finds the cut links of tiles along at most 32 offsets, whose components are -1, 0 and 1. Each thread needs its own.
class LinkSearch {
 public:
  LinkSearch(const NodeMap& nodes, const std::vector<Int3>& offsets);

  /// Calls visit(NodeWithCuts) for the nodes of a tile that have cut links, in canonical order.
  template <class Visit>
  void visit_tile(std::uint64_t tile, const Visit& visit) {
    const NodeMap::Tile& of = nodes_.tiles[tile];
    if (!window_.load(of)) return;
    if (nodes_.barred) barred_ = nodes_.barred->of_tile(nodes_.directory_index(of.position));
    for (std::uint64_t rest = of.mask; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      const NodeWithCuts node{tile, bit, nodes_.node_position(of, bit), cuts_of(of, bit)};
      if (node.cut != 0) visit(node);
    }
  }

 private:
  [[nodiscard]] std::uint32_t cuts_of(const NodeMap::Tile& tile, int bit) const;

  const NodeMap& nodes_;
  const std::vector<Int3>& offsets_;
  bool has_mirrors_;
  TileWindow window_;
  std::span<const BarredLinks::Node> barred_;  ///< of the tile
};

/// A fixed number of slices of the tiles, so that what is joined in their order depends on no number of threads.
inline constexpr int link_slices = 64;

/// Calls visit(slice, NodeWithCuts) for all nodes that have cut links in tile_at(k), k = 0 .. count - 1. Slices run
/// concurrently, each through its tiles in this order and their nodes in canonical order.
template <class TileAt, class Visit>
void for_each_node_with_cuts(const NodeMap& nodes, const std::vector<Int3>& offsets, std::uint64_t count,
                             const TileAt& tile_at, const Visit& visit) {
#pragma omp parallel for schedule(dynamic)
  for (int slice = 0; slice < link_slices; ++slice) {
    LinkSearch search(nodes, offsets);
    for (std::uint64_t k = count * slice / link_slices; k < count * (slice + 1) / link_slices; ++k)
      search.visit_tile(tile_at(k), [&](const NodeWithCuts& node) { visit(slice, node); });
  }
}
template <class Visit>
void for_each_node_with_cuts(const NodeMap& nodes, const std::vector<Int3>& offsets, const TileRange& tiles,
                             const Visit& visit) {
  for_each_node_with_cuts(
      nodes, offsets, tiles.count(), [&](std::uint64_t k) { return tiles.first + k; }, visit);
}

}  // namespace fluvia
