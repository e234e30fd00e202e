// SPDX-License-Identifier: Apache-2.0
// Dense CPU addressing: every node of the box has storage. A group is a segment of 64 consecutive nodes of a row along
// x, with one mask of its fluid nodes. Its populations lie together, slot by slot, so that a row is one memory stream
// and not Q.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "fluvia/cpu/lanes.hpp"
#include "fluvia/cpu/step_access.hpp"
#include "fluvia/geometry/node_map.hpp"

namespace fluvia::cpu {

class DenseRows {
 public:
  class Context;

  DenseRows(const NodeMap& nodes, int directions);

  [[nodiscard]] std::uint64_t count() const { return masks_.size(); }
  /// Lanes that hold a fluid node.
  [[nodiscard]] std::uint64_t mask(std::uint64_t group) const { return masks_[group]; }
  /// Elements of one copy of the populations.
  [[nodiscard]] std::uint64_t elements() const { return stored_nodes_ * directions_; }
  /// Bytes of masks and flags.
  [[nodiscard]] std::uint64_t bytes() const { return masks_.capacity() * sizeof(masks_[0]) + interior_.capacity(); }
  [[nodiscard]] std::uint64_t first_element(std::uint64_t group) const {
    return (group / columns_ * size_[0] + group % columns_ * group_lanes) * directions_;
  }
  /// Lanes that lie in the box.
  [[nodiscard]] int lanes(std::uint64_t group) const { return width_of_column(group % columns_); }
  [[nodiscard]] Int3 position(std::uint64_t group, int lane) const {
    const std::uint64_t row = group / columns_;
    return {static_cast<int>(group % columns_) * group_lanes + lane, static_cast<int>(row % size_[1]),
            static_cast<int>(row / size_[1])};
  }
  /// core::box_index of each lane.
  void box_indices(std::uint64_t group, std::uint32_t (&out)[group_lanes]) const {
    const auto first = static_cast<std::uint32_t>(group / columns_ * size_[0] + group % columns_ * group_lanes);
    for (std::uint32_t lane = 0; lane < group_lanes; ++lane) out[lane] = first + lane;
  }
  /// Group and lane of a node.
  void locate(const Int3& node, std::uint64_t& group, int& lane) const {
    group = (node[1] + static_cast<std::uint64_t>(size_[1]) * node[2]) * columns_ + node[0] / group_lanes;
    lane = node[0] % group_lanes;
  }
  /// Appends the groups that hold nodes of tiles [first, first + count) to `out`, each once.
  void groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                       std::vector<std::uint64_t>& out) const;

 private:
  [[nodiscard]] int width_of_column(std::uint64_t column) const {
    return std::min(group_lanes, size_[0] - static_cast<int>(column) * group_lanes);
  }

  Int3 size_;
  Bool3 periodic_;
  std::uint64_t directions_, columns_, stored_nodes_ = 0;
  std::vector<std::uint64_t> masks_;
  std::vector<std::uint8_t> interior_;  ///< 1 if every neighbour of every lane is fluid
};

/// One group with what its Q loads and stores share.
class DenseRows::Context {
 public:
  void open(const DenseRows& rows, std::uint64_t group, const StepAccess& step);
  [[nodiscard]] std::uint64_t mask() const { return mask_; }
  /// Lanes whose neighbour at (dx,dy,dz) is fluid.
  [[nodiscard]] std::uint64_t neighbours(int dx, int dy, int dz) const;

  /// Where the populations of direction i lie in the order of the lanes, or null if they do not.
  template <class Storage>
  [[nodiscard]] Storage* load_place(const StepAccess& step, Storage* memory, int i) const {
    const bool ordered = step.read[i].side == 0 && (interior_ || step.read[i] == step.read_cut[i]);
    return ordered ? run(memory, 0, 0, step.read[i].slot) : nullptr;
  }
  template <class Storage>
  [[nodiscard]] Storage* store_place(const StepAccess& step, Storage* memory, int i) const {
    const bool ordered =
        step.write[i].side == 0 && (interior_ || (step.write[i] == step.write_cut[i] && mask_ == lanes_below(lanes_)));
    return ordered ? run(memory, 0, 0, step.write[i].slot) : nullptr;
  }

  /// Fills the block's rows of a set of directions with what arrives, unspecified in lanes that are not fluid, and asks
  /// for what load() of `ahead` will read.
  template <class Format>
  void load(const StepAccess& step, const typename Format::Storage* memory, std::uint32_t directions,
            typename Format::Arithmetic* f, const Context* ahead = nullptr) const {
    for (int i = 0; i < step.directions; ++i) {
      if (ahead) ahead->prefetch(step, memory, i);
      if (directions >> i & 1) load_one<Format>(step, memory, i, f + i * group_lanes);
    }
  }
  /// The block's rows of a set of directions to where the next step reads them.
  template <class Format>
  void store(const StepAccess& step, typename Format::Storage* memory, std::uint32_t directions,
             const typename Format::Arithmetic* f) const {
    for (int i = 0; i < step.directions; ++i)
      if (directions >> i & 1)
        put<Format>(step.c[i], step.write[i], step.write_cut[i], +1, memory, f + i * group_lanes, mask_);
  }
  /// Arriving populations of the wanted lanes to where `step` itself reads them.
  template <class Format>
  void place(const StepAccess& step, typename Format::Storage* memory, std::uint32_t directions,
             const typename Format::Arithmetic* f, std::uint64_t wanted) const {
    for (int i = 0; i < step.directions; ++i)
      if (directions >> i & 1)
        put<Format>(step.c[i], step.read[i], step.read_cut[i], -1, memory, f + i * group_lanes, wanted);
  }

 private:
  /// Asks for the cache lines that load() will read of direction i. Always inline: GCC drops calls of functions that
  /// only prefetch.
  template <class Storage>
  __attribute__((always_inline)) void prefetch(const StepAccess& step, const Storage* memory, int i) const {
    const core::Access a = step.read[i];
    const char* line = reinterpret_cast<const char*>(run(memory, a.side * step.c[i][1], a.side * step.c[i][2], a.slot));
    const char* end = line + lanes_ * sizeof(Storage);
    for (; line < end; line += 64) __builtin_prefetch(line, 1);
  }
  template <class Format>
  void load_one(const StepAccess& step, const typename Format::Storage* memory, int i,
                typename Format::Arithmetic* f) const;
  /// Slot of the segment at (dy,dz).
  template <class Storage>
  [[nodiscard]] Storage* run(Storage* memory, int dy, int dz, int slot) const {
    return memory + bases_[1 + dy + 3 * (1 + dz)] + static_cast<std::uint64_t>(slot) * lanes_;
  }
  /// Element of `slot` of the node at lane + (dx,dy,dz), wrapped around the box.
  [[nodiscard]] std::uint64_t element(int lane, int dx, int dy, int dz, int slot) const;

  /// out[lane] = decoded slot of the node at lane + (dx,dy,dz).
  template <class Format>
  void gather(const typename Format::Storage* memory, int dx, int dy, int dz, int slot,
              typename Format::Arithmetic* out) const;
  /// The reverse for the lanes in `wanted`; no other element is written.
  template <class Format>
  void scatter(typename Format::Storage* memory, int dx, int dy, int dz, int slot,
               const typename Format::Arithmetic* in, std::uint64_t wanted) const;
  /// Puts f[lane] through regular or cut accesses; `link` is the side on which the link's far end lies.
  template <class Format>
  void put(const signed char* c, core::Access regular, core::Access cut, int link, typename Format::Storage* memory,
           const typename Format::Arithmetic* f, std::uint64_t wanted) const;

  const DenseRows* rows_ = nullptr;
  std::uint64_t mask_ = 0;
  std::uint64_t first_of_row_[9];  ///< group that starts the row at (dy,dz), wrapped
  std::uint64_t bases_[9];         ///< first element of the segment at (dy,dz)
  bool inside_[9];                 ///< false where the wrap crosses a face that is not periodic
  int column_, lanes_;
  bool interior_;
};

template <class Format>
inline void DenseRows::Context::load_one(const StepAccess& step, const typename Format::Storage* memory, int i,
                                         typename Format::Arithmetic* f) const {
  const signed char* c = step.c[i];
  const core::Access regular = step.read[i], cut = step.read_cut[i];
  gather<Format>(memory, regular.side * c[0], regular.side * c[1], regular.side * c[2], regular.slot, f);
  if (interior_ || regular == cut) return;
  const std::uint64_t missing = mask_ & ~neighbours(-c[0], -c[1], -c[2]);
  if (std::popcount(missing) > few_lanes) {
    alignas(64) typename Format::Arithmetic bounced[group_lanes];
    gather<Format>(memory, cut.side * c[0], cut.side * c[1], cut.side * c[2], cut.slot, bounced);
    copy_lanes(f, bounced, missing);
    return;
  }
  for (std::uint64_t rest = missing; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    f[lane] = Format::decode(memory[element(lane, cut.side * c[0], cut.side * c[1], cut.side * c[2], cut.slot)]);
  }
}

template <class Format>
inline void DenseRows::Context::put(const signed char* c, core::Access regular, core::Access cut, int link,
                                    typename Format::Storage* memory, const typename Format::Arithmetic* f,
                                    std::uint64_t wanted) const {
  std::uint64_t lanes = wanted;
  if (!interior_ && !(regular == cut)) {
    const std::uint64_t there = neighbours(link * c[0], link * c[1], link * c[2]);
    if (const std::uint64_t missing = lanes & ~there)
      scatter<Format>(memory, cut.side * c[0], cut.side * c[1], cut.side * c[2], cut.slot, f, missing);
    lanes &= there;
  }
  scatter<Format>(memory, regular.side * c[0], regular.side * c[1], regular.side * c[2], regular.slot, f, lanes);
}

template <class Format>
inline void DenseRows::Context::gather(const typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                                       typename Format::Arithmetic* out) const {
  using Storage = typename Format::Storage;
  const Storage* packed = run(memory, dy, dz, slot);
  alignas(64) Storage converted[group_lanes];
  constexpr bool same_type = sizeof(Storage) == sizeof(typename Format::Arithmetic);
  Storage* stored = converted;
  if constexpr (same_type) stored = out;
  if (lanes_ == group_lanes)
    shift_run(packed, dx, stored);
  else
    copy_lanes(stored, packed + dx, lanes_below(lanes_ - (dx > 0)) & ~std::uint64_t{dx < 0});
  if constexpr (!same_type)
    for (int lane = 0; lane < group_lanes; ++lane) out[lane] = Format::decode(stored[lane]);
  if (dx == 0) return;
  const int edge = dx < 0 ? 0 : lanes_ - 1;
  out[edge] = Format::decode(memory[element(edge, dx, dy, dz, slot)]);
}

template <class Format>
inline void DenseRows::Context::scatter(typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                                        const typename Format::Arithmetic* in, std::uint64_t wanted) const {
  using Storage = typename Format::Storage;
  Storage* packed = run(memory, dy, dz, slot) + dx;
  const int edge = dx < 0 ? 0 : lanes_ - 1;
  const std::uint64_t edge_bit = dx == 0 ? 0 : std::uint64_t{1} << edge;
  const auto put_run = [&](const Storage* values) {
    if (wanted == all_lanes && dx == 0)
      copy_from_aligned(packed, values);
    else
      copy_lanes(packed, values, wanted & ~edge_bit);
  };
  if constexpr (sizeof(Storage) == sizeof(typename Format::Arithmetic)) {
    put_run(in);
  } else {
    alignas(64) Storage stored[group_lanes];
    for (int lane = 0; lane < group_lanes; ++lane) stored[lane] = Format::encode(in[lane]);
    put_run(stored);
  }
  if (wanted & edge_bit) memory[element(edge, dx, dy, dz, slot)] = Format::encode(in[edge]);
}

}  // namespace fluvia::cpu
