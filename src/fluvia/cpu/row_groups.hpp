// SPDX-License-Identifier: Apache-2.0
// CPU addressing. A group is a segment of 64 consecutive nodes of a row along x, with one mask of its fluid nodes. Its
// populations lie together, slot by slot, so that a row is one memory stream and not Q.
//   dense    every node of the box has storage;
//   compact  only fluid nodes have storage, packed in the order of the mask's bits; segments without any have nothing.
// Measured against 4x4x4 tiles in docs/decisions/0004: a shift along x is then an offset into packed data, so that
// vectors load whole runs and no look-up per node is needed.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "fluvia/cpu/lanes.hpp"
#include "fluvia/cpu/step_access.hpp"
#include "fluvia/geometry/node_map.hpp"

namespace fluvia::cpu {

/// Where one segment's populations are: element = base + slot * stride + rank of the lane in `stored`.
struct Segment {
  std::uint64_t stored = 0, base = 0;
  std::uint32_t stride = 0;
};

template <bool compact>
class RowGroups {
 public:
  RowGroups(const NodeMap& nodes, int directions);

  [[nodiscard]] std::uint64_t count() const { return masks_.size(); }
  [[nodiscard]] std::uint64_t mask(std::uint64_t group) const { return masks_[group]; }
  /// Elements of one copy of the populations.
  [[nodiscard]] std::uint64_t elements() const { return stored_nodes_ * directions_; }
  /// Bytes of masks and directory.
  [[nodiscard]] std::uint64_t bytes() const;
  [[nodiscard]] std::uint64_t first_element(std::uint64_t group) const { return segment_of(group).base; }
  /// Lanes that lie in the box.
  [[nodiscard]] int lanes(std::uint64_t group) const { return lanes_of_block(place(group) % blocks_); }
  [[nodiscard]] Int3 position(std::uint64_t group, int lane) const {
    const std::uint64_t row = place(group) / blocks_;
    return {static_cast<int>(place(group) % blocks_) * group_lanes + lane, static_cast<int>(row % size_[1]),
            static_cast<int>(row / size_[1])};
  }
  /// Group and lane of a node that has storage.
  void locate(const Int3& node, std::uint64_t& group, int& lane) const {
    const std::uint64_t row = node[1] + static_cast<std::uint64_t>(size_[1]) * node[2];
    group = group_at(row * blocks_ + node[0] / group_lanes);
    lane = node[0] % group_lanes;
  }
  /// Appends the groups that hold nodes of tiles [first, first + count) to `out`, each once.
  void groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                       std::vector<std::uint64_t>& out) const;

  /// One group and what its Q gathers and scatters share.
  class Context {
   public:
    Context() = default;
    Context(const RowGroups& groups, std::uint64_t group);
    [[nodiscard]] std::uint64_t mask() const { return mask_; }
    /// True if every neighbour of every lane is fluid.
    [[nodiscard]] bool interior() const { return interior_; }
    /// Bit of each lane whose neighbour at (dx,dy,dz) is fluid.
    [[nodiscard]] std::uint64_t neighbours(int dx, int dy, int dz) const;
    /// Element of `slot` of the node at lane + (dx,dy,dz), wrapped around the box; that node has storage.
    [[nodiscard]] std::uint64_t element(int lane, int dx, int dy, int dz, int slot) const;

    /// out[lane] = decoded slot of the node at lane + (dx,dy,dz); unspecified where that node has no storage.
    template <class Format>
    void gather(const typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                typename Format::Arithmetic* out) const;
    /// The reverse for the lanes in `wanted`; no other element is written.
    template <class Format>
    void scatter(typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                 const typename Format::Arithmetic* in, std::uint64_t wanted) const;

    /// Asks for the cache lines that gather() will read.
    template <class Storage>
    void prefetch(const Storage* memory, int dy, int dz, int slot) const {
      const Segment& s = segment(dy, dz);
      const char* line = reinterpret_cast<const char*>(memory + s.base + static_cast<std::uint64_t>(slot) * s.stride);
      const char* end = line + s.stride * sizeof(Storage);
      for (; line < end; line += 64) __builtin_prefetch(line, 1);
    }

   private:
    [[nodiscard]] const Segment& segment(int dy, int dz) const { return segments_[1 + dy + 3 * (1 + dz)]; }
    /// First packed element and mask of the lanes whose neighbour at dx lies in the same segment column.
    static void shifted(const Segment& s, int dx, std::uint64_t& mask, int& skip) {
      mask = dx == 0 ? s.stored : dx < 0 ? s.stored << 1 : s.stored >> 1;
      skip = dx > 0 ? static_cast<int>(s.stored & 1) : 0;
    }
    const RowGroups* groups_ = nullptr;
    std::uint64_t mask_ = 0;
    std::uint64_t rows_[9];  ///< rows at (dy,dz), wrapped
    Segment segments_[9];
    bool inside_[9];  ///< false where the wrap crosses a face that is not periodic
    int block_, lanes_;
    bool interior_;
  };

 private:
  static constexpr std::uint32_t no_group = 0xffffffffu;
  [[nodiscard]] int lanes_of_block(std::uint64_t block) const {
    return std::min(group_lanes, size_[0] - static_cast<int>(block) * group_lanes);
  }
  /// Index of the group's segment among all segments of the box, and back (no_group where nothing is stored).
  [[nodiscard]] std::uint64_t place(std::uint64_t group) const { return compact ? places_[group] : group; }
  [[nodiscard]] std::uint64_t group_at(std::uint64_t segment) const { return compact ? directory_[segment] : segment; }
  [[nodiscard]] std::uint64_t mask_at(std::uint64_t segment) const {
    const std::uint64_t group = group_at(segment);
    return compact && group == no_group ? 0 : masks_[group];
  }
  [[nodiscard]] Segment segment_of(std::uint64_t group) const;
  [[nodiscard]] Segment segment_at(std::uint64_t segment) const {
    const std::uint64_t group = group_at(segment);
    return compact && group == no_group ? Segment{} : segment_of(group);
  }

  Int3 size_;
  Bool3 periodic_;
  int directions_;
  std::uint64_t blocks_, stored_nodes_ = 0;
  std::vector<std::uint64_t> masks_;
  std::vector<std::uint8_t> interior_;
  std::vector<std::uint64_t> first_node_;          ///< compact: stored nodes before the group
  std::vector<std::uint32_t> places_, directory_;  ///< compact
};

extern template class RowGroups<false>;
extern template class RowGroups<true>;

template <bool compact>
template <class Format>
inline void RowGroups<compact>::Context::gather(const typename Format::Storage* memory, int dx, int dy, int dz,
                                                int slot, typename Format::Arithmetic* out) const {
  using Storage = typename Format::Storage;
  const Segment& s = segment(dy, dz);
  const Storage* packed = memory + s.base + static_cast<std::uint64_t>(slot) * s.stride;
  alignas(64) Storage converted[group_lanes];
  constexpr bool same_type = sizeof(Storage) == sizeof(typename Format::Arithmetic);
  Storage* stored = converted;
  if constexpr (same_type) stored = out;
  if (s.stored == all_lanes) {
    shift_run(packed, dx, stored);
  } else {
    std::uint64_t mask;
    int skip;
    shifted(s, dx, mask, skip);
    expand_run(packed + skip, mask, stored);
  }
  if constexpr (!same_type)
    for (int lane = 0; lane < group_lanes; ++lane) out[lane] = Format::decode(stored[lane]);
  if (dx == 0) return;
  const int edge = dx < 0 ? 0 : lanes_ - 1;
  if (!compact || (neighbours(dx, dy, dz) >> edge & 1))
    out[edge] = Format::decode(memory[element(edge, dx, dy, dz, slot)]);
}

template <bool compact>
template <class Format>
inline void RowGroups<compact>::Context::scatter(typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                                                 const typename Format::Arithmetic* in, std::uint64_t wanted) const {
  using Storage = typename Format::Storage;
  const Segment& s = segment(dy, dz);
  std::uint64_t present;
  int skip;
  shifted(s, dx, present, skip);
  Storage* packed = memory + s.base + static_cast<std::uint64_t>(slot) * s.stride + skip;
  const int edge = dx < 0 ? 0 : lanes_ - 1;
  const std::uint64_t edge_bit = dx == 0 ? 0 : std::uint64_t{1} << edge;
  if constexpr (sizeof(Storage) == sizeof(typename Format::Arithmetic)) {
    compress_run(packed, in, present, wanted & ~edge_bit);
  } else {
    alignas(64) Storage stored[group_lanes];
    for (int lane = 0; lane < group_lanes; ++lane) stored[lane] = Format::encode(in[lane]);
    compress_run(packed, stored, present, wanted & ~edge_bit);
  }
  if (wanted & edge_bit) memory[element(edge, dx, dy, dz, slot)] = Format::encode(in[edge]);
}

}  // namespace fluvia::cpu
