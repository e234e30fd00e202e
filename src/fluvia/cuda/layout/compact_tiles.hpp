// SPDX-License-Identifier: Apache-2.0
// Only fluid nodes have storage, tile by tile; kernels/compact.hpp.
#pragma once
#include "fluvia/cuda/layout/layout.hpp"

namespace fluvia::cuda {

/// Arrays behind kernels::CompactTiles.
struct CompactArrays {
  kernels::CompactTiles tiles{};  ///< without addresses
  std::vector<kernels::Tile> records;
  std::vector<std::uint32_t> neighbours;
  std::vector<std::uint16_t> halo;
  std::vector<std::uint32_t> order, canonical;  ///< storage index of each canonical tile, and the inverse
  std::uint64_t elements = 0;                   ///< elements of one copy
  std::uint64_t own_elements = 0;               ///< elements before this one belong to own tiles
  bool cut_tiles = false;                       ///< a periodic axis ends inside of a tile
  std::uint32_t border_end = 0, own_end = 0;    ///< storage indices below these are of border and of own tiles

  [[nodiscard]] std::uint32_t storage_index_of(std::uint64_t canonical_tile) const { return order[canonical_tile]; }
};
/// Arrays of compact tiles. `neighbour_bits`: kernels::tile_neighbour_bits of the lattice. `folded`: order layers of
/// tiles so that neighbours across a periodic last axis are near each other: 0, n-1, 1, n-2, ... Within groups of some
/// tiles that follow each other, inner ones come first, then full ones, so that few gaps suffice to align full tiles
/// and few blocks mix them. Tiles with roles come in the order of roles before that.
CompactArrays make_compact_arrays(const NodeMap& nodes, int directions, std::uint32_t neighbour_bits, bool folded,
                                  const TileRoles& roles = {});

class CompactTileLayout : public Layout {
 public:
  CompactTileLayout(const NodeMap& nodes, Specification& specification, const TileRoles& roles = {},
                    bool folded = false);

  [[nodiscard]] Extent extent() const override;
  [[nodiscard]] std::vector<Range> own_elements() const override { return {{0, arrays_.own_elements}}; }
  [[nodiscard]] std::uint64_t bytes() const override { return bytes_; }
  [[nodiscard]] std::size_t fetch_bytes(int storage_bytes) const override;
  [[nodiscard]] std::uint32_t storage_index_of(const NodeMap& nodes, std::uint64_t tile) const override;
  [[nodiscard]] std::uint64_t tile_at(const NodeMap& nodes, std::uint64_t storage_index) const override;
  /// Walls are found by 64 times the tile's index and the node's bit; fluid or not, all nodes of tiles count.
  [[nodiscard]] std::uint64_t wall_storage_indices() const override;
  [[nodiscard]] std::uint64_t wall_storage_index(const NodeMap& nodes, const Int3& node) const override;
  [[nodiscard]] std::vector<std::uint32_t> first_nodes(const NodeMap& nodes) const override;
  void place_arrays(ArrayStore& store) override;
  [[nodiscard]] Argument geometry(const StepAddresses& at) const override;
  void append_step(const StepAddresses& at, StepShare share, Program& program) const override;

 protected:
  CompactArrays arrays_;
  unsigned threads_, groups_;
  std::uint64_t slots_ = 0;

 private:
  unsigned copies_;
  std::uint64_t bytes_ = 0;
};

}  // namespace fluvia::cuda
