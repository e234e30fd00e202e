// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia::geometry {

/// Face-connected components of the fluid, periodic axes included. Sheets divide it.
class Components {
 public:
  explicit Components(const NodeMap& nodes);
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(sizes_.size()); }
  /// Number of fluid nodes of a component.
  [[nodiscard]] std::uint64_t size(std::uint32_t component) const { return sizes_[component]; }
  /// Component of a fluid node.
  [[nodiscard]] std::uint32_t of(std::uint64_t tile, int bit) const;
  /// Whether a component has a node at a periodic face of the box (in 2D the z axis does not count).
  [[nodiscard]] const std::vector<bool>& at_periodic_face() const { return at_periodic_face_; }
  /// Whether the component runs on without end along each axis: a closed path through it crosses the periodic face more
  /// often one way than the other. Only there can a force along the axis drive a flow. False along axes that are not
  /// periodic.
  [[nodiscard]] const std::vector<Bool3>& endless() const { return endless_; }

 private:
  const NodeMap& nodes_;
  std::vector<std::uint32_t> first_label_;  ///< [tile], label of the first of its pieces
  std::vector<std::uint32_t> component_;    ///< [label], number of its component
  std::vector<std::uint64_t> sizes_;
  std::vector<bool> at_periodic_face_;
  std::vector<Bool3> endless_;
};

/// Connected pieces of one tile's nodes, in order of their lowest bit.
std::vector<std::uint64_t> tile_pieces(const NodeMap& nodes, const NodeMap::Tile& tile);

/// A tile and the mask of the nodes that are left of it.
struct TileRest {
  std::uint32_t tile;
  std::uint64_t mask;
};
/// The rests of the tiles that lose nodes if those of components with keep[component] == false are dropped, in
/// canonical order.
std::vector<TileRest> find_rests(const NodeMap& nodes, const Components& components, const std::vector<bool>& keep);
/// Leaves only these rests of the nodes. Throws Error(input) if nothing remains.
void keep_rests(NodeMap& nodes, const std::vector<TileRest>& rests);

}  // namespace fluvia::geometry
