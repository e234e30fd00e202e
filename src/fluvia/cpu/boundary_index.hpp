// SPDX-License-Identifier: Apache-2.0
// Cut links by groups and lanes: what a solver needs of its boundaries, whatever the addressing and the format.
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "fluvia/cpu/pass_schedule.hpp"
#include "fluvia/cpu/physics/physics.hpp"
#include "fluvia/geometry/map/node_map.hpp"
#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"
#include "fluvia/solver/links/link_table.hpp"
#include "fluvia/solver/links/node_records.hpp"

namespace fluvia::cpu {

/// Where an addressing has a fluid node: its group times group_lanes, and its lane.
using StorageIndexOf = std::function<std::uint64_t(const Int3& node)>;

/// A cut link of a surface whose forces or flow rates are asked for.
struct MonitoredLink {
  std::uint32_t group, tile;
  std::uint8_t lane, direction;
  std::uint8_t faces;    ///< that share its force, 0: not this one's (solver/links/shared_links.hpp)
  std::int8_t twelfths;  ///< of what passes
};

/// The cut links of the nodes that a solver steps; monitored ones of those that it owns.
struct BoundaryIndex {
  std::vector<core::SurfaceState> surfaces;
  std::vector<BoundaryRecord> records;       ///< sorted by group, lane, boundary order
  std::vector<std::uint8_t> has_records;     ///< per group; empty if there are no records
  std::vector<core::PointBatch> fit_points;  ///< of core::PlaneFits, of all tiles
  ProfileRecords changing;
  std::vector<std::vector<MonitoredLink>> monitored;  ///< per surface, sorted by group
  std::vector<bool> is_monitored;                     ///< per surface
  std::vector<SurfaceForce> carried;                  ///< BoundarySetup::carried
  std::vector<CornerFlow> corners;                    ///< BoundarySetup::corners
};

/// Elements of memory that change places after each step, by the parity of the step to come: over planes of
/// symmetry and sheets (solver/links/exchanged_links.hpp).
struct ExchangeIndex {
  using Swap = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<Swap> swaps[2];
  /// For passes: in which rows of the box the two ends of each pair lie, and in which rows pairs may be due
  /// (PassSchedule::last_of), by row. Rows are counted through all layers.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rows;
  struct Due {
    std::uint32_t row, pair;
  };
  std::vector<Due> due;
};

/// Storage indices of the nodes that a block steps in these tiles, ascending.
std::vector<std::uint64_t> storage_indices_in(const NodeMap& nodes, std::span<const std::uint32_t> tiles,
                                              const Block& block, const StorageIndexOf& storage_index_of);
/// Gives nodes with these storage indices, those of `tiles`, the records that the table has for them, and all monitored
/// links.
void replace_links(const LinkTable& table, std::span<const std::uint32_t> tiles,
                   const std::vector<std::uint64_t>& indices, const NodeMap& nodes, const Block& block,
                   const StorageIndexOf& storage_index_of, std::uint64_t groups, BoundaryIndex& index);

/// `records`: node_records(setup); `groups`: how many there are.
BoundaryIndex index_boundaries(const BoundarySetup& setup, std::vector<NodeRecord> records, const NodeMap& nodes,
                               const Block& block, std::uint64_t groups, const StorageIndexOf& storage_index_of);

}  // namespace fluvia::cpu
