// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/boundary_index.hpp"

#include <algorithm>
#include <numeric>

namespace fluvia::cpu {
namespace {

void index_records(const BoundarySetup& setup, const std::vector<NodeRecord>& records, const NodeMap& nodes,
                   std::uint64_t groups, const PlaceOf& place_of, BoundaryIndex& out) {
  out.records.reserve(records.size());
  for (const NodeRecord& r : records) {
    const std::uint64_t place = place_of(nodes.node_position(nodes.tiles[r.tile], r.bit));
    out.records.push_back({static_cast<std::uint32_t>(place / group_lanes), r.surface,
                           static_cast<std::uint8_t>(place % group_lanes), r.links});
  }
  // Records of a node stay in the order of application.
  const auto is_before = [](const BoundaryRecord& a, const BoundaryRecord& b) {
    return std::pair(a.group, a.lane) < std::pair(b.group, b.lane);
  };
  if (const std::vector<std::uint32_t> links = changing_links(setup, records); !links.empty()) {
    std::vector<std::uint32_t> order(links.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return is_before(out.records[a], out.records[b]); });
    for (std::uint32_t& k : order) k = links[k];
    out.changing = ProfileRecords(setup.changing, order);
  }
  std::stable_sort(out.records.begin(), out.records.end(), is_before);
  out.has_records.assign(groups, 0);
  for (const BoundaryRecord& record : out.records) out.has_records[record.group] = 1;
}

void index_monitored_links(const BoundarySetup& setup, const NodeMap& nodes, const TileRange& own,
                           const PlaceOf& place_of, BoundaryIndex& out) {
  out.monitored.resize(setup.surfaces.size());
  for (const auto& [link, faces, twelfths] : measured_links(setup.links.at, setup.shared, setup.monitored, own)) {
    const std::uint64_t place = place_of(nodes.node_position(nodes.tiles[link.tile], link.bit));
    out.monitored[link.surface].push_back({static_cast<std::uint32_t>(place / group_lanes), link.tile,
                                           static_cast<std::uint8_t>(place % group_lanes), link.direction, faces,
                                           twelfths});
  }
  for (auto& links : out.monitored) {
    std::stable_sort(links.begin(), links.end(), [](const auto& a, const auto& b) { return a.group < b.group; });
    links.shrink_to_fit();
  }
}

}  // namespace

BoundaryIndex index_boundaries(const BoundarySetup& setup, std::vector<NodeRecord> records, const NodeMap& nodes,
                               const Block& block, std::uint64_t groups, const PlaceOf& place_of) {
  BoundaryIndex index;
  index.surfaces = setup.surfaces;
  index.is_monitored = setup.monitored;
  index.carried = setup.carried;
  index.corners = setup.corners;
  std::erase_if(records, [&](const NodeRecord& r) { return !block.takes(r.tile, r.bit); });
  if (!records.empty()) index_records(setup, records, nodes, groups, place_of, index);
  index_monitored_links(setup, nodes, block.tiles, place_of, index);
  return index;
}

}  // namespace fluvia::cpu
