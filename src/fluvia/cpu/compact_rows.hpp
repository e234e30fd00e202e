// SPDX-License-Identifier: Apache-2.0
// Compact CPU addressing: only fluid nodes have storage. A segment is the fluid nodes among 64 consecutive places of a
// row along x: one mask. A group is as many consecutive segments as have at most 64 nodes together; they fill its
// lanes without gaps, and population (slot, lane) of the group lies at base + slot * nodes + lane.
//
// A streaming that stays in the node therefore copies whole groups. One that moves goes through links: segment to
// segment, per direction, the lanes that have a fluid neighbour there and the neighbour's lanes.
// Measured against 4x4x4 tiles in docs/decisions/0004.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "fluvia/cpu/lanes.hpp"
#include "fluvia/cpu/step_access.hpp"
#include "fluvia/geometry/node_map.hpp"

namespace fluvia::cpu {

class CompactRows {
 public:
  class Context;

  CompactRows(const NodeMap& nodes, int directions);

  [[nodiscard]] std::uint64_t count() const { return first_segment_.size() - 1; }
  /// Lanes that hold a node: all below lanes().
  [[nodiscard]] std::uint64_t mask(std::uint64_t group) const { return lanes_below(lanes(group)); }
  [[nodiscard]] int lanes(std::uint64_t group) const { return segments_[first_segment_[group]].group_nodes(); }
  /// Elements of one copy of the populations.
  [[nodiscard]] std::uint64_t elements() const { return stored_nodes_ * directions_; }
  /// Bytes of masks and directory.
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t first_element(std::uint64_t group) const {
    return segments_[first_segment_[group]].first_node() * directions_;
  }
  [[nodiscard]] Int3 position(std::uint64_t group, int lane) const;
  /// Group and lane of a fluid node.
  void locate(const Int3& node, std::uint64_t& group, int& lane) const;
  /// Appends the groups that hold nodes of tiles [first, first + count) to `out`, each once.
  void groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                       std::vector<std::uint64_t>& out) const;

 private:
  static constexpr std::uint32_t no_segment = 0xffffffffu;

  /// Fluid places of a segment and where its nodes are: 16 bytes, so that a look-up touches one cache line.
  struct Segment {
    std::uint64_t mask = 0, packed = 0;
    Segment() = default;
    Segment(std::uint64_t m, std::uint64_t group_first_node, int first_lane, int group_nodes)
        : mask(m),
          packed(group_first_node << 14 | static_cast<std::uint64_t>(first_lane) << 7 |
                 static_cast<std::uint64_t>(group_nodes)) {}
    [[nodiscard]] std::uint64_t first_node() const { return packed >> 14; }  ///< of the group
    [[nodiscard]] int first_lane() const { return static_cast<int>(packed >> 7 & 127); }
    [[nodiscard]] int group_nodes() const { return static_cast<int>(packed & 127); }
  };

  /// Where a segment's neighbours in one direction are: lanes `to` (of the segment) have them at lanes `from` (of the
  /// neighbouring segment); lane `edge` has its neighbour in the next column of segments.
  struct Link {
    std::uint64_t base = 0, to = 0, from = 0, edge_base = 0;
    std::uint32_t stride = 0, edge_stride = 0;
    std::int8_t edge = -1;
    std::int8_t run = 0;  ///< if `to` and `from` are both one run: its length
  };
  /// Moves from lanes `from_lanes` to lanes `to_lanes`, which are those of the link in either order.
  template <class Storage>
  static __attribute__((always_inline)) void move(const Link& link, Storage* to, std::uint64_t to_lanes,
                                                  const Storage* from, std::uint64_t from_lanes) {
    if (link.run > 0)
      copy_run(to + std::countr_zero(to_lanes), from + std::countr_zero(from_lanes), link.run);
    else
      move_lanes(to, to_lanes, from, from_lanes);
  }

  [[nodiscard]] std::uint64_t place_of(const Int3& node) const {
    return (node[1] + static_cast<std::uint64_t>(size_[1]) * node[2]) * columns_ + node[0] / group_lanes;
  }
  [[nodiscard]] Segment segment_at(std::uint64_t place) const {
    const std::uint32_t s = directory_[place];
    return s == no_segment ? Segment{} : segments_[s];
  }
  [[nodiscard]] std::uint64_t base_of(const Segment& s) const { return s.first_node() * directions_ + s.first_lane(); }
  [[nodiscard]] int width_of_column(std::uint64_t column) const {
    return std::min(group_lanes, size_[0] - static_cast<int>(column) * group_lanes);
  }
  /// Links of one segment in all directions of a lattice.
  void find_links(std::uint32_t segment, const StepAccess& step, Link* links) const;

  Int3 size_;
  Bool3 periodic_;
  std::uint64_t directions_, columns_, stored_nodes_ = 0;
  std::vector<Segment> segments_;             ///< in order of their places
  std::vector<std::uint32_t> places_;         ///< of each segment in the box
  std::vector<std::uint32_t> directory_;      ///< the reverse, no_segment where there is no fluid
  std::vector<std::uint32_t> first_segment_;  ///< of each group, and one past the last
};

/// One group with what its Q loads and stores share.
class CompactRows::Context {
 public:
  void open(const CompactRows& rows, std::uint64_t group, const StepAccess& step);
  [[nodiscard]] std::uint64_t mask() const { return lanes_below(nodes_); }

  /// True if the populations of direction i lie in the order of the lanes at own(memory, slot).
  [[nodiscard]] bool loads_directly(const StepAccess& step, int i) const { return step.read[i].side == 0; }
  [[nodiscard]] bool stores_directly(const StepAccess& step, int i) const { return step.write[i].side == 0; }
  template <class Storage>
  [[nodiscard]] Storage* own(Storage* memory, int slot) const {
    return memory + base_ + static_cast<std::uint64_t>(slot) * nodes_;
  }

  /// f[lane] of direction i, as it arrives.
  template <class Format>
  void load(const StepAccess& step, const typename Format::Storage* memory, int i,
            typename Format::Arithmetic* f) const {
    using Storage = typename Format::Storage;
    if constexpr (sizeof(Storage) == sizeof(typename Format::Arithmetic)) {
      gather(step, memory, i, f);
    } else {
      alignas(64) Storage stored[group_lanes];
      gather(step, memory, i, stored);
      for (int lane = 0; lane < group_lanes; ++lane) f[lane] = Format::decode(stored[lane]);
    }
  }
  /// f[lane] of direction i to where the next step reads it.
  template <class Format>
  void store(const StepAccess& step, typename Format::Storage* memory, int i,
             const typename Format::Arithmetic* f) const {
    put<Format>(step.write[i], step.write_cut[i], step, i, memory, f, mask());
  }
  /// Arriving f[lane] of the wanted lanes to where `step` itself reads it.
  template <class Format>
  void place(const StepAccess& step, typename Format::Storage* memory, int i, const typename Format::Arithmetic* f,
             std::uint64_t wanted) const {
    put<Format>(step.read[i], step.read_cut[i], step, i, memory, f, wanted);
  }
  /// Asks for the cache lines that load() will read. Always inline: GCC drops calls of functions that only prefetch.
  template <class Storage>
  __attribute__((always_inline)) void prefetch(const StepAccess& step, const Storage* memory, int i) const {
    const core::Access a = step.read[i];
    if (a.side == 0) {
      prefetch_run(memory + base_ + static_cast<std::uint64_t>(a.slot) * nodes_, nodes_);
      return;
    }
    const int direction = a.side > 0 ? i : step.opposite(i);
    if (const std::uint64_t lanes = cut_lanes_[direction])
      prefetch_run(
          memory + base_ + static_cast<std::uint64_t>(step.read_cut[i].slot) * nodes_ + std::countr_zero(lanes),
          std::bit_width(lanes) - std::countr_zero(lanes));
    for (const SegmentLinks& s : segments_) {
      const Link& link = s.links[direction];
      if (link.from == 0) continue;
      const Storage* run = memory + link.base + static_cast<std::uint64_t>(a.slot) * link.stride;
      prefetch_run(run + std::countr_zero(link.from), std::bit_width(link.from) - std::countr_zero(link.from));
    }
  }

 private:
  struct SegmentLinks {
    int first_lane = 0;
    Link links[max_directions];
  };

  template <class Storage>
  __attribute__((always_inline)) static void prefetch_run(const Storage* first, int count) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first) & ~std::uintptr_t{63};
    const auto end = reinterpret_cast<std::uintptr_t>(first + count);
    for (std::uintptr_t line = begin; line < end; line += 64) __builtin_prefetch(reinterpret_cast<void*>(line));
  }
  template <class Storage>
  void copy_own(Storage* to, const Storage* from) const {
    if (nodes_ == group_lanes)
      copy_to_aligned(to, from);
    else
      copy_lanes(to, from, mask());
  }

  // Not inline: with both in one function the compiler runs out of registers.
  template <class Storage>
  __attribute__((noinline)) void gather(const StepAccess& step, const Storage* memory, int i, Storage* out) const {
    const core::Access regular = step.read[i], cut = step.read_cut[i];
    const Storage* own = memory + base_;
    if (regular.side == 0) {
      copy_own(out, own + static_cast<std::uint64_t>(regular.slot) * nodes_);
      return;
    }
    const int direction = regular.side > 0 ? i : step.opposite(i);
    if (const std::uint64_t lanes = cut_lanes_[direction])
      copy_lanes(out, own + static_cast<std::uint64_t>(cut.slot) * nodes_, lanes);
    for (const SegmentLinks& s : segments_) {
      const Link& link = s.links[direction];
      move(link, out + s.first_lane, link.to,
           memory + link.base + static_cast<std::uint64_t>(regular.slot) * link.stride, link.from);
      if (link.edge >= 0)
        out[s.first_lane + link.edge] =
            memory[link.edge_base + static_cast<std::uint64_t>(regular.slot) * link.edge_stride];
    }
  }

  template <class Format>
  void put(core::Access regular, core::Access cut, const StepAccess& step, int i, typename Format::Storage* memory,
           const typename Format::Arithmetic* f, std::uint64_t wanted) const {
    using Storage = typename Format::Storage;
    if constexpr (sizeof(Storage) == sizeof(typename Format::Arithmetic)) {
      scatter(regular, cut, step, i, memory, f, wanted);
    } else {
      alignas(64) Storage stored[group_lanes];
      for (int lane = 0; lane < group_lanes; ++lane) stored[lane] = Format::encode(f[lane]);
      scatter(regular, cut, step, i, memory, stored, wanted);
    }
  }
  template <class Storage>
  __attribute__((noinline)) void scatter(core::Access regular, core::Access cut, const StepAccess& step, int i,
                                         Storage* memory, const Storage* in, std::uint64_t wanted) const;

  int nodes_ = 0;
  std::uint64_t base_ = 0;
  std::uint64_t cut_lanes_[max_directions];  ///< lanes without a fluid neighbour in a direction
  std::vector<SegmentLinks> segments_;       ///< empty if the step stays in the node
};

template <class Storage>
void CompactRows::Context::scatter(core::Access regular, core::Access cut, const StepAccess& step, int i,
                                   Storage* memory, const Storage* in, std::uint64_t wanted) const {
  Storage* own = memory + base_;
  if (regular.side == 0) {
    Storage* to = own + static_cast<std::uint64_t>(regular.slot) * nodes_;
    if (wanted == all_lanes)
      copy_from_aligned(to, in);
    else
      copy_lanes(to, in, wanted);
    return;
  }
  const int direction = regular.side > 0 ? i : step.opposite(i);
  if (const std::uint64_t lanes = cut_lanes_[direction] & wanted)
    copy_lanes(own + static_cast<std::uint64_t>(cut.slot) * nodes_, in, lanes);
  for (const SegmentLinks& s : segments_) {
    const Link& link = s.links[direction];
    const std::uint64_t here = wanted >> s.first_lane;
    Storage* there = memory + link.base + static_cast<std::uint64_t>(regular.slot) * link.stride;
    if (~here & link.to)
      move_lanes(there, unpack_bits(pack_bits(here, link.to), link.from), in + s.first_lane, link.to & here);
    else
      move(link, there, link.from, in + s.first_lane, link.to);
    if (link.edge >= 0 && (here >> link.edge & 1))
      memory[link.edge_base + static_cast<std::uint64_t>(regular.slot) * link.edge_stride] =
          in[s.first_lane + link.edge];
  }
}

}  // namespace fluvia::cpu
