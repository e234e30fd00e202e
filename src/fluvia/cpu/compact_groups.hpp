// SPDX-License-Identifier: Apache-2.0
// Compact addressing (DESIGN section 4): only fluid nodes have storage. A group is one tile; the populations of its fluid
// nodes lie together, slot by slot, in the order of the mask's bits.
#pragma once
#include <cstdint>
#include <vector>

#include "fluvia/cpu/step_access.hpp"
#include "fluvia/geometry/node_map.hpp"

namespace fluvia::cpu {

/// A tile seen from a neighbour: where its rows start among its fluid nodes.
struct TileView {
  std::uint64_t mask = 0, base = 0;  ///< base: first element
  std::uint64_t even_rows = 0, odd_rows = 0;  ///< byte k: fluid nodes before row 2k (3D: 2k and 2k+1; 2D: row k in even)
  unsigned count = 0;
};

template <int dimension>
class CompactGroups {
 public:
  static constexpr bool stores_solid = false;
  static constexpr int row_nodes = dimension == 3 ? 4 : 8;  ///< nodes of a tile along x
  static constexpr int rows_y = dimension == 3 ? 4 : 8, rows_z = dimension == 3 ? 4 : 1;
  static constexpr std::uint64_t row_full = (std::uint64_t{1} << row_nodes) - 1;

  CompactGroups(const NodeMap& nodes, int directions);

  [[nodiscard]] std::uint64_t count() const { return nodes_.tiles.size(); }
  [[nodiscard]] std::uint64_t mask(std::uint64_t group) const { return nodes_.tiles[group].mask; }
  /// Gathers of partial rows may read a few elements past the last one.
  [[nodiscard]] std::uint64_t elements() const { return nodes_.fluid_nodes * directions_ + group_nodes; }
  [[nodiscard]] std::uint64_t bytes() const { return flags_.capacity(); }
  [[nodiscard]] std::uint64_t first_element(std::uint64_t group) const { return nodes_.tiles[group].first_node * directions_; }
  [[nodiscard]] int lanes(std::uint64_t) const { return group_nodes; }
  [[nodiscard]] Int3 position(std::uint64_t group, int lane) const { return nodes_.node_position(nodes_.tiles[group], lane); }
  void locate(const Int3& node, std::uint64_t& group, int& lane) const;
  void groups_of_tiles(const NodeMap&, std::uint64_t first, std::uint64_t count, std::vector<std::uint64_t>& out) const {
    for (std::uint64_t t = first; t < first + count; ++t) out.push_back(t);
  }

  class Context {
   public:
    Context(const CompactGroups& groups, std::uint64_t group);
    [[nodiscard]] std::uint64_t mask() const { return tile_.mask; }
    [[nodiscard]] bool interior() const { return flags_ & flag_interior; }
    [[nodiscard]] std::uint64_t neighbours(int dx, int dy, int dz) const;
    [[nodiscard]] std::uint64_t element(int lane, int dx, int dy, int dz, int slot) const;
    template <class Format>
    void gather(const typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                typename Format::Arithmetic* out) const;
    template <class Format>
    void scatter(typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                 const typename Format::Arithmetic* in, std::uint64_t lanes) const;

   private:
    void see_neighbours() const;
    const TileView& view(int tx, int ty, int tz) const {
      if ((tx | ty | tz) != 0 && !neighbours_seen_) see_neighbours();
      return views_[(1 + tx) + 3 * (1 + ty) + 9 * (1 + tz)];
    }
    const CompactGroups& groups_;
    const NodeMap::Tile& tile_;
    std::uint8_t flags_;
    mutable bool neighbours_seen_ = false;
    mutable TileView views_[27];
  };

 private:
  static constexpr std::uint8_t flag_interior = 1, flag_irregular = 2;
  TileView make_view(std::uint64_t tile) const;
  const NodeMap& nodes_;
  int directions_;
  /// interior: the tile and its neighbourhood are full; irregular: a periodic axis wraps inside a partial tile, so that
  /// neighbours are looked up node by node.
  std::vector<std::uint8_t> flags_;
};

extern template class CompactGroups<2>;
extern template class CompactGroups<3>;

}  // namespace fluvia::cpu

#include "fluvia/cpu/compact_rows.hpp"
