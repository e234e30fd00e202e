// SPDX-License-Identifier: Apache-2.0
#include "fluvia/cpu/published/index_map_groups.hpp"

#include "fluvia/core/format/random_bits.hpp"
#include "fluvia/solver/links/cut_links.hpp"

namespace fluvia::cpu {

IndexMapGroups::IndexMapGroups(const NodeMap& nodes, const Plan& plan)
    : nodes_(&nodes),
      layout_(make_index_map_arrays(nodes, *plan.scheme, plan.flow().lattice->velocities, plan.tile)),
      indices_(make_group_indices(layout_, nodes, *plan.scheme, plan)) {
  masks_.resize((layout_.count.visited + group_lanes - 1) / group_lanes);
#pragma omp parallel for schedule(static)
  for (std::uint64_t group = 0; group < masks_.size(); ++group)
    masks_[group] = indices_->fluid_lanes(group * group_lanes, lanes(group));
}

void IndexMapGroups::box_indices(std::uint64_t group, std::uint32_t (&out)[group_lanes]) const {
  const auto row = static_cast<std::uint32_t>(nodes_->size[0]), rows = static_cast<std::uint32_t>(nodes_->size[1]);
  for (std::uint64_t rest = masks_[group]; rest != 0; rest &= rest - 1) {
    const int lane = std::countr_zero(rest);
    const Int3 x = position(group, lane);
    out[lane] = core::box_index(static_cast<std::uint32_t>(x[0]), static_cast<std::uint32_t>(x[1]),
                                static_cast<std::uint32_t>(x[2]), row, rows);
  }
}

void IndexMapGroups::groups_of_tiles(const NodeMap& nodes, std::uint64_t first, std::uint64_t count,
                                     std::vector<std::uint64_t>& out) const {
  std::vector<bool> wanted(masks_.size());
  for (std::uint64_t t = first; t < first + count; ++t)
    for (std::uint64_t bits = nodes.tiles[t].mask; bits != 0; bits &= bits - 1) {
      std::uint64_t group;
      int lane;
      locate(nodes.node_position(nodes.tiles[t], std::countr_zero(bits)), group, lane);
      wanted[group] = true;
    }
  for (std::uint64_t group = 0; group < wanted.size(); ++group)
    if (wanted[group]) out.push_back(group);
}

}  // namespace fluvia::cpu
