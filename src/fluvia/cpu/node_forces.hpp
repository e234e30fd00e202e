// SPDX-License-Identifier: Apache-2.0
// Body forces that differ from node to node, by groups and lanes (docs/decisions/0056).
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "fluvia/cpu/storage/step_access.hpp"
#include "fluvia/initial/acceleration_field.hpp"

namespace fluvia::cpu {

/// The forces of the groups that have any, [axis][lane], 0 at nodes without one.
template <class T>
class NodeForces {
 public:
  using Block = std::array<T, 3 * group_lanes>;

  NodeForces() = default;
  /// `groups`: how many there are; `mask_of(group)`: bits of its lanes that are fluid; `position_of(group, lane)`:
  /// where the node is in the box.
  template <class MaskOf, class PositionOf>
  NodeForces(const AccelerationField& field, std::uint64_t groups, int threads, const MaskOf& mask_of,
             const PositionOf& position_of) {
    if (field.empty()) return;
    at_.assign(groups, none);
    constexpr std::uint64_t groups_of_slice = 1024;
    const std::uint64_t slices = (groups + groups_of_slice - 1) / groups_of_slice;
    std::vector<std::vector<Block>> found(slices);
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::uint64_t s = 0; s < slices; ++s)
      for (std::uint64_t g = s * groups_of_slice; g < std::min(groups, (s + 1) * groups_of_slice); ++g) {
        Block block{};
        bool acts = false;
        for (std::uint64_t rest = mask_of(g); rest != 0; rest &= rest - 1) {
          const int lane = std::countr_zero(rest);
          const Real3 force = field.at(position_of(g, lane));
          for (int axis = 0; axis < 3; ++axis) block[axis * group_lanes + lane] = static_cast<T>(force[axis]);
          acts = acts || norm(force) != 0;
        }
        if (!acts) continue;
        at_[g] = static_cast<std::uint32_t>(found[s].size());
        found[s].push_back(block);
      }
    for (std::uint64_t g = 0, before = 0; g < groups; ++g) {
      if (g % groups_of_slice == 0) {
        std::vector<Block>& of_slice = found[g / groups_of_slice];
        before = blocks_.size();
        blocks_.insert(blocks_.end(), of_slice.begin(), of_slice.end());
        of_slice = {};
      }
      if (at_[g] != none) at_[g] += static_cast<std::uint32_t>(before);
    }
  }

  /// The forces of a group, [axis][lane]; null if it has none.
  [[nodiscard]] const T* of(std::uint64_t group) const {
    return at_.empty() || at_[group] == none ? nullptr : blocks_[at_[group]].data();
  }

 private:
  static constexpr std::uint32_t none = 0xffffffffu;
  std::vector<std::uint32_t> at_;  ///< [group], where its block is; empty if no node has a force of its own
  std::vector<Block> blocks_;
};

}  // namespace fluvia::cpu
