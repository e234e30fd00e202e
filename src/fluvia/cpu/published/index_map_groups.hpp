// SPDX-License-Identifier: Apache-2.0
// CPU addressing by index maps, core/published: a group is 64 nodes that a step visits one after the other. Where each
// population lies is looked up one by one; these schemes are here to be compared, on a GPU above all, and keep the
// order of memory that was published.
#pragma once
#include <algorithm>
#include <bit>
#include <memory>
#include <vector>

#include "fluvia/cpu/published/group_indices.hpp"

namespace fluvia::cpu {

class IndexMapGroups {
 public:
  class Context;
  static constexpr bool joins = false, has_empty_groups = true;

  IndexMapGroups(const NodeMap& nodes, const Plan& plan);

  [[nodiscard]] std::uint64_t count() const { return masks_.size(); }
  [[nodiscard]] std::uint64_t mask(std::uint64_t group) const { return masks_[group]; }
  [[nodiscard]] int lanes(std::uint64_t group) const {
    return static_cast<int>(std::min<std::uint64_t>(group_lanes, layout_.count.visited - group * group_lanes));
  }
  /// Elements of one copy of the populations.
  [[nodiscard]] std::uint64_t elements() const { return layout_.count.elements; }
  [[nodiscard]] std::uint64_t bytes() const { return layout_.bytes() + masks_.capacity() * sizeof(masks_[0]); }
  template <class Body>
  void for_each_run(std::uint64_t group, Body&& body) const {
    body(elements() * group / count());  // threads touch parts of equal size; slots lie apart anyway
  }
  [[nodiscard]] Int3 position(std::uint64_t group, int lane) const {
    return indices_->position(*nodes_, group * group_lanes + static_cast<std::uint64_t>(lane));
  }
  /// core::box_index of each lane that holds a fluid node.
  void box_indices(std::uint64_t group, std::uint32_t (&out)[group_lanes]) const;
  /// Group and lane of a fluid node.
  void locate(const Int3& node, std::uint64_t& group, int& lane) const {
    const std::uint64_t number = visit_number(layout_, *nodes_, node);
    group = number / group_lanes;
    lane = static_cast<int>(number % group_lanes);
  }
  /// Appends the groups that hold nodes of tiles [first, first + count) to `out`, each once.
  void groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                       std::vector<std::uint64_t>& out) const;
  [[nodiscard]] const GroupIndices& indices() const { return *indices_; }
  [[nodiscard]] std::uint64_t groups_of_tile() const {
    return static_cast<std::uint64_t>(layout_.count.nodes_of_tile) / group_lanes;
  }
  [[nodiscard]] std::uint64_t ghost_cells() const { return layout_.count.ghosts.cells(); }
  [[nodiscard]] int ghost_copies() const { return layout_.count.ghosts.copies; }

 private:
  const NodeMap* nodes_;
  IndexMapArrays layout_;
  std::unique_ptr<GroupIndices> indices_;
  std::vector<std::uint64_t> masks_;
};

/// One group. Blocks of populations are f[direction][64 lanes].
class IndexMapGroups::Context {
 public:
  void open(const IndexMapGroups& groups, std::uint64_t group, const StepAccess&) {
    indices_ = groups.indices_.get();
    first_ = group * group_lanes;
    mask_ = groups.masks_[group];
  }
  [[nodiscard]] std::uint64_t mask() const { return mask_; }

  /// Populations never lie in the order of the lanes as far as this class knows.
  template <class Storage, class Pointer>
  std::uint32_t load_runs(const StepAccess&, Storage*, Pointer*) const {
    return 0;
  }
  template <class Storage>
  std::uint32_t store_runs(const StepAccess&, Storage*, Storage**) const {
    return 0;
  }
  template <class Storage>
  void settle(const StepAccess&, Storage*) const {}
  /// Fills the block's rows of a set of directions with what arrives; 0 in lanes that are not fluid.
  template <class Format>
  void load(const StepAccess& step, const typename Format::Storage* memory, std::uint32_t directions,
            typename Format::Arithmetic* f, const Context* = nullptr) const {
    ElementTable from;
    indices_->reads(first_, mask_, step, directions, from);
    for (std::uint32_t rest = directions; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      for (int lane = 0; lane < group_lanes; ++lane)
        f[i * group_lanes + lane] = mask_ >> lane & 1 ? Format::decode(memory[from[i][lane]]) : 0;
    }
  }
  /// Stores the block's rows of a set of directions where the next step reads them.
  template <class Format>
  void store(const StepAccess& step, typename Format::Storage* memory, std::uint32_t directions,
             const typename Format::Arithmetic* f) const {
    ElementTable to;
    indices_->writes(first_, mask_, step, directions, to);
    put_rows<Format>(memory, directions, f, to, mask_);
  }
  /// Stores arriving populations of the wanted lanes where `step` itself reads them.
  template <class Format>
  void put(const StepAccess& step, typename Format::Storage* memory, std::uint32_t directions,
           const typename Format::Arithmetic* f, std::uint64_t wanted) const {
    ElementTable to;
    indices_->reads(first_, wanted, step, directions, to);
    put_rows<Format>(memory, directions, f, to, wanted);
  }

 private:
  template <class Format>
  static void put_rows(typename Format::Storage* memory, std::uint32_t directions, const typename Format::Arithmetic* f,
                       const ElementTable& to, std::uint64_t lanes) {
    for (std::uint32_t rest = directions; rest != 0; rest &= rest - 1) {
      const int i = std::countr_zero(rest);
      for (std::uint64_t m = lanes; m != 0; m &= m - 1) {
        const int lane = std::countr_zero(m);
        memory[to[i][lane]] = Format::encode(f[i * group_lanes + lane]);
      }
    }
  }

  const GroupIndices* indices_ = nullptr;
  std::uint64_t first_ = 0, mask_ = 0;
};

}  // namespace fluvia::cpu
