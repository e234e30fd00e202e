// SPDX-License-Identifier: Apache-2.0
// Where what leaves the nodes of a group arrives: few runs, since neighbours of nodes that follow each other follow
// each other mostly, whatever the storage of the flow.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "fluvia/solver/scalars/scalar_links.hpp"

namespace fluvia::cpu {

/// Lanes `lane` ... `lane + count - 1` of a group leave along a direction for places that follow each other.
struct ScalarRun {
  std::uint32_t place;  ///< direction x storage indices + storage index, of the first
  std::uint8_t direction, lane, count;
};

class ScalarRuns {
 public:
  ScalarRuns() = default;
  /// `storage`: storage index, group x lanes + lane, of each node by its number; `indices`: how many there are;
  /// `is_own`: whether a node is stepped. Throws Error(resource) where places outgrow 32 bits.
  template <class IsOwn>
  ScalarRuns(const ScalarWays& ways, const ScalarMethod& scalar, std::span<const std::uint32_t> storage,
             std::uint64_t indices, const IsOwn& is_own) {
    std::vector<std::uint32_t> numbers(indices, no_node);
    for (std::uint64_t n = 0; n < storage.size(); ++n)
      if (is_own(n)) numbers[storage[n]] = static_cast<std::uint32_t>(n);
    find(ways, scalar, storage, numbers);
  }

  /// Those of a group, ascending by direction and lane.
  [[nodiscard]] std::span<const ScalarRun> of(std::uint64_t group) const {
    return {runs_.data() + first_[group], first_[group + 1] - first_[group]};
  }
  /// Highest lane of a group that is stepped and one.
  [[nodiscard]] int lanes(std::uint64_t group) const { return lanes_[group]; }

 private:
  static constexpr std::uint32_t no_node = 0xffffffffu;
  /// `numbers`: of the node at each storage index that is stepped, else no_node.
  void find(const ScalarWays& ways, const ScalarMethod& scalar, std::span<const std::uint32_t> storage,
            const std::vector<std::uint32_t>& numbers);

  std::vector<ScalarRun> runs_;
  std::vector<std::uint64_t> first_;  ///< [group]
  std::vector<std::uint8_t> lanes_;   ///< [group]
};

}  // namespace fluvia::cpu
