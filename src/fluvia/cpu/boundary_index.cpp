// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/boundary_index.hpp"

#include <algorithm>
#include <bit>
#include <numeric>

namespace fluvia::cpu {
namespace {

/// Records of a node stay in the order of application.
bool is_before(const BoundaryRecord& a, const BoundaryRecord& b) {
  return std::pair(a.group, a.lane) < std::pair(b.group, b.lane);
}

std::vector<BoundaryRecord> indexed(const std::vector<NodeRecord>& records, const NodeMap& nodes,
                                    const StorageIndexOf& storage_index_of) {
  std::vector<BoundaryRecord> result;
  result.reserve(records.size());
  for (const NodeRecord& r : records) {
    const std::uint64_t storage_index = storage_index_of(nodes.node_position(nodes.tiles[r.tile], r.bit));
    result.push_back({static_cast<std::uint32_t>(storage_index / group_lanes), r.surface,
                      static_cast<std::uint8_t>(storage_index % group_lanes), r.links});
  }
  return result;
}

void index_records(const BoundarySetup& setup, const std::vector<NodeRecord>& records, const NodeMap& nodes,
                   const StorageIndexOf& storage_index_of, BoundaryIndex& out) {
  out.records = indexed(records, nodes, storage_index_of);
  if (const std::vector<std::uint32_t> links = changing_links(setup, records); !links.empty()) {
    std::vector<std::uint32_t> order(links.size());
    std::iota(order.begin(), order.end(), 0u);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return is_before(out.records[a], out.records[b]); });
    for (std::uint32_t& k : order) k = links[k];
    out.changing = ProfileRecords(setup.changing, order);
  }
  std::stable_sort(out.records.begin(), out.records.end(), is_before);
}

void mark_groups(std::uint64_t groups, BoundaryIndex& out) {
  out.has_records.assign(groups, 0);
  for (const BoundaryRecord& record : out.records) out.has_records[record.group] = 1;
}

void index_monitored_links(const BoundarySetup& setup, const NodeMap& nodes, const TileRange& own,
                           const StorageIndexOf& storage_index_of, BoundaryIndex& out) {
  out.monitored.assign(setup.surfaces.size(), {});
  for (const auto& [link, faces, twelfths] : measured_links(setup.links.at, setup.shared, setup.monitored, own)) {
    const std::uint64_t storage_index = storage_index_of(nodes.node_position(nodes.tiles[link.tile], link.bit));
    out.monitored[link.surface].push_back({static_cast<std::uint32_t>(storage_index / group_lanes), link.tile,
                                           static_cast<std::uint8_t>(storage_index % group_lanes), link.direction,
                                           faces, twelfths});
  }
  for (auto& links : out.monitored) {
    std::stable_sort(links.begin(), links.end(), [](const auto& a, const auto& b) { return a.group < b.group; });
    links.shrink_to_fit();
  }
}

}  // namespace

BoundaryIndex index_boundaries(const BoundarySetup& setup, std::vector<NodeRecord> records, const NodeMap& nodes,
                               const Block& block, std::uint64_t groups, const StorageIndexOf& storage_index_of) {
  BoundaryIndex index;
  index.surfaces = setup.surfaces;
  index.is_monitored = setup.monitored;
  index.carried = setup.carried;
  index.corners = setup.corners;
  std::erase_if(records, [&](const NodeRecord& r) { return !block.takes(r.tile, r.bit); });
  if (!records.empty()) {
    index_records(setup, records, nodes, storage_index_of, index);
    mark_groups(groups, index);
  }
  index_monitored_links(setup, nodes, block.tiles, storage_index_of, index);
  return index;
}

std::vector<std::uint64_t> storage_indices_in(const NodeMap& nodes, std::span<const std::uint32_t> tiles,
                                              const Block& block, const StorageIndexOf& storage_index_of) {
  std::vector<std::uint64_t> indices;
  for (const std::uint32_t tile : tiles)
    for (std::uint64_t bits = nodes.tiles[tile].mask; bits != 0; bits &= bits - 1)
      if (const int bit = std::countr_zero(bits); block.takes(tile, bit))
        indices.push_back(storage_index_of(nodes.node_position(nodes.tiles[tile], bit)));
  std::sort(indices.begin(), indices.end());
  return indices;
}

void replace_links(const LinkTable& table, std::span<const std::uint32_t> tiles,
                   const std::vector<std::uint64_t>& indices, const NodeMap& nodes, const Block& block,
                   const StorageIndexOf& storage_index_of, std::uint64_t groups, BoundaryIndex& index) {
  std::vector<NodeRecord> fresh = node_records(table.setup_of(tiles));
  std::erase_if(fresh, [&](const NodeRecord& r) { return !block.takes(r.tile, r.bit); });
  std::erase_if(index.records, [&](const BoundaryRecord& r) {
    return std::binary_search(indices.begin(), indices.end(), std::uint64_t{r.group} * group_lanes + r.lane);
  });
  std::vector<BoundaryRecord> records = indexed(fresh, nodes, storage_index_of);
  std::stable_sort(records.begin(), records.end(), is_before);
  const auto others = static_cast<std::ptrdiff_t>(index.records.size());
  index.records.insert(index.records.end(), records.begin(), records.end());
  std::inplace_merge(index.records.begin(), index.records.begin() + others, index.records.end(), is_before);
  mark_groups(groups, index);
  const BoundarySetup& setup = table.setup();
  index.carried = setup.carried;
  index_monitored_links(setup, nodes, block.tiles, storage_index_of, index);
}

}  // namespace fluvia::cpu
