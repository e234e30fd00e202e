// SPDX-License-Identifier: Apache-2.0
// Compact CPU addressing: only fluid nodes have storage. A segment is the fluid nodes among 64 consecutive places of a
// row along x: one mask. A group is as many consecutive segments as have at most 64 nodes together; they fill its
// lanes without gaps. A block of storage is as many consecutive groups as have at most `largest_block` nodes together:
// population (slot, node) of a block lies at base + slot * nodes + node. So segments that adjoin in a row mostly adjoin
// in storage too, and memory streams are long.
//
//   places of two segments   . . a b c . . d e . | f g . . h . . . . .      (of 64 each; a dot is solid)
//   masks                    0 0 1 1 1 0 0 1 1 0 | 1 1 0 0 1 0 0 0 0 0
//   lanes of their group         0 1 2     3 4     5 6     7
//   block, slot 0            ... a b c d e f g h ...                        and so on after `nodes` elements: slot 1
//
// A streaming that stays in the node copies whole groups. One that moves goes through links, one per segment and
// direction: the neighbours among 64 places of the neighbouring row, and where the first of them is stored. Chunks of
// 16 places are gathered and scattered without a branch on the geometry:
//
//   neighbours as stored     p q r s                      a run of memory, from Link::offset on
//   expanded by Link::there  . p q . r . . . s .          one value a place, where there is a neighbour
//   compressed by the mask   q . r ...                    one value a lane; none comes over a link of Link::cut
//
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
  static constexpr bool joins = false;

  CompactRows(const NodeMap& nodes, const StreamingTable& streaming);

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
  /// Appends the groups that hold nodes of tiles [first, first + count) to `out`, each once.
  void groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                       std::vector<std::uint64_t>& out) const;

 private:
  /// Nodes of a block: as long as Segment can count, but not with slots a multiple of the first-level cache's 4 KiB
  /// apart. Measured against 64, 240 and 960 in docs/decisions/0004.
  static constexpr int largest_block = 4000;

  /// Fluid places of a segment and where its nodes are: 16 bytes, so that a look-up touches one cache line.
  struct Segment {
    std::uint64_t mask = 0, packed = 0;
    Segment() = default;
    Segment(std::uint64_t m, std::uint64_t block_first_node, int first_lane, int block_nodes)
        : mask(m),
          packed(block_first_node << 24 | static_cast<std::uint64_t>(first_lane) << 12 |
                 static_cast<std::uint64_t>(block_nodes)) {}
    [[nodiscard]] std::uint64_t first_node() const { return packed >> 24; }                 ///< of the block
    [[nodiscard]] int first_lane() const { return static_cast<int>(packed >> 12 & 4095); }  ///< in the block
    [[nodiscard]] int block_nodes() const { return static_cast<int>(packed & 4095); }
  };

  /// Where a segment's neighbours in one direction are: bit k of `there` is set if place k has one, and these are
  /// consecutive in storage from `offset` on.
  struct Link {
    std::uint64_t offset, there;
    std::uint64_t cut;  ///< nodes without a neighbour
    std::uint32_t stride;
  };
  /// The neighbour of a segment's first or last place, if it is stored apart from the others of its row.
  struct EdgeLink {
    std::uint64_t offset;
    std::uint32_t stride;
    std::int8_t place, neighbour;  ///< as StepAccess::neighbour counts
  };

  [[nodiscard]] std::uint64_t place_of(const Int3& node) const {
    return (node[1] + static_cast<std::uint64_t>(size_[1]) * node[2]) * columns_ + node[0] / group_lanes;
  }
  /// Always there, without fluid if need be: look-ups do not branch on the geometry.
  [[nodiscard]] const Segment& segment_at(std::uint64_t place) const { return segments_[directory_[place]]; }
  [[nodiscard]] std::uint64_t base_of(const Segment& s) const { return s.first_node() * directions_ + s.first_lane(); }
  [[nodiscard]] int width_of_column(std::uint64_t column) const {
    return std::min(group_lanes, size_[0] - static_cast<int>(column) * group_lanes);
  }
  /// Links of one segment to its 27 neighbours, as StepAccess::neighbour counts them, and the number of edges.
  int find_links(std::uint32_t segment, const StepAccess& step, Link* links, EdgeLink* edges) const;
  /// Those to the segment `there` and to the ends of those beside it; `neighbour` is the number of the one with dx =
  /// -1.
  void link_row(std::uint64_t mask, const Segment& there, const Segment& left, const Segment& right, int left_last,
                int last, int neighbour, Link* links, EdgeLink* edges, int& edge_count) const;

  Int3 size_;
  Bool3 periodic_;
  std::uint64_t directions_, columns_, stored_nodes_ = 0;
  std::vector<Segment> segments_;             ///< in order of their places, and an empty one
  std::vector<std::uint32_t> places_;         ///< of each segment in the box
  std::vector<std::uint32_t> directory_;      ///< the reverse, the empty one where there is no fluid; last, outside
  std::vector<std::uint32_t> first_segment_;  ///< of each group, and one past the last
};

/// One group with what its Q loads and stores share. Blocks of populations are f[direction][64 lanes].
class CompactRows::Context {
 public:
  void open(const CompactRows& rows, std::uint64_t group, const StepAccess& step);
  [[nodiscard]] std::uint64_t mask() const { return lanes_below(nodes_); }

  /// Where the populations lie in the order of the lanes, if they do; returns the set of these directions.
  template <class Storage, class Pointer>
  std::uint32_t load_places(const StepAccess& step, Storage* memory, Pointer* in) const {
    std::uint32_t found = 0;
    for (int i = 0; i < step.directions; ++i)
      if (Storage* const place = ordered(step.read[i], step.read_link[i], memory, i)) in[i] = place, found |= 1u << i;
    return found;
  }
  template <class Storage>
  std::uint32_t store_places(const StepAccess& step, Storage* memory, Storage** out) const {
    std::uint32_t found = 0;
    for (int i = 0; i < step.directions; ++i)
      if (Storage* const place = ordered(step.write[i], step.write_link[i], memory, i))
        out[i] = place, found |= 1u << i;
    return found;
  }
  template <class Storage>
  void settle(const StepAccess&, Storage*) const {}

  /// Fills the block's rows of a set of directions with what arrives, and asks for what load() of `ahead` will read.
  template <class Format>
  void load(const StepAccess& step, const typename Format::Storage* memory, std::uint32_t directions,
            typename Format::Arithmetic* f, const Context* ahead = nullptr) const {
    using Storage = typename Format::Storage;
    if constexpr (sizeof(Storage) == sizeof(typename Format::Arithmetic)) {
      gather(step, memory, directions, f, ahead);
    } else {
      alignas(64) Storage stored[max_directions * group_lanes];
      gather(step, memory, directions, stored, ahead);
      for (std::uint32_t rest = directions; rest; rest &= rest - 1) {
        const int row = std::countr_zero(rest) * group_lanes;
        decode_row<Format>(f + row, stored + row);
      }
    }
  }
  /// The block's rows of a set of directions to where the next step reads them.
  template <class Format>
  void store(const StepAccess& step, typename Format::Storage* memory, std::uint32_t directions,
             const typename Format::Arithmetic* f) const {
    put<Format>(step.write, step.write_cut, step.write_link, memory, directions, f, mask());
  }
  /// Arriving populations of the wanted lanes to where `step` itself reads them.
  template <class Format>
  void place(const StepAccess& step, typename Format::Storage* memory, std::uint32_t directions,
             const typename Format::Arithmetic* f, std::uint64_t wanted) const {
    put<Format>(step.read, step.read_cut, step.read_link, memory, directions, f, wanted);
  }

 private:
  /// One run, anything else, or 16 places that are all fluid and have all neighbours.
  enum class Shape : std::uint8_t { run, scattered, whole };
  struct Chunk {
    std::uint16_t mask;
    std::uint8_t lane;
    Shape shape;
  };
  /// Neighbours of a chunk in one direction: those at its places `there`, stored from `offset` on. If they are one run,
  /// as in chunks that are no scattered ones, `offset` belongs to the first place.
  struct ChunkLink {
    std::uint64_t offset;
    std::uint32_t stride;
    std::uint16_t there, cut;
  };
  /// A neighbour stored apart from the others of its row.
  struct Edge {
    std::uint64_t offset;
    std::uint32_t stride;
    std::uint8_t direction, lane;
  };

  /// True if an access does not leave the node; direction 0 is the rest.
  [[nodiscard]] static bool stays(core::Access a, int i) { return a.side == 0 || i == 0; }
  template <class Storage>
  [[nodiscard]] Storage* own(Storage* memory, int slot) const {
    return memory + base_ + static_cast<std::uint64_t>(slot) * stride_;
  }
  template <class Storage>
  [[nodiscard]] static Storage* neighbours(Storage* memory, const ChunkLink& link, int slot) {
    return memory + link.offset + static_cast<std::uint64_t>(slot) * link.stride;
  }
  [[nodiscard]] const ChunkLink* links_of(int chunk) const { return links_.data() + chunk * directions_; }
  template <class Storage>
  [[nodiscard]] Storage* ordered(core::Access a, int direction, Storage* memory, int i) const {
    if (stays(a, i)) return own(memory, a.slot);
    return is_whole_run_ ? neighbours(memory, links_of(last_chunk)[direction], a.slot) : nullptr;
  }
  /// Cuts a segment into chunks, the first of which begins at `lane`.
  void cut_chunks(std::uint64_t mask, const StepAccess& step, const Link* links, int& lane);
  /// `yes` or `no` without a branch, which would be mispredicted at every rough wall.
  template <class Storage>
  [[nodiscard]] static Storage* choose(bool condition, Storage* yes, Storage* no) {
    const auto y = reinterpret_cast<std::uintptr_t>(yes), n = reinterpret_cast<std::uintptr_t>(no);
    return reinterpret_cast<Storage*>(n ^ ((y ^ n) & (std::uintptr_t{0} - static_cast<std::uintptr_t>(condition))));
  }

  template <class Storage>
  void copy_own(Storage* to, const Storage* from) const {
    if (nodes_ == group_lanes)
      copy_to_aligned(to, from);
    else
      copy_lanes(to, from, mask());
  }
  template <class Storage>
  __attribute__((always_inline)) static void prefetch_run(const Storage* first, int count) {
    const auto begin = reinterpret_cast<std::uintptr_t>(first) & ~std::uintptr_t{63};
    const auto end = reinterpret_cast<std::uintptr_t>(first + count);
    for (std::uintptr_t line = begin; line < end; line += 64) __builtin_prefetch(reinterpret_cast<void*>(line));
  }
  // Always inline: GCC drops calls of functions that only prefetch.
  template <class Storage>
  __attribute__((always_inline)) void prefetch_own(const StepAccess& step, const Storage* memory) const {
    for (int i = 0; i < step.directions; ++i)
      if (stays(step.read[i], i)) prefetch_run(own(memory, step.read[i].slot), nodes_);
  }
  /// Every line that a chunk's vectors touch, also where they reach over the ends of a run.
  template <bool is_whole, class Storage>
  __attribute__((always_inline)) void prefetch_chunk(const StepAccess& step, const Storage* memory, int chunk) const {
    const ChunkLink* links = links_of(chunk);
    const int lane = chunks_[chunk].lane;
    for (int i = 1; i < step.directions; ++i) {
      const ChunkLink& link = links[step.read_link[i]];
      const Storage* from = neighbours(memory, link, step.read[i].slot);
      __builtin_prefetch(from);
      __builtin_prefetch(from + chunk_lanes - 1);
      if constexpr (!is_whole) {
        const Storage* bounced = choose(link.cut != 0, own(memory, step.read_cut[i].slot) + lane, from);
        __builtin_prefetch(bounced);
        __builtin_prefetch(bounced + chunk_lanes - 1);
      }
    }
  }

  // Not inline: in the loop over directions GCC 12 does not vectorise them.
  template <class Format>
  __attribute__((noinline)) static void decode_row(typename Format::Arithmetic* __restrict to,
                                                   const typename Format::Storage* __restrict from) {
    for (int lane = 0; lane < group_lanes; ++lane) to[lane] = Format::decode(from[lane]);
  }
  template <class Format>
  __attribute__((noinline)) static void encode_row(typename Format::Storage* __restrict to,
                                                   const typename Format::Arithmetic* __restrict from) {
    for (int lane = 0; lane < group_lanes; ++lane) to[lane] = Format::encode(from[lane]);
  }

  // Not inline: with both in one function the compiler runs out of registers.
  template <class Storage>
  __attribute__((noinline)) void gather(const StepAccess& step, const Storage* memory, std::uint32_t directions,
                                        Storage* out, const Context* ahead) const;

  template <class Format>
  void put(const core::Access* regular, const core::Access* cut, const signed char* towards,
           typename Format::Storage* memory, std::uint32_t directions, const typename Format::Arithmetic* f,
           std::uint64_t wanted) const {
    using Storage = typename Format::Storage;
    if constexpr (sizeof(Storage) == sizeof(typename Format::Arithmetic)) {
      scatter(regular, cut, towards, memory, directions, f, wanted);
    } else {
      alignas(64) Storage stored[max_directions * group_lanes + chunk_lanes];
      for (std::uint32_t rest = directions; rest; rest &= rest - 1) {
        const int row = std::countr_zero(rest) * group_lanes;
        encode_row<Format>(stored + row, f + row);
      }
      scatter(regular, cut, towards, memory, directions, stored, wanted);
    }
  }
  template <class Storage>
  __attribute__((noinline)) void scatter(const core::Access* regular, const core::Access* cut,
                                         const signed char* towards, Storage* memory, std::uint32_t directions,
                                         const Storage* in, std::uint64_t wanted) const;

  /// Up to this many runs in a segment, chunks are runs; else they are what there is among 16 places.
  static constexpr int most_runs = 4;
  static constexpr int last_chunk = group_lanes - 1;

  int nodes_ = 0, directions_ = 0;
  std::uint64_t base_ = 0, stride_ = 0;
  bool is_whole_run_ = false;  ///< whole chunks of one segment: neighbours lie in the order of the lanes
  int partial_chunks_ = 0, whole_chunks_ = 0;
  Chunk chunks_[group_lanes];     ///< the partial ones from the start, the whole ones from the end
  std::vector<ChunkLink> links_;  ///< by chunk and direction
  std::vector<Edge> edges_;
};

template <class Storage>
void CompactRows::Context::gather(const StepAccess& step, const Storage* memory, std::uint32_t directions, Storage* out,
                                  const Context* ahead) const {
  std::uint32_t moving = 0;
  for (std::uint32_t rest = directions; rest; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    if (stays(step.read[i], i))
      copy_own(out + i * group_lanes, own(memory, step.read[i].slot));
    else
      moving |= 1u << i;
  }
  if (ahead) ahead->prefetch_own(step, memory);
  const auto each = [&](auto&& body) __attribute__((always_inline)) {
    for (int i = 1; i < step.directions; ++i)
      if (moving >> i & 1) body(i);
  };
  int fetched = 0;
  // Whole chunks last: what the others write too much is written over.
  if (moving)
    for (int k = 0; k < partial_chunks_; ++k) {
      const Chunk chunk = chunks_[k];
      const ChunkLink* links = links_of(k);
      const auto part = [&]<bool is_run, bool may_spill>() __attribute__((always_inline)) {
        each([&](int i) __attribute__((always_inline)) {
          const ChunkLink& link = links[step.read_link[i]];
          const Storage* from = neighbours(memory, link, step.read[i].slot);
          // Where nothing is cut, read a line that is there anyway.
          const Storage* bounced = choose(link.cut != 0, own(memory, step.read_cut[i].slot) + chunk.lane, from);
          gather_chunk<is_run, may_spill>(out + i * group_lanes + chunk.lane, chunk.mask, from, link.there, bounced);
        });
      };
      if (chunk.shape != Shape::run)
        part.template operator()<false, false>();
      else if (chunk.lane + chunk_lanes > group_lanes)
        part.template operator()<true, false>();
      else
        part.template operator()<true, true>();
      if (ahead && fetched < ahead->partial_chunks_) ahead->prefetch_chunk<false>(step, memory, fetched++);
    }
  if (ahead) {
    for (; fetched < ahead->partial_chunks_; ++fetched) ahead->prefetch_chunk<false>(step, memory, fetched);
    for (int k = 0; k < ahead->whole_chunks_; ++k) ahead->prefetch_chunk<true>(step, memory, last_chunk - k);
  }
  if (!moving) return;
  for (int k = 0; k < whole_chunks_; ++k) {
    const ChunkLink* links = links_of(last_chunk - k);
    Storage* to = out + chunks_[last_chunk - k].lane;
    each([&](int i) __attribute__((always_inline)) {
      copy_chunk(to + i * group_lanes, neighbours(memory, links[step.read_link[i]], step.read[i].slot));
    });
  }
  for (const Edge& edge : edges_)
    for (int i = 1; i < step.directions; ++i)
      if (step.read_link[i] == edge.direction && (moving >> i & 1))
        out[i * group_lanes + edge.lane] =
            memory[edge.offset + static_cast<std::uint64_t>(step.read[i].slot) * edge.stride];
}

template <class Storage>
void CompactRows::Context::scatter(const core::Access* regular, const core::Access* cut, const signed char* towards,
                                   Storage* memory, std::uint32_t directions, const Storage* in,
                                   std::uint64_t wanted) const {
  std::uint32_t moving = 0;
  for (std::uint32_t rest = directions; rest; rest &= rest - 1) {
    const int i = std::countr_zero(rest);
    Storage* to = own(memory, regular[i].slot);
    if (!stays(regular[i], i))
      moving |= 1u << i;
    else if (wanted == all_lanes)
      copy_from_aligned(to, in + i * group_lanes);
    else
      copy_lanes(to, in + i * group_lanes, wanted);
  }
  if (!moving) return;
  const auto each = [&](auto&& body) __attribute__((always_inline)) {
    for (int i = 1; i < directions_; ++i)
      if (moving >> i & 1) body(i);
  };
  const auto part = [&]<bool is_run>(int k) __attribute__((always_inline)) {
    const Chunk chunk = chunks_[k];
    const ChunkLink* links = links_of(k);
    const auto here = static_cast<std::uint32_t>(unpack_bits(wanted >> chunk.lane, chunk.mask));
    each([&](int i) __attribute__((always_inline)) {
      const ChunkLink& link = links[towards[i]];
      Storage* to = neighbours(memory, link, regular[i].slot);
      Storage* bounced = choose(link.cut != 0, own(memory, cut[i].slot) + chunk.lane, to);
      scatter_chunk<is_run>(in + i * group_lanes + chunk.lane, chunk.mask, to, link.there, bounced, link.cut, here);
    });
  };
  for (int k = 0; k < partial_chunks_; ++k)
    if (chunks_[k].shape == Shape::run)
      part.template operator()<true>(k);
    else
      part.template operator()<false>(k);
  for (int k = last_chunk; k > last_chunk - whole_chunks_; --k)
    if (wanted == mask()) {
      const ChunkLink* links = links_of(k);
      const Storage* from = in + chunks_[k].lane;
      each([&](int i) __attribute__((always_inline)) {
        copy_chunk(neighbours(memory, links[towards[i]], regular[i].slot), from + i * group_lanes);
      });
    } else {
      part.template operator()<true>(k);
    }
  for (const Edge& edge : edges_)
    for (int i = 1; i < directions_; ++i)
      if (towards[i] == edge.direction && (moving >> i & 1) && (wanted >> edge.lane & 1))
        memory[edge.offset + static_cast<std::uint64_t>(regular[i].slot) * edge.stride] =
            in[i * group_lanes + edge.lane];
}

}  // namespace fluvia::cpu
