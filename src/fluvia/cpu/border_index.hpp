// SPDX-License-Identifier: Apache-2.0
// What a block exchanges with its neighbours, as elements of memory, and which groups have a share in it; whatever
// the addressing and the format.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <vector>

#include "fluvia/cpu/boundary_index.hpp"
#include "fluvia/solver/blocks/block_solver.hpp"
#include "fluvia/solver/plan/scheme.hpp"

namespace fluvia::cpu {

/// Groups of a step: those whose populations leave to neighbours, the other own ones, those with nodes near enough to
/// own ones, or all.
enum class Which : std::uint8_t { none, interior, border, near, all };

/// Element that an access of a stored node along direction c leads to.
using ElementOf = std::function<std::uint64_t(const Int3& node, const signed char* c, core::Access access)>;

/// Elements that follow each other in memory and in a message.
struct Run {
  std::uint64_t element;
  std::uint32_t at, count;  ///< in elements
};

/// Numbers of an array that go with the populations, by their indices in canonical order.
struct KeptList {
  std::size_t array;  ///< row of the array in the list of arrays
  std::vector<std::uint32_t> indices;
};

/// What one side of a border exchanges with the other: runs by parity, then numbers of arrays that are exchanged.
struct BorderList {
  std::vector<Run> runs[2];
  /// Between levels of refinement, where few elements follow each other, each of them instead, by parity; empty if
  /// 32-bit numbers do not count them.
  std::vector<std::uint32_t> singles[2];
  std::uint64_t elements = 0;
  std::vector<KeptList> kept;
  bool is_decoded = false;  ///< between levels of refinement: the message has deviations in fp64, not stored bits
  /// The element of number `at` of the message.
  [[nodiscard]] std::uint64_t element(std::int64_t parity, std::uint32_t at) const {
    if (!singles[parity].empty()) return singles[parity][at];
    const auto after = std::upper_bound(runs[parity].begin(), runs[parity].end(), at,
                                        [](std::uint32_t wanted, const Run& run) { return wanted < run.at; });
    return (after - 1)->element + (at - (after - 1)->at);
  }
  [[nodiscard]] std::size_t bytes(std::size_t element, std::size_t number) const {
    std::size_t numbers = 0;
    for (const KeptList& list : kept) numbers += list.indices.size();
    return elements * (is_decoded ? sizeof(double) : element) + numbers * number;
  }
};

/// What a pass exchanges with another level of refinement after each of its steps: when, by rows of the box, which are
/// counted through all layers.
struct LevelExchangeIndex {
  /// Number `number` of the message, where rows `first` and `second` have been stepped: that of its node and, over a
  /// plane of symmetry, that of the other end of its pair.
  struct Due {
    std::uint32_t row, number, first, second;
  };
  std::vector<Due> due;                ///< by row
  std::vector<std::uint32_t> at_last;  ///< numbers that a neighbouring node may write: known when a pass is over
};

struct BorderIndex {
  struct Border {
    BorderList arrives, leaves;
  };
  std::vector<Border> borders;                      ///< by Block::neighbours
  std::vector<LevelExchangeIndex> level_exchanges;  ///< likewise; empty if there are no passes
  std::vector<Which> which;                         ///< per group: none, interior or border; empty without neighbours
  std::vector<std::uint64_t> leaving;               ///< groups of the border, ascending
  /// Per group, links from an own node to the nearest of its nodes, 0 if it has own ones; empty unless there are
  /// several steps between exchanges.
  std::vector<std::uint8_t> distance;
  /// Per group, how many times links lead from group to group until there is one whose populations leave. A pass takes
  /// its step s of groups at most (steps - 1 - s) away before messages are packed: all that these need there.
  std::vector<std::uint8_t> level;
  static constexpr std::uint8_t too_far = 255;  ///< not stepped; without a share in what leaves
};

/// Calls visit(node) for the nodes of a group.
using NodesOf = std::function<void(std::uint64_t group, const std::function<void(const Int3& node)>& visit)>;

/// Takes what crosses out of `block`. `records`: node_records(setup), with plane_fits(); `arrays`: the rows of the
/// flow. Throws Error(resource) if more crosses than 32-bit numbers count.
BorderIndex index_borders(const BoundarySetup& setup, const std::vector<NodeRecord>& records, const FitTables& fits,
                          std::span<const NodeArray> arrays, const NodeMap& nodes, const StreamingTable& streaming,
                          Block& block, std::uint64_t groups, const StorageIndexOf& storage_index_of,
                          const ElementOf& element_of, const NodesOf& nodes_of);

}  // namespace fluvia::cpu
