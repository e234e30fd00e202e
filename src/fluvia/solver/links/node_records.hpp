// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "fluvia/solver/blocks/block.hpp"
#include "fluvia/solver/blocks/tile_sums.hpp"
#include "fluvia/solver/links/boundary_setup.hpp"

namespace fluvia {

/// Cut links of one node, one surface and one velocity, or one link if its velocity changes apart from others; none for
/// a node that is upstream of another only, all for one in a sponge.
struct NodeRecord {
  std::uint32_t tile;
  std::uint8_t bit;  ///< of the node in its tile
  std::uint16_t surface;
  core::CutLinks links{};
  bool is_opening = false;  ///< CutLinks::opening is set; else CutLinks::velocity, and nothing is upstream of it
};

/// The links of a setup, merged per node and sorted by node and, within a node, in the order of application.
/// CutLinks::memory counts up in this order, which is canonical, for conditions that keep anything;
/// OpeningNode::points are those of plane_fits().
std::vector<NodeRecord> node_records(const BoundarySetup& setup);

/// Numbers that the condition of a record keeps from step to step.
int kept_by(const BoundarySetup& setup, const NodeRecord& record);

/// The arrays behind core::PlaneFits of the nodes of some records; sets where each record finds its own.
FitTables plane_fits(const BoundarySetup& setup, std::vector<NodeRecord>& records);

/// Per record, which link of a changing profile it is (BoundarySetup::links), or ProfileRecords::no_link; empty if the
/// setup has no such profile.
std::vector<std::uint32_t> changing_links(const BoundarySetup& setup, const std::vector<NodeRecord>& records);

/// Numbers that conditions keep of nodes of one block and another needs; both list them in the same order.
struct HaloMemory {
  std::vector<std::uint32_t> arrives, leaves;
};
/// Per neighbour of a block. Where it exchanges after each step, that is what nodes read of another part's,
/// upstream or beside them; else all that is kept of nodes in its halo, which it steps as well.
std::vector<HaloMemory> halo_memory(const BoundarySetup& setup, const std::vector<NodeRecord>& records,
                                    const FitTables& fits, const Block& block);

/// Numbers that the conditions of these records keep from step to step.
std::size_t memory_size(const BoundarySetup& setup, const std::vector<NodeRecord>& records);

}  // namespace fluvia
