// SPDX-License-Identifier: Apache-2.0
// Dense addressing: every node of the box has storage. A group is 64 consecutive nodes of a row (fewer at its end); its
// populations lie together, slot by slot, so that a row is one memory stream and not Q.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "fluvia/cpu/step_access.hpp"
#include "fluvia/geometry/node_map.hpp"

namespace fluvia::cpu {

class DenseGroups {
 public:
  static constexpr bool stores_solid = true;

  DenseGroups(const NodeMap& nodes, int directions);

  [[nodiscard]] std::uint64_t count() const { return masks_.size(); }
  [[nodiscard]] std::uint64_t mask(std::uint64_t group) const { return masks_[group]; }
  /// Elements of one copy of the populations.
  [[nodiscard]] std::uint64_t elements() const { return box_nodes_ * directions_; }
  [[nodiscard]] std::uint64_t bytes() const { return masks_.capacity() * sizeof(std::uint64_t) + interior_.capacity(); }
  /// First element and number of elements of the group's own populations.
  [[nodiscard]] std::uint64_t first_element(std::uint64_t group) const {
    const std::uint64_t row = group / blocks_, block = group % blocks_;
    return (row * size_[0] + block * group_nodes) * directions_;
  }
  [[nodiscard]] int lanes(std::uint64_t group) const {
    return std::min(group_nodes, size_[0] - static_cast<int>(group % blocks_) * group_nodes);
  }
  [[nodiscard]] Int3 position(std::uint64_t group, int lane) const {
    const std::uint64_t row = group / blocks_;
    return {static_cast<int>(group % blocks_) * group_nodes + lane, static_cast<int>(row % size_[1]),
            static_cast<int>(row / size_[1])};
  }
  /// Group and lane of a node of the box.
  void locate(const Int3& node, std::uint64_t& group, int& lane) const {
    const std::uint64_t row = node[1] + static_cast<std::uint64_t>(size_[1]) * node[2];
    group = row * blocks_ + node[0] / group_nodes;
    lane = node[0] % group_nodes;
  }
  /// Appends the groups that hold nodes of tiles [first, first + count) to `out`, each once.
  void groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                       std::vector<std::uint64_t>& out) const;

  /// Everything about one group's surroundings that its Q gathers and scatters share.
  class Context {
   public:
    Context(const DenseGroups& groups, std::uint64_t group);
    [[nodiscard]] std::uint64_t mask() const { return mask_; }
    [[nodiscard]] bool interior() const { return interior_; }
    /// Bit of each lane whose neighbour at (dx,dy,dz) is fluid.
    [[nodiscard]] std::uint64_t neighbours(int dx, int dy, int dz) const;
    /// Element of `slot` of the node at lane + (dx,dy,dz), wrapped around the box if it lies outside.
    [[nodiscard]] std::uint64_t element(int lane, int dx, int dy, int dz, int slot) const;

    /// out[lane] = decoded slot of the node at lane + (dx,dy,dz); meaningless where that node is not fluid.
    template <class Format>
    void gather(const typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                typename Format::Arithmetic* out) const {
      const typename Format::Storage* source = memory + block_element(dy, dz, slot);
      if (lanes_ == group_nodes && dx == 0) {
        for (int lane = 0; lane < group_nodes; ++lane) out[lane] = Format::decode(source[lane]);
        return;
      }
      const int first = dx < 0 ? 1 : 0, last = dx > 0 ? lanes_ - 1 : lanes_;
      for (int lane = first; lane < last; ++lane) out[lane] = Format::decode(source[lane + dx]);
      if (dx < 0) out[0] = Format::decode(memory[element(0, dx, dy, dz, slot)]);
      if (dx > 0) out[lanes_ - 1] = Format::decode(memory[element(lanes_ - 1, dx, dy, dz, slot)]);
    }

    /// The reverse, for the lanes in `lanes` only; no other element is written.
    template <class Format>
    void scatter(typename Format::Storage* memory, int dx, int dy, int dz, int slot,
                 const typename Format::Arithmetic* in, std::uint64_t lanes) const {
      typename Format::Storage* target = memory + block_element(dy, dz, slot);
      const int first = dx < 0 ? 1 : 0, last = dx > 0 ? lanes_ - 1 : lanes_;
      if (lanes == ~std::uint64_t{0} && dx == 0) {
        for (int lane = 0; lane < group_nodes; ++lane) target[lane] = Format::encode(in[lane]);
        return;
      }
      if (lanes == box_lanes_) {
        for (int lane = first; lane < last; ++lane) target[lane + dx] = Format::encode(in[lane]);
      } else {
        for (int lane = first; lane < last; ++lane)
          if (lanes >> lane & 1) target[lane + dx] = Format::encode(in[lane]);
      }
      const int edge = dx < 0 ? 0 : lanes_ - 1;
      if (dx != 0 && (lanes >> edge & 1)) memory[element(edge, dx, dy, dz, slot)] = Format::encode(in[edge]);
    }

   private:
    [[nodiscard]] std::uint64_t block_element(int dy, int dz, int slot) const {
      return (rows_[1 + dy + 3 * (1 + dz)] * groups_.size_[0] + x_) * groups_.directions_ +
             static_cast<std::uint64_t>(slot) * lanes_;
    }
    const DenseGroups& groups_;
    std::uint64_t block_, mask_, box_lanes_;
    std::uint64_t rows_[9];  ///< rows at (dy,dz), wrapped
    bool inside_[9];         ///< false where the wrap crosses a face that is not periodic
    int x_, lanes_;
    bool interior_;
  };

 private:
  Int3 size_;
  Bool3 periodic_;
  int directions_;
  std::uint64_t blocks_, box_nodes_;
  std::vector<std::uint64_t> masks_;
  std::vector<std::uint8_t> interior_;  ///< 1 if every neighbour of every lane is fluid
};

}  // namespace fluvia::cpu
