// SPDX-License-Identifier: Apache-2.0
// Dense CPU addressing: every node of the box has storage. A group is a segment of 64 consecutive nodes of a row along
// x, with one mask of its fluid nodes. The populations of a slot are one stream through the box
// (model/dense_streams.hpp), so that what arrives at a group from any side lies in the order of its lanes, and vectors
// go from there to registers and back.
//
// Some lanes of a group without solid nodes have no element in such a run: where a wall cuts their link, or a periodic
// row ends. The streams have room for these too, in the solid node behind the wall or beside the end of the row. What
// arrives is put there before the step (load_runs), and what left is fetched from there after it (settle). Nobody else
// uses these elements: a slot there belongs to the one link that leads there.
//
// Of a box of which only some layers hold nodes, as of a block, these layers are stored: a smaller box, closed
// where it was cut off. Coordinates of the interface are those of the whole box.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "fluvia/cpu/pass_schedule.hpp"
#include "fluvia/cpu/physics/lanes.hpp"
#include "fluvia/cpu/storage/step_access.hpp"
#include "fluvia/cpu/stored_layers.hpp"
#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/model/dense_streams.hpp"

namespace fluvia::cpu {

class DenseRows {
 public:
  class Context;
  static constexpr bool joins = true;  ///< has run_of()
  static constexpr bool has_empty_groups = true;

  /// Rows of the whole box or, with `layers_only`, from the first to the last layer along its last axis that holds
  /// fluid.
  DenseRows(const NodeMap& nodes, const StreamingTable& streaming, bool layers_only = false);

  [[nodiscard]] std::uint64_t count() const { return masks_.size(); }
  /// How many groups from this one, before `end`, can be opened as one: groups of one row, without solid nodes, and
  /// with cut links only at the ends of the row. `may_join` is asked about each.
  template <class Condition>
  [[nodiscard]] int run_of(std::uint64_t group, std::uint64_t end, Condition&& may_join) const {
    const auto is_simple = [&](std::uint64_t g) { return kinds_[g] >= Kind::row_end && may_join(g); };
    if (!is_simple(group)) return 1;
    const std::uint64_t last = std::min(end, (group / columns_ + 1) * columns_);
    int length = 1;
    while (group + static_cast<std::uint64_t>(length) < last && is_simple(group + static_cast<std::uint64_t>(length)))
      ++length;
    return length;
  }
  /// Lanes that hold a fluid node.
  [[nodiscard]] std::uint64_t mask(std::uint64_t group) const { return masks_[group]; }
  /// Elements of one copy of the populations.
  [[nodiscard]] std::uint64_t elements() const { return streams_.elements(); }
  /// Bytes of masks and kinds.
  [[nodiscard]] std::uint64_t bytes() const { return masks_.capacity() * sizeof(masks_[0]) + kinds_.capacity(); }
  /// First elements of a group, one for each stream.
  template <class Body>
  void for_each_run(std::uint64_t group, Body&& body) const {
    for (std::uint64_t slot = 0; slot < streams_.slots; ++slot) body(slot * streams_.slot + element_of(group));
  }
  /// Lanes that lie in the box.
  [[nodiscard]] int lanes(std::uint64_t group) const { return width_of_column(group % columns_); }
  [[nodiscard]] Int3 position(std::uint64_t group, int lane) const {
    Int3 x = stored_position(group, lane);
    x[axis_] = layers_.in_box(x[axis_]);
    return x;
  }
  /// core::box_index of each lane.
  void box_indices(std::uint64_t group, std::uint32_t (&out)[group_lanes]) const {
    const Int3 x = position(group, 0);  // of a box in 2D, z is 0
    const auto first =
        static_cast<std::uint32_t>(x[0] + size_[0] * (x[1] + static_cast<std::int64_t>(size_[1]) * x[2]));
    for (std::uint32_t lane = 0; lane < group_lanes; ++lane) out[lane] = first + lane;
  }
  /// Group and lane of a node.
  void locate(const Int3& node, std::uint64_t& group, int& lane) const {
    group = row_of(node) * columns_ + node[0] / group_lanes;
    lane = node[0] % group_lanes;
  }
  /// Element that an access of direction c of a stored node reads or writes.
  [[nodiscard]] std::uint64_t element(const Int3& node, const signed char* c, core::Access a) const {
    Int3 there = node;
    there[axis_] = layers_.stored(there[axis_]);
    for (int k = 0; k < 3; ++k) {
      there[k] += a.side * c[k];
      if (k > 0 || periodic_[0]) there[k] = wrapped(there[k], size_[k]);  // rows have room beside their ends
    }
    const std::uint64_t row = there[1] + static_cast<std::uint64_t>(size_[1]) * there[2];
    return static_cast<std::uint64_t>(a.slot) * streams_.slot + row * streams_.row +
           static_cast<std::uint64_t>(static_cast<std::int64_t>(there[0]));
  }
  /// Appends the groups that hold nodes of tiles [first, first + count) to `out`, each once.
  void groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                       std::vector<std::uint64_t>& out) const;

  /// In 3D rows along x in layers along z, in 2D groups in rows.
  [[nodiscard]] PassRows pass_rows() const {
    const int across = axis_ - 1;
    return {size_[axis_], groups_per_layer() / groups_per_row(), periodic_[axis_], periodic_[across], 1};
  }
  [[nodiscard]] std::uint64_t first_group(std::int64_t layer, std::int64_t row) const {
    return static_cast<std::uint64_t>(layer * groups_per_layer() + row * groups_per_row());
  }

 private:
  [[nodiscard]] std::int64_t groups_per_row() const { return axis_ == 1 ? 1 : static_cast<std::int64_t>(columns_); }
  [[nodiscard]] std::int64_t groups_per_layer() const {
    return static_cast<std::int64_t>(columns_) * (axis_ == 1 ? 1 : size_[1]);
  }
  /// Position of a lane of a group in storage, in nodes along each axis.
  [[nodiscard]] Int3 stored_position(std::uint64_t group, int lane) const {
    const std::uint64_t row = group / columns_;
    return {static_cast<int>(group % columns_) * group_lanes + lane, static_cast<int>(row % size_[1]),
            static_cast<int>(row / size_[1])};
  }
  [[nodiscard]] std::uint64_t row_of(Int3 node) const {
    node[axis_] = layers_.stored(node[axis_]);
    return node[1] + static_cast<std::uint64_t>(size_[1]) * node[2];
  }
  enum class Kind : std::uint8_t {
    mixed,     ///< some lanes are solid, or neighbours of them
    interior,  ///< every neighbour of every lane is fluid
    row_end,   ///< every neighbour in the box is fluid, and the group lies at ends of its row, not at other faces
    simple     ///< every neighbour of every lane is fluid, and none lies at the other end of the box
  };
  /// A population of a lane at the end of a row: its element in the run of the lanes, and the one where it belongs.
  struct Move {
    std::int64_t in_run, home;
  };
  /// Accesses of a step to groups whose neighbouring rows lie as they do inside the box.
  struct Offsets {
    std::int64_t read[max_directions], write[max_directions];  ///< elements from slot 0 of a group's first lane
    /// Moves for the first and for the last node of a row, counted from slot 0 of the first node.
    std::vector<Move> fetched[2], settled[2];
  };
  [[nodiscard]] Offsets offsets_of(const StepAccess& step) const;
  void add_move(const signed char* c, core::Access regular, core::Access cut, int end, std::vector<Move>& moves) const;
  [[nodiscard]] std::int64_t offset(const signed char* c, core::Access a) const {
    const std::int64_t row = static_cast<std::int64_t>(streams_.row);
    return a.slot * static_cast<std::int64_t>(streams_.slot) +
           a.side * (c[0] + row * (c[1] + static_cast<std::int64_t>(size_[1]) * c[2]));
  }
  [[nodiscard]] Kind kind_of(std::uint64_t group, int depth) const;
  [[nodiscard]] int width_of_column(std::uint64_t column) const {
    return std::min(group_lanes, size_[0] - static_cast<int>(column) * group_lanes);
  }
  /// Element of another row at the same x and slot, without regard to the ends of the box.
  [[nodiscard]] std::uint64_t element_at(std::uint64_t element, int dy, int dz) const {
    return element + streams_.row * static_cast<std::uint64_t>(dy + size_[1] * dz);
  }
  [[nodiscard]] int last_column() const { return static_cast<int>(columns_) - 1; }
  /// Element of slot 0 of the group's first node.
  [[nodiscard]] std::uint64_t element_of(std::uint64_t group) const {
    return group / columns_ * streams_.row + group % columns_ * group_lanes;
  }

  StoredLayers layers_;
  Int3 size_;  ///< nodes along each axis of what is stored of the box
  Bool3 periodic_;
  int axis_;  ///< the last axis of the box
  model::DenseStreams streams_;
  std::uint64_t columns_;
  std::vector<std::uint64_t> masks_;
  std::vector<Kind> kinds_;
  Offsets offsets_[2];  ///< for even and odd steps of the streaming
};

/// One group with what its Q loads and stores share.
class DenseRows::Context {
 public:
  void open(const DenseRows& rows, std::uint64_t group, const StepAccess& step) { open(rows, group, 1, step); }
  /// Opens so many groups as one; of several only load_runs() and store_runs() can be asked.
  void open(const DenseRows& rows, std::uint64_t group, int groups, const StepAccess& step);
  [[nodiscard]] std::uint64_t mask() const { return mask_; }
  [[nodiscard]] int lanes() const { return lanes_; }
  /// Lanes whose neighbour at (dx,dy,dz) is fluid.
  [[nodiscard]] std::uint64_t neighbours(int dx, int dy, int dz) const;

  /// Finds, for each direction, the run in which the arriving populations lie in the order of the lanes, after putting
  /// those there that do not lie there. Returns the set of directions found: all, or none in a group with solid nodes.
  template <class Storage, class Pointer>
  std::uint32_t load_runs(const StepAccess& step, Storage* memory, Pointer* in) const {
    if (!is_whole_) return 0;
    if (is_linear_) {
      for (int i = 0; i < step.directions; ++i) in[i] = memory + base_ + offsets_->read[i];
      each_move(offsets_->fetched, [&](const Move& move) { memory[row_ + move.in_run] = memory[row_ + move.home]; });
      return all_directions(step);
    }
    for (int i = 0; i < step.directions; ++i) {
      const Lanes lanes = lanes_of_read(step, i);
      Storage* const lane_0 = run(memory, step.c[i], lanes.access);
      each_elsewhere(step.c[i], step.read_cut[i], lanes,
                     [&](int lane, std::uint64_t element) { lane_0[lane] = memory[element]; });
      in[i] = lane_0;
    }
    return all_directions(step);
  }
  template <class Storage>
  std::uint32_t store_runs(const StepAccess& step, Storage* memory, Storage** out) const {
    if (!is_whole_) return 0;
    for (int i = 0; i < step.directions; ++i)
      out[i] =
          is_linear_ ? memory + base_ + offsets_->write[i] : run(memory, step.c[i], lanes_of_write(step, i).access);
    return all_directions(step);
  }
  /// Takes what a step left in the runs of store_runs() and does not belong there to where it belongs.
  template <class Storage>
  void settle(const StepAccess& step, Storage* memory) const {
    if (is_linear_) {
      each_move(offsets_->settled, [&](const Move& move) { memory[row_ + move.home] = memory[row_ + move.in_run]; });
      return;
    }
    for (int i = 0; i < step.directions; ++i) {
      const Lanes lanes = lanes_of_write(step, i);
      const Storage* const lane_0 = run(memory, step.c[i], lanes.access);
      each_elsewhere(step.c[i], step.write_cut[i], lanes,
                     [&](int lane, std::uint64_t element) { memory[element] = lane_0[lane]; });
    }
  }

  /// Fills the block's rows of a set of directions with what arrives, unspecified in lanes that are not fluid, and asks
  /// for what load_runs() of `ahead` will look up. The rest are long streams, which come without being asked for.
  template <class Format>
  void load(const StepAccess& step, const typename Format::Storage* memory, std::uint32_t directions,
            typename Format::Arithmetic* f, const Context* ahead = nullptr) const {
    if (ahead != nullptr && ahead->is_whole_) ahead->prefetch(step, memory);
    for (int i = 0; i < step.directions; ++i)
      if (directions >> i & 1) load_one<Format>(step, memory, i, f + i * group_lanes);
  }
  /// Stores the block's rows of a set of directions where the next step reads them.
  template <class Format>
  void store(const StepAccess& step, typename Format::Storage* memory, std::uint32_t directions,
             const typename Format::Arithmetic* f) const {
    for (int i = 0; i < step.directions; ++i)
      if (directions >> i & 1)
        put_rows<Format>(step.c[i], step.write[i], step.write_cut[i], cut_along(step, i), memory, f + i * group_lanes,
                         mask_);
  }
  /// Stores arriving populations of the wanted lanes where `step` itself reads them.
  template <class Format>
  void put(const StepAccess& step, typename Format::Storage* memory, std::uint32_t directions,
           const typename Format::Arithmetic* f, std::uint64_t wanted) const {
    for (int i = 0; i < step.directions; ++i)
      if (directions >> i & 1)
        put_rows<Format>(step.c[i], step.read[i], step.read_cut[i], cut_along(step, StepAccess::opposite(i)), memory,
                         f + i * group_lanes, wanted);
  }

 private:
  /// Lanes whose neighbour along a direction is not fluid.
  [[nodiscard]] std::uint64_t cut_along(const StepAccess& step, int direction) const {
    if (interior_) return 0;
    if (!is_linear_) return cut_[direction];
    const signed char* c = step.c[direction];
    return (c[0] < 0 && at_end_[0] ? std::uint64_t{1} : 0) |
           (c[0] > 0 && at_end_[1] ? std::uint64_t{1} << (lanes_ - 1) : 0);
  }
  template <class Body>
  void each_move(const std::vector<Move> (&moves)[2], Body&& body) const {
    for (int end = 0; end < 2; ++end)
      if (at_end_[end])
        for (const Move& move : moves[end]) body(move);
  }
  template <class Storage>
  __attribute__((always_inline)) void prefetch(const StepAccess& step, const Storage* memory) const {
    if (is_linear_) {
      each_move(offsets_->fetched, [&](const Move& move) { __builtin_prefetch(memory + row_ + move.home, 1); });
      return;
    }
    for (int i = 0; i < step.directions; ++i) {
      const Lanes lanes = lanes_of_read(step, i);
      each_elsewhere(step.c[i], step.read_cut[i], lanes,
                     [&](int, std::uint64_t element) { __builtin_prefetch(memory + element, 1); });
    }
  }
  /// Lanes of a group without solid nodes, by which access finds a direction's populations.
  struct Lanes {
    core::Access access;    ///< access of most lanes: the one of cut links if all are cut
    std::uint64_t cut = 0;  ///< lanes with a cut link, unless all have one
    int wrapped = -1;       ///< the lane beyond whose end the row goes on at its other end; -1: none
  };
  /// `link` is the direction from the nodes to the link's far end.
  [[nodiscard]] Lanes sort_lanes(const signed char* c, core::Access regular, core::Access cut, int link) const {
    Lanes lanes{regular};
    if (!interior_ && !(regular == cut)) {
      lanes.cut = cut_[link];
      if (lanes.cut == mask_) lanes = {cut};
    }
    const int dx = lanes.access.side * c[0];
    if (dx == 0 || !wraps(dx)) return lanes;
    const int lane = dx < 0 ? 0 : lanes_ - 1;
    if ((lanes.cut >> lane & 1) == 0) lanes.wrapped = lane;
    return lanes;
  }
  [[nodiscard]] Lanes lanes_of_read(const StepAccess& step, int i) const {
    return sort_lanes(step.c[i], step.read[i], step.read_cut[i], StepAccess::opposite(i));
  }
  [[nodiscard]] Lanes lanes_of_write(const StepAccess& step, int i) const {
    return sort_lanes(step.c[i], step.write[i], step.write_cut[i], i);
  }
  /// True if the group is at the end of a row that goes on at its other end.
  [[nodiscard]] bool wraps(int dx) const {
    return rows_->periodic_[0] && column_ == (dx < 0 ? 0 : rows_->last_column());
  }
  /// Calls body(lane, element) for the lanes whose populations are not with the others.
  template <class Body>
  void each_elsewhere(const signed char* c, core::Access cut, const Lanes& lanes, Body&& body) const {
    for (std::uint64_t rest = lanes.cut; rest; rest &= rest - 1) {
      const int lane = std::countr_zero(rest);
      body(lane, element(lane, c, cut));
    }
    if (lanes.wrapped >= 0) body(lanes.wrapped, element(lanes.wrapped, c, lanes.access));
  }
  template <class Format>
  void load_one(const StepAccess& step, const typename Format::Storage* memory, int i,
                typename Format::Arithmetic* f) const;
  /// A slot of the segment at (dy,dz).
  template <class Storage>
  [[nodiscard]] Storage* run(Storage* memory, int dy, int dz, int slot) const {
    const std::uint64_t base = is_linear_ ? rows_->element_at(base_, dy, dz) : bases_[1 + dy + 3 * (1 + dz)];
    return memory + base + static_cast<std::uint64_t>(slot) * rows_->streams_.slot;
  }
  /// The run of all lanes that an access of direction c reaches, without regard to ends of rows.
  template <class Storage>
  [[nodiscard]] Storage* run(Storage* memory, const signed char* c, core::Access a) const {
    return run(memory, a.side * c[1], a.side * c[2], a.slot) + a.side * c[0];
  }
  /// Element of `slot` of the node at lane + (dx,dy,dz), wrapped around the box; beside the row where that ends.
  [[nodiscard]] std::uint64_t element(int lane, int dx, int dy, int dz, int slot) const;
  [[nodiscard]] std::uint64_t element(int lane, const signed char* c, core::Access a) const {
    return element(lane, a.side * c[0], a.side * c[1], a.side * c[2], a.slot);
  }

  /// Sets out[lane] to the decoded slot of the node at lane + (dx,dy,dz) for the lanes in `wanted`, to anything for
  /// others. Only these elements are read: other elements may belong to a node that another thread updates.
  template <class Format>
  void gather(const typename Format::Storage* memory, int dx, int dy, int dz, int slot,
              typename Format::Arithmetic* out, std::uint64_t wanted) const;
  /// Writes the slots that the function above reads, for the lanes in `wanted`; no other element is written.
  template <class Format>
  void scatter(typename Format::Storage* memory, int dx, int dy, int dz, int slot,
               const typename Format::Arithmetic* in, std::uint64_t wanted) const;
  /// Stores f[lane] by regular accesses, or by those of cut links in the lanes of `missing`.
  template <class Format>
  void put_rows(const signed char* c, core::Access regular, core::Access cut, std::uint64_t missing,
                typename Format::Storage* memory, const typename Format::Arithmetic* f, std::uint64_t wanted) const;

  const DenseRows* rows_ = nullptr;
  const Offsets* offsets_ = nullptr;
  std::uint64_t mask_ = 0, base_ = 0, row_ = 0;  ///< base_, row_: slot 0 of the first node of the group, of its row
  std::uint64_t first_of_row_[9];                ///< group that starts the row at (dy,dz), wrapped
  std::uint64_t bases_[9];                       ///< first element of the segment at (dy,dz)
  bool inside_[9];                               ///< false where the wrap crosses a face that is not periodic
  std::uint64_t cut_[max_directions];            ///< lanes whose neighbour is not fluid, unless all are: by direction
  int column_, lanes_;
  bool at_end_[2];            ///< whether it is at an end of the row: the first, the last
  bool interior_, is_whole_;  ///< is_whole_: all lanes are fluid
  bool is_linear_;            ///< rows around lie where they do inside the box, and only ends of rows lead elsewhere
};

template <class Format>
inline void DenseRows::Context::load_one(const StepAccess& step, const typename Format::Storage* memory, int i,
                                         typename Format::Arithmetic* f) const {
  const signed char* c = step.c[i];
  const core::Access regular = step.read[i], cut = step.read_cut[i];
  const std::uint64_t missing = regular == cut ? 0 : cut_along(step, StepAccess::opposite(i));
  if (missing != mask_)
    gather<Format>(memory, regular.side * c[0], regular.side * c[1], regular.side * c[2], regular.slot, f,
                   mask_ & ~missing);
  if (std::popcount(missing) > few_lanes) {
    alignas(64) typename Format::Arithmetic bounced[group_lanes];
    gather<Format>(memory, cut.side * c[0], cut.side * c[1], cut.side * c[2], cut.slot, bounced, missing);
    copy_lanes(f, bounced, missing);
    return;
  }
  for (std::uint64_t rest = missing; rest; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    f[lane] = Format::decode(memory[element(lane, cut.side * c[0], cut.side * c[1], cut.side * c[2], cut.slot)]);
  }
}

template <class Format>
inline void DenseRows::Context::put_rows(const signed char* c, core::Access regular, core::Access cut,
                                         std::uint64_t missing, typename Format::Storage* memory,
                                         const typename Format::Arithmetic* f, std::uint64_t wanted) const {
  if (regular == cut) missing = 0;
  if ((missing & wanted) != 0)
    scatter<Format>(memory, cut.side * c[0], cut.side * c[1], cut.side * c[2], cut.slot, f, missing & wanted);
  scatter<Format>(memory, regular.side * c[0], regular.side * c[1], regular.side * c[2], regular.slot, f,
                  wanted & ~missing);
}

template <class Format>
inline void DenseRows::Context::gather(const typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                                       typename Format::Arithmetic* out, std::uint64_t wanted) const {
  using Storage = typename Format::Storage;
  const Storage* packed = run(memory, dy, dz, slot) + dx;
  const int edge = dx < 0 ? 0 : lanes_ - 1;
  const std::uint64_t edge_bit = dx != 0 && wraps(dx) ? std::uint64_t{1} << edge : 0;
  const std::uint64_t here = wanted & ~edge_bit;
  if constexpr (sizeof(Storage) == sizeof(typename Format::Arithmetic)) {
    if (here == all_lanes)
      copy_to_aligned(out, packed);
    else
      load_lanes(out, packed, here);
  } else if (here == all_lanes) {
    for (int lane = 0; lane < group_lanes; ++lane) out[lane] = Format::decode(packed[lane]);
  } else {
    alignas(64) Storage loaded[group_lanes];
    load_lanes(loaded, packed, here);
    for (int lane = 0; lane < group_lanes; ++lane) out[lane] = Format::decode(loaded[lane]);
  }
  if (wanted & edge_bit) out[edge] = Format::decode(memory[element(edge, dx, dy, dz, slot)]);
}

template <class Format>
inline void DenseRows::Context::scatter(typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                                        const typename Format::Arithmetic* in, std::uint64_t wanted) const {
  using Storage = typename Format::Storage;
  Storage* packed = run(memory, dy, dz, slot) + dx;
  const int edge = dx < 0 ? 0 : lanes_ - 1;
  const std::uint64_t edge_bit = dx != 0 && wraps(dx) ? std::uint64_t{1} << edge : 0;
  const auto put_run = [&](const Storage* values) {
    if ((wanted & ~edge_bit) == all_lanes)
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
