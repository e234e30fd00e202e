// SPDX-License-Identifier: Apache-2.0
// Compact CPU addressing: only fluid nodes have storage. A segment is the fluid nodes among 64 consecutive positions of
// a row along x: one mask. A group is as many consecutive segments as have at most 64 nodes together; they fill its
// lanes without gaps. A block of storage is as many consecutive groups as have at most `largest_block` nodes together:
// population (slot, node) of a block lies at base + slot * nodes + node. So segments that adjoin in a row mostly adjoin
// in storage too, and memory streams are long.
//
//   nodes of two segments    . . a b c . . d e . | f g . . h . . . . .      (of 64 each; a dot is solid)
//   masks                    0 0 1 1 1 0 0 1 1 0 | 1 1 0 0 1 0 0 0 0 0
//   lanes of their group         0 1 2     3 4     5 6     7
//   block, slot 0            ... a b c d e f g h ...                        and so on after `nodes` elements: slot 1
//
// CompactLinks finds where neighbours are stored, CompactRows::Context (compact_context.hpp) moves populations.
// Measured against 4x4x4 tiles in docs/decisions/0004.
#pragma once
#include <algorithm>
#include <bit>
#include <cstdint>
#include <vector>

#include "fluvia/cpu/pass_schedule.hpp"
#include "fluvia/cpu/physics/lanes.hpp"
#include "fluvia/cpu/storage/step_access.hpp"
#include "fluvia/cpu/stored_layers.hpp"
#include "fluvia/geometry/map/node_map.hpp"

namespace fluvia::cpu {

/// Divides numbers of 32 bits by one that stays, several times as fast as the processor.
class Divider {
 public:
  explicit Divider(std::uint32_t divisor)
      : divisor_(divisor), inverse_(divisor == 1 ? 0 : ~std::uint64_t{0} / divisor + 1) {}
  struct Result {
    std::uint32_t quotient, remainder;
  };
  // Exact, since the inverse is too large by less than 2^-32 of itself.
  [[nodiscard]] Result operator()(std::uint32_t number) const {
    if (divisor_ == 1) return {number, 0};
    const auto quotient = static_cast<std::uint32_t>(static_cast<unsigned __int128>(inverse_) * number >> 64);
    return {quotient, number - quotient * divisor_};
  }

 private:
  std::uint32_t divisor_;
  std::uint64_t inverse_;
};

class CompactRows {
 public:
  class Context;
  static constexpr bool joins = false, has_empty_groups = false;

  /// Rows of the whole box or, with `layers_only`, from the first to the last layer along its last axis that holds
  /// fluid: a smaller box, closed where it was cut.
  CompactRows(const NodeMap& nodes, const StreamingTable& streaming, bool layers_only = false);

  [[nodiscard]] std::uint64_t count() const { return first_segment_.size() - 1; }
  /// Lanes that hold a node: all below lanes().
  [[nodiscard]] std::uint64_t mask(std::uint64_t group) const { return lanes_below(lanes(group)); }
  [[nodiscard]] int lanes(std::uint64_t group) const {
    const Segment& last = segments_[first_segment_[group + 1] - 1];
    return last.first_lane() + std::popcount(last.mask) - segments_[first_segment_[group]].first_lane();
  }
  /// Elements of one copy of the populations.
  [[nodiscard]] std::uint64_t elements() const { return stored_nodes_ * directions_; }
  /// Bytes of masks and directory.
  [[nodiscard]] std::uint64_t bytes() const;
  /// First element of a group.
  template <class Body>
  void for_each_run(std::uint64_t group, Body&& body) const {
    body(base_of(segments_[first_segment_[group]]));
  }
  [[nodiscard]] Int3 position(std::uint64_t group, int lane) const;
  /// core::box_index of each lane that holds a node.
  void box_indices(std::uint64_t group, std::uint32_t (&out)[group_lanes]) const;
  /// Group and lane of a fluid node.
  void locate(const Int3& node, std::uint64_t& group, int& lane) const;
  /// Where an access of direction c of a fluid node leads, to fluid.
  [[nodiscard]] std::uint64_t element(const Int3& node, const signed char* c, core::Access a) const {
    Int3 there = stored(node);
    for (int k = 0; k < 3; ++k) there[k] = wrapped(there[k] + a.side * c[k], size_[k]);
    const Segment& s = segment_at(segment_slot(there));
    return base_of(s) + static_cast<std::uint64_t>(a.slot) * static_cast<std::uint64_t>(s.block_nodes()) +
           static_cast<std::uint64_t>(std::popcount(s.mask & lanes_below(there[0] % group_lanes)));
  }
  /// Appends the groups that hold nodes of tiles [first, first + count) to `out`, each once.
  void groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                       std::vector<std::uint64_t>& out) const;
  /// In 3D rows along x in layers along z, in 2D segments in rows. A group belongs to its first row.
  [[nodiscard]] PassRows pass_rows() const {
    return {layers_, rows_, periodic_[axis_], periodic_[axis_ - 1], rows_of_group_};
  }
  /// Finds the rows; to be called before first_group().
  void index_rows();
  [[nodiscard]] std::uint64_t first_group(std::int64_t layer, std::int64_t row) const {
    return group_of_row_[static_cast<std::size_t>(layer * rows_ + row)];
  }

 private:
  friend class CompactLinks;

  /// Nodes of a block: as long as Segment can count, but not with slots a multiple of the first-level cache's 4 KiB
  /// apart. Measured against 64, 240 and 960 in docs/decisions/0004.
  static constexpr int largest_block = 4000;

  /// The fluid nodes of a segment, bit k of `mask` for the k-th along x, and where they are stored: 16 bytes, so that a
  /// look-up touches one cache line.
  struct Segment {
    /// Flags of what lies beyond the ends of a segment along x: fluid that is stored right beside it, or fluid stored
    /// elsewhere.
    enum : std::uint64_t { left_adjoins = 1, right_adjoins = 2, left_apart = 4, right_apart = 8, all_ends = 15 };
    std::uint64_t mask = 0, packed = 0;
    Segment() = default;
    Segment(std::uint64_t m, std::uint64_t block_first_node, int first_lane, int block_nodes)
        : mask(m),
          packed(block_first_node << 28 | static_cast<std::uint64_t>(first_lane) << 12 |
                 static_cast<std::uint64_t>(block_nodes)) {}
    [[nodiscard]] std::uint64_t first_node() const { return packed >> 28; }                 ///< number in the block
    [[nodiscard]] int first_lane() const { return static_cast<int>(packed >> 12 & 4095); }  ///< number in the block
    [[nodiscard]] int block_nodes() const { return static_cast<int>(packed & 4095); }
    [[nodiscard]] int nodes() const { return std::popcount(mask); }
    [[nodiscard]] std::uint64_t ends() const { return packed >> 24 & all_ends; }
    void set_ends(std::uint64_t ends) { packed |= ends << 24; }
    /// Whether the nodes of `next` are stored right behind these, in the same block.
    [[nodiscard]] bool adjoins(const Segment& next) const {
      return ((packed + (static_cast<std::uint64_t>(nodes()) << 12)) ^ next.packed) << 40 == 0 &&
             first_node() == next.first_node();
    }
  };

  [[nodiscard]] std::int64_t row_of(std::uint32_t segment) const {
    return static_cast<std::int64_t>(slots_[segment] / (axis_ == 1 ? 1 : columns_));
  }
  /// Finds what lies beyond the ends of all segments.
  void find_ends();
  /// Position of a node of the box in the stored layers; beyond their end if its layer is not stored.
  [[nodiscard]] Int3 stored(Int3 node) const {
    node[axis_] = stored_layers_.stored(node[axis_]);
    return node;
  }
  /// Position in the box of the first position of a segment.
  [[nodiscard]] Int3 first_position(std::uint32_t segment) const;
  /// Index in directory_ of the segment of a node of what is stored.
  [[nodiscard]] std::uint64_t segment_slot(const Int3& node) const {
    return (node[1] + static_cast<std::uint64_t>(size_[1]) * node[2]) * columns_ + node[0] / group_lanes;
  }
  /// The segment of a slot. There always is one, without fluid if need be: look-ups do not branch on the geometry.
  [[nodiscard]] const Segment& segment_at(std::uint64_t slot) const { return segments_[directory_[slot]]; }
  /// The segment beside one along x, to the left (side -1) or right (1), if its node next to that is fluid, else null.
  /// `first`: slot of the row's first segment.
  [[nodiscard]] const Segment* segment_beside(std::uint64_t first, std::uint64_t column, int side) const {
    const bool is_last = column == (side < 0 ? 0 : columns_ - 1);
    if (is_last && !periodic_[0]) return nullptr;
    const std::uint64_t beside = is_last ? columns_ - 1 - column : side < 0 ? column - 1 : column + 1;
    const Segment& segment = segment_at(first + beside);
    return (segment.mask >> (side < 0 ? width_of_column(beside) - 1 : 0) & 1) != 0 ? &segment : nullptr;
  }
  [[nodiscard]] std::uint64_t base_of(const Segment& s) const { return s.first_node() * directions_ + s.first_lane(); }
  [[nodiscard]] int width_of_column(std::uint64_t column) const {
    return std::min(group_lanes, size_[0] - static_cast<int>(column) * group_lanes);
  }
  StoredLayers stored_layers_;
  Int3 size_;  ///< nodes along each axis of what is stored of the box
  Bool3 periodic_;
  std::uint64_t directions_, columns_, stored_nodes_ = 0;
  Divider by_columns_, by_rows_;      ///< slots into rows, rows into planes
  int axis_;                          ///< the last axis of the box
  std::int64_t layers_, rows_;        ///< see pass_rows()
  std::int64_t rows_of_group_ = 1;    ///< the most rows that a group has nodes of
  std::vector<Segment> segments_;     ///< row by row, and an empty one
  std::vector<std::uint32_t> slots_;  ///< [segment], its slot in directory_
  std::vector<std::uint32_t>
      directory_;  ///< segments by row and column, the empty one where there is no fluid; last, outside
  std::vector<std::uint32_t> first_segment_;  ///< [group], and one past the last
  std::vector<std::uint32_t>
      group_of_row_;  ///< [row], the first group that begins in it or after it, and one past the last
};

}  // namespace fluvia::cpu
